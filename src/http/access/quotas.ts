/**
 * Quotas of a caller (API key, else address of origin): KDF runs per minute, and bytes that the caller or a DID adds to
 * the database per UTC day. Bytes are counted in the store, so that a restart loses nothing and other processes are
 * included. They are saved in steps, so that not every write costs a second one.
 */

import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Accepted } from '../../actors/command.js';
import { dayMs, rateLimits } from '../../core/bounds.js';
import { type Environment, pause } from '../../core/environment.js';
import type { Log } from '../../core/log.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import type { Store } from '../../store/store.js';
import { type Caller, callerName } from './caller.js';

export class KdfQuota {
  readonly #limiter = new RateLimiterMemory({ points: rateLimits.kdfRuns, duration: rateLimits.windowSeconds });

  constructor(private readonly limitLoopback: boolean) {}

  /** Takes one KDF run. @returns RATE_LIMITED if the caller has used all of this minute's */
  async take(caller: Caller): Promise<Refusal | undefined> {
    if (caller.local && !this.limitLoopback) return undefined;
    try {
      await this.#limiter.consume(callerName(caller));
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown;
      const retryAfter = Math.max(1, Math.ceil(thrown.msBeforeNext / 1000));
      const detail = `more than ${rateLimits.kdfRuns} passphrases to check in ${rateLimits.windowSeconds} s`;
      return refuse('RATE_LIMITED', detail, { retryAfter });
    }
  }
}

const table = 'stored-bytes';
const mebibyte = 1024 * 1024;
/** The most callers and DIDs counted at once. An evicted counter loses the bytes that it has not saved. */
const counters = 20_000;
/** The most attempts to save while other processes write to the same record. */
const attempts = 8;

interface QuotaCounter {
  readonly id: string;
  /** Bytes counted by all processes, as far as this one knows. */
  total: number;
  /** The part of `total` that is not saved yet. */
  unsaved: number;
  saving: boolean;
}

export interface StoreQuotaOptions {
  readonly store: Pick<Store, 'getLocal' | 'putLocal'>;
  readonly world: Environment;
  readonly log: Log;
  /** SVC_STORE_QUOTA_MIB. */
  readonly mebibytes: number;
  /** SVC_RATE_LIMIT_LOOPBACK; false exempts callers on this machine. */
  readonly limitLoopback: boolean;
}

type StoredWrite = Pick<Accepted, 'entry' | 'contents'>;

/** Bytes reserved for a write in progress. */
export interface Reserved {
  /** Replaces the reservation by the bytes that were stored; undefined: nothing was stored. */
  settle(stored: StoredWrite | undefined): void;
}

const free: Reserved = { settle: () => {} };

export class StoreQuota {
  readonly #counters = new LRUCache<string, QuotaCounter>({ max: counters });
  readonly #most: number;
  readonly #stepBytes: number;

  constructor(private readonly options: StoreQuotaOptions) {
    this.#most = options.mebibytes * mebibyte;
    this.#stepBytes = Math.min(mebibyte, this.#most / 16);
  }

  /** Whether what the caller stores is counted. */
  counts = ({ local }: Caller): boolean => !local || this.options.limitLoopback;

  /**
   * Reserves the bytes of a request until it is known what it stores. @returns RATE_LIMITED if the day's quota is used
   * up
   */
  async reserve(caller: Caller, did: string, bytes: number): Promise<Reserved | Refusal> {
    if (!this.counts(caller)) return free;
    const who = callerName(caller);
    const mine = await this.#counter(who);
    const dids = await this.#counter(did);
    if (mine.total + Math.max(1, bytes) > this.#most) return this.#spent('this API key or address');
    if (dids.total >= this.#most) return this.#spent('this DID');
    mine.total += bytes;
    return {
      settle: (stored) => {
        mine.total -= bytes;
        if (!stored) return;
        const size = sizeOf(stored);
        this.#add(mine, size);
        this.#add(dids, size);
      },
    };
  }

  #spent(name: string): Refusal {
    const now = this.options.world.now();
    const retryAfter = Math.ceil((dayMs - (now % dayMs)) / 1000);
    const detail = `${name} has added ${this.options.mebibytes} MiB to the database today, which is its quota`;
    return refuse('RATE_LIMITED', detail, { retryAfter });
  }

  async #counter(who: string): Promise<QuotaCounter> {
    const id = `${Math.floor(this.options.world.now() / dayMs)} ${who}`;
    const known = this.#counters.get(id);
    if (known) return known;
    const record = await this.options.store.getLocal(table, id);
    const counter = { id, total: Number(record?.value.bytes ?? 0), unsaved: 0, saving: false };
    // A concurrent caller has created it.
    const made = this.#counters.get(id) ?? counter;
    this.#counters.set(id, made);
    return made;
  }

  #add(counter: QuotaCounter, bytes: number): void {
    counter.total += bytes;
    counter.unsaved += bytes;
    if (counter.unsaved < this.#stepBytes || counter.saving) return;
    counter.saving = true;
    this.#save(counter)
      .catch((err: unknown) =>
        this.options.log.warn({ err }, 'stored bytes were not counted; the next write tries again'),
      )
      .finally(() => {
        counter.saving = false;
      });
  }

  /** Saves this process's bytes and reads those of the others. */
  async #save(counter: QuotaCounter): Promise<void> {
    const { store, world } = this.options;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const record = await store.getLocal(table, counter.id);
      const saved = counter.unsaved;
      const bytes = Number(record?.value.bytes ?? 0) + saved;
      if (await store.putLocal(table, counter.id, { bytes }, record?.revision ?? 0)) {
        counter.unsaved -= saved;
        counter.total = Math.max(counter.total, bytes + counter.unsaved);
        return;
      }
      await pause(world, (world.random(1)[0] ?? 0) % (8 * attempt));
    }
  }
}

function sizeOf({ entry: { coreText, payloadText }, contents = [] }: StoredWrite): number {
  const texts = Buffer.byteLength(coreText) + Buffer.byteLength(payloadText);
  return contents.reduce((sum, { bytes }) => sum + bytes.length, texts);
}

/** Deletes the counters of earlier days. */
export async function forgetOldQuotas(
  store: Pick<Store, 'listLocal' | 'deleteLocal'>,
  world: Environment,
): Promise<void> {
  const today = Math.floor(world.now() / dayMs);
  for (const { id } of await store.listLocal(table))
    if (Number.parseInt(id, 10) < today) await store.deleteLocal(table, id);
}
