/** Notifies followers of the journal when it grows. They read the entries from their own cursor. */
export class Feed {
  #head: number;
  readonly #waiting = new Set<() => void>();

  constructor(head: number) {
    this.#head = head;
  }

  /** Number of the newest entry that is on disk. */
  get head(): number {
    return this.#head;
  }

  advance(seq: number): void {
    if (seq <= this.#head) return;
    this.#head = seq;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
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
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
