/**
 * Handles a request after routing, whether a route matched or not (order: server.ts).
 * Nothing here is async unless it has to wait: a keyless read from this machine runs synchronously.
 */
import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { Refusal, refuse } from '../../core/refusal.js';
import { type Access, type Need, scopeRefusal } from '../access/access.js';
import type { Caller, Scope } from '../access/caller.js';
import { answerItem, answerOptions, answerRefusal, conclude } from './answer.js';
import { ItemContext } from './batch-item.js';
import { readBody } from './body.js';
import { type BodyFindings, prefersLenient, refusalOfMembers } from './body-members.js';
import { bodyInput, type ExpectedBodies, expectedBodies, expectedIn } from './expected-body.js';
import type { RouteMeter } from './metrics.js';
import type { OutageAnswers } from './outage-answers.js';
import { atEveryPath } from './paths.js';
import { refusalOf } from './problem.js';
import { type QueryReader, queryReader } from './query.js';
import { callerGone, type RequestContext, type ServerContext, stopping } from './request-context.js';
import { guardUrl } from './request-head.js';
import type { BatchItem, Reply, Route } from './route.js';
import { type FoundRoute, RouteTable } from './route-table.js';

/**
 * Returns SERVICE_UNAVAILABLE while requests of this scope cannot be served, because the node stops or the store is
 * unreachable (reads are then refused as well).
 */
export type Gate = (scope: Scope) => Refusal | undefined;

/** A route with everything that can be computed before the first request. */
export interface RoutePlan {
  readonly route: Route;
  readonly need: Need;
  readonly readQuery: QueryReader | undefined;
  readonly hasBody: boolean;
  readonly bodies: ExpectedBodies;
  readonly meters: { readonly [method: string]: RouteMeter };
}

export interface PipelineParts {
  readonly routes: readonly Route[];
  readonly gate: Gate;
  /** Writes that are queued and not durable yet. */
  readonly writesInFlight: () => number;
  /** Undefined if the store is always reachable (embedded). */
  readonly outage: OutageAnswers | undefined;
}

export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

function needOf({ path, scope, open = false, body }: Pick<Route, 'path' | 'scope' | 'open' | 'body'>): Need {
  const api = isApi(path);
  // Checking a passphrase costs more than most writes, so the request counts as a write.
  const write = scope !== 'read' || body?.fields?.passphrase !== undefined;
  return { scope, write, open, api, isPublic: open && !api };
}

const batchNeed = needOf({ path: '/api', scope: 'write' });

const withBody = (
  params: RequestContext['params'],
  names: readonly string[],
  body: JsonObject,
): RequestContext['params'] => ({
  ...params,
  ...Object.fromEntries(names.map((name) => [name, String(body[name])])),
});

const notInBatch = refuse('UNPROCESSABLE', 'a batch has signed writes and signed events only');
const notBegun = (because: string) =>
  refuse('SERVICE_UNAVAILABLE', `${because}, and this was not begun: send it again`, { retryAfter: 1 });
const tooLate = notBegun('the batch has taken too long');
const tooLong = notBegun('the answers of the batch are long');

export class Pipeline {
  readonly routes = new RouteTable<RoutePlan>();
  readonly #gate: Gate;
  readonly #outage: OutageAnswers | undefined;
  readonly #writesInFlight: () => number;
  /** Items of batches that are in progress: a batch is one request, and a few of them must not keep all others out. */
  #items = 0;

  constructor(
    private readonly server: ServerContext,
    private readonly access: Access,
    { routes, gate, outage, writesInFlight }: PipelineParts,
  ) {
    [this.#gate, this.#outage, this.#writesInFlight] = [gate, outage, writesInFlight];
    for (const route of routes.flatMap(atEveryPath)) this.routes.add(route.method, route.path, this.#planOf(route));
    server.perform = (batch, item) => this.#perform(batch, item);
    server.namedSigner = (item) => this.#namedSigner(item);
  }

  #planOf(route: Route): RoutePlan {
    const { metrics } = this.server;
    return {
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
  }

  answer(context: RequestContext, { value: plan, params }: FoundRoute<RoutePlan>): Promise<void> | void {
    context.meter = plan.meters[context.req.method!] ?? context.meter;
    context.params = params;
    const admitted = this.access.admit(context, plan.need);
    return admitted instanceof Promise
      ? admitted.then((outcome) => this.#admitted(context, plan, outcome))
      : this.#admitted(context, plan, admitted);
  }

  #admitted(context: RequestContext, plan: RoutePlan, admitted: Caller | Refusal): Promise<void> | void {
    if (admitted instanceof Refusal) return answerRefusal(context, admitted);
    context.caller = admitted;
    const refused = scopeRefusal(admitted, plan.need) ?? this.#overload(context, plan);
    if (refused) return answerRefusal(context, refused);
    if (plan.hasBody) return readBody(context).then((body) => this.#conclude(context, plan, body));
    return this.#conclude(context, plan, undefined);
  }

  /** Health checks and pages are always served. */
  #overload(context: RequestContext, { need }: RoutePlan): Refusal | undefined {
    if (!need.api) return undefined;
    const writes = need.scope === 'read' ? 0 : Math.max(0, this.#writesInFlight() - this.#items);
    return this.server.connections.admit(context, writes, need.scope === 'admin');
  }

  #conclude(context: RequestContext, plan: RoutePlan, body: JsonObject | Refusal | undefined): Promise<void> | void {
    const { success, scope } = plan.route;
    const outcome = this.#handle(context, plan, body);
    if (!(outcome instanceof Promise)) return conclude(context, outcome, success.tagged);
    // Each item of a batch has its own answer.
    const isWhole = plan.route.name !== 'batch';
    const inTime = this.#outage && isWhole ? this.#outage.inTime(context, scope === 'read', outcome) : outcome;
    return inTime.then((reply) => conclude(context, reply, success.tagged));
  }

  /** @param context of a request, or of an item of a batch */
  #handle(
    context: RequestContext | ItemContext,
    plan: RoutePlan,
    body: JsonObject | Refusal | undefined,
  ): Promise<Reply | Refusal> | Reply | Refusal {
    const { route, readQuery } = plan;
    if (body instanceof Refusal) return body;
    if (readQuery) {
      const query = readQuery(context.url);
      if (query instanceof Refusal) return query;
      context.query = query;
    }
    if (body !== undefined) {
      const expected = expectedIn(plan.bodies, body);
      const found = expected.settle?.(body);
      const unknown = found && this.#unknown(context, found);
      if (unknown) return unknown;
      const input = bodyInput(route, expected, body, context.params);
      if (input instanceof Refusal) return input;
      context.body = input;
      if (route.fromBody) context.params = withBody(context.params, route.fromBody, context.body);
    }
    const closed = plan.need.api ? (this.server.stopping ? stopping : this.#gate(route.scope)) : undefined;
    return closed ?? route.handle(context);
  }

  /** Performs an item of a batch as the request that it is; each after the first is counted, as the batch itself was. */
  async #perform(batch: RequestContext, item: BatchItem): Promise<string> {
    const context = new ItemContext(batch, item);
    const { connections } = this.server;
    batch.answers ??= { bytes: 0, longest: 0, inProgress: 0 };
    const { answers } = batch;
    const counted = item.index === 0 ? undefined : batch.admitted;
    const answered = (outcome: Reply | Refusal) => {
      item.onPlaced(outcome instanceof Refusal);
      const text = answerItem(context, outcome);
      const bytes = Buffer.byteLength(text);
      answers.bytes += bytes;
      answers.longest = Math.max(answers.longest, bytes);
      return text;
    };
    try {
      if (batch.connection) await connections.turn.hasTime(batch.connection.address);
      const closed = this.#closedTo(batch, answers);
      if (closed) return answered(closed);
      answers.inProgress += 1;
      this.#items += 1;
      connections.count(counted, 1);
      const outcome = this.#outcomeOf(context);
      const known = await (this.#outage?.inTime(context, false, outcome) ?? outcome).finally(() => {
        answers.inProgress -= 1;
        this.#items -= 1;
        connections.count(counted, -1);
      });
      return answered(known);
    } catch (thrown) {
      const { refusal, fault } = refusalOf(thrown);
      const { requestId, path } = context;
      if (fault) this.server.log.error({ err: thrown, requestId, path }, 'an item of a batch failed');
      return answered(refusal);
    }
  }

  /** Why no further item of it is begun. */
  #closedTo(
    batch: RequestContext,
    { bytes: made, longest, inProgress }: NonNullable<RequestContext['answers']>,
  ): Refusal | undefined {
    const { world, connections } = this.server;
    if (batch.res.destroyed) return callerGone;
    if (world.monotonic() - batch.startedAt > bounds.batchMs) return tooLate;
    const bytes = made + (inProgress + 1) * longest;
    if (made > 0 && bytes > bounds.batchReplyBytes) return tooLong;
    const full = connections.hold(batch, bytes);
    if (!full) connections.release(batch, bytes);
    return full && tooLong;
  }

  #namedSigner({ path, body: { did, event } }: Pick<BatchItem, 'path' | 'body'>): string | undefined {
    const found = this.routes.find('POST', path);
    const named = found?.value.route.fromPath?.did;
    const { issuer } = (event ?? {}) as { readonly issuer?: unknown };
    const signer = did ?? issuer ?? (named && found?.params[named]);
    return typeof signer === 'string' ? signer : undefined;
  }

  async #outcomeOf(context: ItemContext): Promise<Reply | Refusal> {
    const { path, item } = context;
    const misspelt = guardUrl(path);
    if (misspelt) return misspelt;
    if (item.index > 0) {
      const admitted = await this.access.admit(context, batchNeed);
      if (admitted instanceof Refusal) return admitted;
      context.caller = admitted;
    }
    const found = this.routes.find('POST', path);
    if (!found) return refuse('NOT_FOUND', `unknown route: POST ${path}`);
    const { value: plan, params } = found;
    if (!plan.route.prepares && plan.route.name !== 'submitEvent') return notInBatch;
    context.meter = plan.meters.POST!;
    context.params = params;
    return scopeRefusal(context.caller, plan.need) ?? this.#handle(context, plan, item.body);
  }

  /** Handles unknown members. The reply lists those that were ignored, for a lenient caller (RFC 7240) or by the body's schema. */
  #unknown(context: RequestContext | ItemContext, found: BodyFindings): Refusal | undefined {
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
