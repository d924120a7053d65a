/**
 * A resource's mailbox: one command at a time, in order of arrival, bounded.
 */
import PQueue from 'p-queue';
import { type Refusal, refuse } from '../machines/kernel/refusal.js';

export class Mailbox {
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(private readonly bound: number) {}

  get idle(): boolean {
    return this.#queue.size === 0 && this.#queue.pending === 0;
  }

  /** Runs `work` alone. @returns SERVICE_UNAVAILABLE where too many wait already */
  enter<T>(work: () => Promise<T> | T): Promise<T | Refusal> {
    if (this.#queue.size >= this.bound) {
      return Promise.resolve(
        refuse('SERVICE_UNAVAILABLE', 'too many requests wait for this resource', { retryAfter: 1 }),
      );
    }
    return this.#queue.add(async () => work()) as Promise<T>;
  }
}
