/**
 * Large replies are built and written in pieces: few pieces per turn of the event loop, alternating between replies.
 */
import { bounds } from '../../../core/bounds.js';
import type { Environment } from '../../../core/environment.js';

export class Pace {
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly world: Environment) {}

  /** Calls back when the next piece may be built. */
  take(call: () => void): void {
    this.#waiting.push(call);
    if (this.#waiting.length === 1) this.world.after(0, () => this.#next());
  }

  #next(): void {
    const due = this.#waiting.slice(0, bounds.piecesPerTurn);
    for (const call of due) call();
    this.#waiting.splice(0, due.length);
    if (this.#waiting.length > 0) this.world.after(0, () => this.#next());
  }
}
