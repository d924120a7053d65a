/**
 * What all requests of a server share: configuration, clock, log, metrics, and the open requests.
 */

import { bounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import { refuse } from '../../core/refusal.js';
import type { Urls } from '../../core/urls.js';
import { urlsOf } from '../../core/urls.js';
import { Connections } from './connections/connections.js';
import type { Log } from './log.js';
import type { Metrics, RouteMeter } from './metrics.js';
import type { ServerConfig } from './server-config.js';

/** Reasons of aborted request signals: a route that stops early answers with them. */
export const stopping = refuse('SERVICE_UNAVAILABLE', 'the node is stopping', { retryAfter: 5 });
/** The reply reaches nobody. */
export const callerGone = refuse('SERVICE_UNAVAILABLE', 'the caller has gone');

const saneRequestId = /^[A-Za-z0-9._:/+=-]+$/;

export class ServerContext {
  /** Aborted when the server stops: the requests whose route uses `signal`. */
  readonly open = new Set<AbortController>();
  readonly connections: Connections;
  readonly unknownRoute: RouteMeter;
  readonly scheme: 'http' | 'https';
  stopping = false;
  streams = 0;
  /** Open streams by key id or address. */
  readonly streamsOf = new Map<string, number>();
  port: number;
  urls: Urls;
  readonly #idPrefix: string;
  #lastId = 0;

  constructor(
    readonly config: ServerConfig,
    readonly world: Environment,
    readonly log: Log,
    readonly metrics: Metrics,
  ) {
    this.scheme = config.tls ? 'https' : 'http';
    this.port = config.port;
    this.urls = urlsOf(config, config.port);
    this.unknownRoute = metrics.route('*', '(none)');
    this.connections = new Connections(this);
    this.#idPrefix = `req-${Buffer.from(world.random(6)).toString('hex')}-`;
  }

  /** With a configured port of 0 the port is known only now. */
  listening(port: number): void {
    this.port = port;
    this.urls = urlsOf(this.config, port);
  }

  /** The sender's own request id if it is well-formed, so that both logs can be correlated. */
  requestId(inbound: string | string[] | undefined): string {
    if (typeof inbound === 'string' && inbound.length <= bounds.requestIdLength && saneRequestId.test(inbound)) {
      return inbound;
    }
    this.#lastId += 1;
    return this.#idPrefix + this.#lastId.toString(36);
  }
}
