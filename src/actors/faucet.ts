/**
 * The faucet's quotas (docs/reference/accounts-and-nonces.md#faucet): a recipient once in 24 h, a DID four times in 30
 * days, an origin twenty times a day, and a daily total for the network. Counted in the store, so that a restart loses
 * nothing.
 */
import { dayMs } from '../core/bounds.js';
import type { JsonObject } from '../core/canonical.js';
import { type Environment, pause } from '../core/environment.js';
import { assert, isRefusal, type Refusal, refuse } from '../core/refusal.js';
import type { LocalRecord, Store } from '../store/store.js';
import { Mailbox } from './actors.js';

export interface FaucetQuotas {
  readonly tokens: number;
  readonly recipientCooldownMs: number;
  readonly perDid: number;
  readonly perDidWindowMs: number;
  readonly perOriginDaily: number;
  readonly perSiteDaily: number;
  readonly perProviderDaily: number;
  readonly networkDailyTokens: number;
}

const table = 'faucet';

/** How long a request that was counted and not finished may be repeated without being counted again. */
const repeatMs = 3_600_000;

interface Counted {
  readonly at: number;
  /** Id of the request that was counted. */
  readonly by: string;
}

type Claims = { readonly claims: readonly Counted[] };

/** One counter: at most `most` claims within `windowMs`, at least `apartMs` apart. */
interface FaucetLimit {
  readonly id: string;
  readonly most: number;
  readonly windowMs: number;
  readonly apartMs: number;
  readonly says: string;
}

export interface FaucetClaim {
  readonly did: string;
  readonly origin: string;
  /** The /48 and the /32 network of an IPv6 origin. */
  readonly wider?: { readonly site: string; readonly provider: string } | undefined;
  /** Id of the request. Repeating it while it is in progress, or after it crashed, counts only once. */
  readonly by: string;
}

/** Undoes the counting of a claim that failed. */
export type GiveBack = () => Promise<void>;

/** The most claims that wait for earlier ones. */
const waitingClaims = 1_000;

export class FaucetLedger {
  /** All claims update the network's counter, so they run one after another instead of conflicting. */
  readonly #turns = new Mailbox(waitingClaims);
  #nextForgetting = 0;

  constructor(
    private readonly store: Store,
    private readonly world: Environment,
    readonly quotas: FaucetQuotas,
  ) {}

  /** Counts one claim. @returns RATE_LIMITED with the seconds to wait, in which case nothing was counted */
  async claim(claim: FaucetClaim): Promise<GiveBack | Refusal> {
    const counted = await this.#alone(() => this.#claim(claim));
    if (isRefusal(counted)) return counted;
    return async () => {
      await this.#alone(() => this.#uncount(counted, claim));
    };
  }

  async #alone<T>(work: () => Promise<T>): Promise<T | Refusal> {
    const refusal = await this.#turns.enter();
    if (refusal) return refusal;
    try {
      return await work();
    } finally {
      this.#turns.leave();
    }
  }

  /** @returns the counters that it incremented; not those that had counted the request before */
  async #claim(claim: FaucetClaim): Promise<readonly FaucetLimit[] | Refusal> {
    await this.#forget();
    const counted: FaucetLimit[] = [];
    for (const counter of this.#counters(claim)) {
      const outcome = await this.#count(counter, claim.by);
      if (isRefusal(outcome)) {
        await this.#uncount(counted, claim);
        return outcome;
      }
      if (outcome === 'counted') counted.push(counter);
    }
    return counted;
  }

  /** Deletes the counters in which nothing counts any more, once a day: their names are addresses of callers. */
  async #forget(): Promise<void> {
    const now = this.world.now();
    if (now < this.#nextForgetting) return;
    this.#nextForgetting = now + dayMs;
    for (const record of await this.store.listLocal(table)) {
      const windowMs = record.id.startsWith('did ') ? this.quotas.perDidWindowMs : dayMs;
      if (claimsOf(record).every(({ at }) => at <= now - windowMs)) await this.store.deleteLocal(table, record.id);
    }
  }

  #counters({ did, origin, wider }: FaucetClaim): FaucetLimit[] {
    const { quotas } = this;
    const claimsADay = Math.floor(quotas.networkDailyTokens / quotas.tokens);
    const daily = (id: string, most: number): FaucetLimit => ({
      ...{ id, most, windowMs: dayMs, apartMs: 0 },
      says: 'this address, or its network, has used its quota for today',
    });
    return [
      {
        id: `did ${did}`,
        most: quotas.perDid,
        windowMs: quotas.perDidWindowMs,
        apartMs: quotas.recipientCooldownMs,
        says: 'this recipient has used its quota',
      },
      daily(`origin ${origin}`, quotas.perOriginDaily),
      ...(wider
        ? [
            daily(`origin ${wider.site}`, quotas.perSiteDaily),
            daily(`origin ${wider.provider}`, quotas.perProviderDaily),
          ]
        : []),
      { id: 'network', most: claimsADay, windowMs: dayMs, apartMs: 0, says: 'the faucet is empty for today' },
    ];
  }

  async #count(counter: FaucetLimit, by: string): Promise<'counted' | 'known' | Refusal> {
    for (let attempt = 0; attempt < 8; attempt++) {
      const now = this.world.now();
      const record = await this.store.getLocal(table, counter.id);
      const claims = claimsOf(record).filter(({ at }) => at > now - counter.windowMs);
      if (claims.some((each) => each.by === by && each.at > now - repeatMs)) return 'known';
      const free = this.#freeAt(claims, counter);
      if (free > now) {
        return refuse('RATE_LIMITED', counter.says, { retryAfter: Math.max(1, Math.ceil((free - now) / 1000)) });
      }
      if (await this.#put(counter, [...claims, { at: now, by }], record)) return 'counted';
      // Another process has counted in between; the random pause spreads the retries.
      await pause(this.world, (this.world.random(1)[0] ?? 0) % (8 * (attempt + 1)));
    }
    return refuse('RATE_LIMITED', 'too many claims at once', { retryAfter: 1 });
  }

  #freeAt(claims: readonly Counted[], { most, windowMs, apartMs }: FaucetLimit): number {
    const newest = claims.at(-1);
    const apart = newest === undefined ? 0 : newest.at + apartMs;
    const oldestThatCounts = claims.length >= most ? claims[claims.length - most] : undefined;
    assert(most > 0, 'a quota of the faucet is at least one');
    return Math.max(apart, oldestThatCounts === undefined ? 0 : oldestThatCounts.at + windowMs);
  }

  async #uncount(counters: readonly FaucetLimit[], { by }: FaucetClaim): Promise<void> {
    for (const counter of counters) {
      for (let attempt = 0; attempt < 8; attempt++) {
        const record = await this.store.getLocal(table, counter.id);
        const claims = claimsOf(record);
        const own = claims.findLastIndex((each) => each.by === by);
        if (own < 0 || (await this.#put(counter, claims.toSpliced(own, 1), record))) break;
      }
    }
  }

  #put(counter: FaucetLimit, claims: readonly Counted[], record: LocalRecord | undefined): Promise<boolean> {
    return this.store.putLocal(table, counter.id, { claims } as unknown as JsonObject, record?.revision ?? 0);
  }
}

const claimsOf = (record: LocalRecord | undefined): readonly Counted[] =>
  (record?.value as Claims | undefined)?.claims ?? [];
