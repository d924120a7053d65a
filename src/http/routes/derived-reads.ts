/**
 * Reading and listing the kinds with a machine, derived from their definitions.
 */
import type { Settled } from '../../chain/chain.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import * as is from '../../machines/kernel/scalar.js';
import type { Snapshot } from '../../store/store.js';
import type { Desk } from '../desk.js';
import { pageReply } from '../page-text.js';
import { pageFields, pageOf, pagination } from '../pagination.js';
import { told, viewOf } from '../render.js';
import type { Call, Reply, Route } from '../route.js';
import { listSchemaOf, viewSchemaOf } from '../schemas/resources.js';
import { basePath, everyRole, parametersOf, title } from './derived-paths.js';

export function readRoute(definition: AnyResource, desk: Desk): Route {
  const { kind, route } = definition;
  const { committed } = desk.options.actors;
  return {
    method: 'GET',
    path: `${basePath(definition)}/:${route.param}`,
    name: `get${title(kind)}`,
    tag: route.tag,
    summary: `Read one ${kind}.`,
    scope: 'read',
    success: { status: 200, schema: viewSchemaOf(definition), description: `the ${kind}` },
    handle(call) {
      const found = committed.resource(kind, call.params[route.param]!);
      return found instanceof Promise
        ? found.then((snapshot) => shown(definition, snapshot, call, desk))
        : shown(definition, found, call, desk);
    },
  };
}

/** The reply to whoever reads a resource; the kind's refusal of what is unknown, also where it is not for this reader. */
export function shown(
  definition: AnyResource,
  snapshot: Snapshot | undefined,
  call: Call,
  desk: Desk,
): Reply | Refusal | Promise<Reply | Refusal> {
  const { kind, route, refusals } = definition;
  if (!snapshot || definition.visibleTo?.(snapshot.context as never, call.caller.did) === false) {
    return refuse(refusals.unknown, `no ${kind} ${call.params[route.param]} on this network`);
  }
  const reply = (receipt: Settled | undefined, beside?: JsonObject): Reply => ({
    status: 200,
    text: told(definition, snapshot, desk.looking(call, receipt, beside)).text,
    headers: { ETag: `"${snapshot.lastHash}"` },
  });
  const receipt = desk.options.settlement.receipt(snapshot.lastHash);
  if (definition.beside === undefined && !(receipt instanceof Promise)) return reply(receipt);
  return Promise.all([receipt, desk.beside(definition, snapshot.id)]).then(([settled, beside]) =>
    reply(settled, beside),
  );
}

export function listRoute(definition: AnyResource, desk: Desk): Route {
  return { ...listBelow(definition, basePath(definition), desk), name: `list${title(definition.kind)}s` };
}

/** What a list is asked with. */
export const listQuery = ({ roles, statuses }: Pick<AnyResource['list'], 'roles' | 'statuses'>) =>
  is.object({
    did: is.optional(is.described(is.account, 'Those that it has a part in.')),
    role: is.optional(
      is.described(is.oneOf('all', ...roles), 'The part that `did` has in them, else the DID of the API key.'),
    ),
    status: is.optional(is.oneOf(...statuses)),
    include: is.optional(is.described(is.oneOf('permittedActions'), 'What each shows only where it is asked for.')),
    ...pageFields,
  });

/** Nobody has a part. */
export const roleOfNobody = invalid('did', 'is required with role, unless the API key is bound to a DID');

export interface ListQuery {
  readonly did?: string;
  readonly role?: string;
  readonly status?: string;
  readonly include?: string;
}

/**
 * A list whose path's parameters say what the resources belong to: their labels have `<parameter>:<value>` in front.
 * @param unknown the refusal where that is not there; a malformed page comes before it
 */
export function listBelow(
  definition: AnyResource,
  path: string,
  desk: Desk,
  unknown?: (call: Call) => Promise<Refusal | undefined>,
): Route {
  const { list, route } = definition;
  const query = listQuery(list);
  return {
    method: 'GET',
    path,
    name: `list${title(definition.kind)}sBelow`,
    tag: route.tag,
    summary: `List ${list.name}, newest first, by party, role and status.`,
    scope: 'read',
    query,
    success: { status: 200, schema: listSchemaOf(definition), description: `a page of ${list.name}` },
    async handle(call) {
      const page = pageOf(call.query);
      const missing = unknown && (isRefusal(page) ? page : await unknown(call));
      if (missing) return missing;
      const labels = labelsFor(definition, call, parametersOf(path));
      if (isRefusal(labels)) return labels;
      if (isRefusal(page)) return page;
      const { status, include } = call.query as ListQuery;
      const found = await desk.find(call, {
        kind: definition.kind,
        ...(labels ? { anyLabel: labels } : {}),
        ...(status === undefined ? {} : { states: list.states?.[status] ?? [status] }),
        page,
      });
      if (isRefusal(found)) return found;
      const paging = pagination(page, found.total, found.next);
      return pageReply(
        desk.options.actors.options.world,
        { name: list.name, items: found.items, more: { total: found.total, pagination: { ...paging } } },
        (item) => listed(definition, item, call, desk, include === undefined),
      );
    },
  };
}

/** One item of a list. */
export async function listed(
  definition: AnyResource,
  item: Snapshot,
  call: Call,
  desk: Desk,
  withoutPermitted: boolean,
): Promise<JsonObject> {
  const receipt = await desk.options.settlement.receipt(item.lastHash);
  const beside = await desk.beside(definition, item.id);
  return viewOf(definition, item, desk.looking(call, receipt, beside, withoutPermitted));
}

/** What the resources of a list carry; undefined where it is of all. */
function labelsFor(definition: AnyResource, call: Call, parameters: readonly string[]) {
  const { list, visibleTo } = definition;
  const { role = 'all', did: asked } = call.query as ListQuery;
  const reader = call.caller.did;
  // What is not for everybody is listed for its own reader only, so that no page has holes and no count tells.
  const ownOnly = visibleTo !== undefined && list.open === undefined;
  if (ownOnly && (reader === undefined || (asked ?? reader) !== reader)) {
    return refuse('FORBIDDEN', `${list.name} are listed for the DID that the API key is bound to`);
  }
  const did = asked ?? (role === 'all' && !ownOnly ? undefined : reader);
  if (role !== 'all' && did === undefined) return roleOfNobody;
  const isOwn = did !== undefined && did === reader;
  const scope = [
    ...(list.open !== undefined && !isOwn ? [list.open] : []),
    ...parameters.map((name) => `${name}:${call.params[name]}`),
  ].join('/');
  if (did === undefined) return scope === '' ? undefined : [scope];
  const roles = role === 'all' ? everyRole(definition) : [role];
  return roles.map((each) => `${scope === '' ? '' : `${scope}/`}${each}:${did}`);
}
