/**
 * What the writer is asked, in a form that crosses to its thread cheaply: texts and flat objects. The core crosses
 * as its text alone and is parsed there, which takes the work off the main thread.
 */
import type { EntryCore, Receipt } from '../entry.js';
import type { OwnerRank, SearchEntry, SearchWrite } from '../search/search.js';
import type { AppendResult, Commit, Content, SnapshotWrite } from '../store.js';

export interface CommitJob {
  /** Absent after crossing to a thread. */
  readonly core?: EntryCore | undefined;
  readonly coreText: string;
  readonly payloadText: string | null;
  readonly entryHash: string;
  readonly snapshots: readonly SnapshotJob[];
  readonly contents?: readonly Content[] | undefined;
  /** The place that the entry must get: it comes from another store. */
  readonly chainHash?: string;
}

export interface SnapshotJob {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly lastHash: string;
  readonly machine: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly context: string;
  readonly addLabels: readonly string[];
  readonly dropLabels: readonly string[];
  readonly alarm: { readonly at: number; readonly action: string } | null | undefined;
  readonly search?: SearchWrite | undefined;
}

export type Job =
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
  | SearchJob;

/** The search index apart from the journal: it is emptied, filled, and then known to follow its rules. */
export type SearchJob =
  | { readonly do: 'emptySearch' }
  | { readonly do: 'fillSearch'; readonly entries: readonly SearchEntry[] }
  | { readonly do: 'finishSearch'; readonly rules: string }
  | { readonly do: 'rankOwners'; readonly ranks: readonly OwnerRank[] };

/** In the order of the jobs: results of an append, true or false of a put or delete, null of the others. */
export type Outcome = readonly AppendResult[] | boolean | null;

/** What a group of jobs came to. */
export interface Written {
  readonly outcomes: readonly Outcome[];
  /** Transactions that this writer has committed so far. */
  readonly commits: number;
}

/** Entries that one transaction takes in before it leaves the rest to the next: the first shall not wait for all. */
export const largestGroup = 1_024;

export const entriesIn = (jobs: readonly Job[]): number =>
  jobs.reduce((sum, job) => sum + (job.do === 'append' ? job.commits.length : 1), 0);

/**
 * How a test breaks the writer: `write` leaves the file no room to grow, so that SQLite itself fails with
 * "disk is full"; `commit` throws where COMMIT is due, as a failed fsync does; `die` ends the thread.
 */
export type Fault = 'write' | 'commit' | 'die';

export const commitJob = ({ entry, snapshots, contents }: Commit, keepCore: boolean): CommitJob => ({
  core: keepCore ? entry.core : undefined,
  coreText: entry.coreText,
  payloadText: entry.payloadText,
  entryHash: entry.entryHash,
  snapshots: snapshots.map(snapshotJob),
  contents,
});

const snapshotJob = ({ snapshot, contextText, addLabels, dropLabels, alarm, search }: SnapshotWrite): SnapshotJob => ({
  kind: snapshot.kind,
  id: snapshot.id,
  version: snapshot.version,
  state: snapshot.state,
  lastHash: snapshot.lastHash,
  machine: snapshot.machine,
  createdAt: snapshot.createdAt,
  updatedAt: snapshot.updatedAt,
  context: contextText ?? JSON.stringify(snapshot.context),
  addLabels,
  dropLabels,
  alarm,
  search,
});
