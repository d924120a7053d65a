/** What a webhook is: where events of the journal are sent, and which of them (docs/webhooks.md). */
import type { JsonObject } from '../machines/kernel/canonical.js';
import type { NumberedEntry } from '../store/entry.js';

/** Which events; what is absent is no condition, and all that is there must hold. */
export interface EventFilter {
  /** `escrow.released`, or `escrow.*` for all of a kind. */
  readonly types?: readonly string[] | undefined;
  /** Kinds of which a resource was written: `escrow`. */
  readonly kinds?: readonly string[] | undefined;
  /** Signed by this DID, or Tokens of it moved. */
  readonly did?: string | undefined;
  /** `<kind>/<id>` */
  readonly resource?: string | undefined;
}

export interface Webhook extends EventFilter {
  readonly id: string;
  readonly url: string;
  readonly label: string;
  readonly status: 'active' | 'disabled';
  /** Why it is disabled. */
  readonly reason: string | null;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Epoch ms until which deliveries are signed with the secret before, too; null: with one secret only. */
  readonly previousSecretUntil: number | null;
  /** Grows each time its secret is changed. */
  readonly rotations: number;
  /** Grows each time it is enabled. */
  readonly generation: number;
  /** The entry behind which it begins, and the generation that did; later ones go on where the one before has ended. */
  readonly begins: number;
  readonly begunAs: number;
}

/** How far a webhook has come: written by whoever delivers, and by nobody else. */
export interface Progress {
  readonly generation: number;
  /** Every entry up to this one is delivered, given up, or none of its own. */
  readonly at: number;
  /** Numbers beyond of which the same holds, ascending. */
  readonly done: readonly number[];
  /** Deliveries that have failed and will be tried again: number of the entry, attempts, first failure (epoch ms). */
  readonly failed: readonly (readonly [seq: number, attempts: number, since: number])[];
  /** Since when nothing has arrived at all, epoch ms; null while all is well. */
  readonly failingSince: number | null;
  readonly deliveredAt: number | null;
  /** Of the lease under which it was written. */
  readonly token: number;
}

/** Where a webhook goes on. One that was enabled again has a new chance. */
export function progressOf({ generation, begins, begunAs }: Webhook, known: Progress | undefined): Progress {
  const clean = { generation, failed: [], failingSince: null, token: 0 };
  if (!known || known.generation < begunAs) return { ...clean, at: begins, done: [], deliveredAt: null };
  return known.generation === generation ? known : { ...known, ...clean };
}

/** What anybody may see of an entry. */
export type Show = (entry: NumberedEntry) => Promise<JsonObject>;

/** The resources of an entry, as the feed's filter `resource` finds it: `account/<did>` where Tokens moved. */
export function resourcesOf({ core, payload }: NumberedEntry): Set<string> {
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

export function matches(filter: EventFilter, entry: NumberedEntry, resources: ReadonlySet<string>): boolean {
  const { types, kinds, did, resource } = filter;
  const { type, issuer } = entry.core.event;
  if (types && !types.some((wanted) => isOfType(type, wanted))) return false;
  if (kinds && ![...resources].some((name) => kinds.includes(name.slice(0, name.indexOf('/'))))) return false;
  if (did !== undefined && issuer !== did && !resources.has(`account/${did}`)) return false;
  return resource === undefined || resources.has(resource);
}
