/**
 * The server's state for one request (the `Call` that a route receives, and what is needed to answer it), and the state
 * that all requests share: configuration, clock, log, metrics, open requests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import type { Log } from '../../core/log.js';
import { type Code, refuse } from '../../core/refusal.js';
import { type Urls, urlsOf } from '../../core/urls.js';
import type { Caller } from '../access/caller.js';
import { type Connection, Connections } from './connections/connections.js';
import type { Metrics, RouteMeter } from './metrics.js';
import { RequestLog } from './request-log.js';
import type { BatchItem, Call } from './route.js';
import { ServerCertificate } from './server-certificate.js';
import type { ServerConfig } from './server-config.js';

const stranger: Caller = Object.freeze({ origin: '', loopback: false });
const nothing = Object.freeze({});

export class RequestContext implements Call {
  caller: Caller = stranger;
  params: { readonly [name: string]: string } = nothing;
  query: unknown = nothing;
  body: JsonObject = nothing;
  /** Header names and values that every reply to this request carries: RateLimit, CORS. */
  extraHeaders: string[] | undefined;
  /** Members of the body that were ignored, under `Prefer: handling=lenient`. */
  ignored: readonly string[] | undefined;
  meter: RouteMeter;
  answered = false;
  /** Code of the refusal that it was answered with. */
  refusedAs: Code | null = null;
  admitted: string | undefined;
  /** Bytes of the reply in memory, as its connection counts them. */
  held = 0;
  /** Of a batch: its answers so far, in bytes, and how many of its items are in progress. */
  answers: { bytes: number; longest: number; inProgress: number } | undefined;
  /** The reply is a stream that ends only when the client leaves. */
  isEndless = false;
  /** Undefined if the socket was closed at once. */
  readonly connection: Connection | undefined;
  /** The reply has said that the outcome is unknown: the write is dropped if it has not reached the store. */
  abandoned = false;
  unlocked: boolean | undefined;
  /** The sender waits for `100 Continue`, which was not sent yet. */
  awaitsContinue: boolean;
  readonly requestId: string;
  readonly startedAt: number;
  readonly behind: number;
  #abort: AbortController | undefined;

  constructor(
    readonly server: ServerContext,
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
  ) {
    this.requestId = server.requestId(req.headers['x-request-id']);
    this.meter = server.unknownRoute;
    this.connection = server.connections.of(req);
    this.startedAt = this.connection?.begin(this) ?? server.world.monotonic();
    this.behind = this.connection ? server.connections.turn.behind(this.connection.address) : 0;
    this.awaitsContinue = req.headers.expect !== undefined && req.httpVersion === '1.1';
  }

  /** Path of the request, for the problem document's `instance`. */
  get path(): string {
    const url = this.req.url ?? '';
    const end = url.indexOf('?');
    return end < 0 ? url : url.slice(0, end);
  }

  get url(): string {
    return this.req.url!;
  }

  perform(item: BatchItem): Promise<string> {
    return this.server.perform(this, item);
  }

  namedSigner(item: Pick<BatchItem, 'path' | 'body'>): string | undefined {
    return this.server.namedSigner(item);
  }

  header(name: string): string | undefined {
    const value = this.req.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Created on demand: most routes never use it. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController();
      this.#abort = abort;
      this.server.open.add(abort);
      this.res.once('close', () => {
        this.server.open.delete(abort);
        abort.abort(callerGone);
      });
      if (this.server.stopping) abort.abort(stopping);
      else if (this.res.destroyed) abort.abort(callerGone);
    }
    return this.#abort.signal;
  }

  addHeaders(...namesAndValues: string[]): void {
    if (this.extraHeaders) this.extraHeaders.push(...namesAndValues);
    else this.extraHeaders = namesAndValues;
  }
}

/** Reasons with which request signals abort; a route that stops early replies with them. */
export const stopping = refuse('SERVICE_UNAVAILABLE', 'the node is stopping', { retryAfter: 5 });
/** Never sent, because the caller has disconnected. */
export const callerGone = refuse('SERVICE_UNAVAILABLE', 'the caller has disconnected');

const saneRequestId = /^[A-Za-z0-9._:/+=-]+$/;

export class ServerContext {
  /** Aborted when the server stops: the requests whose route uses `signal`. */
  readonly open = new Set<AbortController>();
  readonly connections: Connections;
  readonly unknownRoute: RouteMeter;
  readonly scheme: 'http' | 'https';
  readonly certificate: ServerCertificate | undefined;
  stopping = false;
  /** Performs an item of a batch; set by the pipeline. */
  perform!: (batch: RequestContext, item: BatchItem) => Promise<string>;
  namedSigner!: NonNullable<Call['namedSigner']>;
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
    readonly requests: RequestLog = new RequestLog(),
  ) {
    this.certificate = config.tls && new ServerCertificate(config.tls, world, log);
    this.scheme = config.tls ? 'https' : 'http';
    this.port = config.port;
    this.urls = urlsOf(config, config.port);
    this.unknownRoute = metrics.route('*', '(none)');
    this.connections = new Connections(this);
    this.#idPrefix = `req-${Buffer.from(world.random(6)).toString('hex')}-`;
  }

  /** Completes the URLs: with a configured port of 0 the port is known only now. */
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
