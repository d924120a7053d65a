/** Work that is done again and again, one round after the other, until it is stopped. */
import type { Timer, World } from '../world.js';

export interface RoundsOptions {
  readonly world: World;
  /** Rest between two rounds, ms. */
  readonly restMs: number;
  readonly round: () => Promise<void>;
  /** A round that failed; the next one comes all the same. */
  readonly onFailure: (error: unknown) => void;
}

export class Rounds {
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(private readonly options: RoundsOptions) {}

  start(): void {
    this.#sleep(0);
  }

  /** The next round comes now; one that is under way is not disturbed. */
  hurry(): void {
    if (this.#running === undefined) this.#sleep(0);
  }

  /** Waits for the round that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  #sleep(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer?.cancel();
    this.#timer = this.options.world.after(delayMs, () => {
      this.#running = this.options
        .round()
        .catch(this.options.onFailure)
        .finally(() => {
          this.#running = undefined;
          this.#sleep(this.options.restMs);
        });
    });
  }
}
