/**
 * A listing as its owner has stated it, computed from the inputs of signed events alone: what other homes keep of it
 * (docs/reference/feeds.md#cards). The inputs come from elsewhere, so their form is checked here.
 */
import type { JsonObject } from '../../core/canonical.js';
import { isLeaf, type Leaf } from '../../core/leaf.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { AnyResource } from '../kernel/resource.js';
import { word, words } from './fields.js';
import { type Changes, type ListingContext, updated } from './machine.js';
import { offer } from './pricing.js';

/** What an owner has signed about a listing. */
export interface Statement {
  readonly signer: string;
  readonly input: JsonObject;
  /** Time of its entry, epoch milliseconds. */
  readonly time: number;
}

const leaf = is.refined(
  is.freeObject,
  (value) => isLeaf(value) || 'is no reference to a text',
) as unknown as is.Scalar<Leaf>;

const changes = {
  title: is.optional(leaf),
  description: is.optional(leaf),
  category: is.optional(word),
  tags: is.optional(words),
  pricing: is.optional(offer),
  stock: is.optional(is.nullable(is.integer(0))),
  visibility: is.optional(is.oneOf('public', 'private')),
  expiresAt: is.optional(is.nullable(is.integer(0))),
  restated: is.optional(is.freeObject),
};
const changesForm = is.openObject(changes);
const publishedForm = is.openObject({
  ...changes,
  ...{ title: leaf, description: leaf, category: word, pricing: offer },
  bidding: is.optional(
    is.object({ closesAt: is.optional(is.nullable(is.integer(0))), maxBids: is.optional(is.integer(1, 1_000)) }),
  ),
});

/** The listing that an owner has published. */
export function publishedListing(
  { create }: AnyResource,
  { signer, input, time }: Statement,
): ListingContext | Refusal {
  // A restated listing has null for what was never stated.
  const stated = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  const parsed = is.parse(publishedForm, stated);
  if (isRefusal(parsed)) return parsed;
  const event = {
    type: 'create',
    signer,
    roles: [],
    time,
    input: parsed,
    network: '',
    home: '',
    id: '',
    lastHash: null,
  };
  return create.context(event as never) as unknown as ListingContext;
}

/** The listing after an update; one that was not public before restates all of it. */
export function updatedListing(
  definition: AnyResource,
  before: ListingContext | undefined,
  { signer, input, time }: Statement,
): ListingContext | Refusal {
  const parsed = is.parse(changesForm, input);
  if (isRefusal(parsed)) return parsed;
  const { restated, ...changed } = parsed;
  if (restated) return publishedListing(definition, { signer, input: { ...restated, ...changed } as JsonObject, time });
  if (!before) return refuse('NOT_FOUND', 'it was not published');
  if (before.seller !== signer) return refuse('FORBIDDEN', 'another DID has published it');
  return { ...before, ...updated(before, changed as unknown as Changes) };
}
