/** One entry on its way into the database. */
import type { EntryCore } from '../entry.js';
import { keysOf } from '../entry.js';
import type { AppendResult, Commit, SnapshotWrite } from '../store.js';
import { accountsOf, type EntryDocument, type EntryWrite, resourcesOf } from './documents.js';
import type { EntryNames, LedgerCache } from './ledger-cache.js';
import { keptOf } from './search-documents.js';

export interface AppendJob extends EntryNames {
  readonly commit: Commit;
  readonly keys: readonly string[];
  readonly core: EntryCore;
  /** What no two jobs on the way may share. */
  readonly streams: readonly string[];
  /** A doubt is believed only after looking at the journal's end. */
  caughtUp: boolean;
  document: EntryDocument | undefined;
  resolve(result: AppendResult): void;
  reject(fault: Error): void;
}

export function jobOf(commit: Commit, outcome: Pick<AppendJob, 'resolve' | 'reject'>): AppendJob {
  const { core } = commit.entry;
  const keys = keysOf(core);
  return {
    commit,
    keys,
    core,
    accounts: accountsOf(core),
    resources: resourcesOf(core),
    streams: streamsOf(core, keys),
    caughtUp: false,
    document: undefined,
    ...outcome,
  };
}

/** The signer's events, each resource written or rested on, each debited account, each idempotency key. */
function streamsOf({ event, versions, reads, accounts, idem }: EntryCore, keys: readonly string[]): string[] {
  const streams = [`nonce/${event.issuer}`];
  for (const { kind, id } of versions) streams.push(`${kind}/${id}`);
  for (const { kind, id } of reads) streams.push(`${kind}/${id}`);
  for (const { did } of accounts) streams.push(`account/${did}`);
  if (idem) streams.push(...keys.slice(-2));
  return streams;
}

type Heads = Pick<LedgerCache, 'head'>;

export function documentOf(
  { commit, keys }: AppendJob,
  heads: Heads,
  origin: { process: string; nth: number },
): EntryDocument {
  const { entry, snapshots } = commit;
  return {
    _id: entry.entryHash,
    keys,
    core: entry.coreText,
    payload: entry.payloadText,
    writes: snapshots.map((write) => resourceOf(write, heads)),
    ...origin,
  };
}

/** With all its labels and its alarm, which a version may leave as they were. */
function resourceOf({ snapshot, addLabels, dropLabels, alarm, search }: SnapshotWrite, heads: Heads): EntryWrite {
  const { kind, id, version, state, lastHash, createdAt } = snapshot;
  const before = heads.head(`${kind}/${id}`);
  const labels = new Set(before?.labels ?? []);
  for (const label of dropLabels) labels.delete(label);
  for (const label of addLabels) labels.add(label);
  return {
    _id: `${kind}/${id}`,
    kind,
    id,
    version,
    state,
    lastHash,
    createdAt,
    labels: [...labels],
    alarm: alarm === undefined ? (before?.alarm ?? null) : alarm && { at: alarm.at, action: alarm.action },
    body: JSON.stringify(snapshot),
    ...(search && { search: keptOf(search) }),
  };
}
