/**
 * A listing as its owner has stated it, computed from the inputs of signed events alone: what other homes keep of it
 * (docs/reference/feeds.md#cards). The inputs come from elsewhere: those that a request could not have are left alone.
 */
import type { Json, JsonObject } from '../../core/canonical.js';
import { type Leaf, rendered, withTexts } from '../../core/leaf.js';
import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { AnyResource } from '../kernel/definition.js';
import { type Changes, type ListingContext, updated } from './machine.js';

export interface Statement {
  readonly signer: string;
  readonly input: JsonObject;
  /** Time of its entry, epoch milliseconds. */
  readonly time: number;
  /** The texts of its leaves; erased ones are missing. */
  readonly texts: { readonly [hash: string]: Json };
}

/** In place of an erased text: one of them has the form that the member asks for. */
const placeholders: readonly Json[] = ['x', {}, []];
const noSalt = new Uint8Array();

/**
 * The input as a request may have it, with leaves where the schema has erasable texts and nowhere else; undefined if no
 * request may. Members that this program does not know are kept.
 */
export function statedAs(scalar: is.Scalar<unknown>, { input, texts }: Statement): JsonObject | undefined {
  const { leaves } = rendered(input, () => undefined);
  const refer = (value: Json, pointer: string): Leaf => {
    if (!Object.hasOwn(leaves, pointer)) return value as Leaf;
    const { leaf, size } = leaves[pointer]!;
    return { leaf, size };
  };
  for (const missing of placeholders) {
    const text = (hash: string) => ({ salt: noSalt, value: Object.hasOwn(texts, hash) ? texts[hash]! : missing });
    const parsed = is.parse(scalar, withTexts(input, text)) as JsonObject;
    if (isRefusal(parsed)) continue;
    const stated = is.withLeaves(scalar, parsed, refer) as JsonObject;
    const members = Object.entries(input).map(([name, value]) => [
      name,
      Object.hasOwn(stated, name) ? stated[name] : value,
    ]);
    return Object.fromEntries(members) as JsonObject;
  }
  return undefined;
}

/** The listing that an owner has published. */
export function publishedListing({ create }: AnyResource, statement: Statement): ListingContext | undefined {
  const { signer, input: given, time } = statement;
  // A restated listing has null for what was never stated.
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const input = statedAs(create.input, { ...statement, input: stated as JsonObject });
  const event = { type: 'create', signer, roles: [], time, input, network: '', home: '', id: '', lastHash: null };
  return input && (create.context(event as never) as unknown as ListingContext);
}

/**
 * The listing after an update; one that was not public before restates all of it.
 * @param before undefined if it was not shown
 */
export function updatedListing(
  definition: AnyResource,
  before: ListingContext | undefined,
  statement: Statement,
): ListingContext | undefined {
  const { restated, ...changed } = statement.input;
  if (restated) return publishedListing(definition, { ...statement, input: { ...(restated as object), ...changed } });
  const input = before && statedAs(definition.actions.update!.input, { ...statement, input: changed });
  return input && { ...before, ...updated(before, input as unknown as Changes) };
}
