/** Limits the rate of what one peer may cause: a token bucket that refills evenly. */
import type { Environment } from '../core/environment.js';

export class Allowance {
  #left: number;
  #at: number;

  /** @param most capacity of the bucket, which starts full */
  constructor(
    private readonly world: Pick<Environment, 'monotonic'>,
    private readonly perSecond: number,
    private readonly most: number = perSecond,
  ) {
    this.#left = most;
    this.#at = world.monotonic();
  }

  /** Takes `count` tokens. Returns false, and takes none, if fewer are left. */
  take(count = 1): boolean {
    const now = this.world.monotonic();
    this.#left = Math.min(this.most, this.#left + ((now - this.#at) / 1_000) * this.perSecond);
    this.#at = now;
    if (this.#left < count) return false;
    this.#left -= count;
    return true;
  }
}
