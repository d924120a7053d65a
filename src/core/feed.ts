import type { Environment } from './environment.js';

/** Notifies followers of the journal when it grows. They read the entries from their own cursor. */
export class Feed {
  #head: number;
  /** Those who wait, and the number past which the journal has to grow for each. */
  readonly #waiting = new Map<() => void, number>();

  constructor(head: number) {
    this.#head = head;
  }

  get head(): number {
    return this.#head;
  }

  advance(seq: number): void {
    if (seq <= this.#head) return;
    this.#head = seq;
    for (const [wake, past] of this.#waiting) if (seq > past) wake();
  }

  /** Resolves once the journal has grown past `seq`, or the signal aborts. */
  beyond(seq: number, signal: AbortSignal): Promise<void> {
    if (this.#head > seq || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.set(wake, seq);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** Like `beyond`, for at most so many ms. @returns whether the journal has grown past `seq` */
  async beyondWithin(seq: number, ms: number, world: Environment, signal?: AbortSignal): Promise<boolean> {
    const late = new AbortController();
    const timer = world.after(ms, () => late.abort());
    await this.beyond(seq, signal ? AbortSignal.any([signal, late.signal]) : late.signal);
    timer.cancel();
    return this.#head > seq;
  }
}
