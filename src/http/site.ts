/**
 * What all requests of a server share: configuration, clock, log, metrics, and which of them are open.
 */
import type { Config, Urls } from '../config.js';
import { bounds, urlsOf } from '../config.js';
import { refuse } from '../machines/kernel/refusal.js';
import type { World } from '../world.js';
import type { Log } from './log.js';
import type { Metrics, RouteMeter } from './metrics.js';

/** Why the signal of a request aborts: what a route that gives up answers with. */
export const stopping = refuse('SERVICE_UNAVAILABLE', 'the node is stopping', { retryAfter: 5 });
/** Nobody hears it. */
export const callerGone = refuse('SERVICE_UNAVAILABLE', 'the caller has gone');

const saneRequestId = /^[A-Za-z0-9._:/+=-]+$/;

export class Site {
  /** Aborted when the server stops: the requests whose route looks at `signal`. */
  readonly open = new Set<AbortController>();
  readonly unknownRoute: RouteMeter;
  readonly scheme: 'http' | 'https';
  stopping = false;
  streams = 0;
  port: number;
  urls: Urls;
  readonly #idPrefix: string;
  #lastId = 0;

  constructor(
    readonly config: Config,
    readonly world: World,
    readonly log: Log,
    readonly metrics: Metrics,
  ) {
    this.scheme = config.tls ? 'https' : 'http';
    this.port = config.port;
    this.urls = urlsOf(config, config.port);
    this.unknownRoute = metrics.route('*', '(none)');
    this.#idPrefix = `req-${Buffer.from(world.random(6)).toString('hex')}-`;
  }

  /** The port is known only now when 0 was configured. */
  listening(port: number): void {
    this.port = port;
    this.urls = urlsOf(this.config, port);
  }

  /** The sender's own id where it is a sane one, so that its log and ours meet. */
  requestId(inbound: string | string[] | undefined): string {
    if (typeof inbound === 'string' && inbound.length <= bounds.requestIdLength && saneRequestId.test(inbound)) {
      return inbound;
    }
    this.#lastId += 1;
    return this.#idPrefix + this.#lastId.toString(36);
  }
}
