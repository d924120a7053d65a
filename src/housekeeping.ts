/** What a node looks after every few seconds: room on the disk, and actors that nobody uses. */
import type { Registry } from './actors/registry.js';
import type { Log } from './http/log.js';
import type { Store } from './store/store.js';
import type { Timer, World } from './world.js';

export interface HousekeepingOptions {
  readonly store: Pick<Store, 'freeBytes'>;
  readonly registry: Pick<Registry, 'sweep'>;
  readonly world: World;
  readonly log: Log;
}

const everyMs = 5_000;
const idleActorMs = 60_000;

export class Housekeeping {
  #freeBytes: number | undefined;
  #couldLook = true;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(private readonly options: HousekeepingOptions) {}

  /** Of the disk under the store; undefined where there is none, or where it cannot be asked. */
  get freeBytes(): number | undefined {
    return this.#freeBytes;
  }

  start(): void {
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
      this.#sleep();
    });
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
