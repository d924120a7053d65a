/**
 * Checks what entries say by themselves (hashes, form, signature), which is most of the work of an audit, in one thread
 * for each core. The auditing thread repeats the steps in their order meanwhile.
 */
import { availableParallelism } from 'node:os';
import type { NumberedEntry } from '../store/entry.js';
import { Thread } from '../store/thread.js';
import { type EntryFinding, findingInEntry, findingInHashes, unreadable } from './entry-text.js';

/** An entry on its way to a thread. */
export type CheckedEntry = readonly [
  seq: number,
  prevEntry: string,
  chainHash: string,
  entryHash: string,
  coreText: string,
  payloadText: string,
];

/** The first bad entry of a page. */
export interface PageFinding {
  readonly index: number;
  readonly found: EntryFinding;
}

type FindingOf = typeof findingInEntry;

export function firstFinding(entries: Iterable<NumberedEntry>, check: FindingOf): PageFinding | undefined {
  let index = 0;
  for (const entry of entries) {
    const found = findingAlone(entry, check);
    if (found) return { index, found };
    index++;
  }
  return undefined;
}

function findingAlone(entry: NumberedEntry, check: FindingOf): EntryFinding | undefined {
  try {
    return check(entry);
  } catch (error) {
    return unreadable(error);
  }
}

/** Fewer entries are checked sooner than threads would have started. */
const fewest = 2_000;

/** How many threads so many entries should have; 0: none besides the auditing one. */
export const threadsFor = (entries: number): number => {
  const cores = availableParallelism();
  return cores > 1 && entries >= fewest ? cores : 0;
};

/** Bound of the heap of a thread, MiB. */
const heap = 256;
/** Of its young generation: garbage is collected more often, and the thread takes half the memory. */
const young = 8;

const pagesOfEach = 4;

/** Looks through a page of entries for the first bad one. */
export interface PageChecks {
  /** How many pages should be in work at once. */
  readonly pagesAhead: number;
  check(page: readonly NumberedEntry[]): Promise<PageFinding | undefined>;
}

/**
 * Of entries that an earlier audit has verified: whether they are the same. In the auditing thread, because handing them to
 * another one costs more.
 */
export const knownChecks: PageChecks = {
  pagesAhead: 1,
  check: async (page) => firstFinding(page, findingInHashes),
};

export class EntryChecks implements PageChecks {
  readonly #threads: readonly Thread[];
  #next = 0;

  /** @param threads 0: checks in this thread */
  constructor(threads: number) {
    const script = new URL('./entry-check-thread.js', import.meta.url);
    this.#threads = Array.from(
      { length: threads },
      () => new Thread(script, { name: 'entry check', heap, young, isAside: true }),
    );
  }

  /** So many that no thread waits for the auditing one. */
  get pagesAhead(): number {
    return this.#threads.length * pagesOfEach + 1;
  }

  /** @returns the first finding in a page, if any. Rejects with StoreFault if a thread ends */
  async check(page: readonly NumberedEntry[]): Promise<PageFinding | undefined> {
    const thread = this.#threads[this.#next++ % this.#threads.length];
    return thread ? thread.call(page.map(textsOf)) : firstFinding(page, findingInEntry);
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}

const textsOf = (entry: NumberedEntry): CheckedEntry => [
  entry.seq,
  entry.prevEntry,
  entry.chainHash,
  entry.entryHash,
  entry.coreText,
  entry.payloadText,
];
