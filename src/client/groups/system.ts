/** What lies beside the API: health, metrics, errors explained, the API described (decisions.md, Access and operators). */
import { pathOf, type ReadOptions } from '../http.js';
import type { Writes } from '../writes.js';

export interface Readiness {
  /** `degraded`: it works, and something is amiss. */
  readonly status: 'ready' | 'degraded';
  readonly reasons: readonly string[];
  readonly [more: string]: unknown;
}

export interface ErrorClass {
  /** URI of the type. */
  readonly type: string;
  readonly title: string;
  readonly meaning: string;
  readonly advice: string;
  readonly codes: readonly { readonly code: string; readonly status: number }[];
}

export interface OpenApi {
  readonly openapi: string;
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly [member: string]: unknown } } };
  readonly [member: string]: unknown;
}

export class System {
  constructor(private readonly writes: Writes) {}

  /** Whether the process answers. */
  health(options?: ReadOptions): Promise<{ readonly status: 'ok' }> {
    return this.#read('/healthz', options);
  }

  /** Fails with status 503 where the node can't do its work, at once: a prober has its own patience. */
  readiness(options?: ReadOptions): Promise<Readiness> {
    return this.writes.http.send({ method: 'GET', path: '/readyz', beside: 'json', once: true, ...options });
  }

  /** In Prometheus' text form. */
  metrics(options?: ReadOptions): Promise<string> {
    return this.page('/metrics', options);
  }

  /** The classes of errors. */
  errors(options?: ReadOptions): Promise<{ readonly errors: readonly ErrorClass[] }> {
    return this.#read('/errors', options);
  }

  /** @param suffix of an error's `type`: `validation-error` */
  error(suffix: string, options?: ReadOptions): Promise<ErrorClass> {
    return this.#read(pathOf`/errors/${suffix}`, options);
  }

  openApi(options?: ReadOptions): Promise<OpenApi> {
    return this.#read('/openapi.json', options);
  }

  /** Any other file that the node serves, as text: `/docs`. */
  page(path: string, options?: ReadOptions): Promise<string> {
    return this.writes.http.send({ method: 'GET', path, beside: 'text', ...options });
  }

  #read<T>(path: string, options?: ReadOptions): Promise<T> {
    return this.writes.http.send({ method: 'GET', path, beside: 'json', ...options });
  }
}
