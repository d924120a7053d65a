/**
 * The routes of every kind with a machine, derived from its definition: create, list, read, and each action.
 */
import type { Accepted } from '../../actors/command.js';
import type { Settled } from '../../chain/chain.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { isRefusal, refuse } from '../../machines/kernel/refusal.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import * as is from '../../machines/kernel/scalar.js';
import type { Snapshot } from '../../store/store.js';
import { type Desk, optionalSignerFields, signerFields } from '../desk.js';
import { pageFields, pageOf, pagination } from '../pagination.js';
import { type Looking, taggedReply, transferResult, viewOf, writeFields } from '../render.js';
import type { Call, Route } from '../route.js';
import { listSchemaOf, transferSchemaOf, viewSchemaOf, writtenSchemaOf } from '../schemas/resources.js';

/** Makes ids: prefix + ULID. */
export type NewId = (prefix: string) => string;

const title = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function derivedRoutes(definition: AnyResource, desk: Desk, newId: NewId): Route[] {
  return [
    ...(definition.create.internal ? [] : [createRoute(definition, desk, newId)]),
    listRoute(definition, desk),
    readRoute(definition, desk),
    ...Object.entries(definition.actions)
      .filter(([, action]) => !action.internal)
      .map(([name]) => actionRoute(definition, name, desk, newId)),
  ];
}

const base = (definition: AnyResource): string => `/api/v1${definition.route.path}`;

const pick = (fields: is.Fields, body: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(fields).flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));

/** Ids for what a workflow makes beside, chosen here, so that the law draws nothing at random. */
const idsOf = (makes: { readonly [part: string]: string } | undefined, newId: NewId) =>
  makes && { ids: Object.fromEntries(Object.entries(makes).map(([part, prefix]) => [part, newId(prefix)])) };

/** The body of a signed write: the common fields, `resourcePrev`, the action's own. */
function bodyOf(
  definition: AnyResource,
  input: is.Scalar<unknown>,
  resourcePrev: is.Scalar<unknown>,
  more: is.Fields = {},
) {
  return is.object({
    ...(definition.signerOptional ? optionalSignerFields : signerFields),
    ...(input.fields ?? {}),
    resourcePrev,
    ...more,
  } as is.Fields);
}

const snapshotFor = (definition: AnyResource, accepted: Accepted, id: string): Snapshot | undefined =>
  accepted.snapshots.find((snapshot) => snapshot.kind === definition.kind && snapshot.id === id);

/** The view of what a write left, and what every write's reply carries. */
function writtenView(definition: AnyResource, accepted: Accepted, id: string, looking: Looking): JsonObject {
  const { receipt } = looking;
  const snapshot = snapshotFor(definition, accepted, id);
  const view = snapshot ? viewOf(definition, snapshot, looking) : {};
  return Object.assign(view, writeFields(accepted, receipt));
}

function createRoute(definition: AnyResource, desk: Desk, newId: NewId): Route {
  const { create, kind, route } = definition;
  const fields = create.input.fields ?? {};
  return {
    method: 'POST',
    path: base(definition),
    name: `create${title(kind)}`,
    tag: route.tag,
    summary: create.summary,
    scope: 'write',
    body: bodyOf(definition, create.input, is.optional(is.nullable(is.hash)), {
      [create.idField]: is.optional(is.chosenId()),
    }),
    example: create.example as Route['example'] & object,
    success: { status: 201, schema: writtenSchemaOf(definition), description: `the new ${kind}` },
    async handle(call) {
      const chosen = call.body[create.idField] as string | undefined;
      const id = chosen ?? newId(route.idPrefix);
      const [input] = is.splitSecrets(fields, pick(fields, call.body));
      const ids = idsOf(create.makes, newId);
      const accepted = await desk.sign(call, { kind, id, action: 'create', input, status: 201, ...ids });
      if (isRefusal(accepted)) return accepted;
      // A replay made its resource under the id it chose then.
      const made = accepted.entry.payload?.id ?? id;
      return desk.answer(
        accepted,
        201,
        (done, receipt) => writtenView(definition, done, made, desk.looking(call, receipt)),
        `${base(definition)}/${made}`,
      );
    },
  };
}

function actionRoute(definition: AnyResource, name: string, desk: Desk, newId: NewId): Route {
  const { kind, route } = definition;
  const action = definition.actions[name]!;
  const fields: is.Fields = action.input.fields ?? {};
  const transfer = action.reply === 'transfer';
  const render = (id: string, call: Call) => (accepted: Accepted, receipt: Settled | undefined) => {
    const view = writtenView(definition, accepted, id, desk.looking(call, receipt));
    if (!transfer) return view;
    const result = transferResult(accepted.entry, receipt, desk.hasChain);
    return Object.assign(result, { [route.param]: id, [kind]: view, resourcePrev: view.resourcePrev });
  };
  return {
    method: 'POST',
    path: `${base(definition)}/:${route.param}/actions/${name}`,
    name: `${name}${title(kind)}`,
    tag: route.tag,
    summary: action.summary,
    scope: 'write',
    body: bodyOf(
      definition,
      action.input,
      action.resourcePrev === 'required' ? is.hash : is.optional(is.nullable(is.hash)),
    ),
    example: action.example as Route['example'] & object,
    success: {
      status: 200,
      schema: transfer ? transferSchemaOf(definition) : writtenSchemaOf(definition),
      description: transfer ? 'the transfer that it caused' : `the ${kind} after it`,
    },
    async handle(call) {
      const id = call.params[route.param]!;
      const [input] = is.splitSecrets(fields, pick(fields, call.body));
      const accepted = await desk.sign(call, {
        kind,
        id,
        action: name,
        input,
        status: 200,
        ...idsOf(action.makes, newId),
      });
      return isRefusal(accepted) ? accepted : desk.answer(accepted, 200, render(id, call));
    },
  };
}

function readRoute(definition: AnyResource, desk: Desk): Route {
  const { kind, route, refusals } = definition;
  const { committed } = desk.options.actors;
  const { settlement } = desk.options;
  const shown = (snapshot: Snapshot, call: Call, receipt: Settled | undefined) =>
    taggedReply(viewOf(definition, snapshot, desk.looking(call, receipt)), snapshot.lastHash);
  const reply = (snapshot: Snapshot | undefined, call: Call) => {
    if (!snapshot || definition.visibleTo?.(snapshot.context as never, call.caller.did) === false) {
      return refuse(refusals.unknown, `no ${kind} ${call.params[route.param]} on this network`);
    }
    const receipt = settlement.receipt(snapshot.lastHash);
    return receipt instanceof Promise
      ? receipt.then((found) => shown(snapshot, call, found))
      : shown(snapshot, call, receipt);
  };
  return {
    method: 'GET',
    path: `${base(definition)}/:${route.param}`,
    name: `get${title(kind)}`,
    tag: route.tag,
    summary: `Read one ${kind}.`,
    scope: 'read',
    success: { status: 200, schema: viewSchemaOf(definition), description: `the ${kind}` },
    handle(call) {
      const found = committed.resource(kind, call.params[route.param]!);
      return found instanceof Promise ? found.then((snapshot) => reply(snapshot, call)) : reply(found, call);
    },
  };
}

function listRoute(definition: AnyResource, desk: Desk): Route {
  const { kind, list, route } = definition;
  const query = is.object({
    did: is.optional(is.account),
    role: is.optional(is.oneOf('all', ...list.roles)),
    status: is.optional(is.oneOf(...list.statuses)),
    include: is.optional(is.oneOf('permittedActions')),
    ...pageFields,
  });
  return {
    method: 'GET',
    path: base(definition),
    name: `list${title(list.name)}`,
    tag: route.tag,
    summary: `List ${list.name}, newest first, by party, role and status.`,
    scope: 'read',
    query,
    success: { status: 200, schema: listSchemaOf(definition), description: `a page of ${list.name}` },
    async handle(call) {
      const { role = 'all', status, include } = call.query as { role?: string; status?: string; include?: string };
      const asked = call.query.did as string | undefined;
      // What is not for everybody is listed for its own reader only, so that no page has holes and no count tells.
      const ownOnly = definition.visibleTo !== undefined;
      if (ownOnly && (call.caller.did === undefined || (asked ?? call.caller.did) !== call.caller.did)) {
        return refuse('FORBIDDEN', `${list.name} are listed for the DID that the API key is bound to`);
      }
      const did = asked ?? (role === 'all' && !ownOnly ? undefined : call.caller.did);
      if (role !== 'all' && did === undefined) {
        return refuse('INVALID_REQUEST', 'did: is required with role, unless the API key is bound to a DID', {
          errors: [{ field: 'did', message: 'is required with role, unless the API key is bound to a DID' }],
        });
      }
      const page = pageOf(call.query);
      if (isRefusal(page)) return page;
      const roles = role === 'all' ? list.roles : [role];
      const found = await desk.options.actors.options.store.find({
        kind,
        ...(did === undefined ? {} : { anyLabel: roles.map((each) => `${each}:${did}`) }),
        ...(status === undefined ? {} : { states: [status] }),
        page,
      });
      const views = found.items.map(async (item) => {
        const receipt = await desk.options.settlement.receipt(item.lastHash);
        return viewOf(definition, item, { ...desk.looking(call, receipt), withoutPermitted: include === undefined });
      });
      return {
        status: 200,
        body: {
          [list.name]: await Promise.all(views),
          total: found.total,
          pagination: pagination(page, found.total, found.next),
        },
      };
    },
  };
}
