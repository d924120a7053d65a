/** What lies beside the API: health, metrics, errors explained, the API described (docs/reference/node.md#health). */
import { pathOf, type ReadOptions } from '../http.js';
import type { ErrorClass, Replies } from '../wire.js';
import type { Writes } from '../writes.js';

export class System {
  constructor(private readonly writes: Writes) {}

  /** Whether the process answers. */
  health(options?: ReadOptions): Promise<Replies['health']> {
    return this.#read('/healthz', options);
  }

  /** Fails with status 503 where the node can't do its work, at once: a prober has its own patience. */
  readiness(options?: ReadOptions): Promise<Replies['readiness']> {
    return this.writes.http.send({ method: 'GET', path: '/readyz', beside: 'json', once: true, ...options });
  }

  /** In Prometheus' text form. */
  metrics(options?: ReadOptions): Promise<string> {
    return this.page('/metrics', options);
  }

  /** The classes of errors. */
  errors(options?: ReadOptions): Promise<Replies['listErrors']> {
    return this.#read('/errors', options);
  }

  /** @param suffix of an error's `type`: `validation-error` */
  error(suffix: string, options?: ReadOptions): Promise<ErrorClass> {
    return this.#read(pathOf`/errors/${suffix}`, options);
  }

  openApi(options?: ReadOptions): Promise<Replies['openApi']> {
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
