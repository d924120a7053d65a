import type { EntryCore } from '../entry.js';
import { keysOf } from '../entry.js';
import type { AppendResult, Commit, SnapshotWrite } from '../store.js';
import { accountsOf, type EntryDocument, type EntryWrite, resourceIdsOf } from './documents.js';
import type { EntryNames, LedgerCache } from './ledger-cache.js';
import { keptOf } from './search-documents.js';

export interface AppendJob extends EntryNames {
  readonly commit: Commit;
  readonly keys: readonly string[];
  readonly core: EntryCore;
  /** Names that no two jobs in flight may share. */
  readonly streams: readonly string[];
  /** Set once the newest entries were read: before, a reason not to insert may be outdated. */
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
    resources: resourceIdsOf(core),
    streams: streamsOf(core, keys),
    caughtUp: false,
    document: undefined,
    ...outcome,
  };
}

/** The signer, each resource written or read, each debited account, and each idempotency key. */
function streamsOf({ event, versions, reads, accounts, idem }: EntryCore, keys: readonly string[]): string[] {
  const streams = [`nonce/${event.issuer}`];
  for (const { kind, id } of versions) streams.push(`${kind}/${id}`);
  for (const { kind, id } of reads) streams.push(`${kind}/${id}`);
  for (const { did } of accounts) streams.push(`account/${did}`);
  if (idem) streams.push(...keys.slice(-2));
  return streams;
}

type Heads = Pick<LedgerCache, 'head'>;

export function entryDocument(
  { commit, keys }: AppendJob,
  heads: Heads,
  origin: { process: string; nth: number },
): EntryDocument {
  const { entry, snapshots, erases } = commit;
  return {
    _id: entry.entryHash,
    keys,
    core: entry.coreText,
    payload: entry.payloadText,
    writes: snapshots.map((write) => resourceOf(write, heads)),
    ...(erases && { erases }),
    ...origin,
  };
}

/** Complete with all labels and the alarm, even those that this version does not change. */
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
