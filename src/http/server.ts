/**
 * The HTTP server: Koa, the router and everything that is the same for all routes.
 *
 * A request passes, in this order (decisions.md, order of refusals): target and headers → limit per address → 401
 * → limit per key → unknown route, 405 → scope → 413, 415, malformed → 503 → the route's own. The router runs
 * first in time, because a route says what it asks of its caller; what it found counts only after the 401.
 */
import type http from 'node:http';
import type https from 'node:https';
import Koa from 'koa';
import { bounds, type Config, type Urls } from '../config.js';
import type { Tally } from '../counts.js';
import type { World } from '../world.js';
import { answerFault, answerOptions, answerRefusal } from './answer.js';
import { Exchange } from './exchange.js';
import { close, type Listening, listen, listenerOf } from './listener.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { Access, type ApiKeyLookup } from './middleware/access.js';
import { Cors } from './middleware/cors.js';
import { guardTarget } from './middleware/target.js';
import { type ExchangeContext, type Gate, Pipeline } from './pipeline.js';
import type { Route } from './route.js';
import { IndexedRouter } from './router.js';
import { Site } from './site.js';

export interface ServerParts {
  readonly config: Config;
  readonly world: World;
  readonly routes: readonly Route[];
  readonly keys: ApiKeyLookup;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly gate: Gate;
  /** Requests that other processes count. */
  readonly elsewhere?: Tally | undefined;
}

export interface HttpServer {
  readonly app: Koa;
  readonly server: http.Server | https.Server;
  /** Roots of links and error types; final once the server listens. */
  urls(): Urls;
  /** @returns the port that listens, and the URL of the API; rejects where the address is taken */
  listen(): Promise<Listening>;
  /** Stops accepting, ends streams, lets what is in flight finish for so long, then cuts the rest. */
  close(graceMs?: number): Promise<void>;
}

/** For `OPTIONS *`, which asks for the server as a whole. */
const everyMethod = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'];

/** What people type, and the page that they mean. */
const pages: { readonly [path: string]: string | undefined } = {
  '/': '/console',
  '/console/': '/console',
  '/docs/': '/docs',
};

export function createServer(parts: ServerParts): HttpServer {
  const { config, world, routes, keys, log, metrics, gate, elsewhere } = parts;
  const site = new Site(config, world, log, metrics);
  const pipeline = new Pipeline(site, new Access(site, keys, elsewhere), gate);
  const cors = new Cors(config.corsOrigins);
  const router = new IndexedRouter();
  for (const route of routes) router.add(route, pipeline.handlerOf(route));
  const app = new Koa();

  app.use((ctx, next) => {
    const exchange = new Exchange(site, ctx.req, ctx.res);
    ctx.exchange = exchange;
    ctx.respond = false; // answer.ts writes every answer
    metrics.inFlight += 1;
    const refusal = guardTarget(exchange.req);
    if (refusal) return answerRefusal(exchange, refusal);
    cors.apply(exchange);
    return next();
  });
  app.use(router.routes());
  app.use((ctx) => {
    const { exchange } = ctx as ExchangeContext;
    const path = ctx.req.url === '*' ? '*' : ctx.path;
    const allow = path === '*' ? everyMethod : router.methodsOf(path);
    const page = pages[path];
    if (page !== undefined && router.match(page, ctx.method).route) return pipeline.elsewhere(exchange, path, page);
    if (allow.length === 0 || !cors.isPreflight(exchange)) return pipeline.unmatched(exchange, path, allow);
    cors.allow(exchange, allow);
    answerOptions(exchange, allow);
  });
  // The one place where something thrown becomes an answer. Koa also calls it, with nothing, when all went well;
  // but nothing is what a route may throw, too.
  app.context.onerror = function onerror(this: ExchangeContext, thrown: unknown) {
    const { exchange } = this;
    if (thrown || !(exchange.answered || exchange.req.socket.destroyed)) answerFault(exchange, thrown);
  };

  const server = listenerOf(site, app.callback());
  return {
    app,
    server,
    urls: () => site.urls,
    listen: () => listen(server, site),
    close: (graceMs = bounds.shutdownMs) => close(server, site, graceMs),
  };
}
