/**
 * Queues for costly reads, one per caller: a caller who sends many of them delays their own requests, and all other
 * callers wait for one of them at most (docs/decisions/0024). Callers are distinguished as in the rate limits.
 */

import PQueue from 'p-queue';
import { bounds } from '../../core/bounds.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import { callerName } from '../access/caller.js';
import type { Call } from '../server/route.js';

const tooMany = refuse('RATE_LIMITED', 'too many of your requests of this kind are waiting', {
  retryAfter: 1,
});

export class PerCallerQueue {
  readonly #queues = new Map<string, PQueue>();

  readonly #all: PQueue;
  readonly #each: number;

  /**
   * @param waiting the most waiting requests of one caller
   * @param served the most requests served at once, of each caller and in total
   */
  constructor(
    private readonly waiting: number,
    { each = 1, all = Number.POSITIVE_INFINITY }: { readonly each?: number; readonly all?: number } = {},
  ) {
    this.#each = each;
    this.#all = new PQueue({ concurrency: all });
  }

  /** The number of callers with waiting or running requests. */
  get callers(): number {
    return this.#queues.size;
  }

  /**
   * RATE_LIMITED if too many of this caller's requests wait already; the signal's reason if it aborts while waiting.
   * Work that has begun keeps its place until it ends, even if the caller has gone.
   */
  async take<T>({ caller, signal }: Pick<Call, 'caller' | 'signal'>, work: () => Promise<T>): Promise<T | Refusal> {
    if (signal.aborted) return signal.reason as Refusal;
    const key = callerName(caller);
    const queue = this.#queues.get(key) ?? new PQueue({ concurrency: this.#each });
    if (queue.size >= this.waiting) return tooMany;
    this.#queues.set(key, queue);
    const wait = new AbortController();
    const leave = () => wait.abort();
    signal.addEventListener('abort', leave, { once: true });
    const begin = () => {
      signal.removeEventListener('abort', leave);
      return work();
    };
    try {
      return await queue.add(() => this.#all.add(begin, { signal: wait.signal }), { signal: wait.signal });
    } catch (error) {
      if (wait.signal.aborted) return signal.reason as Refusal;
      throw error;
    } finally {
      if (queue.size === 0 && queue.pending === 0) this.#queues.delete(key);
    }
  }
}

export class RequestQueues {
  /** Searches of all markets. */
  readonly searches = new PerCallerQueue(bounds.searchesWaiting);
  readonly #counts = new PerCallerQueue(bounds.listsWaiting);
  readonly #pages = new PerCallerQueue(bounds.listsWaiting, { each: bounds.pagesPerCaller, all: bounds.pagesAtOnce });

  /** @param hasOneReader whether a single thread of the store answers all lists */
  constructor(private readonly hasOneReader: boolean) {}

  /**
   * Builds a page in a queue that covers everything from reading to rendering, so that few pages are in memory at once.
   * @param countsStatus whether the list filters by label and status. The store then counts entries one by one, which
   * takes a tenth of a second for 100,000 of them. With a single reading thread, one caller's counts run one after
   * another.
   */
  page<T>(call: Call, make: () => Promise<T>, countsStatus = false): Promise<T | Refusal> {
    const inTurn = () => this.#pages.take(call, make);
    return countsStatus && this.hasOneReader ? this.#counts.take(call, inTurn) : inTurn();
  }
}
