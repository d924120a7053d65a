/**
 * What the node serves outside of /api/v1: health, metrics, explanations of errors, the API's description
 * (docs/reference/node.md#health).
 */
import { pathOf, type ReadOptions } from '../http.js';
import type { Replies } from '../wire.js';
import type { Writes } from '../writes.js';

export class System {
  constructor(private readonly writes: Writes) {}

  /** Whether the process answers. */
  health(options?: ReadOptions): Promise<Replies['health']> {
    return this.#read('/healthz', options);
  }

  /**
   * Fails with status 503 if the node can't do its work. Not retried, because a prober decides itself when to ask
   * again.
   */
  readiness(options?: ReadOptions): Promise<Replies['readiness']> {
    return this.writes.http.send({ method: 'GET', path: '/readyz', beside: 'json', once: true, ...options });
  }

  /** Metrics in Prometheus' text format. */
  metrics(options?: ReadOptions): Promise<string> {
    return this.page('/metrics', options);
  }

  /** All types of errors. */
  errors(options?: ReadOptions): Promise<Replies['listErrors']> {
    return this.#read('/errors', options);
  }

  /** @param name the last part of an error's `type` (`validation-error`), or an error code (`ESCROW_RULE_NOT_MET`) */
  error(name: string, options?: ReadOptions): Promise<Replies['explainError']> {
    return this.#read(pathOf`/errors/${name}`, options);
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
