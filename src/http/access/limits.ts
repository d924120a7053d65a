/**
 * Rate limits (docs/reference/access.md#rate-limits): per address for requests without a key, per key for others;
 * windows of a minute.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { bounds, rateLimits } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import type { SharedCounter } from '../../core/shared-counter.js';

export interface LimitedReply {
  addHeaders(...namesAndValues: string[]): void;
}

/** A key's own quotas, in requests per minute. */
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
    /** Reports each counted request to other processes. */
    private readonly tell: (who: string) => void,
  ) {
    this.#limiter = new RateLimiterMemory({ points: quota, duration: rateLimits.windowSeconds });
    this.#described = `"${name}";q=${quota};w=${rateLimits.windowSeconds}`;
  }

  /** Takes one from the quota, and adds headers with the remaining quota (draft-ietf-httpapi-ratelimit-headers-10). */
  async take(reply: LimitedReply, who: string): Promise<Refusal | undefined> {
    let state: RateLimiterRes;
    let refused = false;
    this.tell(who);
    try {
      state = await this.#limiter.consume(who);
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown;
      state = thrown;
      refused = true;
    }
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    const left = `"${this.name}";r=${state.remainingPoints};t=${seconds}`;
    reply.addHeaders('RateLimit-Policy', this.#described, 'RateLimit', left);
    return refused ? this.#refusal(seconds) : undefined;
  }

  /** Counts requests that other processes served. */
  async add(who: string, count: number): Promise<void> {
    await this.#limiter.penalty(who, count);
  }

  #refusal(retryAfter: number): Refusal {
    const detail = `more than ${this.quota} requests in ${rateLimits.windowSeconds} s (${this.name})`;
    return refuse('RATE_LIMITED', detail, { retryAfter });
  }
}

export interface Crowd {
  readonly origins: number;
  readonly buckets: number;
}

const usualCrowd: Crowd = { origins: bounds.limitedOrigins, buckets: bounds.sharedOriginBuckets };

export class Limits {
  /**
   * Policies by name and quota, because a key may have its own quota. Their number is bounded by what operators
   * configure.
   */
  readonly #policies = new Map<string, Policy>();
  #seen = new Set<string>();
  #seenSince: number;

  constructor(
    private readonly world: Environment,
    private readonly options: {
      readonly config: { readonly readsPerAddress: number; readonly writesPerAddress: number };
      readonly crowd?: Crowd;
      readonly elsewhere?: SharedCounter | undefined;
    },
  ) {
    this.#seenSince = world.monotonic();
    options.elsewhere?.hear((policyAndWho, count) => {
      const [name = '', quota, who = ''] = JSON.parse(policyAndWho) as [string, number, string];
      void this.#policy(name, quota).add(who, count);
    });
  }

  #policy(name: string, quota: number): Policy {
    const known = this.#policies.get(`${name}:${quota}`);
    if (known) return known;
    const policy = new Policy(name, quota, (who) =>
      this.options.elsewhere?.tell(JSON.stringify([name, quota, who]), 1),
    );
    this.#policies.set(`${name}:${quota}`, policy);
    return policy;
  }

  /** Counts a request without a key, or with a wrong one. */
  takeFromOrigin(reply: LimitedReply, origin: string, write: boolean): Promise<Refusal | undefined> {
    const { readsPerAddress, writesPerAddress } = this.options.config;
    const policy = write
      ? this.#policy('address-write', writesPerAddress)
      : this.#policy('address-read', readsPerAddress);
    return policy.take(reply, this.#bucket(origin));
  }

  takeFromKey(
    reply: LimitedReply,
    key: { id: string; limits: KeyLimits | null },
    write: boolean,
  ): Promise<Refusal | undefined> {
    const quota = write ? (key.limits?.writes ?? rateLimits.keyWrites) : (key.limits?.reads ?? rateLimits.keyReads);
    const name = write ? 'key-write' : 'key-read';
    return this.#policy(name, quota).take(reply, key.id);
  }

  /** The address itself, or, once there are very many in one window, one of a fixed number of shared buckets. */
  #bucket(origin: string): string {
    const { crowd = usualCrowd } = this.options;
    const now = this.world.monotonic();
    if (now - this.#seenSince > rateLimits.windowSeconds * 1000) {
      this.#seen = new Set();
      this.#seenSince = now;
    }
    if (this.#seen.has(origin)) return origin;
    if (this.#seen.size < crowd.origins) {
      this.#seen.add(origin);
      return origin;
    }
    let sum = 0;
    for (let i = 0; i < origin.length; i++) sum = (sum * 31 + origin.charCodeAt(i)) % crowd.buckets;
    return `crowd-${sum}`;
  }
}
