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
  readonly snapshots: readonly SnapshotTuple[];
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
  snapshots: snapshots.map(tupleOf),
  contents,
});

/** A snapshot as it crosses: names of members would cost as much as what is in them. */
export type SnapshotTuple = readonly [
  kind: string,
  id: string,
  version: number,
  state: string,
  lastHash: string,
  machine: string,
  createdAt: number,
  updatedAt: number,
  context: string,
  /** Null where there are none, which is nearly always. */
  addLabels: readonly string[] | null,
  dropLabels: readonly string[] | null,
  alarm: SnapshotJob['alarm'],
  search: SearchWrite | undefined,
];

const orNull = (labels: readonly string[]): readonly string[] | null => (labels.length === 0 ? null : labels);

const tupleOf = ({ snapshot: s, contextText, addLabels, dropLabels, alarm, search }: SnapshotWrite): SnapshotTuple => [
  s.kind,
  s.id,
  s.version,
  s.state,
  s.lastHash,
  s.machine,
  s.createdAt,
  s.updatedAt,
  contextText ?? JSON.stringify(s.context),
  orNull(addLabels),
  orNull(dropLabels),
  alarm,
  search,
];

const none: readonly string[] = [];

/** On the writer's side again. */
export function snapshotJob(tuple: SnapshotTuple): SnapshotJob {
  const [kind, id, version, state, lastHash, machine, createdAt, updatedAt, context, add, drop, alarm, search] = tuple;
  const [addLabels, dropLabels] = [add ?? none, drop ?? none];
  return {
    kind,
    id,
    version,
    state,
    lastHash,
    machine,
    createdAt,
    updatedAt,
    context,
    addLabels,
    dropLabels,
    alarm,
    search,
  };
}
