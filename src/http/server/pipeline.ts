/**
 * Handles a request after routing, whether a route matched or not (order: server.ts).
 * Nothing here is async unless it has to wait: a keyless read from this machine runs synchronously.
 */
import type { Context } from 'koa';
import type { JsonObject } from '../../core/canonical.js';
import { Refusal, refuse } from '../../core/refusal.js';
import { type Access, type Need, scopeRefusal } from '../access/access.js';
import type { Caller, Scope } from '../access/caller.js';
import { answerOptions, answerRefusal, conclude } from './answer.js';
import { readBody } from './body.js';
import { type BodyFindings, prefersLenient, refusalOfMembers } from './body-members.js';
import { bodyInput, type ExpectedBodies, expectedBodies, expectedIn } from './expected-body.js';
import type { RouteMeter } from './metrics.js';
import type { OutageAnswers } from './outage-answers.js';
import { type QueryReader, queryReader } from './query.js';
import { type RequestContext, type ServerContext, stopping } from './request-context.js';
import type { Reply, Route } from './route.js';
/**
 * Returns SERVICE_UNAVAILABLE while requests of this scope cannot be served, because the node stops or the store is
 * unreachable (reads are then refused as well).
 */
export type Gate = (scope: Scope) => Refusal | undefined;

/** A route with everything that can be computed before the first request. */
interface RoutePlan {
  readonly route: Route;
  readonly need: Need;
  readonly readQuery: QueryReader | undefined;
  readonly hasBody: boolean;
  readonly bodies: ExpectedBodies;
  readonly meters: { readonly [method: string]: RouteMeter };
}

export interface RoutedContext extends Context {
  requestContext: RequestContext;
}

export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

function needOf({ path, scope, open = false, body }: Pick<Route, 'path' | 'scope' | 'open' | 'body'>): Need {
  const api = isApi(path);
  // Checking a passphrase costs more than most writes, so the request counts as a write.
  const write = scope !== 'read' || body?.fields?.passphrase !== undefined;
  return { scope, write, open, api, isPublic: open && !api };
}

const withBody = (
  params: RequestContext['params'],
  names: readonly string[],
  body: JsonObject,
): RequestContext['params'] => ({
  ...params,
  ...Object.fromEntries(names.map((name) => [name, String(body[name])])),
});

export class Pipeline {
  constructor(
    private readonly server: ServerContext,
    private readonly access: Access,
    private readonly gate: Gate,
    /** Undefined if the store is always reachable (embedded). */
    private readonly outage: OutageAnswers | undefined,
  ) {}

  handlerOf(route: Route): (ctx: RoutedContext) => Promise<void> | void {
    const { metrics } = this.server;
    const plan: RoutePlan = {
      route,
      need: needOf(route),
      readQuery: route.query && queryReader(route.query),
      hasBody: route.method !== 'GET',
      bodies: expectedBodies(route),
      meters: {
        [route.method]: metrics.route(route.method, route.path),
        ...(route.method === 'GET' ? { HEAD: metrics.route('HEAD', route.path) } : {}),
      },
    };
    return (ctx) => {
      const { requestContext: context } = ctx;
      context.meter = plan.meters[ctx.req.method!] ?? context.meter;
      context.params = ctx.params;
      const admitted = this.access.admit(context, plan.need);
      return admitted instanceof Promise
        ? admitted.then((outcome) => this.#admitted(ctx, plan, outcome))
        : this.#admitted(ctx, plan, admitted);
    };
  }

  #admitted(ctx: RoutedContext, plan: RoutePlan, admitted: Caller | Refusal): Promise<void> | void {
    const { requestContext: context } = ctx;
    if (admitted instanceof Refusal) return answerRefusal(context, admitted);
    context.caller = admitted;
    const refused = scopeRefusal(admitted, plan.need);
    if (refused) return answerRefusal(context, refused);
    if (plan.hasBody) return readBody(context).then((body) => this.#received(context, plan, body));
    return this.#received(context, plan, undefined);
  }

  #received(context: RequestContext, plan: RoutePlan, body: JsonObject | Refusal | undefined): Promise<void> | void {
    const { route, readQuery } = plan;
    if (body instanceof Refusal) return answerRefusal(context, body);
    if (readQuery) {
      const query = readQuery(context.req.url!);
      if (query instanceof Refusal) return answerRefusal(context, query);
      context.query = query;
    }
    if (body !== undefined) {
      const expected = expectedIn(plan.bodies, body);
      const found = expected.settle?.(body);
      const unknown = found && this.#unknown(context, found);
      if (unknown) return answerRefusal(context, unknown);
      const input = bodyInput(route, expected, body, context.params);
      if (input instanceof Refusal) return answerRefusal(context, input);
      context.body = input;
      if (route.fromBody) context.params = withBody(context.params, route.fromBody, context.body);
    }
    const closed = plan.need.api ? (this.server.stopping ? stopping : this.gate(route.scope)) : undefined;
    if (closed) return answerRefusal(context, closed);
    const outcome: Promise<Reply | Refusal> | Reply | Refusal = route.handle(context);
    if (!('then' in outcome)) return conclude(context, outcome, route.success.tagged);
    const inTime = this.outage ? this.outage.inTime(context, route.scope === 'read', outcome) : outcome;
    return inTime.then((reply) => conclude(context, reply, route.success.tagged));
  }

  /** Handles unknown members. The reply lists those that were ignored, for a lenient caller (RFC 7240) or by the body's schema. */
  #unknown(context: RequestContext, found: BodyFindings): Refusal | undefined {
    const isLenient = prefersLenient(context.header('prefer'));
    const refusal = refusalOfMembers(found, isLenient);
    if (refusal) return refusal;
    const ignored = [...found.unused, ...found.unknown.map(({ field }) => field)];
    if (ignored.length === 0) return undefined;
    context.ignored = ignored;
    if (!isLenient) return undefined;
    const named = ignored.map((each) => encodeURIComponent(each.slice(0, 64).toWellFormed())).join(' ');
    context.addHeaders('Preference-Applied', `handling=lenient, ignored="${named}"`);
    return undefined;
  }

  /** Answers a request whose path has no route, or not with this method. */
  async unmatched(context: RequestContext, path: string, allow: readonly string[]): Promise<void> {
    const { method } = context.req;
    const refused = await this.#stranger(context, path);
    if (refused) return answerRefusal(context, refused);
    if (allow.length === 0) return answerRefusal(context, refuse('NOT_FOUND', `unknown route: ${method} ${path}`));
    if (method === 'OPTIONS') return answerOptions(context, allow);
    answerRefusal(context, refuse('METHOD_NOT_ALLOWED', `${path} has no ${method}`, { allow }));
  }

  /** Redirects a path without a route to its page. */
  async elsewhere(context: RequestContext, path: string, page: string): Promise<void> {
    const refused = await this.#stranger(context, path);
    conclude(context, refused ?? { status: 302, headers: { Location: page } });
  }

  /** Rate limits and API keys are also checked for paths without a route. */
  async #stranger(context: RequestContext, path: string): Promise<Refusal | undefined> {
    const { method } = context.req;
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const need = needOf({ path, scope: isRead ? 'read' : 'write', open: !isApi(path) });
    const admitted = await this.access.admit(context, need);
    if (admitted instanceof Refusal) return admitted;
    context.caller = admitted;
  }
}
