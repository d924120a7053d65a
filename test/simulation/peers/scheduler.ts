/**
 * The clock and the order of events of a history. Everything that takes time is an event, and the code that an event starts
 * runs until it waits for another event.
 */
import type { Timer } from '../../../src/core/environment.js';

interface Scheduled {
  readonly at: number;
  readonly order: number;
  readonly call: () => void;
  isCancelled: boolean;
}

const isBefore = (one: Scheduled, other: Scheduled): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

export class Scheduler {
  /** Milliseconds since the start. */
  now = 0;
  events = 0;
  /** A binary heap, the next event first. */
  readonly #heap: Scheduled[] = [];
  #order = 0;
  readonly #lines: string[] = [];

  /** @param logs whether `log` keeps its lines: only for a history that is printed */
  constructor(readonly logs = false) {}

  after(delayMs: number, call: () => void): Timer {
    const scheduled = { at: this.now + Math.max(0, delayMs), order: this.#order++, call, isCancelled: false };
    this.#push(scheduled);
    return {
      cancel() {
        scheduled.isCancelled = true;
      },
    };
  }

  /** Adds a line to the printed history. */
  log(line: () => string): void {
    if (this.logs) this.#lines.push(`${(this.now / 1_000).toFixed(3).padStart(9)} ${line()}`);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Lets time pass. @param after called after each event, when no code is running */
  async run(ms: number, after: () => void): Promise<void> {
    const end = this.now + ms;
    await atRest();
    for (let next = this.#heap[0]; next && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      if (next.isCancelled) continue;
      this.now = next.at;
      this.events++;
      next.call();
      await atRest();
      after();
    }
    this.now = end;
  }

  #push(scheduled: Scheduled): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (isBefore(heap[above]!, scheduled)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = scheduled;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
  }
}

/** Resolves when all promise chains wait for an event. Nothing in a history runs outside of this thread. */
const atRest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
