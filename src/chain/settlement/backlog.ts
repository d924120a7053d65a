/** How far settlement is behind the journal, in operations and in time. */
import type { World } from '../../world.js';

interface Mark {
  readonly operation: number;
  readonly at: number;
}

/** One mark a second is enough to tell an age. */
const markMs = 1_000;

export class Backlog {
  #entry = 0;
  #total = 0;
  #settled = 0;
  #highest = 0;
  #progressAt: number;
  readonly #marks: Mark[] = [];

  constructor(private readonly world: World) {
    this.#progressAt = world.monotonic();
  }

  /** Last entry that was counted, and the operations up to it. */
  get entry(): number {
    return this.#entry;
  }

  get total(): number {
    return this.#total;
  }

  /** Committed and not settled. */
  get lag(): number {
    return Math.max(0, this.#total - this.#settled);
  }

  /** Of these, those that were never settled: a chain that was reset has the rest to do again. */
  get fresh(): number {
    return Math.max(0, this.#total - Math.max(this.#settled, this.#highest));
  }

  /** For how long the oldest operation that is not settled has waited, ms; of those that a chain has lost, since then. */
  get ageMs(): number {
    if (this.lag === 0) return 0;
    const oldest = this.#marks.find(({ operation }) => operation > this.#settled);
    return oldest ? this.world.monotonic() - oldest.at : this.stalledMs;
  }

  /** For how long nothing has moved on although something waits, ms. */
  get stalledMs(): number {
    return this.lag === 0 ? 0 : this.world.monotonic() - Math.max(this.#progressAt, this.#marks[0]?.at ?? 0);
  }

  /** The next entry; others are passed over, as who counts from the store comes to each of them. */
  count(entry: number, operations: number): void {
    if (entry !== this.#entry + 1) return;
    this.#entry = entry;
    if (operations === 0) return;
    const at = this.world.monotonic();
    if (this.lag === 0) this.#marks.length = 0;
    this.#total += operations;
    const last = this.#marks.at(-1);
    if (!last || at - last.at >= markMs) this.#marks.push({ operation: this.#total, at });
  }

  /** Begins again to count at a point. */
  startAt(entry: number, total: number): void {
    this.#entry = entry;
    this.#total = total;
  }

  settled(operation: number, highest: number): void {
    if (operation !== this.#settled) this.#progressAt = this.world.monotonic();
    this.#settled = operation;
    this.#highest = Math.max(this.#highest, highest);
    if (this.lag === 0) this.#marks.length = 0;
    while (this.#marks.length > 1 && this.#marks[1]!.operation <= operation) this.#marks.shift();
  }
}
