/**
 * Limits on wrong passphrases (docs/reference/identities.md#wrong-passphrases): per 60 seconds for each (origin, DID) and
 * for each DID, known or not. A guess is counted before it is checked and uncounted when it was right, so that concurrent
 * guesses cannot all pass before the first one fails.
 */

import type { Did } from '../core/codecs/did.js';
import type { Environment } from '../core/environment.js';
import { type Refusal, refuse } from '../core/refusal.js';
import type { SharedCounter } from '../core/shared-counter.js';

const windowMs = 60_000;

export interface GuessLimitSizes {
  readonly failuresPerOrigin: number;
  readonly failuresPerDid: number;
  /** Origins and DIDs remembered. A failure costs a KDF run, so 60 s of them cannot fill the default. */
  readonly trackedFailures: number;
}

/** Times of each key's guesses in the last minute; keys in the order of their last guess. */
class GuessWindow {
  readonly #times = new Map<string, number[]>();

  constructor(
    private readonly most: number,
    private readonly capacity: number,
  ) {}

  /** Milliseconds until one more guess is allowed; 0 when it is allowed now. */
  wait(key: string, now: number): number {
    const recent = this.#recent(key, now);
    return recent.length < this.most ? 0 : recent[recent.length - this.most]! + windowMs - now;
  }

  add(key: string, now: number): void {
    const recent = this.#recent(key, now);
    this.#times.delete(key);
    this.#times.set(key, [...recent, now]);
    for (const [oldest, times] of this.#times) {
      if (this.#times.size <= this.capacity && times.at(-1)! > now - windowMs) break;
      this.#times.delete(oldest);
    }
  }

  /** Removes the newest guesses; their origin does not matter. */
  takeBack(key: string, count: number): void {
    const times = this.#times.get(key);
    times?.splice(Math.max(0, times.length - count));
    if (times?.length === 0) this.#times.delete(key);
  }

  giveBack(key: string, time: number): void {
    const times = this.#times.get(key);
    const at = times?.indexOf(time) ?? -1;
    if (at < 0) return;
    times!.splice(at, 1);
    if (times!.length === 0) this.#times.delete(key);
  }

  get size(): number {
    return this.#times.size;
  }

  #recent(key: string, now: number): number[] {
    return (this.#times.get(key) ?? []).filter((time) => time > now - windowMs);
  }
}

export class GuessLimits {
  readonly #perOrigin: GuessWindow;
  readonly #perDid: GuessWindow;

  constructor(
    private readonly world: Environment,
    sizes: GuessLimitSizes,
    /** Counter of the guesses at other processes. */
    private readonly elsewhere?: SharedCounter,
  ) {
    this.#perOrigin = new GuessWindow(sizes.failuresPerOrigin, sizes.trackedFailures);
    this.#perDid = new GuessWindow(sizes.failuresPerDid, sizes.trackedFailures);
    elsewhere?.hear((pair, count) => this.#hear(pair, count));
  }

  /** Counts a guess. @returns a function that uncounts it, or RATE_LIMITED */
  reserve(origin: string, did: Did): (() => void) | Refusal {
    const now = this.world.monotonic();
    const pair = `${did} ${origin}`;
    const waitMs = Math.max(this.#perOrigin.wait(pair, now), this.#perDid.wait(did, now));
    if (waitMs > 0) {
      return refuse('RATE_LIMITED', 'too many wrong passphrases', { retryAfter: Math.ceil(waitMs / 1000) });
    }
    this.#perOrigin.add(pair, now);
    this.#perDid.add(did, now);
    this.elsewhere?.tell(pair, 1);
    return () => {
      this.#perOrigin.giveBack(pair, now);
      this.#perDid.giveBack(did, now);
      this.elsewhere?.tell(pair, -1);
    };
  }

  #hear(pair: string, count: number): void {
    const did = pair.slice(0, pair.indexOf(' '));
    const now = this.world.monotonic();
    for (const [window, key] of [
      [this.#perOrigin, pair],
      [this.#perDid, did],
    ] as const) {
      for (let n = 0; n < count; n++) window.add(key, now);
      if (count < 0) window.takeBack(key, -count);
    }
  }

  /** Number of origins and DIDs in memory. */
  get size(): number {
    return this.#perOrigin.size + this.#perDid.size;
  }
}
