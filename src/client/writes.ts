/**
 * Signed writes: `did`, `passphrase` and `nonce` of the signer, and an Idempotency-Key, join the caller's input
 * (interface, Common write fields).
 */
import { ApiError, UnreachableError } from './errors.js';
import { type Http, pathOf } from './http.js';
import { Nonces } from './nonces.js';

export interface Signer {
  readonly did: string;
  /** Unlocks the DID's key in the node's keystore; a function is asked at each write, so that nobody has to keep it. */
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
    readonly signer?: Signer,
    nonces = new Map<string, Nonces>(),
  ) {
    this.#nonces = nonces;
  }

  /** The same connection and nonces, another signer. */
  as(signer: Signer): Writes {
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
      if (error instanceof UnreachableError) {
        error.idempotencyKey = idempotencyKey;
        error.nonce = (body as { nonce?: number }).nonce;
      }
      throw error;
    }
  }

  async #inTurn<T>(path: string, body: { readonly did: string }, options: WriteOptions): Promise<T> {
    const nonces = this.#noncesOf(body.did);
    for (let conflicts = 0; ; conflicts++) {
      const nonce = await nonces.take();
      try {
        const reply = await this.plain<T>(path, { ...body, nonce }, options);
        nonces.used(nonce);
        return reply;
      } catch (error) {
        settle(nonces, nonce, error);
        const isConflict = error instanceof ApiError && error.nextNonce !== undefined;
        if (!isConflict || conflicts === mostConflicts) throw error;
      }
    }
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

/** What a failure says about the nonce of the write. */
function settle(nonces: Nonces, nonce: number, error: unknown): void {
  if (!(error instanceof ApiError) || error.status >= 500) nonces.lost(nonce);
  else if (error.nextNonce !== undefined) nonces.conflicted(nonce, error.nextNonce);
  else nonces.refused(nonce);
}
