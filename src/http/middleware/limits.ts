/**
 * Rate limits (decisions.md, Rate limits): per address without a key, per key with one; a minute's window each.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { bounds, rateLimits } from '../../config.js';
import { type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { World } from '../../world.js';
import type { Exchange } from '../exchange.js';

/** A key's own quotas, requests a minute. */
export interface KeyLimits {
  readonly reads?: number;
  readonly writes?: number;
}

/** One policy: its name and quota go into the header `RateLimit-Policy`. */
class Policy {
  readonly #limiter: RateLimiterMemory;
  readonly #described: string;

  constructor(
    readonly name: string,
    readonly quota: number,
  ) {
    this.#limiter = new RateLimiterMemory({ points: quota, duration: rateLimits.windowSeconds });
    this.#described = `"${name}";q=${quota};w=${rateLimits.windowSeconds}`;
  }

  /** Takes one from the quota and says in the exchange's headers what is left (draft-ietf-httpapi-ratelimit-headers-10). */
  async take(exchange: Exchange, who: string): Promise<Refusal | undefined> {
    let state: RateLimiterRes;
    let refused = false;
    try {
      state = await this.#limiter.consume(who);
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown;
      state = thrown;
      refused = true;
    }
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    const left = `"${this.name}";r=${state.remainingPoints};t=${seconds}`;
    exchange.addHeaders('RateLimit-Policy', this.#described, 'RateLimit', left);
    return refused ? this.#refusal(seconds) : undefined;
  }

  async spent(who: string): Promise<Refusal | undefined> {
    const state = await this.#limiter.get(who);
    if (!state || state.remainingPoints > 0) return undefined;
    return this.#refusal(Math.max(1, Math.ceil(state.msBeforeNext / 1000)));
  }

  #refusal(retryAfter: number): Refusal {
    const detail = `more than ${this.quota} requests in ${rateLimits.windowSeconds} s (${this.name})`;
    return refuse('RATE_LIMITED', detail, { retryAfter });
  }
}

export class Limits {
  readonly #originReads = new Policy('address-read', rateLimits.originReads);
  readonly #originWrites = new Policy('address-write', rateLimits.originWrites);
  /** By quota, since a key may have its own; their number is bounded by what an operator typed. */
  readonly #keyPolicies = new Map<string, Policy>();
  #seen = new Set<string>();
  #seenSince: number;

  constructor(
    private readonly world: World,
    private readonly crowd: { readonly origins: number; readonly buckets: number } = {
      origins: bounds.limitedOrigins,
      buckets: bounds.sharedOriginBuckets,
    },
  ) {
    this.#seenSince = world.monotonic();
  }

  /** A request without a key, or with a wrong one. */
  takeFromOrigin(exchange: Exchange, origin: string, write: boolean): Promise<Refusal | undefined> {
    return (write ? this.#originWrites : this.#originReads).take(exchange, this.#bucket(origin));
  }

  /** Whether an address has nothing left: then a key that was never seen is not even looked up. */
  spentByOrigin(origin: string, write: boolean): Promise<Refusal | undefined> {
    return (write ? this.#originWrites : this.#originReads).spent(this.#bucket(origin));
  }

  takeFromKey(
    exchange: Exchange,
    key: { id: string; limits: KeyLimits | null },
    write: boolean,
  ): Promise<Refusal | undefined> {
    const quota = write ? (key.limits?.writes ?? rateLimits.keyWrites) : (key.limits?.reads ?? rateLimits.keyReads);
    const name = write ? 'key-write' : 'key-read';
    let policy = this.#keyPolicies.get(`${name}:${quota}`);
    if (!policy) {
      policy = new Policy(name, quota);
      this.#keyPolicies.set(`${name}:${quota}`, policy);
    }
    return policy.take(exchange, key.id);
  }

  /** The address itself, or, once there are very many in one window, one of a fixed number of shared buckets. */
  #bucket(origin: string): string {
    const now = this.world.monotonic();
    if (now - this.#seenSince > rateLimits.windowSeconds * 1000) {
      this.#seen = new Set();
      this.#seenSince = now;
    }
    if (this.#seen.has(origin)) return origin;
    if (this.#seen.size < this.crowd.origins) {
      this.#seen.add(origin);
      return origin;
    }
    let sum = 0;
    for (let i = 0; i < origin.length; i++) sum = (sum * 31 + origin.charCodeAt(i)) % this.crowd.buckets;
    return `crowd-${sum}`;
  }
}
