/**
 * A resource's mailbox: one command at a time, in order of arrival, bounded.
 */
import PQueue from 'p-queue';
import { type Refusal, refuse } from '../machines/kernel/refusal.js';

export class Mailbox {
  /** Where those wait who find somebody inside: made for the first of them, as most mailboxes never see two at once. */
  #queue: PQueue | undefined;
  /** Somebody is inside who came without waiting; the queue is paused until they leave. */
  #occupied = false;

  constructor(private readonly bound: number) {}

  get idle(): boolean {
    const queue = this.#queue;
    return !this.#occupied && (queue === undefined || (queue.size === 0 && queue.pending === 0));
  }

  /** Enters without waiting, where nobody is inside; whoever is let in has to `leave`. */
  occupy(): boolean {
    if (!this.idle) return false;
    this.#occupied = true;
    this.#queue?.pause();
    return true;
  }

  leave(): void {
    this.#occupied = false;
    this.#queue?.start();
  }

  /** Waits for its turn and runs `work` alone. @returns SERVICE_UNAVAILABLE where too many wait already */
  async enter<T>(work: () => Promise<T> | T): Promise<T | Refusal> {
    if (!this.occupy()) return this.#wait(work);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  #wait<T>(work: () => Promise<T> | T): Promise<T> | Refusal {
    this.#queue ??= new PQueue({ concurrency: 1, autoStart: false });
    if (this.#queue.size >= this.bound) {
      return refuse('SERVICE_UNAVAILABLE', 'too many requests wait for this resource', { retryAfter: 1 });
    }
    return this.#queue.add(async () => work()) as Promise<T>;
  }
}
