/**
 * Who calls, and whether they may (interface, Authentication; decisions.md, Access and operators).
 *
 * Order: limit per address (wrong keys count) → 401 → limit per key. Scope comes later, after the route is known
 * to exist. Without a key and exempt from limits nothing here waits, which is why admit() may answer at once.
 */
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../../config.js';
import type { Tally } from '../../counts.js';
import { type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { Exchange } from '../exchange.js';
import type { Caller, Scope } from '../route.js';
import type { Site } from '../site.js';
import { type KeyLimits, Limits } from './limits.js';
import { Peers } from './peers.js';

/** What the server needs to know of a key. */
export interface ValidKey {
  readonly id: string;
  readonly scope: Scope;
  readonly did?: string;
  readonly limits: KeyLimits | null;
}

export interface ApiKeyLookup {
  /** From memory: the key, `stale` where it was valid a while ago and must be looked up again, else undefined. */
  known(key: string): ValidKey | 'stale' | undefined;
  /** The key if it is valid now: neither revoked nor expired. */
  lookup(key: string): Promise<ValidKey | undefined>;
}

/** What a route, or a path without one, asks of its caller. */
export interface Need {
  readonly scope: Scope;
  /** Outside `/api` and open: never a key needed. */
  readonly isPublic: boolean;
  /** 'Authentication optional' on devnet and testnet. */
  readonly open: boolean;
  /** Under `/api`: on mainnet always a key. */
  readonly api: boolean;
}

const rank: { readonly [S in Scope]: number } = { read: 0, write: 1, admin: 2 };

/** admin ⊃ write ⊃ read. */
export const reaches = (scope: Scope | undefined, asked: Scope): boolean =>
  scope !== undefined && rank[scope] >= rank[asked];

const missing = refuse('UNAUTHORIZED', 'an API key is needed: X-Api-Key, or Authorization: Bearer');
const unknown = refuse('UNAUTHORIZED', 'the API key is unknown, revoked or expired');
const twoKeys = refuse('UNAUTHORIZED', 'two different API keys were sent');

export class Access {
  readonly #limits: Limits;
  readonly #peers: Peers;
  readonly #mainnet: boolean;
  readonly #localExempt: boolean;
  /** A node that is published elsewhere gives nobody a privilege for being local. */
  readonly #privilege: boolean;

  constructor(
    site: Site,
    private readonly keys: ApiKeyLookup,
    elsewhere?: Tally,
  ) {
    const { config } = site;
    this.#limits = new Limits(site.world, { elsewhere });
    this.#peers = new Peers(site);
    this.#mainnet = config.network === 'mainnet';
    this.#localExempt = !this.#mainnet && !config.rateLimitLoopback;
    this.#privilege = config.publicUrl === undefined || isLoopbackHost(hostOf(config.publicUrl));
  }

  admit(exchange: Exchange, need: Need): Caller | Refusal | Promise<Caller | Refusal> {
    const { req } = exchange;
    const origin = this.#peers.originOf(req);
    const local = this.#privilege && this.#peers.isLocal(req);
    const key = presentedKey(req);
    if (key !== undefined) return this.#withKey(exchange, need, { key, origin, local });
    if (local && this.#localExempt) return this.#withoutKey(need, origin, local);
    return this.#limits
      .takeFromOrigin(exchange, origin, need.scope !== 'read')
      .then((refused) => refused ?? this.#withoutKey(need, origin, local));
  }

  #withoutKey(need: Need, origin: string, local: boolean): Caller | Refusal {
    if (local && !this.#mainnet) return { origin, loopback: true, local: true, scope: 'write' };
    if (need.isPublic) return { origin, loopback: false };
    if (!need.api) return local ? { origin, loopback: false, scope: 'read' } : missing;
    return need.open && !this.#mainnet ? { origin, loopback: false } : missing;
  }

  async #withKey(
    exchange: Exchange,
    need: Need,
    { key, origin, local }: { key: string | null; origin: string; local: boolean },
  ): Promise<Caller | Refusal> {
    const write = need.scope !== 'read';
    const exempt = local && this.#localExempt;
    let valid = key === null ? undefined : this.keys.known(key);
    if (key !== null && (valid === undefined || valid === 'stale')) {
      const spent = valid === 'stale' || exempt ? undefined : await this.#limits.spentByOrigin(origin, write);
      if (spent) return spent;
      valid = await this.keys.lookup(key);
    }
    if (valid === undefined || valid === 'stale') {
      const refused = exempt ? undefined : await this.#limits.takeFromOrigin(exchange, origin, write);
      return refused ?? (key === null ? twoKeys : unknown);
    }
    const refused = exempt ? undefined : await this.#limits.takeFromKey(exchange, valid, write);
    if (refused) return refused;
    const { id: keyId, scope, did } = valid;
    return {
      origin,
      loopback: false,
      ...(local ? { local } : {}),
      keyId,
      scope,
      ...(did === undefined ? {} : { did }),
    };
  }
}

/** After the route is known: FORBIDDEN where the caller's scope does not reach. */
export function scopeRefusal(caller: Caller, need: Need): Refusal | undefined {
  if (need.isPublic || (need.open && need.scope !== 'admin')) return undefined;
  if (reaches(caller.scope, need.scope)) return undefined;
  const has = caller.scope === undefined ? 'no scope' : `scope ${caller.scope}`;
  return refuse('FORBIDDEN', `this needs scope ${need.scope}; the caller has ${has}`);
}

/** undefined: none; null: two that differ, or one that cannot be a key. */
function presentedKey({ headers, rawHeaders }: IncomingMessage): string | null | undefined {
  const own = headers['x-api-key'];
  if (own === undefined && headers.authorization === undefined) return undefined;
  const keys = new Set<string>();
  // Node joins several X-Api-Key and drops all but the first Authorization, so look at what came.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const text = rawHeaders[i + 1]!.trim();
    if (name === 'x-api-key') keys.add(text);
    else if (name === 'authorization') keys.add(/^Bearer +(\S+)$/i.exec(text)?.[1] ?? '');
  }
  const [key, other] = keys;
  return key === undefined || key === '' || other !== undefined ? null : key;
}

const hostOf = (url: string): string => new URL(url).hostname;
