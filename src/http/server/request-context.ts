/**
 * One request and its reply: the `Call` that a route gets, with what the server needs to answer it. A class with lazy
 * members and no closures, because one is created for every request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../core/canonical.js';
import type { Connection } from './connections/connections.js';
import type { RouteMeter } from './metrics.js';
import type { Call, Caller } from './route.js';
import { callerGone, type ServerContext, stopping } from './server-context.js';

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
  /** Bytes of the reply in memory, as its connection counts them. */
  held = 0;
  /** Undefined if the socket was closed at once. */
  readonly connection: Connection | undefined;
  /** The caller was told that the outcome is unknown: the write is dropped if it has not reached the store. */
  abandoned = false;
  /** The sender waits for `100 Continue`, which was not sent yet. */
  awaitsContinue: boolean;
  readonly requestId: string;
  readonly startedAt: number;
  #abort: AbortController | undefined;

  constructor(
    readonly site: ServerContext,
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
  ) {
    this.requestId = site.requestId(req.headers['x-request-id']);
    this.startedAt = site.world.monotonic();
    this.meter = site.unknownRoute;
    this.connection = site.connections.of(req);
    this.connection?.begin(this);
    this.awaitsContinue = req.headers.expect !== undefined && req.httpVersion === '1.1';
  }

  /** Path of the request, for the problem document's `instance`. */
  get path(): string {
    const url = this.req.url ?? '';
    const end = url.indexOf('?');
    return end < 0 ? url : url.slice(0, end);
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
      this.site.open.add(abort);
      this.res.once('close', () => {
        this.site.open.delete(abort);
        abort.abort(callerGone);
      });
      if (this.site.stopping) abort.abort(stopping);
      else if (this.res.destroyed) abort.abort(callerGone);
    }
    return this.#abort.signal;
  }

  addHeaders(...namesAndValues: string[]): void {
    if (this.extraHeaders) this.extraHeaders.push(...namesAndValues);
    else this.extraHeaders = namesAndValues;
  }
}
