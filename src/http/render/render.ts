/** Renders accepted commands and stored state as JSON (docs/reference/requests.md#replies-of-writes). */
import type { Accepted } from '../../actors/command.js';
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import { isRefusal, RefusedError } from '../../core/refusal.js';
import { publicPart } from '../../core/schema/confidential.js';
import type { Resource } from '../../machines/kernel/definition.js';
import { permittedActions } from '../../machines/kernel/permitted.js';
import type { AnyResource, Seen } from '../../machines/kernel/resource.js';
import { migrate } from '../../machines/kernel/versioning.js';
import { isWithheld, mayReadConfidential } from '../../machines/kernel/visibility.js';
import type { ForeignHome } from '../../peers/reading/foreign.js';
import type { Reply } from '../server/route.js';
import { writeForm } from './write-view.js';

/** The origin of a view that is not from this node's own journal. */
export interface Origin {
  /** DID of the home. */
  readonly home: string;
  /** Epoch ms; absent before the first checkpoint. */
  readonly asOf?: number;
}

export function originOf({ home, asOf }: Pick<ForeignHome, 'home' | 'asOf'>): Origin & JsonObject {
  const { time } = asOf();
  return time === 0 ? { home } : { home, asOf: time };
}

/** The origin of what a context reads; nothing for this node's own journal. */
export const originIn = ({ foreign }: { readonly foreign?: ForeignHome | undefined }) =>
  foreign ? originOf(foreign) : undefined;

export interface ViewOptions extends Seen {
  readonly receipt?: SettlementReceipt | undefined;
  readonly origin?: Origin | undefined;
}

/** Members of a view in addition to its own. */
export interface Additions {
  /** The write that this view replies to: its `eventHash`, `nonce` and `txHash`. */
  readonly accepted?: Accepted | undefined;
  /** Members that replace the view's own. */
  readonly more?: JsonObject | undefined;
}

/**
 * The view of a resource, with the members that every view has: `resourcePrev`, `txHash`, `permittedActions`.
 * Throws INTERNAL_ERROR if the resource has a definition version that this program does not know.
 */
export function viewOf(
  definition: AnyResource,
  stored: Resource,
  options: ViewOptions,
  { accepted, more }: Additions = {},
): JsonObject {
  const { origin } = options;
  if (origin && isWithheld(stored.context)) return withheldView(stored, origin);
  const resource = migrated(definition, stored);
  const whole = definition.view(resource as Resource<never>, options);
  const isWhole = mayReadConfidential(definition, resource.context, options.reader);
  const view = (isWhole ? whole : publicPart(definition.viewSchema, whole)) as { [name: string]: Json };
  view.txHash = options.receipt?.txHash ?? resource.lastHash;
  const written = accepted && writeForm.view({ entry: accepted.entry, receipt: options.receipt });
  Object.assign(view, written, more, origin);
  if (!options.withoutPermitted) {
    view.permittedActions = permittedActions(definition, resource, options.time) as unknown as Json;
  }
  return view;
}

/** The view of a resource of which only the cores of its entries are known (docs/reference/other-homes.md#withheld). */
const withheldView = (
  { kind, id, state, version, createdAt, updatedAt, lastHash }: Resource,
  origin: Origin,
): JsonObject => ({
  ...{ kind, id, state, version, createdAt, updatedAt, resourcePrev: lastHash, txHash: lastHash, withheld: true },
  ...origin,
});

function migrated(definition: AnyResource, stored: Resource): Resource {
  const resource = migrate(definition, stored);
  if (isRefusal(resource)) throw new RefusedError(resource);
  return resource;
}

/** 200 or 304: `ETag` is the value to send next as `resourcePrev`. */
export const taggedReply = (body: JsonObject, resourcePrev: string | null): Reply => ({
  status: 200,
  body,
  headers: { ETag: `"${resourcePrev ?? ''}"` },
});
