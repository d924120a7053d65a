/** Wakes a waiting loop. A notification without a waiter is kept for the next wait. */
import type { Environment, Timer } from '../../core/environment.js';

export class ConditionVariable {
  #notified = false;
  #wake: (() => void) | undefined;

  constructor(private readonly world: Environment) {}

  notify(): void {
    this.#notified = true;
    this.#wake?.();
  }

  /** Resolves at the next notification, or after `ms`. */
  async wait(ms?: number): Promise<void> {
    let timer: Timer | undefined;
    if (!this.#notified) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (ms !== undefined) timer = this.world.after(ms, resolve);
      });
      timer?.cancel();
      this.#wake = undefined;
    }
    this.#notified = false;
  }
}
