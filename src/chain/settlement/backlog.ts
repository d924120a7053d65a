/** The backlog of settlement: how far it is behind the journal, in operations and in time. */
import type { Environment } from '../../core/environment.js';

interface OperationMark {
  readonly operation: number;
  readonly at: number;
}

/** Time between two marks; it bounds the error of `ageMs`. */
const markMs = 1_000;

export class Backlog {
  #entry = 0;
  #total = 0;
  #settled = 0;
  #highest = 0;
  #progressAt: number;
  readonly #marks: OperationMark[] = [];

  constructor(private readonly world: Environment) {
    this.#progressAt = world.monotonic();
  }

  get entry(): number {
    return this.#entry;
  }

  get total(): number {
    return this.#total;
  }

  /** Number of operations committed and not settled. */
  get lag(): number {
    return Math.max(0, this.#total - this.#settled);
  }

  /** Number of waiting operations that were never settled; the others are settled again after a reset of the chain. */
  get fresh(): number {
    return Math.max(0, this.#total - Math.max(this.#settled, this.#highest));
  }

  /** Age in ms of the oldest operation that is not settled; for one that the chain lost, the time since the loss. */
  get ageMs(): number {
    if (this.lag === 0) return 0;
    const oldest = this.#marks.find(({ operation }) => operation > this.#settled);
    return oldest ? this.world.monotonic() - oldest.at : this.stalledMs;
  }

  /** Time in ms without progress while operations wait. */
  get stalledMs(): number {
    return this.lag === 0 ? 0 : this.world.monotonic() - Math.max(this.#progressAt, this.#marks[0]?.at ?? 0);
  }

  /** Counts the next entry. Ignores any other, because the reader of the store counts each entry in order. */
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
