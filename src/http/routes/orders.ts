/**
 * Reads and lists the orders of all markets together (docs/reference/markets.md#orders).
 */
import { isRefusal, type Refusal } from '../../core/refusal.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import { machinesOf } from '../../machines/catalogue.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import { selectedStates } from '../../machines/kernel/listed.js';
import type { ListPage, Selection, Snapshot } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import { pageSchema } from '../openapi/schemas/replies.js';
import { viewSchemaOf } from '../openapi/schemas/resources.js';
import { pageReply } from '../render/page-text.js';
import { pageOf, pagination } from '../render/pagination.js';
import type { Call, Route } from '../server/route.js';
import { derivedAction } from './derived.js';
import { everyRole } from './derived-paths.js';
import {
  homeField,
  type ListQuery,
  listedResource,
  listQuery,
  roleWithoutDid,
  shown,
  statesOf,
} from './derived-reads.js';
import { listOrderOf, partyIn } from './list-filters.js';

/** Kinds that are marked as orders (`Trade` in machines/kernel/definition.ts), distinguished by id prefix. */
const kindsOf = (api: ApiContext): AnyResource[] => machinesOf(api.catalogue).filter(({ trade }) => trade?.order);

export function orderRoutes(api: ApiContext): Route[] {
  const kinds = kindsOf(api);
  if (kinds.length === 0) return [];
  return [readOrder(kinds, api), listOrders(kinds, api), ...orderActions(kinds, api)];
}

function readOrder(kinds: readonly AnyResource[], api: ApiContext): Route {
  return {
    method: 'GET',
    path: '/api/v1/orders/:orderId',
    name: 'getOrder',
    tag: 'Orders',
    summary: 'Get one order of any market.',
    scope: 'read',
    success: { status: 200, schema: anyOf(kinds.map(viewSchemaOf)), description: 'the order', tagged: true },
    refuses: ['ORDER_NOT_FOUND'],
    async handle(call) {
      const id = call.params.orderId ?? '';
      const definition = kinds.find(({ route }) => id.startsWith(route.idPrefix)) ?? kinds[0]!;
      return shown(definition, await api.committed.resource(definition.kind, id), call, api);
    },
  };
}

function listOrders(kinds: readonly AnyResource[], api: ApiContext): Route {
  const roles = [...new Set(kinds.flatMap(({ list }) => list.roles))];
  const statuses = [...new Set(kinds.flatMap(({ list }) => list.statuses))];
  const states = [...new Set(kinds.flatMap(statesOf))];
  return {
    method: 'GET',
    path: '/api/v1/orders',
    name: 'listOrders',
    tag: 'Orders',
    summary: 'List orders, newest first, by party, role and status.',
    scope: 'read',
    query: listQuery({ roles, statuses, states }, homeField),
    success: {
      status: 200,
      schema: pageSchema('orders', anyOf(kinds.map(viewSchemaOf))),
      description: 'a page of orders',
    },
    async handle(call) {
      const page = pageOf(call);
      if (isRefusal(page)) return page;
      const selected = selectedBy(kinds, call);
      if (isRefusal(selected)) return selected;
      const [first, ...also] = selected;
      const { include, status, state } = call.query as ListQuery;
      const order = listOrderOf(call.query as ListQuery);
      if (isRefusal(order)) return order;
      const make = async () => {
        const found = first ? await api.store.find({ ...first, also, ...order, page }) : nothing;
        const paging = pagination(page, found.total, found.next);
        return pageReply(
          api,
          {
            ...{ name: 'orders', items: found.items, reader: call.caller.reader },
            more: { total: found.total, pagination: { ...paging } },
          },
          (item) => listedResource(api.views.definitionOf(item.kind), item, call, api, include === undefined),
        );
      };
      return api.queues.page(
        call,
        make,
        status !== undefined || state !== undefined || order.sort !== undefined || order.ranges !== undefined,
      );
    },
  };
}

const nothing: ListPage<Snapshot> = { items: [], total: 0, next: null };

/** The selection for each kind that has the role and the status. */
function selectedBy(kinds: readonly AnyResource[], { query, caller }: Call): Selection[] | Refusal {
  const { status, state } = query as ListQuery;
  const party = partyIn(query as ListQuery, [...new Set(kinds.flatMap(({ list }) => list.roles))]);
  if (isRefusal(party)) return party;
  const { role = 'all', did = role === 'all' ? undefined : caller.reader } = party;
  if (role !== 'all' && did === undefined) return roleWithoutDid;
  return kinds.flatMap((definition): Selection[] => {
    const { kind, list } = definition;
    const roles = role === 'all' ? everyRole(definition) : list.roles.filter((each) => each === role);
    if (roles.length === 0 || (status !== undefined && !list.statuses.includes(status))) return [];
    if (state !== undefined && !statesOf(definition).includes(state)) return [];
    const states = selectedStates(definition, { status, state });
    return [
      {
        kind,
        ...(did === undefined ? {} : { anyLabel: roles.map((each) => `${each}:${did}`) }),
        ...(states ? { states } : {}),
      },
    ];
  });
}

/** One schema for all kinds of orders. */
const anyOf = (schemas: readonly JsonSchema[]): JsonSchema => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas });

/** The route takes its input schema from the first kind; the order's own kind handles the request. */
function orderActions(kinds: readonly AnyResource[], api: ApiContext): Route[] {
  return ['dispute', 'resolve'].flatMap((action) => {
    const routes = kinds
      .filter(({ actions }) => actions[action])
      .map((kind) => ({ prefix: kind.route.idPrefix, route: derivedAction(kind, action, api) }));
    const first = routes[0]?.route;
    if (!first) return [];
    const routeOf = (call: Call) =>
      routes.find(({ prefix }) => call.params.orderId?.startsWith(prefix))?.route ?? first;
    const handle: Route['handle'] = (call) => routeOf(call).handle(call);
    const schemas = routes.map(({ route }) => route.success.schema!);
    const success = { ...first.success, schema: anyOf(schemas) };
    const writes = routes.flatMap(({ route }) => route.writes ?? []);
    return [{ ...first, success, name: `${action}Order`, tag: 'Orders', handle, writes }];
  });
}
