/**
 * Orders of every market that has any, read and listed together (decisions.md, Markets; issue of the three markets).
 */

import { machinesOf } from '../../machines/catalogue.js';
import { isRefusal, type Refusal } from '../../machines/kernel/refusal.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import type { Listing, Selection, Snapshot } from '../../store/store.js';
import type { Desk } from '../desk.js';
import { pageReply } from '../page-text.js';
import { pageOf, pagination } from '../pagination.js';
import type { Call, Route } from '../route.js';
import { pageOf as pageSchemaOf } from '../schemas/replies.js';
import { viewSchemaOf } from '../schemas/resources.js';
import { everyRole } from './derived-paths.js';
import { type ListQuery, listed, listQuery, roleOfNobody, shown } from './derived-reads.js';
import { type Acting, anyOf, orderActions } from './order-actions.js';

/** What says of itself that it is an order (machines/kernel/deal.ts), told apart by the prefix of its id. */
const kindsOf = (desk: Desk): AnyResource[] =>
  machinesOf(desk.options.actors.options.catalogue).filter(({ deal }) => deal?.order);

export function orderRoutes(desk: Desk, acting: Acting): Route[] {
  const kinds = kindsOf(desk);
  if (kinds.length === 0) return [];
  return [readOrder(kinds, desk), listOrders(kinds, desk), ...orderActions(kinds, desk, acting)];
}

function readOrder(kinds: readonly AnyResource[], desk: Desk): Route {
  return {
    method: 'GET',
    path: '/api/v1/orders/:orderId',
    name: 'getOrder',
    tag: 'Orders',
    summary: 'Read one order, of whatever market.',
    scope: 'read',
    success: { status: 200, schema: anyOf(kinds.map(viewSchemaOf)), description: 'the order' },
    async handle(call) {
      const id = call.params.orderId ?? '';
      const definition = kinds.find(({ route }) => id.startsWith(route.idPrefix)) ?? kinds[0]!;
      return shown(definition, await desk.options.actors.committed.resource(definition.kind, id), call, desk);
    },
  };
}

function listOrders(kinds: readonly AnyResource[], desk: Desk): Route {
  const roles = [...new Set(kinds.flatMap(({ list }) => list.roles))];
  const statuses = [...new Set(kinds.flatMap(({ list }) => list.statuses))];
  return {
    method: 'GET',
    path: '/api/v1/orders',
    name: 'listOrders',
    tag: 'Orders',
    summary: 'List orders, newest first, by party, role and status.',
    scope: 'read',
    query: listQuery({ roles, statuses }),
    success: {
      status: 200,
      schema: pageSchemaOf('orders', anyOf(kinds.map(viewSchemaOf))),
      description: 'a page of orders',
    },
    async handle(call) {
      const page = pageOf(call.query);
      if (isRefusal(page)) return page;
      const selected = selectedBy(kinds, call);
      if (isRefusal(selected)) return selected;
      const [first, ...also] = selected;
      const found = first ? await desk.find(call, { ...first, also, page }) : nothing;
      if (isRefusal(found)) return found;
      const { include } = call.query as ListQuery;
      const paging = pagination(page, found.total, found.next);
      return pageReply(
        desk.options.actors.options.world,
        { name: 'orders', items: found.items, more: { total: found.total, pagination: { ...paging } } },
        (item) => listed(desk.definitionOf(item.kind), item, call, desk, include === undefined),
      );
    },
  };
}

const nothing: Listing<Snapshot> = { items: [], total: 0, next: null };

/** What is asked of each kind that knows the role and the status. */
function selectedBy(kinds: readonly AnyResource[], { query, caller }: Call): Selection[] | Refusal {
  const { role = 'all', status, did = role === 'all' ? undefined : caller.did } = query as ListQuery;
  if (role !== 'all' && did === undefined) return roleOfNobody;
  return kinds.flatMap((definition): Selection[] => {
    const { kind, list } = definition;
    const roles = role === 'all' ? everyRole(definition) : list.roles.filter((each) => each === role);
    if (roles.length === 0 || (status !== undefined && !list.statuses.includes(status))) return [];
    return [
      {
        kind,
        ...(did === undefined ? {} : { anyLabel: roles.map((each) => `${each}:${did}`) }),
        ...(status === undefined ? {} : { states: list.states?.[status] ?? [status] }),
      },
    ];
  });
}
