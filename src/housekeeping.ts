/** What a node looks after by itself: room on the disk, actors that nobody uses, records past their time, ranks that age. */
import type { Registry } from './actors/registry.js';
import type { Log } from './http/log.js';
import type { Store } from './store/store.js';
import type { Timer, World } from './world.js';

export interface HousekeepingOptions {
  readonly store: Pick<Store, 'freeBytes'>;
  readonly registry: Pick<Registry, 'sweep'>;
  readonly world: World;
  readonly log: Log;
  /** Forgets what is past its time; at the start, and every hour. */
  readonly forget: () => Promise<void>;
  /** Ranks anew what only time has changed; asked as often, and does it when it is time. */
  readonly age: () => Promise<void>;
}

const everyMs = 5_000;
const hourMs = 3_600_000;
const idleActorMs = 60_000;

export class Housekeeping {
  #freeBytes: number | undefined;
  #couldLook = true;
  #hourlyAt = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(private readonly options: HousekeepingOptions) {}

  /** Of the disk under the store; undefined where there is none, or where it cannot be asked. */
  get freeBytes(): number | undefined {
    return this.#freeBytes;
  }

  start(): void {
    this.#hourly();
    this.#sleep();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #sleep(): void {
    if (this.#stopped) return;
    this.#timer = this.options.world.after(everyMs, () => {
      this.options.registry.sweep(idleActorMs);
      void this.look();
      this.#hourly();
      this.#sleep();
    });
  }

  #hourly(): void {
    const { world, log, forget, age } = this.options;
    if (world.monotonic() < this.#hourlyAt) return;
    this.#hourlyAt = world.monotonic() + hourMs;
    void forget().catch((error: unknown) => log.warn({ err: error }, 'old records were not forgotten'));
    void age().catch((error: unknown) => log.warn({ err: error }, 'what has aged was not ranked anew'));
  }

  /** A file system that gives no answer is no full one: what it does with a write, the write will tell. */
  async look(): Promise<void> {
    const { store, log } = this.options;
    try {
      this.#freeBytes = await store.freeBytes();
      this.#couldLook = true;
    } catch (error) {
      this.#freeBytes = undefined;
      if (this.#couldLook) log.warn({ err: error }, 'the free space of the disk cannot be told');
      this.#couldLook = false;
    }
  }
}
