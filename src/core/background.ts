/**
 * Background work in rounds. A failed round is retried with growing delays, without a limit: an outage of the store
 * must end neither the task nor the process.
 */
import { type Environment, pause, type Timer } from './environment.js';

export interface BackgroundOptions {
  readonly world: Environment;
  /** @returns the delay before the next round, ms; undefined to wait for `wake` */
  readonly round: () => Promise<number | undefined>;
  /** Called once per kind of failure, not per retry. */
  readonly onFailure: (error: unknown) => void;
}

/** Delay after the first failure, and its upper bound. */
const firstRetryMs = 100;
const longestRetryMs = 5_000;

export class Background {
  #timer: Timer | undefined;
  #isRunning = false;
  #running: Promise<void> = Promise.resolve();
  /** When the next round begins, monotonic ms. */
  #wakesAt = Number.POSITIVE_INFINITY;
  /** Earliest start after a failed round; `wake` doesn't shorten it. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #retryMs = firstRetryMs;
  #trouble: string | undefined;
  #started = false;
  #stopped = false;

  constructor(private readonly options: BackgroundOptions) {}

  start(delayMs = 0): void {
    this.#started = true;
    this.wake(delayMs);
  }

  /** Starts the next round within that time. A running round is followed by another one. */
  wake(delayMs = 0): void {
    if (!this.#started || this.#stopped) return;
    const at = Math.max(this.#notBefore, this.options.world.monotonic() + Math.max(0, delayMs));
    if (at >= this.#wakesAt) return;
    this.#wakesAt = at;
    if (!this.#isRunning) this.#sleep();
  }

  /** Resolves when the running round has ended; no other follows. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  /** Resolves when no round is running or scheduled. */
  async idle(): Promise<void> {
    while (!this.#stopped && (this.#isRunning || this.#wakesAt !== Number.POSITIVE_INFINITY)) {
      await (this.#isRunning ? this.#running : pause(this.options.world, 1));
    }
  }

  #sleep(): void {
    this.#timer?.cancel();
    if (this.#stopped || this.#wakesAt === Number.POSITIVE_INFINITY) return;
    this.#timer = this.options.world.after(this.#wakesAt - this.options.world.monotonic(), () => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#isRunning = true;
      this.#running = this.#run().then((restMs) => {
        // Synchronous, so that `wake` sees either a running round or the timer that this sets.
        this.#isRunning = false;
        if (restMs === undefined) this.#sleep();
        else this.#rest(restMs);
      });
    });
  }

  #rest(restMs: number): void {
    const at = this.options.world.monotonic() + Math.max(0, restMs);
    this.#wakesAt = Math.max(this.#notBefore, Math.min(this.#wakesAt, at));
    this.#sleep();
  }

  async #run(): Promise<number | undefined> {
    const { world, round, onFailure } = this.options;
    try {
      const restMs = await round();
      this.#retryMs = firstRetryMs;
      this.#trouble = undefined;
      return restMs;
    } catch (error) {
      const restMs = this.#retryMs;
      this.#notBefore = world.monotonic() + restMs;
      this.#retryMs = Math.min(longestRetryMs, 2 * restMs);
      if (this.#trouble !== String(error) && !this.#stopped) onFailure(error);
      this.#trouble = String(error);
      return restMs;
    }
  }
}
