/**
 * The faucet's quotas (decisions.md, Faucet): a recipient once in 24 h, a DID four times in 30 days, an origin twenty
 * times a day, the network so many Tokens a day. Counted in the store, so that a restart forgets nothing.
 */
import type { JsonObject } from '../machines/kernel/canonical.js';
import { assert, isRefusal, type Refusal, refuse } from '../machines/kernel/refusal.js';
import type { Store } from '../store/store.js';
import type { World } from '../world.js';
import { Mailbox } from './mailbox.js';

export interface FaucetQuotas {
  readonly tokens: number;
  readonly recipientCooldownMs: number;
  readonly perDid: number;
  readonly perDidWindowMs: number;
  readonly perOriginDaily: number;
  readonly networkDailyTokens: number;
}

const table = 'faucet';
const dayMs = 86_400_000;

type Claims = { readonly claims: readonly number[] };

/** One counter: at most `most` claims within `windowMs`, the newest at least `apartMs` ago. */
interface Counter {
  readonly id: string;
  readonly most: number;
  readonly windowMs: number;
  readonly apartMs: number;
  readonly says: string;
}

/** Claims that may wait for those before them. */
const waitingClaims = 1_000;

export class FaucetLedger {
  /** All claims share the network's counter: they take turns, rather than losing it to each other. */
  readonly #turns = new Mailbox(waitingClaims);

  constructor(
    private readonly store: Store,
    private readonly world: World,
    readonly quotas: FaucetQuotas,
  ) {}

  /** Counts one claim. @returns RATE_LIMITED with the seconds to wait, and then nothing was counted */
  claim(did: string, origin: string): Promise<Refusal | undefined> {
    return this.#turns.enter(() => this.#claim(did, origin));
  }

  /** A claim that came to nothing gives its count back. */
  async giveBack(did: string, origin: string): Promise<void> {
    await this.#turns.enter(async () => {
      for (const counter of this.#counters(did, origin)) await this.#uncount(counter);
    });
  }

  async #claim(did: string, origin: string): Promise<Refusal | undefined> {
    const counted: Counter[] = [];
    for (const counter of this.#counters(did, origin)) {
      const refusal = await this.#count(counter);
      if (isRefusal(refusal)) {
        for (const earlier of counted) await this.#uncount(earlier);
        return refusal;
      }
      counted.push(counter);
    }
    return undefined;
  }

  #counters(did: string, origin: string): Counter[] {
    const { quotas } = this;
    const claimsADay = Math.floor(quotas.networkDailyTokens / quotas.tokens);
    return [
      {
        id: `did ${did}`,
        most: quotas.perDid,
        windowMs: quotas.perDidWindowMs,
        apartMs: quotas.recipientCooldownMs,
        says: 'this recipient has had its share',
      },
      {
        id: `origin ${origin}`,
        most: quotas.perOriginDaily,
        windowMs: dayMs,
        apartMs: 0,
        says: 'this address has had its share for today',
      },
      { id: 'network', most: claimsADay, windowMs: dayMs, apartMs: 0, says: 'the faucet is empty for today' },
    ];
  }

  async #count(counter: Counter): Promise<Refusal | undefined> {
    for (let attempt = 0; attempt < 8; attempt++) {
      const now = this.world.now();
      const record = await this.store.getLocal(table, counter.id);
      const claims = (record?.value as Claims | undefined)?.claims.filter((at) => at > now - counter.windowMs) ?? [];
      const free = this.#freeAt(claims, counter);
      if (free > now) {
        return refuse('RATE_LIMITED', counter.says, { retryAfter: Math.max(1, Math.ceil((free - now) / 1000)) });
      }
      const value = { claims: [...claims, now] } as unknown as JsonObject;
      if (await this.store.putLocal(table, counter.id, value, record?.revision ?? 0)) return undefined;
    }
    return refuse('RATE_LIMITED', 'too many claims at once', { retryAfter: 1 });
  }

  #freeAt(claims: readonly number[], { most, windowMs, apartMs }: Counter): number {
    const newest = claims.at(-1);
    const apart = newest === undefined ? 0 : newest + apartMs;
    const oldestThatCounts = claims.length >= most ? claims[claims.length - most] : undefined;
    assert(most > 0, 'a quota of the faucet is at least one');
    return Math.max(apart, oldestThatCounts === undefined ? 0 : oldestThatCounts + windowMs);
  }

  async #uncount(counter: Counter): Promise<void> {
    const record = await this.store.getLocal(table, counter.id);
    const claims = (record?.value as Claims | undefined)?.claims ?? [];
    if (record) await this.store.putLocal(table, counter.id, { claims: claims.slice(0, -1) }, record.revision);
  }
}
