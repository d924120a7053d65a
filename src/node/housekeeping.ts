/** Periodic maintenance: free disk space, idle actors, expired records, and search ranks that change with time. */
import type { Registry } from '../actors/registry.js';
import { Background } from '../core/background.js';
import { bounds, hourMs } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import type { Log } from '../core/log.js';
import type { Store } from '../store/store.js';

export interface HousekeepingOptions {
  readonly store: Pick<Store, 'freeBytes'>;
  readonly registry: Pick<Registry, 'sweep'>;
  readonly world: Environment;
  readonly log: Log;
  /** Deletes expired records; called at the start and every hour. */
  readonly forget: () => Promise<void>;
  /** Updates search ranks that change with time; called as often. */
  readonly age: () => Promise<void>;
}

const everyMs = 5_000;
const idleActorMs = 60_000;

export class Housekeeping {
  #freeBytes: number | undefined;
  #couldLook = true;
  #hourlyAt = Number.NEGATIVE_INFINITY;
  readonly #rounds: Background;

  constructor(private readonly options: HousekeepingOptions) {
    const { world, log } = options;
    const onFailure = (err: unknown) => log.warn({ err }, 'housekeeping failed; it will be retried');
    this.#rounds = new Background({ world, onFailure, round: () => this.#round() });
  }

  /** Free bytes on the store's disk; undefined for a remote store, or when the file system does not answer. */
  get freeBytes(): number | undefined {
    return this.#freeBytes;
  }

  /** Whether so little is free that writes are refused; false if that is unknown. */
  get isFull(): boolean {
    return this.#freeBytes !== undefined && this.#freeBytes < bounds.freeDiskBytes;
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): void {
    void this.#rounds.stop();
  }

  async #round(): Promise<number> {
    const { registry, world, forget, age } = this.options;
    registry.sweep(idleActorMs);
    await this.look();
    if (world.monotonic() >= this.#hourlyAt) {
      await forget();
      await age();
      this.#hourlyAt = world.monotonic() + hourMs;
    }
    return everyMs;
  }

  /** Measures the free disk space. An error does not count as a full disk: a write on a full disk fails by itself. */
  async look(): Promise<void> {
    const { store, log } = this.options;
    const wasFull = this.isFull;
    try {
      this.#freeBytes = await store.freeBytes();
      if (this.isFull !== wasFull) {
        const says = wasFull
          ? 'the disk has room again; writes are accepted'
          : 'the disk is nearly full; writes are refused';
        log[wasFull ? 'info' : 'warn']({ freeBytes: this.#freeBytes }, says);
      }
      this.#couldLook = true;
    } catch (error) {
      this.#freeBytes = undefined;
      if (this.#couldLook) log.warn({ err: error }, 'the free disk space cannot be measured');
      this.#couldLook = false;
    }
  }
}
