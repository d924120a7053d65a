/** What one peer may cause in a second: a bucket that refills evenly. */
import type { Environment } from '../core/environment.js';

export class Allowance {
  #left: number;
  #at: number;

  /** @param most what may be saved up, and is there at first */
  constructor(
    private readonly world: Pick<Environment, 'monotonic'>,
    private readonly perSecond: number,
    private readonly most: number = perSecond,
  ) {
    this.#left = most;
    this.#at = world.monotonic();
  }

  /** Takes so many; false, and takes none, if fewer are left. */
  take(count = 1): boolean {
    const now = this.world.monotonic();
    this.#left = Math.min(this.most, this.#left + ((now - this.#at) / 1_000) * this.perSecond);
    this.#at = now;
    if (this.#left < count) return false;
    this.#left -= count;
    return true;
  }
}
