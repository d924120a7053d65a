/** The real environment with a clock that can be moved forward: timers that are then due fire at once. */
import { type Environment, realEnvironment, type Timer } from '../../../src/core/environment.js';

interface Pending {
  readonly at: number;
  readonly call: () => void;
  real: Timer;
}

const never: Timer = { cancel: () => {} };

/** A timer of so many ms is a pause between two steps of one piece of work, and no deadline: it always fires. */
const pauseMs = 25;

export class MovableClock implements Environment {
  protected ahead = 0;
  #held = false;
  readonly #pending = new Set<Pending>();

  now(): number {
    return realEnvironment.now() + this.ahead;
  }

  monotonic(): number {
    return realEnvironment.monotonic() + this.ahead;
  }

  uptime(): number {
    return this.monotonic();
  }

  random(bytes: number): Uint8Array {
    return realEnvironment.random(bytes);
  }

  after(delayMs: number, call: () => void): Timer {
    if (delayMs <= pauseMs) return realEnvironment.after(delayMs, call);
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

  /** Moves both clocks forward without firing timers: what callers can do before the node's alarm clock runs. */
  outrun(ms: number): void {
    this.ahead += ms;
  }

  /** No timer fires until the next `skip`, but for pauses. */
  hold(): void {
    this.#held = true;
    for (const pending of this.#pending) pending.real.cancel();
  }

  /** Moves both clocks forward and fires the timers that are due. */
  skip(ms: number): void {
    this.#held = false;
    this.ahead += ms;
    for (const pending of this.#pending) {
      pending.real.cancel();
      pending.real = realEnvironment.after(Math.max(0, pending.at - this.monotonic()), pending.call);
    }
  }
}
