/**
 * Turns appends into documents, many in one `insertMany`; each succeeds or fails alone. Two entries that share a stream
 * (signer, resource or account) are never in flight together: the later one is inserted when the earlier one is
 * numbered and projected. So everything that an inserted entry builds on has its number, and any order of numbering is
 * causal.
 */
import { type AppendResult, type Commit, StoreFault } from '../store.js';
import { ConditionVariable } from './condition-variable.js';
import type { Contents } from './contents.js';
import { type InsertionOptions, insert, type Loss } from './insertion.js';
import { type AppendJob, entryDocument, jobOf } from './job.js';
import type { Doubt, LedgerCache } from './ledger-cache.js';
import { nextTurn } from './turn.js';

const largestBatch = 256;

export interface JournalPosition {
  readonly seq: number;
  readonly prevEntry: string;
  readonly chainHash: string;
}

/** What the inserter needs from the process's follower of the order. */
export interface Follower {
  /** Resolves when this process has taken in everything that any process acknowledged before the call. */
  catchUp(): Promise<void>;
  /** Resolves when the entry has its number and its projections are readable, or will never have a number. */
  whenDecided(entryHash: string): Promise<void>;
  wake(): void;
}

export interface InserterOptions extends InsertionOptions {
  readonly process: string;
  readonly ledger: LedgerCache;
  readonly contents: Contents;
  readonly onFault: (cause: unknown) => void;
}

export class Inserter {
  follower!: Follower;
  readonly #queue: AppendJob[] = [];
  readonly #open = new Set<AppendJob>();
  /** Streams of the jobs in flight. */
  readonly #held = new Set<string>();
  /**
   * Inserted entries without a number, by entry hash, in the order in which they must be numbered, because times never
   * decrease.
   */
  readonly ready = new Map<string, AppendJob>();
  readonly #released: ConditionVariable;
  readonly #answered: ConditionVariable;
  #nth = 0;
  #draining = false;
  readonly stats = { entries: 0, batches: 0, lost: 0 };

  constructor(private readonly options: InserterOptions) {
    this.#released = new ConditionVariable(options.world);
    this.#answered = new ConditionVariable(options.world);
  }

  async done(): Promise<void> {
    while (this.#open.size > 0) await this.#answered.wait();
  }

  /** All of this process's entries up to this counter have their number or are void. */
  get settled(): number {
    let settled = this.#nth;
    for (const { document } of this.#open) if (document) settled = Math.min(settled, document.nth - 1);
    return settled;
  }

  append(commit: Commit): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      const job = jobOf(commit, { resolve, reject });
      this.#open.add(job);
      this.#queue.push(job);
      if (!this.#draining) void this.#drain();
    });
  }

  /** Call when an entry of this process was numbered and its projections are written. */
  numbered(entryHash: string, place: JournalPosition): void {
    const job = this.ready.get(entryHash);
    if (!job) return;
    this.ready.delete(entryHash);
    this.stats.entries++;
    this.#end(job, { ok: true, ...place });
  }

  /**
   * Call when an entry of this process was inserted but will never be numbered, because something that it has read has
   * changed.
   */
  lost(entryHash: string, taken: string): void {
    const job = this.ready.get(entryHash);
    if (!job) return;
    this.ready.delete(entryHash);
    void this.#takeBack(job, taken).catch(this.options.onFault);
  }

  fail(fault: StoreFault): void {
    for (const { reject } of this.#open) reject(fault);
    this.#open.clear();
    this.#queue.length = 0;
    this.#released.notify();
    this.#answered.notify();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    try {
      while (this.#queue.length > 0) {
        // Callers that were just answered append again within this turn of the event loop: collect all of them.
        await nextTurn();
        const batch = await this.#cut();
        if (batch.length > 0) await this.#insert(batch);
        else if (this.#queue[0]) await this.#reconsider(this.#queue[0]);
      }
    } catch (cause) {
      this.options.onFault(cause);
    } finally {
      this.#draining = false;
    }
  }

  /**
   * Takes the jobs at the front of the queue that can be inserted together; none if the first must wait, or would fail.
   */
  async #cut(): Promise<AppendJob[]> {
    const { ledger } = this.options;
    const streams = new Set(this.#held);
    const free: AppendJob[] = [];
    for (const job of this.#queue.slice(0, largestBatch)) {
      if (job.streams.some((stream) => streams.has(stream))) break;
      for (const stream of job.streams) streams.add(stream);
      free.push(job);
    }
    if (free.length === 0) return [];
    await ledger.exclusively(async () => {
      await ledger.load(free);
      const doubtful = free.findIndex(({ core }) => ledger.doubt(core));
      if (doubtful !== -1) free.length = doubtful;
      for (const job of free) this.#begin(job);
    });
    this.#queue.splice(0, free.length);
    return free;
  }

  async #insert(batch: readonly AppendJob[]): Promise<void> {
    await this.options.contents.put(batch.map(({ commit }) => commit));
    const losses = await insert(batch, this.options);
    this.stats.batches++;
    for (const job of batch) {
      const loss = losses.get(job);
      if (loss) void this.#lose(job, loss).catch(this.options.onFault);
      else this.ready.set(job.document!._id, job);
    }
    this.follower.wake();
  }

  /** The first job can't be inserted: its streams are in flight, or it would lose a key or overdraw an account. */
  async #reconsider(job: AppendJob): Promise<void> {
    const doubt = job.streams.some((stream) => this.#held.has(stream)) ? 'held' : await this.#doubtOf(job);
    if (!doubt) return;
    // Credits in flight may still cover it.
    if (doubt === 'held' || ('short' in doubt && this.#held.size > 0)) return this.#released.wait();
    if (!job.caughtUp) {
      await this.follower.catchUp();
      job.caughtUp = true;
      return;
    }
    if ('short' in doubt) throw new StoreFault(doubt.short);
    this.#queue.shift();
    this.#end(job, { ok: false, taken: doubt.taken });
  }

  #doubtOf(job: AppendJob): Promise<Doubt | undefined> {
    return this.options.ledger.exclusively(async () => {
      await this.options.ledger.load([job]);
      return this.options.ledger.doubt(job.core);
    });
  }

  #begin(job: AppendJob): void {
    for (const stream of job.streams) this.#held.add(stream);
    const { process, ledger } = this.options;
    job.document = entryDocument(job, ledger, { process, nth: ++this.#nth });
  }

  /**
   * Reports a loss once the winning entry is readable, because the caller will build on it. If the winner is void, the
   * job is retried.
   */
  async #lose(job: AppendJob, { taken, owner }: Loss): Promise<void> {
    await this.follower.whenDecided(owner);
    await this.#takeBack(job, taken);
  }

  async #takeBack(job: AppendJob, taken: string): Promise<void> {
    await this.options.contents.drop(job.commit);
    this.#end(job, { ok: false, taken });
  }

  #end(job: AppendJob, result: AppendResult): void {
    if (job.document) for (const stream of job.streams) this.#held.delete(stream);
    if (!result.ok) this.stats.lost++;
    this.#open.delete(job);
    this.#released.notify();
    this.#answered.notify();
    job.resolve(result);
  }
}
