/**
 * Checks a request before its route is known: the target and the headers, whose errors are the first in the order of
 * refusals (docs/reference/errors.md#order-of-refusals), and CORS. An absolute target is rewritten into the usual form,
 * so that no other file has to handle it.
 */
import type { IncomingMessage } from 'node:http';
import { invalid, type Refusal } from '../../core/refusal.js';
import type { RequestContext } from './request-context.js';

/** Visible ASCII beginning with a slash, without `#`: a fragment is not part of a request. */
const plainTarget = /^\/[!-"$-~]*$/;
const absoluteTarget = /^https?:\/\/([A-Za-z0-9._~:[\]-]+)(\/.*|\?.*)?$/i;

/** A name or an address, and a port: no user, no white space. */
const plainHost = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]*)(?::(\d{0,5}))?$/;
const highestPort = 65_535;

function isHost(host: string): boolean {
  const [whole, port = '0'] = plainHost.exec(host) ?? [];
  return whole !== undefined && Number(port) <= highestPort;
}

/** May rewrite `req.url` and the host header. `OPTIONS *` passes. */
export function guardTarget(req: IncomingMessage): Refusal | undefined {
  const { httpVersion } = req;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return invalid('request', 'must be HTTP/1.1 or HTTP/1.0');
  let url = req.url ?? '';
  if (url.charCodeAt(0) !== 47) {
    if (url === '*' && req.method === 'OPTIONS') return undefined;
    const [, authority, rest = '/'] = absoluteTarget.exec(url) ?? [];
    if (authority === undefined) return invalid('target', 'must be a path, or a URL of this node');
    url = rest.startsWith('?') ? `/${rest}` : rest;
    req.url = url;
    // RFC 9112, 3.2: both say the same. The header may be absent in HTTP/1.0 only.
    const { host = authority } = req.headers;
    if (!isHost(host)) return badHost();
    if (host.toLowerCase() !== authority.toLowerCase()) return invalid('Host', 'must be the one of the target');
    req.headers.host = authority;
  }
  return guardUrl(url) ?? guardHeaders(req);
}

export function guardUrl(url: string): Refusal | undefined {
  if (!plainTarget.test(url)) return invalid('target', 'must be visible ASCII without a fragment');
  if (url.includes('%') && !isDecodable(url)) return invalid('target', 'has a bad percent-encoding');
  return undefined;
}

const badHost = (): Refusal => invalid('Host', 'must be a host and a port');

function guardHeaders(req: IncomingMessage): Refusal | undefined {
  const { headers, rawHeaders } = req;
  if (headers.host === undefined && req.httpVersion !== '1.0') return invalid('Host', 'is missing');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return invalid('Expect', 'must be 100-continue');
  }
  // Node keeps the first of several Host headers; a proxy may have checked another one.
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (headers.host !== undefined && !isHost(headers.host)) return badHost();
  return hosts > 1 ? invalid('Host', 'appears more than once') : undefined;
}

function isDecodable(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false; // decodeURIComponent reports malformed input only by throwing
  }
}

const exposed = 'ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
const accepted =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Svc-Reader, X-Api-Key, X-Request-Id';
const preflightSeconds = '600';

export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Adds the CORS headers of every reply. */
  apply(context: RequestContext): void {
    if (this.#origins.size === 0) return;
    const { origin } = context.req.headers;
    if (origin === undefined || !this.#origins.has(origin)) context.addHeaders('Vary', 'Origin');
    else {
      context.addHeaders(
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

  allow(context: RequestContext, methods: readonly string[]): void {
    context.addHeaders(
      ...['Access-Control-Allow-Methods', methods.join(', '), 'Access-Control-Allow-Headers', accepted],
      ...['Access-Control-Max-Age', preflightSeconds],
    );
  }
}
