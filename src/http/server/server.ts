/**
 * The HTTP server: Koa, the router and everything that is the same for all routes.
 * A request is checked in this order (docs/reference/errors.md#order-of-refusals): target and headers → limit per
 * address → 401 → limit per key → unknown route, 405 → scope → 503 of an overloaded server → 413, 415, malformed → 503
 * → the route's own checks. The route is found first, because it defines what it requires of its caller; but that there
 * is none is said after the 401.
 * In this folder a `context` is one request with its reply (RequestContext), and `serverContext` is what all requests
 * share (ServerContext).
 */
import type http from 'node:http';
import type https from 'node:https';
import Koa, { type Context } from 'koa';
import { bounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import type { Log } from '../../core/log.js';
import { invalid } from '../../core/refusal.js';
import type { SharedCounter } from '../../core/shared-counter.js';
import type { Urls } from '../../core/urls.js';
import { Access, type ApiKeyLookup } from '../access/access.js';
import { answerFault, answerOptions, answerRefusal } from './answer.js';
import { close, type Listening, listen, listenerOf } from './listener.js';
import type { Metrics } from './metrics.js';
import { OutageAnswers } from './outage-answers.js';
import { type Gate, Pipeline } from './pipeline.js';
import { RequestContext, ServerContext } from './request-context.js';
import { Cors, guardTarget } from './request-head.js';
import type { RequestLog } from './request-log.js';
import type { Route } from './route.js';
import type { ServerConfig } from './server-config.js';

export interface ServerParts {
  readonly config: ServerConfig;
  readonly world: Environment;
  readonly routes: readonly Route[];
  readonly keys: ApiKeyLookup;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly gate: Gate;
  /** DID of the node's home; undefined until its journal begins. */
  readonly home: () => string | undefined;
  /** Counts of the requests that other processes have served. */
  readonly elsewhere?: SharedCounter | undefined;
  /** Where the answered requests are listed for operators. */
  readonly requests?: RequestLog;
  /** Writes that are queued and not durable yet. */
  readonly writesInFlight: () => number;
  /** Milliseconds for which the database has not answered; absent for an embedded store. */
  readonly awayForMs?: (() => number | undefined) | undefined;
}

export interface HttpServer {
  readonly server: http.Server | https.Server;
  /** Base URLs of links and error types; final once the server listens. */
  urls(): Urls;
  /** @returns the real port, and the URL of the API; rejects if the address is in use */
  listen(): Promise<Listening>;
  /** As in `ServerCertificate`. */
  readonly certificateProblem: string | undefined;
  /** Stops accepting, ends streams, lets requests in progress finish within the grace period, then closes the rest. */
  close(graceMs?: number): Promise<void>;
}

/** For `OPTIONS *`, which asks for the server as a whole. */
const everyMethod = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'];

/** Paths that people are likely to type, and the pages that they are redirected to. */
const pages: { readonly [path: string]: string | undefined } = {
  '/': '/console',
  '/console/': '/console',
  '/docs/': '/docs',
  '/guide/': '/guide',
};

/** The refusal of a request that its connection has refused already, so no client reads it. */
const misread = invalid('request', 'is not valid HTTP');

/** RFC 9112, 6.1: another coding below the chunks. The parser refuses what does not end with chunks. */
const unknownCoding = invalid('Transfer-Encoding', 'must be chunked: other codings are not implemented');
const notImplemented = 501;

interface RequestOfKoa extends Context {
  requestContext: RequestContext;
}

export function createServer(parts: ServerParts): HttpServer {
  const { config, world, routes, keys, log, metrics, gate, home, elsewhere, awayForMs, writesInFlight, requests } =
    parts;
  const serverContext = new ServerContext(config, world, log, metrics, requests);
  const isAway = awayForMs && (() => (awayForMs() ?? 0) > bounds.storeAwayMs);
  const outage = isAway && new OutageAnswers({ world, isAway, waitMs: bounds.outageWaitMs });
  const access = new Access(serverContext, { keys, home, elsewhere });
  const pipeline = new Pipeline(serverContext, access, { routes, gate, outage, writesInFlight });
  const cors = new Cors(config.corsOrigins);
  const app = new Koa();

  app.use((ctx) => {
    const context = new RequestContext(serverContext, ctx.req, ctx.res);
    ctx.requestContext = context;
    ctx.respond = false; // answer.ts writes every reply
    metrics.inFlight += 1;
    if (ctx.req.socket.destroyed) return answerRefusal(context, misread);
    const refusal = guardTarget(context.req);
    if (refusal) return answerRefusal(context, refusal);
    if (/,\s*chunked$/i.test(ctx.req.headers['transfer-encoding'] ?? '')) {
      return answerRefusal(context, unknownCoding, notImplemented);
    }
    cors.apply(context);
    const { method, path } = ctx;
    const found = pipeline.routes.find(method, path);
    if (found) return pipeline.answer(context, found);
    const named = ctx.req.url === '*' ? '*' : path;
    const allow = named === '*' ? everyMethod : pipeline.routes.methods(named);
    const page = pages[named];
    if (page !== undefined && pipeline.routes.find(method, page)) return pipeline.elsewhere(context, named, page);
    if (allow.length === 0 || !cors.isPreflight(context)) return pipeline.unmatched(context, named, allow);
    cors.allow(context, allow);
    answerOptions(context, allow);
  });
  // The one place where a thrown value becomes a reply. Koa also calls it, with undefined, after success; but a route
  // may throw undefined, too.
  app.context.onerror = function onerror(this: RequestOfKoa, thrown: unknown) {
    const { requestContext: context } = this;
    if (thrown || !(context.answered || context.req.socket.destroyed)) answerFault(context, thrown);
  };

  const server = listenerOf(serverContext, app.callback());
  return {
    server,
    urls: () => serverContext.urls,
    get certificateProblem() {
      return serverContext.certificate?.problem;
    },
    listen: () => listen(server, serverContext),
    close: (graceMs = bounds.shutdownMs) => close(server, serverContext, graceMs),
  };
}
