/**
 * Requests to the writer, as plain objects that can be sent to its thread. Only the text of an entry's core is sent: the
 * writer's thread parses it, which takes that work off the main thread.
 */
import type { EntryCore, Receipt } from '../entry.js';
import type { OwnerRank, SearchEntry, SearchWrite } from '../search.js';
import type { Snapshot } from '../snapshot.js';
import type { AppendResult, Commit, Content, Erasure, SnapshotWrite } from '../store.js';

export interface CommitJob {
  /** Absent in the writer's thread. */
  readonly core?: EntryCore | undefined;
  readonly coreText: string;
  readonly payloadText: string;
  readonly entryHash: string;
  readonly snapshots: readonly SnapshotJob[];
  readonly contents?: readonly Content[] | undefined;
  readonly erases?: Erasure | undefined;
  /** The chain hash that the entry must get, because it comes from another store. */
  readonly chainHash?: string;
}

export interface SnapshotJob extends Omit<Snapshot, 'context'> {
  readonly context: string;
  readonly addLabels: readonly string[];
  readonly dropLabels: readonly string[];
  readonly alarm: { readonly at: number; readonly action: string } | null | undefined;
  readonly search?: SearchWrite | undefined;
}

export type WriteJob =
  | { readonly do: 'append'; readonly commits: readonly CommitJob[] }
  | { readonly do: 'receipts'; readonly receipts: readonly Receipt[] }
  | {
      readonly do: 'put';
      readonly name: string;
      readonly id: string;
      readonly value: string;
      readonly revision: number;
    }
  | { readonly do: 'delete'; readonly name: string; readonly id: string }
  | { readonly do: 'seal'; readonly segment: SegmentName }
  | CardsJob
  | SearchJob;

/** The database knows a segment by its last entry, the chain's hash there, and the SHA-256 of its file's bytes. */
export interface SegmentName {
  readonly last: number;
  readonly chainHash: string;
  readonly sha256: string;
}

export interface CardsJob {
  readonly do: 'cards';
  readonly snapshots: readonly SnapshotJob[];
  readonly forgotten: readonly string[];
  readonly cursor: { readonly name: string; readonly id: string; readonly value: string; readonly revision: number };
}

/** Jobs that rebuild the search index: empty, fill, finish. */
export type SearchJob =
  | { readonly do: 'emptySearch' }
  | { readonly do: 'fillSearch'; readonly entries: readonly SearchEntry[] }
  | { readonly do: 'finishSearch'; readonly rules: string }
  | { readonly do: 'rankOwners'; readonly ranks: readonly OwnerRank[] };

/** Per job: results of an append, true or false of a put or delete, otherwise null. */
export type JobOutcome = readonly AppendResult[] | boolean | null;

export interface WriteResult {
  readonly outcomes: readonly JobOutcome[];
  readonly commits: number;
}

/** Bound of the entries per transaction, which limits the wait of the first one. */
export const largestGroup = 1_024;

export const entryCountOf = (jobs: readonly WriteJob[]): number =>
  jobs.reduce((sum, job) => sum + (job.do === 'append' ? job.commits.length : 1), 0);

/**
 * Failures that tests inject. `write`: the file can't grow, so that SQLite reports a full disk. `commit`: COMMIT
 * fails, as after a failed fsync. `die`: the thread ends.
 */
export type Fault = 'write' | 'commit' | 'die';

export const commitJob = ({ entry, snapshots, contents, erases }: Commit, keepCore: boolean): CommitJob => ({
  core: keepCore ? entry.core : undefined,
  coreText: entry.coreText,
  payloadText: entry.payloadText,
  entryHash: entry.entryHash,
  snapshots: snapshots.map(snapshotJob),
  contents,
  erases,
});

export const snapshotJob = ({
  snapshot: { context, ...snapshot },
  contextText,
  addLabels,
  dropLabels,
  alarm,
  search,
}: SnapshotWrite): SnapshotJob => ({
  ...snapshot,
  context: contextText ?? JSON.stringify(context),
  ...{ addLabels, dropLabels, alarm, search },
});
