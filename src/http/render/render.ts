/** Renders accepted commands and stored state as JSON (docs/reference/requests.md#replies-of-writes). */
import type { Accepted } from '../../actors/command.js';
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import { isRefusal, RefusedError } from '../../core/refusal.js';
import { publicPart } from '../../core/schema/confidential.js';
import type { AnyResource, Seen } from '../../machines/kernel/definition.js';
import { permittedActions } from '../../machines/kernel/permitted.js';
import type { Resource } from '../../machines/kernel/resource.js';
import { migrate } from '../../machines/kernel/versioning.js';
import { mayReadConfidential } from '../../machines/kernel/visibility.js';
import { txHashFor, writeForm } from './write-view.js';

export interface ViewOptions extends Seen {
  readonly receipt?: SettlementReceipt | undefined;
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
  const resource = migrated(definition, stored);
  const whole = definition.view(resource as Resource<never>, options);
  const isWhole = mayReadConfidential(definition, resource.context, options.reader);
  const view = (isWhole ? whole : publicPart(definition.viewSchema, whole)) as { [name: string]: Json };
  view.txHash = txHashFor(options.receipt, resource.lastHash);
  const written = accepted && writeForm.view({ entry: accepted.entry, receipt: options.receipt });
  Object.assign(view, written, more);
  if (!options.withoutPermitted) {
    view.permittedActions = permittedActions(definition, resource, options) as unknown as Json;
  }
  return view;
}

function migrated(definition: AnyResource, stored: Resource): Resource {
  const resource = migrate(definition, stored);
  if (isRefusal(resource)) throw new RefusedError(resource);
  return resource;
}
