/** A webhook: where events of the journal are sent, and which events (docs/webhooks.md). */
import type { JsonObject } from '../../core/canonical.js';
import type { NumberedEntry } from '../../store/entry.js';

/** Selects events. Absent members are no condition; all others must hold. */
export interface WebhookFilter {
  /** `escrow.released`, or `escrow.*` for all of a kind. */
  readonly types?: readonly string[] | undefined;
  /** Kinds of the resources that the entry wrote, such as `escrow`. */
  readonly kinds?: readonly string[] | undefined;
  /** Events signed by this DID, or that moved its Tokens. */
  readonly did?: string | undefined;
  /** `<kind>/<id>` */
  readonly resource?: string | undefined;
}

export interface Webhook extends WebhookFilter {
  readonly id: string;
  readonly url: string;
  readonly label: string;
  readonly status: 'active' | 'disabled';
  readonly reason: string | null;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Until when deliveries are also signed with the previous secret, epoch ms; null with one secret only. */
  readonly previousSecretUntil: number | null;
  /** Grows with each change of the secret. */
  readonly rotations: number;
  /** Grows each time the webhook is enabled. */
  readonly generation: number;
  /**
   * The entry after which deliveries begin, and the generation that set it. Later generations continue where the
   * previous one stopped.
   */
  readonly begins: number;
  readonly begunAs: number;
}

/** Progress of a webhook. Only the dispatcher writes it. */
export interface DeliveryProgress {
  readonly generation: number;
  /** Every entry up to this number was delivered, given up, or didn't match. */
  readonly at: number;
  /** Further finished entry numbers, ascending. */
  readonly done: readonly number[];
  /** Deliveries that have failed and will be tried again: number of the entry, attempts, first failure (epoch ms). */
  readonly failed: readonly (readonly [seq: number, attempts: number, since: number])[];
  /** Since when every delivery has failed, epoch ms; null while deliveries succeed. */
  readonly failingSince: number | null;
  readonly deliveredAt: number | null;
  /** Fencing token of the lease under which it was written. */
  readonly token: number;
}

/** The progress to continue from. A webhook that was enabled again starts without failures. */
export function progressOf(
  { generation, begins, begunAs }: Webhook,
  known: DeliveryProgress | undefined,
): DeliveryProgress {
  const clean = { generation, failed: [], failingSince: null, token: 0 };
  if (!known || known.generation < begunAs) return { ...clean, at: begins, done: [], deliveredAt: null };
  return known.generation === generation ? known : { ...known, ...clean };
}

export type ShowEntry = (entry: NumberedEntry) => Promise<JsonObject>;

/** The resources that an entry concerns: `<kind>/<id>`, and `account/<did>` where Tokens moved. */
export function webhookResourcesOf({ core, payload }: NumberedEntry): Set<string> {
  const found = new Set(core.versions.map(({ kind, id }) => `${kind}/${id}`));
  if (payload) found.add(`${payload.kind}/${payload.id}`);
  for (const { did } of core.accounts) found.add(`account/${did}`);
  for (const [account] of core.postings) {
    const slash = account.indexOf('/');
    if (slash !== -1) found.add(`account/${account.slice(slash + 1)}`);
  }
  return found;
}

const isOfType = (type: string, wanted: string): boolean =>
  wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;

export function matches(filter: WebhookFilter, entry: NumberedEntry, resources: ReadonlySet<string>): boolean {
  const { types, kinds, did, resource } = filter;
  const { type, issuer } = entry.core.event;
  if (types && !types.some((wanted) => isOfType(type, wanted))) return false;
  if (kinds && ![...resources].some((name) => kinds.includes(name.slice(0, name.indexOf('/'))))) return false;
  if (did !== undefined && issuer !== did && !resources.has(`account/${did}`)) return false;
  return resource === undefined || resources.has(resource);
}
