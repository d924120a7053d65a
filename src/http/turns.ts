/**
 * One search, or one list by status, of a caller at a time, so that whoever asks for many that look at everything waits for
 * them alone: the others wait for one of them at most (docs/decisions/0024-short-words.md). Callers are told apart as the
 * rate limits do it.
 */
import PQueue from 'p-queue';
import { type Refusal, refuse } from '../machines/kernel/refusal.js';
import type { Call } from './route.js';

const tooMany = refuse('RATE_LIMITED', 'too many requests like this of yours are waiting for each other', {
  retryAfter: 1,
});

export class Turns {
  readonly #queues = new Map<string, PQueue>();

  /** @param waiting of one caller, at most */
  constructor(private readonly waiting: number) {}

  /** Callers that wait, or are served. */
  get callers(): number {
    return this.#queues.size;
  }

  /**
   * RATE_LIMITED where too many of this caller's wait already; the signal's reason where it aborts before the turn has come.
   * Work that has begun keeps the turn to its end, whoever still waits for it.
   */
  async take<T>({ caller, signal }: Pick<Call, 'caller' | 'signal'>, work: () => Promise<T>): Promise<T | Refusal> {
    if (signal.aborted) return signal.reason as Refusal;
    const key = caller.keyId ?? caller.origin;
    const queue = this.#queues.get(key) ?? new PQueue({ concurrency: 1 });
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
      return await queue.add(begin, { signal: wait.signal });
    } catch (error) {
      if (wait.signal.aborted) return signal.reason as Refusal;
      throw error;
    } finally {
      if (queue.size === 0 && queue.pending === 0) this.#queues.delete(key);
    }
  }
}
