/**
 * Authenticates a caller and checks what it may do (docs/reference/access.md).
 * Order: limit per address (wrong keys count) → 401 → limit per key. The scope is checked later, after the route is
 * known to exist. For a request without a key that is exempt from limits nothing here waits, so admit() may answer
 * synchronously.
 */
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../core/environment.js';
import { Refusal, refuse } from '../../core/refusal.js';
import type { SharedCounter } from '../../core/shared-counter.js';
import { boundToAnother, type Caller, type Scope } from './caller.js';
import { type KeyLimits, type LimitedReply, Limits } from './limits.js';
import { Origins, type ServerAddress } from './origins.js';
import { ReaderProofs } from './reader-proof.js';

/** The server whose requests are checked. */
interface CheckedServer extends ServerAddress {
  readonly world: Environment;
  readonly config: ServerAddress['config'] & {
    readonly network: string;
    readonly loopback: boolean;
    readonly rateLimitLoopback: boolean;
    /** Requests a minute of one address without a key. */
    readonly readsPerAddress: number;
    readonly writesPerAddress: number;
  };
}

interface CheckedRequest extends LimitedReply {
  readonly req: IncomingMessage;
}

/** What the server needs to know about an API key. */
export interface ValidKey {
  readonly id: string;
  readonly scope: Scope;
  readonly did?: string;
  readonly limits: KeyLimits | null;
}

export interface ApiKeyLookup {
  /**
   * Answers from memory: the key; `stale` if it was valid some time ago and must be looked up again; otherwise
   * undefined.
   */
  known(key: string): ValidKey | 'stale' | undefined;
  /** The key if it is valid now: neither revoked nor expired. */
  lookup(key: string): Promise<ValidKey | undefined>;
}

/** What a route, or a path without a route, requires of its caller. */
export interface Need {
  readonly scope: Scope;
  /** Selects the rate limit that counts the request: write or read. */
  readonly write: boolean;
  /** Outside `/api` and open: a key is never required. */
  readonly isPublic: boolean;
  /** 'Authentication optional' on devnet and testnet. */
  readonly open: boolean;
  /** Under `/api`: mainnet always requires a key. */
  readonly api: boolean;
}

const rank: { readonly [S in Scope]: number } = { read: 0, write: 1, admin: 2 };

/** Scopes include each other: admin ⊃ write ⊃ read. */
export const reaches = (scope: Scope | undefined, asked: Scope): boolean =>
  scope !== undefined && rank[scope] >= rank[asked];

const missing = refuse('UNAUTHORIZED', 'an API key is needed: X-Api-Key, or Authorization: Bearer');
const unknown = refuse('UNAUTHORIZED', 'the API key is unknown, revoked or expired');
const twoKeys = refuse('UNAUTHORIZED', 'two different API keys were sent');
const notBearer = refuse('UNAUTHORIZED', 'Authorization must be Bearer <key>');
const emptyKey = refuse('UNAUTHORIZED', 'X-Api-Key is empty');

interface AccessParts {
  readonly keys: ApiKeyLookup;
  /** DID of the node's home; undefined until its journal begins. */
  readonly home: () => string | undefined;
  /** Counts of the requests that other processes have served. */
  readonly elsewhere?: SharedCounter | undefined;
}

export class Access {
  readonly #keys: ApiKeyLookup;
  readonly #limits: Limits;
  readonly #origins: Origins;
  readonly #proofs: ReaderProofs;
  readonly #mainnet: boolean;
  readonly #localExempt: boolean;
  /** SVC_LOOPBACK: callers on this machine need no key and have no rate limits. */
  readonly #loopback: boolean;

  constructor(server: CheckedServer, { keys, home, elsewhere }: AccessParts) {
    const { config, world } = server;
    this.#keys = keys;
    this.#limits = new Limits(world, { config, elsewhere });
    this.#origins = new Origins(server);
    this.#proofs = new ReaderProofs({ network: config.network, home, now: () => world.now() });
    this.#mainnet = config.network === 'mainnet';
    this.#loopback = config.loopback;
    this.#localExempt = config.loopback && !config.rateLimitLoopback;
  }

  admit(request: CheckedRequest, need: Need): Caller | Refusal | Promise<Caller | Refusal> {
    const admitted = this.#admit(request, need);
    const proof = request.req.headers['svc-reader'];
    if (proof === undefined) return admitted;
    return Promise.resolve(admitted).then((caller) => this.#reading(caller, String(proof)));
  }

  /** The caller with the DID that the proof names as its reader. */
  #reading(caller: Caller | Refusal, proof: string): Caller | Refusal {
    if (caller instanceof Refusal) return caller;
    const proven = this.#proofs.readerOf(proof);
    if (proven instanceof Refusal) return proven;
    return boundToAnother(caller, proven.did) ?? { ...caller, reader: proven.did, readsUntil: proven.exp };
  }

  #admit(request: CheckedRequest, need: Need): Caller | Refusal | Promise<Caller | Refusal> {
    const { req } = request;
    const local = this.#origins.isLocal(req);
    const origin = this.#origins.originOf(req);
    const key = presentedKey(req);
    if (key !== undefined) return this.#withKey(request, need, { key, origin, local: local && this.#loopback });
    if (local && this.#localExempt) return this.#withoutKey(need, origin, local);
    return this.#limits
      .takeFromOrigin(request, origin, need.write)
      .then((refused) => refused ?? this.#withoutKey(need, origin, local));
  }

  #withoutKey(need: Need, origin: string, local: boolean): Caller | Refusal {
    if (local && this.#loopback) return { origin, loopback: true, local: true, scope: 'write' };
    if (need.isPublic) return { origin, loopback: false };
    if (!need.api) return local ? { origin, loopback: false, scope: 'read' } : missing;
    return need.open && !this.#mainnet ? { origin, loopback: false } : missing;
  }

  async #withKey(
    request: CheckedRequest,
    need: Need,
    { key, origin, local }: { key: string | Refusal; origin: string; local: boolean },
  ): Promise<Caller | Refusal> {
    const { write } = need;
    const exempt = local && this.#localExempt;
    let valid = key instanceof Refusal ? undefined : this.#keys.known(key);
    // The key is looked up even if its address has used up its limit: other callers may share the address, and a key
    // has its own limits.
    if (!(key instanceof Refusal) && (valid === undefined || valid === 'stale')) valid = await this.#keys.lookup(key);
    if (valid === undefined || valid === 'stale') {
      const refused = exempt ? undefined : await this.#limits.takeFromOrigin(request, origin, write);
      return refused ?? (key instanceof Refusal ? key : unknown);
    }
    const refused = exempt ? undefined : await this.#limits.takeFromKey(request, valid, write);
    if (refused) return refused;
    const { id: keyId, scope, did } = valid;
    return {
      origin,
      loopback: false,
      ...(local ? { local } : {}),
      keyId,
      scope,
      ...(did === undefined ? {} : { did, reader: did }),
    };
  }
}

/** Checked once the route is known: FORBIDDEN if the caller's scope is too small. */
export function scopeRefusal(caller: Caller, need: Need): Refusal | undefined {
  if (need.isPublic || (need.open && need.scope !== 'admin')) return undefined;
  if (reaches(caller.scope, need.scope)) return undefined;
  const has = caller.scope === undefined ? 'no scope' : `scope ${caller.scope}`;
  return refuse('FORBIDDEN', `this needs scope ${need.scope}; the caller has ${has}`);
}

/** Undefined: no key was sent. A refusal: two different keys were sent, or something that cannot be a key. */
function presentedKey({ headers, rawHeaders }: IncomingMessage): string | Refusal | undefined {
  const own = headers['x-api-key'];
  if (own === undefined && headers.authorization === undefined) return undefined;
  const keys = new Set<string>();
  // Node joins several X-Api-Key headers and drops all Authorization headers but the first, so read the raw headers.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const text = rawHeaders[i + 1]!.trim();
    if (name === 'x-api-key') keys.add(text);
    else if (name === 'authorization') {
      const key = /^Bearer +(\S+)$/i.exec(text)?.[1];
      if (key === undefined) return notBearer;
      keys.add(key);
    }
  }
  const [key, other] = keys;
  if (other !== undefined) return twoKeys;
  return key === undefined || key === '' ? emptyKey : key;
}
