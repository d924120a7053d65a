/** What one peer may cause in a second: a bucket that refills evenly. */
import type { Environment } from '../core/environment.js';

export class Allowance {
  #left: number;
  #at: number;

  /** @param perSecond also the most that may be saved up */
  constructor(
    private readonly world: Pick<Environment, 'monotonic'>,
    private readonly perSecond: number,
  ) {
    this.#left = perSecond;
    this.#at = world.monotonic();
  }

  /** Takes one; false if none is left. */
  take(): boolean {
    const now = this.world.monotonic();
    this.#left = Math.min(this.perSecond, this.#left + ((now - this.#at) / 1_000) * this.perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
