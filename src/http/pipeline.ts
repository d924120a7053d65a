/**
 * What a request passes once the router has found its route, or none: see server.ts for the order.
 *
 * Nothing here is async unless it has to wait: a read without a key from this machine runs through in one go.
 */
import type { Context } from 'koa';
import type { JsonObject } from '../machines/kernel/canonical.js';
import { invalid, Refusal, refuse } from '../machines/kernel/refusal.js';
import { parse } from '../machines/kernel/scalar.js';
import { answerOptions, answerRefusal, conclude } from './answer.js';
import type { Exchange } from './exchange.js';
import type { RouteMeter } from './metrics.js';
import { type Access, type Need, scopeRefusal } from './middleware/access.js';
import { readBody } from './middleware/body.js';
import { type QueryReader, queryReader } from './query.js';
import type { Caller, Reply, Route, Scope } from './route.js';
import { type Site, stopping } from './site.js';

/** SERVICE_UNAVAILABLE while requests of this scope cannot be served: stopping, store away (then reads too). */
export type Gate = (scope: Scope) => Refusal | undefined;

/** A route with all that can be worked out before the first request. */
interface Plan {
  readonly route: Route;
  readonly need: Need;
  readonly readQuery: QueryReader | undefined;
  readonly hasBody: boolean;
  readonly meters: { readonly [method: string]: RouteMeter };
}

/** What the server's context carries for us. */
export interface ExchangeContext extends Context {
  exchange: Exchange;
}

export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

function needOf({ path, scope, open = false }: Pick<Route, 'path' | 'scope' | 'open'>): Need {
  const api = isApi(path);
  return { scope, open, api, isPublic: open && !api };
}

/**
 * A body that names another resource than the path: which of them is meant? `did` is the signer's in a body, and so is
 * whatever the route's own schema knows.
 */
function contradictionIn(body: JsonObject, params: Exchange['params'], { body: own }: Route): Refusal | undefined {
  for (const name in params) {
    if (name === 'did' || own?.fields?.[name] !== undefined) continue;
    const said = body[name] ?? params[name];
    if (said !== params[name]) return invalid(name, 'is not the one in the path');
  }
  return undefined;
}

export class Pipeline {
  constructor(
    private readonly site: Site,
    private readonly access: Access,
    private readonly gate: Gate,
  ) {}

  handlerOf(route: Route): (ctx: ExchangeContext) => Promise<void> | void {
    const { metrics } = this.site;
    const plan: Plan = {
      route,
      need: needOf(route),
      readQuery: route.query && queryReader(route.query),
      hasBody: route.method === 'POST' || route.method === 'PUT',
      meters: {
        [route.method]: metrics.route(route.method, route.path),
        ...(route.method === 'GET' ? { HEAD: metrics.route('HEAD', route.path) } : {}),
      },
    };
    return (ctx) => {
      const { exchange } = ctx;
      exchange.meter = plan.meters[ctx.req.method!] ?? exchange.meter;
      exchange.params = ctx.params;
      const admitted = this.access.admit(exchange, plan.need);
      return admitted instanceof Promise
        ? admitted.then((outcome) => this.#admitted(ctx, plan, outcome))
        : this.#admitted(ctx, plan, admitted);
    };
  }

  #admitted(ctx: ExchangeContext, plan: Plan, admitted: Caller | Refusal): Promise<void> | void {
    const { exchange } = ctx;
    if (admitted instanceof Refusal) return answerRefusal(exchange, admitted);
    exchange.caller = admitted;
    const refused = scopeRefusal(admitted, plan.need);
    if (refused) return answerRefusal(exchange, refused);
    if (plan.hasBody) return readBody(exchange, ctx).then((body) => this.#received(exchange, plan, body));
    return this.#received(exchange, plan, undefined);
  }

  #received(exchange: Exchange, plan: Plan, body: JsonObject | Refusal | undefined): Promise<void> | void {
    if (body instanceof Refusal) return answerRefusal(exchange, body);
    const { route, readQuery } = plan;
    if (readQuery) {
      const query = readQuery(exchange.req.url!);
      if (query instanceof Refusal) return answerRefusal(exchange, query);
      exchange.query = query;
    }
    if (body !== undefined) {
      const input = route.body ? parse(route.body, body) : body;
      if (input instanceof Refusal) return answerRefusal(exchange, input);
      const contradiction = contradictionIn(body, exchange.params, route);
      if (contradiction) return answerRefusal(exchange, contradiction);
      exchange.body = input as JsonObject;
    }
    const closed = plan.need.api ? (this.site.stopping ? stopping : this.gate(route.scope)) : undefined;
    if (closed) return answerRefusal(exchange, closed);
    const outcome: Promise<Reply | Refusal> | Reply | Refusal = route.handle(exchange);
    return 'then' in outcome ? outcome.then((reply) => conclude(exchange, reply)) : conclude(exchange, outcome);
  }

  /** A path that no route has, or not with this method. */
  async unmatched(exchange: Exchange, path: string, allow: readonly string[]): Promise<void> {
    const { method } = exchange.req;
    const refused = await this.#stranger(exchange, path);
    if (refused) return answerRefusal(exchange, refused);
    if (allow.length === 0) return answerRefusal(exchange, refuse('NOT_FOUND', `unknown route: ${method} ${path}`));
    if (method === 'OPTIONS') return answerOptions(exchange, allow);
    answerRefusal(exchange, refuse('METHOD_NOT_ALLOWED', `${path} has no ${method}`, { allow }));
  }

  /** A path that no route has, whose page is there under another one. */
  async elsewhere(exchange: Exchange, path: string, page: string): Promise<void> {
    const refused = await this.#stranger(exchange, path);
    conclude(exchange, refused ?? { status: 302, headers: { Location: page } });
  }

  /** Paths without a route count in limits and look at keys as others do. */
  async #stranger(exchange: Exchange, path: string): Promise<Refusal | undefined> {
    const { method } = exchange.req;
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const need = needOf({ path, scope: isRead ? 'read' : 'write', open: !isApi(path) });
    const admitted = await this.access.admit(exchange, need);
    if (admitted instanceof Refusal) return admitted;
    exchange.caller = admitted;
  }
}
