/**
 * Signed writes: adds the signer's `did`, `passphrase` and `nonce`, and an Idempotency-Key, to the caller's input
 * (docs/reference/accounts-and-nonces.md#who-signs).
 */
import { ApiError, SigningError, UnreachableError } from './errors.js';
import { gathering } from './gathering.js';
import { type HomeOptions, Homes, namedHome } from './homes.js';
import { Http, pathOf, type ReadOptions } from './http.js';
import { Nonces } from './nonces.js';
import type { HeldKey } from './signing/key.js';
import {
  type AcceptedHomes,
  isOnResource,
  type KeyCredentials,
  KeyWrites,
  type SignedWrite,
  type WriteOutcome,
} from './signing/key-writes.js';
import type { WriteOptions } from './write-options.js';

export interface SignerCredentials {
  /** The DID that signs. */
  readonly did: string;
  /**
   * Unlocks the DID's key in the node's keystore. A function is called at each write, so that the passphrase need not
   * stay in memory.
   */
  readonly passphrase: string | (() => string | Promise<string>);
  /** Other homes on whose resources the client writes by itself; without it, none. */
  readonly homes?: AcceptedHomes;
}

/** The node that keeps a key, and writes with it at another home. */
interface Custodian {
  /** To that node. */
  readonly http: Http;
  /** DID of the other home. */
  readonly home: string;
}

interface KeptBody {
  readonly did: string;
  readonly home?: string;
}

/** How one opens what only one DID can decrypt. */
interface OpenOptions<T> {
  /** Where the node does it that keeps the key. */
  readonly path: (id: string) => string;
  /** Opens it with the caller's own key. */
  readonly here: (http: Http, key: HeldKey, id: string, options?: ReadOptions) => Promise<T>;
  /** Without one, the signer. */
  readonly owner: SignerCredentials | undefined;
  /** Of the read. */
  readonly options: ReadOptions | undefined;
}

/** How often a write takes a new nonce after conflicts while none of this client's writes is decided. */
const mostConflicts = 5;

export class Writes {
  readonly #held: KeyWrites | undefined;
  /** Writes with the caller's key at other homes, by DID. */
  readonly #there = new Map<string, Promise<Writes>>();
  /** Reads as the DID whose key signs. */
  readonly http: Http;

  constructor(
    private readonly plainHttp: Http,
    readonly signer?: SignerCredentials | KeyCredentials,
    private readonly homes = new Homes(plainHttp),
    private readonly known = homes.signers,
    /** Only with a passphrase, at another home. */
    private readonly custodian?: Custodian,
  ) {
    this.#held = signer && !('passphrase' in signer) ? new KeyWrites(plainHttp, signer, known.held) : undefined;
    this.http = this.#held?.http ?? plainHttp;
  }

  /** Returns writes with another signer, over the same connection and nonces. */
  as(signer: SignerCredentials | KeyCredentials): Writes {
    return new Writes(this.plainHttp, signer, this.homes, this.known);
  }

  /** Returns writes that are sent as batches. */
  gathered(): Writes {
    const { options } = this.plainHttp;
    const environment = { ...options.environment, fetch: gathering(options.environment) };
    return new Writes(new Http({ ...options, environment }), this.signer, this.homes, this.known, this.custodian);
  }

  /** Returns writes at another home. @param home its DID */
  async at(home: string, options: HomeOptions): Promise<Writes> {
    const { signer } = this;
    const { http, known, place } = await this.homes.at(home, options);
    if (signer && 'passphrase' in signer) {
      const own = this.homes.own;
      const custodian = http === own ? undefined : { http: own, home };
      return new Writes(http, signer, this.homes, this.homes.signers, custodian);
    }
    if (signer?.network !== undefined && signer.network !== place.network)
      throw new SigningError(`the signer is for ${signer.network}, and the node is of ${place.network}`);
    return new Writes(http, signer && { ...signer, ...place, homes: [] }, this.homes, known);
  }

  /** The DID that signs. */
  get did(): string | undefined {
    const { signer } = this;
    return signer && ('passphrase' in signer ? signer.did : signer.key.did);
  }

  /**
   * Sends a write that the signer signs. Without a signer, the server chooses one or refuses. A write on a resource of
   * another home goes there, if the signer accepts that home.
   */
  async signed<T>(path: string, input: object, options: WriteOptions = {}): Promise<T> {
    if (options.home !== undefined || this.custodian) return this.#signed(path, input, options);
    const named = namedHome(path, input);
    if (named && this.#accepts(named.home)) return this.#signedAt(named.home, named.path, named.input, options);
    try {
      return await this.#signed<T>(path, input, options);
    } catch (error) {
      const home = error instanceof ApiError && (error.problem?.home ?? named?.home);
      if (
        typeof home !== 'string' ||
        !this.signer ||
        (this.#held && !isOnResource(path, this.#held.credentials.actions))
      )
        throw error;
      // Two homes have no common nonce: what was signed for this one could be in both journals.
      if ((error as ApiError).signedHash !== undefined) throw error;
      if (this.#accepts(home)) return this.#signedAt(home, path, input, options);
      (error as ApiError).message += `. Use at('${home}'), or name this home in \`homes\` of the signer`;
      throw error;
    }
  }

  /** What a write of a key of the caller would do; nothing is signed. */
  async outcome(path: string, input: object): Promise<WriteOutcome> {
    if (!this.#held) throw new SigningError('only for a key of the caller');
    return this.#held.outcome(path, input);
  }

  #accepts(home: string): boolean {
    const homes = this.signer?.homes ?? [];
    return homes === 'any' || homes.includes(home);
  }

  /** At another home. The reply names it, so that what it shows can be written on. */
  async #signedAt<T>(home: string, path: string, input: object, options: WriteOptions): Promise<T> {
    if (!this.#held) return { ...(await this.#signed<T>(path, input, { ...options, home })), home };
    return { ...(await this.#elsewhere(home, (there) => there.signed<T>(path, input, options))), home };
  }

  async #elsewhere<T>(home: string, work: (there: Writes) => Promise<T>): Promise<T> {
    const reached = this.#there.get(home) ?? this.at(home, {});
    this.#there.set(home, reached);
    reached.catch(() => this.#there.delete(home));
    try {
      return await work(await reached);
    } catch (error) {
      // It may have moved.
      if (!(error instanceof ApiError)) this.#there.delete(home);
      throw error;
    }
  }

  async #signed<T>(path: string, input: object, options: WriteOptions): Promise<T> {
    const { home = this.custodian?.home, prev, ts, most, until, nonce } = options;
    if (this.#held) {
      if (home !== undefined)
        throw new SigningError(
          'with a key of the caller, another home takes the writes of the client that at() returns',
        );
      return this.#held.signed<T>(path, input, options);
    }
    const given = Object.entries({ home, prev, ts, most, until }).filter(([, value]) => value !== undefined);
    const stated = { ...input, ...Object.fromEntries(given) };
    if (!this.signer) return this.plain(path, { ...stated, ...(nonce === undefined ? {} : { nonce }) }, options);
    const { did, passphrase } = this.signer as SignerCredentials;
    const secret = typeof passphrase === 'string' ? passphrase : await passphrase();
    const request = { did, passphrase: secret, ...stated };
    return nonce === undefined
      ? this.#inTurn(path, request, options)
      : this.#kept(path, { ...request, nonce }, options);
  }

  /** Sends what the node signs that keeps the key. */
  #kept<T>(path: string, body: object, options: WriteOptions): Promise<T> {
    return this.plain<T>(path, body, options, this.custodian?.http);
  }

  /** What only one DID can decrypt: at the node if it keeps the key, otherwise here. @param id may name a home that the signer accepts */
  async opened<T>(id: string, opening: OpenOptions<T>): Promise<T> {
    const { signer } = this;
    const { path, here, owner, options } = opening;
    const named = namedHome('', { ref: id });
    const elsewhere = named && this.#accepts(named.home) ? { id: named.input.ref, home: named.home } : undefined;
    if (!owner && signer && 'key' in signer) {
      if (elsewhere) return this.#elsewhere(elsewhere.home, (there) => there.opened(elsewhere.id, opening));
      return here(this.http, signer.key, id, options);
    }
    const { did, passphrase } = owner ?? (signer as SignerCredentials | undefined) ?? {};
    const secret = typeof passphrase === 'function' ? await passphrase() : passphrase;
    const { http, home = elsewhere?.home } = this.custodian ?? {};
    const body = { did, passphrase: secret, ...(home === undefined ? {} : { home }) };
    return this.plain<T>(path(elsewhere?.id ?? id), body, { ...options, idempotencyKey: false }, http);
  }

  /** Sends a signed event, or sends it again. */
  submitted<T>(write: SignedWrite, options: WriteOptions = {}): Promise<T> {
    if (this.#held && write.event.issuer === this.did) return this.#held.again<T>(write, options);
    return this.plain('/events', write, { idempotencyKey: write.event.hash, ...options });
  }

  /** Sends a write without signer: its body is the input alone. */
  async plain<T>(path: string, body: object, options: WriteOptions = {}, http = this.http): Promise<T> {
    const key = options.idempotencyKey ?? http.options.environment.newKey();
    const idempotencyKey = key === false ? undefined : key;
    const { signal, timeoutMs } = options;
    try {
      return await http.send<T>({ method: 'POST', path, body, idempotencyKey, signal, timeoutMs });
    } catch (error) {
      throw naming(error, idempotencyKey, (body as { nonce?: number }).nonce);
    }
  }

  async #inTurn<T>(path: string, body: KeptBody, options: WriteOptions): Promise<T> {
    const nonces = this.#noncesOf(body.home === undefined ? body.did : `${body.did}~${body.home}`);
    // The key stays the same when the nonce changes: a delayed copy of the request can then not be accepted in
    // addition.
    const idempotencyKey = options.idempotencyKey ?? this.http.options.environment.newKey();
    const same = { ...options, idempotencyKey };
    let before: number | undefined;
    for (let conflicts = 0; ; ) {
      const nonce = await nonces.take(options.signal).catch((error: unknown) => {
        throw before === undefined ? error : naming(error, idempotencyKey || undefined, before);
      });
      const { decided } = nonces;
      try {
        const reply = await this.#kept<T>(path, { ...body, nonce }, same);
        nonces.used(nonce);
        return reply;
      } catch (error) {
        settle(nonces, nonce, error);
        if (!(error instanceof ApiError)) throw error;
        // The key is bound to the request with its earlier nonce, so 422 means that it was accepted after all.
        if (error.status === 422 && before !== undefined)
          return this.#recall(path, { ...body, nonce: before }, same, error);
        if (nonces.decided === decided) conflicts += 1;
        if (error.nextNonce === undefined || conflicts > mostConflicts) throw error;
        before = nonce;
      }
    }
  }

  #recall<T>(path: string, body: object, options: WriteOptions, refusal: ApiError): Promise<T> {
    return this.#kept<T>(path, body, options).catch((error: unknown) => {
      throw error instanceof ApiError ? refusal : error;
    });
  }

  /** @param wallet a DID, or the one of a DID at another home */
  #noncesOf(wallet: string): Nonces {
    let nonces = this.known.nonces.get(wallet);
    if (!nonces) {
      const read = () => (this.custodian?.http ?? this.http).get<{ nextNonce: number }>(pathOf`/wallets/${wallet}`);
      nonces = new Nonces(async () => (await read()).nextNonce);
      this.known.nonces.set(wallet, nonces);
    }
    return nonces;
  }
}

/**
 * Adds the idempotency key and nonce to the error of a write that may have been accepted, so that the caller can find
 * out.
 */
function naming(error: unknown, idempotencyKey: string | undefined, nonce: number | undefined): unknown {
  const isUnknown = error instanceof ApiError ? error.status === 429 || error.status >= 500 : true;
  if (isUnknown && [ApiError, UnreachableError].some((kind) => error instanceof kind)) {
    Object.assign(error as Error, { idempotencyKey, nonce });
  }
  return error;
}

/** Reports the outcome of a failed write to its nonces. */
function settle(nonces: Nonces, nonce: number, error: unknown): void {
  if (error instanceof ApiError && error.problem?.committed === true) nonces.used(nonce);
  else if (!(error instanceof ApiError) || error.status >= 500) nonces.lost(nonce);
  else if (error.nextNonce !== undefined) nonces.conflicted(nonce, error.nextNonce);
  else nonces.refused(nonce);
}
