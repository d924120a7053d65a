/**
 * CORS for the origins in SVC_CORS_ORIGINS only (docs/reference/access.md#cors). It grants no privilege: a request with
 * a foreign Origin is never local, so its page needs a key.
 */
import type { RequestContext } from './request-context.js';

const exposed = 'ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
const accepted = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Api-Key, X-Request-Id';
const preflightSeconds = '600';

export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Adds the CORS headers of every reply. */
  apply(exchange: RequestContext): void {
    if (this.#origins.size === 0) return;
    const { origin } = exchange.req.headers;
    if (origin === undefined || !this.#origins.has(origin)) exchange.addHeaders('Vary', 'Origin');
    else {
      exchange.addHeaders(
        ...['Vary', 'Origin', 'Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed],
      );
    }
  }

  /** A preflight of an allowed origin: it carries no key, and is answered before authentication. */
  isPreflight({ req }: RequestContext): boolean {
    const { origin } = req.headers;
    return (
      req.method === 'OPTIONS' &&
      origin !== undefined &&
      this.#origins.has(origin) &&
      req.headers['access-control-request-method'] !== undefined
    );
  }

  allow(exchange: RequestContext, methods: readonly string[]): void {
    exchange.addHeaders(
      ...['Access-Control-Allow-Methods', methods.join(', '), 'Access-Control-Allow-Headers', accepted],
      ...['Access-Control-Max-Age', preflightSeconds],
    );
  }
}
