/**
 * Orders of every market that has any, read and listed together (decisions.md, Markets; issue of the three markets).
 */

import { machinesOf } from '../../machines/catalogue.js';
import { isRefusal, type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import * as is from '../../machines/kernel/scalar.js';
import { cursorOf, type FindQuery, type Page, type Snapshot } from '../../store/store.js';
import type { Desk } from '../desk.js';
import { pageFields, pageOf, pagination } from '../pagination.js';
import type { Call, Route } from '../route.js';
import { pageOf as pageSchemaOf } from '../schemas/replies.js';
import { viewSchemaOf } from '../schemas/resources.js';
import { listed, shown } from './derived-reads.js';
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

interface OrdersQuery {
  readonly did?: string;
  readonly role?: string;
  readonly status?: string;
  readonly include?: string;
}

function listOrders(kinds: readonly AnyResource[], desk: Desk): Route {
  const roles = [...new Set(kinds.flatMap(({ list }) => list.roles))];
  const statuses = [...new Set(kinds.flatMap(({ list }) => list.statuses))];
  const query = is.object({
    did: is.optional(is.account),
    role: is.optional(is.oneOf('all', ...roles)),
    status: is.optional(is.oneOf(...statuses)),
    include: is.optional(is.oneOf('permittedActions')),
    ...pageFields,
  });
  return {
    method: 'GET',
    path: '/api/v1/orders',
    name: 'listOrders',
    tag: 'Orders',
    summary: 'List orders, newest first, by party, role and status.',
    scope: 'read',
    query,
    success: {
      status: 200,
      schema: pageSchemaOf('orders', anyOf(kinds.map(viewSchemaOf))),
      description: 'a page of orders',
    },
    async handle(call) {
      const page = pageOf(call.query);
      if (isRefusal(page)) return page;
      const queries = queriesOf(kinds, call);
      if (isRefusal(queries)) return queries;
      const found = await newest(queries, page, (each) => desk.options.actors.options.store.find(each));
      const { include } = call.query as OrdersQuery;
      const views = found.items.map((item) =>
        listed(desk.definitionOf(item.kind), item, call, desk, include === undefined),
      );
      return {
        status: 200,
        body: {
          orders: await Promise.all(views),
          total: found.total,
          pagination: pagination(page, found.total, found.next),
        },
      };
    },
  };
}

type Query = Omit<FindQuery, 'page'>;

/** What is asked of each kind that knows the role and the status. */
function queriesOf(kinds: readonly AnyResource[], { query, caller }: Call): Query[] | Refusal {
  const { role = 'all', status, did = role === 'all' ? undefined : caller.did } = query as OrdersQuery;
  if (role !== 'all' && did === undefined) {
    const message = 'is required with role, unless the API key is bound to a DID';
    return refuse('INVALID_REQUEST', `did: ${message}`, { errors: [{ field: 'did', message }] });
  }
  return kinds.flatMap(({ kind, list }): Query[] => {
    const roles = role === 'all' ? list.roles : list.roles.filter((each) => each === role);
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

const chunk = 100;

/** One kind's part of the list, as far as it was read. */
interface Source {
  readonly query: Query;
  items: readonly Snapshot[];
  at: number;
  next: string | null;
}

type Find = (query: FindQuery) => Promise<{ items: readonly Snapshot[]; total: number; next: string | null }>;

/** A page of several lists as one, newest first: a cursor is a place in time and so the same in all of them. */
async function newest(queries: readonly Query[], { limit, offset, after }: Page, find: Find) {
  if (queries.length === 1) return find({ ...queries[0]!, page: { limit, offset, ...(after ? { after } : {}) } });
  let total = 0;
  const sources: Source[] = [];
  for (const query of queries) {
    const found = await find({ ...query, page: { limit: chunk, offset: 0, ...(after ? { after } : {}) } });
    total += found.total;
    sources.push({ query, items: found.items, at: 0, next: found.next });
  }
  const items: Snapshot[] = [];
  for (let seen = 0; items.length < limit; seen++) {
    const item = await take(sources, find);
    if (!item) break;
    if (seen >= offset) items.push(item);
  }
  const last = items.at(-1);
  const more = sources.some(({ items: read, at, next }) => at < read.length || next !== null);
  return { items, total, next: more && last ? cursorOf(last.createdAt, last.id) : null };
}

/** The newest that none has given yet. */
async function take(sources: readonly Source[], find: Find): Promise<Snapshot | undefined> {
  for (const source of sources) {
    if (source.at < source.items.length || source.next === null) continue;
    const found = await find({ ...source.query, page: { limit: chunk, offset: 0, after: source.next } });
    Object.assign(source, { items: found.items, at: 0, next: found.next });
  }
  const open = sources.filter(({ items, at }) => at < items.length);
  const first = open.reduce<Source | undefined>(
    (best, each) => (!best || isNewer(each.items[each.at]!, best.items[best.at]!) ? each : best),
    undefined,
  );
  return first?.items[first.at++];
}

const isNewer = (one: Snapshot, other: Snapshot): boolean =>
  one.createdAt !== other.createdAt ? one.createdAt > other.createdAt : one.id > other.id;
