/**
 * Routes that read and list the kinds with a machine, derived from their definitions.
 */
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { JsonObject } from '../../core/canonical.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import { unknownResource } from '../../machines/kernel/denial.js';
import { type ListBelow, selectedStates } from '../../machines/kernel/listed.js';
import { isVisible, partiesOf } from '../../machines/kernel/visibility.js';
import type { Snapshot } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import { detailSchemaOf, listSchemaOf } from '../openapi/schemas/resources.js';
import { pageReply } from '../render/page-text.js';
import { pageFields, pageOf, pagination } from '../render/pagination.js';
import { type ViewOptions, viewOf } from '../render/render.js';
import { parametersOf } from '../server/paths.js';
import type { Call, Reply, Route } from '../server/route.js';
import { basePath, everyRole, title } from './derived-paths.js';
import { listOrderOf, type OrderQuery, orderFields, type PartyQuery, partyFields, partyIn } from './list-filters.js';

export function readRoute(definition: AnyResource, api: ApiContext): Route {
  const { kind, route } = definition;
  const { committed } = api;
  return {
    method: 'GET',
    path: `${basePath(definition)}/:${route.param}`,
    name: `get${title(kind)}`,
    tag: route.tag,
    summary: `Get one ${kind}.`,
    scope: 'read',
    success: { status: 200, schema: detailSchemaOf(definition), description: `the ${kind}`, tagged: true },
    refuses: [definition.refusals.unknown, ...(definition.search ? (['CONFLICT'] as const) : [])],
    handle(call) {
      const found = committed.resource(kind, call.params[route.param]!);
      const outcome =
        found instanceof Promise
          ? found.then((snapshot) => shown(definition, snapshot, call, api))
          : shown(definition, found, call, api);
      return definition.search && api.cards.index ? elseCard(outcome, definition, call, api) : outcome;
    },
  };
}

/** The card of another home, if this node does not have what the path names. */
async function elseCard(
  outcome: ReturnType<typeof shown>,
  definition: AnyResource,
  call: Call,
  api: ApiContext,
): Promise<Reply | Refusal> {
  const reply = await outcome;
  if (!isRefusal(reply) || reply.status !== 404) return reply;
  const card = await api.cards.find([definition], call.params[definition.route.param]!);
  if (!card || isRefusal(card)) return card ?? reply;
  const view = await api.cards.listing(definition, card);
  return view ? { status: 200, body: view } : reply;
}

/** The resource, if this reader may see it. */
export async function visibleResource(
  definition: AnyResource,
  id: string,
  reader: string | undefined,
  { committed }: Pick<ReadContext, 'committed'>,
): Promise<Snapshot | undefined> {
  const snapshot = await committed.resource(definition.kind, id);
  return snapshot && isVisible(definition, snapshot, reader) ? snapshot : undefined;
}

/** The reply to a read of a resource. A resource that this reader may not see is refused as unknown. */
export function shown(
  definition: AnyResource,
  snapshot: Snapshot | undefined,
  call: Call,
  api: ApiContext,
): Reply | Refusal | Promise<Reply | Refusal> {
  if (!snapshot || !isVisible(definition, snapshot, call.caller.reader))
    return unknownResource(definition, call.params[definition.route.param] ?? '');
  const reply = (receipt: SettlementReceipt | undefined, companion?: JsonObject): Promise<Reply> | Reply => {
    const view = titled(definition, snapshot, api.views.optionsFor(call, receipt, companion), api);
    return view instanceof Promise ? view.then(bodyOf) : bodyOf(view);
  };
  const bodyOf = (view: JsonObject): Reply => {
    const body = definition.repeatedAs === undefined ? view : { ...view, [definition.repeatedAs]: view };
    return { status: 200, body };
  };
  const receipt = api.settlement.receipt(snapshot.lastHash);
  if (definition.companion === undefined && !(receipt instanceof Promise)) return reply(receipt);
  return Promise.all([receipt, api.views.companion(definition, snapshot.id)]).then(([settled, companion]) =>
    reply(settled, companion),
  );
}

export function listRoute(definition: AnyResource, api: ApiContext): Route {
  return { ...listBelow(definition, basePath(definition), api), name: `list${title(definition.kind)}s` };
}

type ListFilters = Pick<AnyResource['list'], 'roles' | 'statuses' | 'substates'>;

/** The query parameters of a list. @param states of the machine, without nested ones */
export const listQuery = (
  { roles, statuses, substates, states }: ListFilters & { readonly states: readonly string[] },
  more: is.Fields = {},
) =>
  is.aliased(
    is.object({
      did: is.optional(is.account, 'Only resources of which this DID is a party.'),
      role: is.optional(
        is.oneOf('all', ...roles),
        'The role of `did` in them. Without `did`, the role of the API key’s DID.',
      ),
      ...partyFields(roles),
      status: is.optional(is.oneOf(...statuses), 'Only resources with this status.'),
      state: is.optional(is.oneOf(...states), 'Only resources in this state.'),
      ...(substates ? { substate: is.optional(is.oneOf(...substates), 'Those that show it.') } : {}),
      include: is.optional(is.oneOf('permittedActions'), 'Members to include that a list omits by default.'),
      ...orderFields,
      ...pageFields,
      ...more,
    }),
    { party: 'did' },
  );

/** Of lists that other homes are asked for (docs/reference/other-homes.md#who-reads-there). */
export const homeField = {
  home: is.optional(
    is.text(128, 1),
    'DID or tag of another home: what the API key’s DID has there, which it must have acted at.',
  ),
};

/** The states of a kind by which its lists select. */
export const statesOf = ({ machine }: Pick<AnyResource, 'machine'>): readonly string[] => Object.keys(machine.states);

/** Refuses a role without a DID. */
export const roleWithoutDid = invalid('did', 'is required with role, unless the API key is bound to a DID');

export interface ListQuery extends OrderQuery, PartyQuery {
  readonly status?: string;
  readonly state?: string;
  readonly substate?: string;
  readonly include?: string;
}

/**
 * A list below a resource: its path's parameter selects the label `<parameter>:<id>`.
 * @param above finds that resource, or refuses; a malformed page is refused before
 */
function listBelow(
  definition: AnyResource,
  path: string,
  api: ApiContext,
  above?: (call: Call) => Promise<Snapshot | Refusal>,
): Route {
  const { list, route } = definition;
  const filters = { ...list, states: statesOf(definition) };
  return {
    method: 'GET',
    path,
    name: `list${title(definition.kind)}sBelow`,
    tag: route.tag,
    summary: `List ${list.name}, newest first, by party, role and status; or by time and amount.`,
    scope: 'read',
    query: listQuery(filters, above ? {} : homeField),
    success: { status: 200, schema: listSchemaOf(definition), description: `a page of ${list.name}` },
    ...(definition.isVisibleTo && definition.list.open === undefined ? { refuses: ['FORBIDDEN'] } : {}),
    async handle(call) {
      const page = pageOf(call);
      const place = above && (isRefusal(page) ? page : await above(call));
      if (isRefusal(place)) return place;
      const labels = labelsFor(
        definition,
        call,
        parametersOf(path).map((name) => `${name}:${place!.id}`),
      );
      if (isRefusal(labels)) return labels;
      if (isRefusal(page)) return page;
      const { status, state, substate, include } = call.query as ListQuery;
      const states = selectedStates(definition, { status, state, substate });
      const order = listOrderOf(call.query as ListQuery);
      if (isRefusal(order)) return order;
      const make = async () => {
        const found = await api.store.find({
          kind: definition.kind,
          ...(labels ? { anyLabel: labels } : {}),
          ...(states ? { states } : {}),
          ...order,
          page,
        });
        const paging = pagination(page, found.total, found.next);
        return pageReply(
          api,
          {
            name: list.name,
            items: found.items,
            reader: call.caller.reader,
            more: { total: found.total, pagination: { ...paging } },
          },
          (item) => listedResource(definition, item, call, api, include === undefined),
        );
      };
      return api.queues.page(
        call,
        make,
        states !== undefined || order.sort !== undefined || order.ranges !== undefined,
      );
    },
  };
}

/**
 * A list of the resources that belong to another one; LISTING_NOT_FOUND and the like if the caller may not know that
 * one.
 */
export function belowRoute(definition: AnyResource, { of, path, name, summary }: ListBelow, api: ApiContext): Route {
  const parent = api.views.definitionOf(of);
  const { refusals } = parent;
  const [parameter = ''] = parametersOf(path);
  const above = async ({ params, caller }: Call): Promise<Snapshot | Refusal> => {
    const id = params[parameter]!;
    return (await visibleResource(parent, id, caller.reader, api)) ?? unknownResource(parent, id);
  };
  const refuses = [refusals.unknown] as const;
  return { ...listBelow(definition, `/api/v1${path}`, api, above), name, summary, refuses };
}

/** One item of a list. */
export async function listedResource(
  definition: AnyResource,
  item: Snapshot,
  call: Call,
  api: ReadContext,
  withoutPermitted: boolean,
): Promise<JsonObject> {
  const receipt = await api.settlement.receipt(item.lastHash);
  const companion = await api.views.companion(definition, item.id);
  return titled(definition, item, api.views.optionsFor(call, receipt, companion, withoutPermitted), api);
}

/** The view with the title of what it is about. */
function titled(
  definition: AnyResource,
  snapshot: Snapshot,
  options: ViewOptions,
  { views }: ReadContext,
): Promise<JsonObject> | JsonObject {
  const view = viewOf(definition, snapshot, options);
  const { reader } = options;
  const isParty = reader !== undefined && partiesOf(definition, snapshot.context).has(reader);
  return (
    views.titleOf(view, reader, isParty)?.then((title) => (title === undefined ? view : { ...view, title })) ?? view
  );
}

/**
 * The labels by which a list selects; undefined for all resources.
 * @param places labels of the resource that the list is below
 */
function labelsFor(definition: AnyResource, call: Call, places: readonly string[]) {
  const { list, isVisibleTo, payloadReaders, openPayloads } = definition;
  const party = partyIn(call.query as ListQuery, list.roles);
  if (isRefusal(party)) return party;
  const { role = 'all', did: asked } = party;
  const reader = call.caller.reader;
  // Resources that are not public are listed for their reader only. Otherwise pages would have gaps, and counts would
  // reveal them.
  const ownOnly = isVisibleTo !== undefined && list.open === undefined;
  if (ownOnly && (reader === undefined || (asked ?? reader) !== reader)) {
    return refuse('FORBIDDEN', `${list.name} are listed for the DID that the API key is bound to`);
  }
  // A key that is bound to a DID lists the confidential resources of that DID; other callers see the public part of
  // all.
  const isReaders = ownOnly || (payloadReaders !== undefined && !openPayloads && places.length === 0);
  const did = asked ?? (role === 'all' && !isReaders ? undefined : reader);
  if (role !== 'all' && did === undefined) return roleWithoutDid;
  const isOwn = did !== undefined && did === reader;
  const scope = [...(list.open !== undefined && !isOwn ? [list.open] : []), ...places].join('/');
  if (did === undefined) return scope === '' ? undefined : [scope];
  const roles = role === 'all' ? everyRole(definition) : [role];
  return roles.map((each) => `${scope === '' ? '' : `${scope}/`}${each}:${did}`);
}
