/** Wakes a loop that rests. A ring that nobody waits for is heard by whoever waits next. */
import type { Timer, World } from '../../world.js';

export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(private readonly world: World) {}

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, or after `ms`. */
  async rest(ms?: number): Promise<void> {
    let timer: Timer | undefined;
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (ms !== undefined) timer = this.world.after(ms, resolve);
      });
      timer?.cancel();
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
