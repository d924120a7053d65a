/** Sends requests to the node: URL, headers, timeouts, retries, and the response as JSON or as an error. */

import type { ClientEnvironment } from './environment.js';
import { ApiError, errorOf, UnreachableError } from './errors.js';
import { mayRepeat, mostRetries, retryDelay } from './retry.js';

export type QueryValue = string | number | boolean | readonly string[] | undefined;
export interface Query {
  readonly [name: string]: QueryValue;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below /api/v1, with a leading slash. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: object | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Set for a path outside of /api/v1: the form of its response. */
  readonly beside?: 'json' | 'text' | undefined;
  /** Never retried. */
  readonly once?: boolean | undefined;
}

export interface HttpOptions {
  readonly url: string;
  readonly key?: string | undefined;
  /** Proof of who reads, for the header `Svc-Reader`. */
  readonly reader?: (() => Promise<string>) | undefined;
  /**
   * Timeouts per attempt; suggested are 5 s for reads and 30 s for writes
   * (docs/reference/errors.md#handling-errors-in-a-client).
   */
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  readonly environment: ClientEnvironment;
  /** Called before each wait for a repetition. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Of a home other than the client's own: what its caller has accepted. */
  readonly place?: Place | undefined;
}

export interface Retry {
  readonly failure: unknown;
  readonly delayMs: number;
  /** 1 for the first repetition. */
  readonly attempt: number;
}

/** A home, and its network. */
export interface Place {
  /** DID. */
  readonly home: string;
  readonly network: string;
}

export class Http {
  readonly #root: string;

  constructor(readonly options: HttpOptions) {
    this.#root = rootOf(options.url);
  }

  /** @throws ApiError, UnreachableError, or the reason of the caller's signal */
  async send<T>(request: HttpRequest): Promise<T> {
    const { environment } = this.options;
    for (let attempt = 0; ; attempt++) {
      request.signal?.throwIfAborted();
      try {
        return await this.#once<T>(request);
      } catch (failure) {
        if (request.signal?.aborted) throw request.signal.reason;
        if (failure instanceof ApiError) failure.isRepeated = attempt > 0;
        if (request.once || attempt === mostRetries || !mayRepeat(request, failure)) throw failure;
        const delayMs = retryDelay(attempt, failure, environment.random());
        if (delayMs === undefined) throw failure;
        this.options.onRetry?.({ failure, delayMs, attempt: attempt + 1 });
        await environment.wait(delayMs, request.signal);
      }
    }
  }

  get<T>(path: string, query?: Query, options: ReadOptions = {}): Promise<T> {
    return this.send({ method: 'GET', path, query, ...options });
  }

  /** Opens a GET whose body is read as it arrives, without retries and timeout. */
  async open(path: string, query: Query, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const url = this.#urlOf(`/api/v1${path}`, query);
    const response = await this.#fetch(url, { headers: { ...(await this.#headers()), ...headers }, signal });
    if (!response.ok) throw await errorOf(response, this.options.place?.home);
    return response;
  }

  async #once<T>(request: HttpRequest): Promise<T> {
    const { method, path, query, body, idempotencyKey, signal, beside } = request;
    const { readTimeoutMs, writeTimeoutMs } = this.options;
    const limit = AbortSignal.timeout(request.timeoutMs ?? (method === 'GET' ? readTimeoutMs : writeTimeoutMs));
    const url = this.#urlOf(beside ? path : `/api/v1${path}`, query);
    const response = await this.#fetch(url, {
      method,
      headers: {
        ...(await this.#headers(beside)),
        Accept: beside === 'text' ? '*/*' : 'application/json, application/problem+json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    // A body that breaks off is not a response.
    const lost = (error: unknown) => Promise.reject(new UnreachableError(url, error));
    if (!response.ok) throw await errorOf(response, this.options.place?.home).catch(lost);
    if (response.status === 204) return undefined as T;
    return (await (beside === 'text' ? response.text() : response.json()).catch(lost)) as T;
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      // The node never redirects, and the target of a forged redirect would receive the key and the passphrase.
      return await this.options.environment.fetch(url, { ...init, redirect: 'error' });
    } catch (error) {
      throw new UnreachableError(url, error);
    }
  }

  async #headers(beside?: HttpRequest['beside']): Promise<Record<string, string>> {
    const { key, reader } = this.options;
    return {
      ...(key === undefined ? {} : { 'X-Api-Key': key }),
      ...(reader === undefined || beside ? {} : { 'Svc-Reader': await reader() }),
    };
  }

  #urlOf(path: string, query: Query = {}): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      // Only a text is split at its commas.
      if (Array.isArray(value)) for (const each of value) parameters.append(`${name}[]`, each);
      else if (value !== undefined) parameters.set(name, String(value));
    }
    const text = parameters.toString();
    return `${this.#root}${path}${text === '' ? '' : `?${text}`}`;
  }
}

export interface ReadOptions {
  /** Ends the read, repetitions too, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Per attempt, milliseconds; default that of the client. */
  readonly timeoutMs?: number;
}

/** A path template whose values are percent-encoded. */
export const pathOf = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  parts.reduce((path, part, index) => `${path}${encodeURIComponent(values[index - 1] ?? '')}${part}`);

/** The root of a node, from its address with or without slashes and the path of the API, which a node prints. */
function rootOf(url: string): string {
  const bare = withoutSlashes(url);
  return withoutSlashes(bare.endsWith('/api/v1') ? bare.slice(0, -'/api/v1'.length) : bare);
}

function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
