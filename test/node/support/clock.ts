/** The real world with a clock that can be put forward: timers that became due meanwhile fire at once. */
import { type Environment, realEnvironment, type Timer } from '../../../src/core/environment.js';

interface Pending {
  readonly at: number;
  readonly call: () => void;
  real: Timer;
}

const never: Timer = { cancel: () => {} };

export class MovableWorld implements Environment {
  protected ahead = 0;
  #held = false;
  readonly #pending = new Set<Pending>();

  now(): number {
    return realEnvironment.now() + this.ahead;
  }

  monotonic(): number {
    return realEnvironment.monotonic() + this.ahead;
  }

  random(bytes: number): Uint8Array {
    return realEnvironment.random(bytes);
  }

  after(delayMs: number, call: () => void): Timer {
    // A turn of the event loop is no time that a test could hold.
    if (delayMs === 0) return realEnvironment.after(0, call);
    const fire = () => {
      this.#pending.delete(pending);
      call();
    };
    const real = this.#held ? never : realEnvironment.after(delayMs, fire);
    const pending: Pending = { at: this.monotonic() + delayMs, call: fire, real };
    this.#pending.add(pending);
    return {
      cancel: () => {
        this.#pending.delete(pending);
        pending.real.cancel();
      },
    };
  }

  /** Both clocks go forward, and no timer has noticed yet: what callers can do before the node's own alarm clock. */
  outrun(ms: number): void {
    this.ahead += ms;
  }

  /** No timer fires until the next `skip`. */
  hold(): void {
    this.#held = true;
    for (const pending of this.#pending) pending.real.cancel();
  }

  /** Both clocks go forward together, as if the time had passed. */
  skip(ms: number): void {
    this.#held = false;
    this.ahead += ms;
    for (const pending of this.#pending) {
      pending.real.cancel();
      pending.real = realEnvironment.after(Math.max(0, pending.at - this.monotonic()), pending.call);
    }
  }
}
