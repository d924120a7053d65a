/**
 * Signed writes: `did`, `passphrase` and `nonce` of the signer, and an Idempotency-Key, join the caller's input
 * (docs/reference/accounts-and-nonces.md#who-signs).
 */
import { ApiError, UnreachableError } from './errors.js';
import { type Http, pathOf } from './http.js';
import { Nonces } from './nonces.js';

export interface SignerCredentials {
  readonly did: string;
  /** Unlocks the DID's key in the node's keystore; a function is asked at each write, so that it need not be kept. */
  readonly passphrase: string | (() => string | Promise<string>);
}

export interface WriteOptions {
  /** Instead of the tracked one; the caller then answers for it. */
  readonly nonce?: number;
  /** Hash of the signer's last event: the write is refused where there is a newer one. */
  readonly prev?: string | null;
  /** The signer's own statement of the time, epoch milliseconds. */
  readonly ts?: number;
  /**
   * Stands for one request, its nonce included; default a fresh one. `false` sends none, and such a write is never
   * repeated after a failure of the connection.
   */
  readonly idempotencyKey?: string | false;
  readonly signal?: AbortSignal;
  /** Per attempt; default 30 s. */
  readonly timeoutMs?: number;
}

/** Nonces taken anew after conflicts with other programs that use the same DID. */
const mostConflicts = 5;

export class Writes {
  readonly #nonces: Map<string, Nonces>;

  constructor(
    readonly http: Http,
    readonly signer?: SignerCredentials,
    nonces = new Map<string, Nonces>(),
  ) {
    this.#nonces = nonces;
  }

  /** The same connection and nonces, another signer. */
  as(signer: SignerCredentials): Writes {
    return new Writes(this.http, signer, this.#nonces);
  }

  /** A write that the signer signs; without one the server decides who does, or refuses. */
  async signed<T>(path: string, input: object, options: WriteOptions = {}): Promise<T> {
    const { prev, ts, nonce } = options;
    const stated = { ...input, ...(prev === undefined ? {} : { prev }), ...(ts === undefined ? {} : { ts }) };
    if (!this.signer) return this.plain(path, { ...stated, ...(nonce === undefined ? {} : { nonce }) }, options);
    const { did, passphrase } = this.signer;
    const secret = typeof passphrase === 'string' ? passphrase : await passphrase();
    const request = { did, passphrase: secret, ...stated };
    return nonce === undefined
      ? this.#inTurn(path, request, options)
      : this.plain(path, { ...request, nonce }, options);
  }

  /** A write without signer: what it carries is its whole body. */
  async plain<T>(path: string, body: object, options: WriteOptions = {}): Promise<T> {
    const key = options.idempotencyKey ?? this.http.options.environment.newKey();
    const idempotencyKey = key === false ? undefined : key;
    const { signal, timeoutMs } = options;
    try {
      return await this.http.send<T>({ method: 'POST', path, body, idempotencyKey, signal, timeoutMs });
    } catch (error) {
      throw naming(error, idempotencyKey, (body as { nonce?: number }).nonce);
    }
  }

  async #inTurn<T>(path: string, body: { readonly did: string }, options: WriteOptions): Promise<T> {
    const nonces = this.#noncesOf(body.did);
    // One key under every nonce: a copy of the request that a network has delayed can then not be accepted beside it.
    const idempotencyKey = options.idempotencyKey ?? this.http.options.environment.newKey();
    const same = { ...options, idempotencyKey };
    let before: number | undefined;
    for (let conflicts = 0; ; conflicts++) {
      const nonce = await nonces.take(options.signal).catch((error: unknown) => {
        throw before === undefined ? error : naming(error, idempotencyKey || undefined, before);
      });
      try {
        const reply = await this.plain<T>(path, { ...body, nonce }, same);
        nonces.used(nonce);
        return reply;
      } catch (error) {
        settle(nonces, nonce, error);
        if (!(error instanceof ApiError)) throw error;
        // The key may stand for the request as it was: then that was accepted in the end.
        if (error.status === 422 && before !== undefined)
          return this.#recall(path, { ...body, nonce: before }, same, error);
        if (error.nextNonce === undefined || conflicts === mostConflicts) throw error;
        before = nonce;
      }
    }
  }

  #recall<T>(path: string, body: object, options: WriteOptions, refusal: ApiError): Promise<T> {
    return this.plain<T>(path, body, options).catch((error: unknown) => {
      throw error instanceof ApiError ? refusal : error;
    });
  }

  #noncesOf(did: string): Nonces {
    let nonces = this.#nonces.get(did);
    if (!nonces) {
      nonces = new Nonces(async () => (await this.http.get<{ nextNonce: number }>(pathOf`/wallets/${did}`)).nextNonce);
      this.#nonces.set(did, nonces);
    }
    return nonces;
  }
}

/** Where it may have been accepted: by what the caller finds out. */
function naming(error: unknown, idempotencyKey: string | undefined, nonce: number | undefined): unknown {
  const isUnknown = error instanceof ApiError ? error.status === 429 || error.status >= 500 : true;
  if (isUnknown && (error instanceof ApiError || error instanceof UnreachableError)) {
    Object.assign(error, { idempotencyKey, nonce });
  }
  return error;
}

/** What a failure says about the nonce of the write. */
function settle(nonces: Nonces, nonce: number, error: unknown): void {
  if (!(error instanceof ApiError) || error.status >= 500) nonces.lost(nonce);
  else if (error.nextNonce !== undefined) nonces.conflicted(nonce, error.nextNonce);
  else nonces.refused(nonce);
}
