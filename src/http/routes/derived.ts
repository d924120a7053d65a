/**
 * The routes of every kind with a machine, derived from its definition: create, list, read, and each action.
 */
import type { Accepted } from '../../actors/command.js';
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import { invalid, isRefusal, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { hasSharedRoute } from '../../machines/dispute/order-actions.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import type { DefaultId, Transformed, Untransformed } from '../../machines/kernel/transformer.js';
import { isVisible } from '../../machines/kernel/visibility.js';
import type { ApiContext } from '../context/api-context.js';
import {
  optionalResourcePrev,
  optionalSignerFields,
  resourcePrev,
  signedBodies,
  signerFields,
} from '../context/signed-body.js';
import type { Signable } from '../context/write-gateway.js';
import { createdSchemaOf, memberOf, replySchemaOf } from '../openapi/schemas/resources.js';
import { viewOf } from '../render/render.js';
import { transferView } from '../render/transfer-view.js';
import { writeForm } from '../render/write-view.js';
import { parametersOf } from '../server/paths.js';
import type { Call, Route } from '../server/route.js';
import {
  actionPath,
  actionRefused,
  basePath,
  createPath,
  creationRefused,
  misplaced,
  parentKinds,
  refusalsOfPlaces,
  title,
  unknownPlace,
  without,
} from './derived-paths.js';
import { belowRoute, listRoute, readRoute } from './derived-reads.js';
import { aboutAction, aboutCreate, refusalsOfAction, refusalsOfCreate } from './derived-refusals.js';
import { marketRoute } from './market-search.js';
import { transformerPort } from './transformer-port.js';

export function derivedRoutes(definition: AnyResource, api: ApiContext): Route[] {
  return [
    ...(definition.create.internal ? [] : [createRoute(definition, api)]),
    ...(definition.route.ownReads ? [] : [listing(definition, api), readRoute(definition, api)]),
    ...(definition.list.below ?? []).map((below) => belowRoute(definition, below, api)),
    ...Object.entries(definition.actions)
      .filter(([name, action]) => !action.internal && !hasSharedRoute(definition, name))
      .map(([name]) => derivedAction(definition, name, api)),
  ];
}

/** Kinds that are searched have no list: the market's search replaces it. */
const listing = (definition: AnyResource, api: ApiContext): Route =>
  definition.search ? marketRoute(definition, api) : listRoute(definition, api);

/** Picks an input's members in the order in which they are hashed; path parameters take precedence over the body. */
export function picking(fields: is.Fields): (body: JsonObject, path?: JsonObject) => JsonObject {
  const names = Object.keys(fields).sort();
  return (body, path) => {
    const picked: { [name: string]: Json } = {};
    for (const name of names) {
      const value = path?.[name] ?? body[name];
      if (value !== undefined) picked[name] = value;
    }
    return picked;
  };
}

/** An id prefix, or the name of a member, for each of a workflow's further resources. */
type ByPart = { readonly [part: string]: string };

const ownId = (prefix: string): is.Scalar<string | undefined> =>
  is.optional(is.chosenId(prefix), 'An id of your choice.');

/**
 * Ids of the further resources that a workflow creates. They are chosen here or by the caller, because the step itself
 * must not draw random numbers.
 */
const idsOf = (
  makes: ByPart | undefined,
  newId: ApiContext['newId'],
  chosen: { readonly [part: string]: string | undefined } = {},
) => makes && Object.fromEntries(Object.entries(makes).map(([part, prefix]) => [part, chosen[part] ?? newId(prefix)]));

/** The body of a signed write: the common fields, the action's own, and others. */
function bodyOf(definition: AnyResource, input: is.Scalar<unknown>, inPath: readonly string[], more: is.Fields) {
  const body = is.object({
    ...(definition.signerOptional ? optionalSignerFields : signerFields),
    ...without(input.fields ?? {}, inPath),
    ...more,
  } as is.Fields);
  const named = is.aliased(body, input.aliases ?? {});
  return input.unknown === 'ignored' ? is.ignoringUnknown(named) : named;
}

const noneYet = is.optional(is.nullable(is.hash), 'Must be null, because the resource has no event yet.');

/** The outcome of a write, its caller, and its settlement. */
export interface Done {
  readonly accepted: Accepted;
  readonly receipt: SettlementReceipt | undefined;
  readonly call: Call;
  readonly api: ApiContext;
}

/** The view after a write, as its signer sees it, with the members of every write's reply. */
async function viewAfter(definition: AnyResource, id: string, done: Done, more?: JsonObject): Promise<JsonObject> {
  const { accepted, receipt, call, api } = done;
  const snapshot = accepted.snapshots.find((each) => each.kind === definition.kind && each.id === id);
  const reader = accepted.anyoneMayAsk ? call.caller.reader : accepted.entry.core.event.issuer;
  if (!snapshot || !isVisible(definition, snapshot, reader))
    return { ...writeForm.view({ entry: accepted.entry, receipt }), ...more };
  const companion = await api.views.companion(definition, id);
  const options = { ...api.views.optionsFor(call, receipt, companion), reader };
  return viewOf(definition, snapshot, options, { accepted, more });
}

/** The reply to an action: the view, or the view of another resource that the action is about, which contains it. */
async function replyOf(definition: AnyResource, name: string, id: string, done: Done): Promise<JsonObject> {
  const { reply = 'view' } = definition.actions[name]!;
  const view = await viewAfter(definition, id, done);
  const acted = definition.repeatedAs ? { ...view, action: name } : view;
  if (reply === 'view') return acted;
  if (reply !== 'transfer' && 'among' in reply && reply.named === undefined) {
    return { ...acted, [reply.among]: (view[reply.among] as readonly JsonObject[])[0]! };
  }
  const { accepted, receipt, call, api } = done;
  const { param } = definition.route;
  const inside = { [memberOf(definition)]: view };
  if (reply !== 'transfer' && 'kind' in reply) {
    const made = accepted.snapshots.find((each) => each.kind === reply.kind)!;
    const other = await viewAfter(api.views.definitionOf(reply.kind), made.id, done, { [param]: id });
    // If the other kind's view has a member of the same name, the inner view wins.
    return { ...other, ...inside };
  }
  const current = { [param]: id, ...inside, resourcePrev: view.resourcePrev ?? null };
  const write = { entry: accepted.entry, receipt, hasChain: api.views.hasChain };
  if (reply === 'transfer') return { ...transferView(write), ...current };
  const among = (view[reply.among] ?? []) as readonly JsonObject[];
  const one = among.find((each) => each.id === (call.params[reply.named!] ?? call.body[reply.named!]));
  return { ...one, ...current, ...writeForm.view(write) };
}

const onlyOnce = (once: JsonObject | undefined, { replayed }: Accepted): JsonObject | undefined =>
  once && Object.fromEntries(Object.entries(once).map(([name, value]) => [name, replayed ? null : value]));

const signable = (
  { secrets: _, ...asked }: Untransformed,
  { once: __, ...transformed }: Transformed,
  status: 200 | 201,
): Signable => ({ ...asked, ...transformed, status });

/** A node that is asked what to sign must not learn what is sealed. */
function secretShown({ body }: Call, secrets: JsonObject): Refusal | undefined {
  const [name] = Object.keys(secrets);
  return body.prepare && name !== undefined
    ? invalid(name, 'is a secret, which a request to prepare must not show: send it encrypted (docs/signing.md)')
    : undefined;
}

function createRoute(definition: AnyResource, api: ApiContext): Route {
  const { create, kind, route } = definition;
  const { newId } = api;
  const fields = create.input.fields ?? {};
  const path = createPath(definition);
  const parameters = parametersOf(path);
  const pick = picking({ ...fields, ...create.adds });
  /** The request, and the members that only its first reply shows. */
  const ask = async (call: Call): Promise<[what: Signable, once: JsonObject | undefined] | Refusal> => {
    const unknown = await unknownPlace(definition, call, api);
    if (unknown) return unknown;
    const chosen = call.body[create.idField] as string | undefined;
    const [input, secrets] = is.splitSecrets(fields, pick(call.body, call.params));
    const shown = secretShown(call, secrets);
    if (shown) return shown;
    const id = chosen ?? newId(route.idPrefix);
    const asked: Untransformed = { kind, id, action: 'create', input, ids: idsOf(create.makes, newId), secrets };
    const prepared: Transformed | Refusal = await (create.transform?.(asked, transformerPort(api, call)) ?? {
      input,
    });
    if (isRefusal(prepared)) return creationRefused(prepared, definition, call, api);
    return [signable(asked, prepared, 201), prepared.once];
  };
  const answer = (accepted: Accepted, call: Call, once: JsonObject | undefined) => {
    // A replayed write has the id that the original request chose.
    const { id } = accepted.entry.payload;
    const render = (done: Accepted, receipt: SettlementReceipt | undefined) =>
      viewAfter(definition, id, { accepted: done, receipt, call, api }, onlyOnce(once, done));
    return api.writes.answer(accepted, 201, render, `${basePath(definition)}/${id}`);
  };
  const places = parentKinds(definition, api);
  return {
    method: 'POST',
    path,
    name: `create${title(kind)}`,
    tag: route.tag,
    summary: create.summary,
    about: aboutCreate(definition),
    scope: 'write',
    refuses: refusalsOfCreate(definition, places),
    ...signedBodies(
      bodyOf(definition, create.input, parameters, {
        resourcePrev: noneYet,
        [create.idField]: ownId(create.anyId ? '' : route.idPrefix),
      }),
      create.adds,
    ),
    writes: [{ kind, action: 'create', answer: (accepted, call) => answer(accepted, call, undefined) }],
    example: without(create.example as never, parameters) as never,
    success: { status: 201, schema: createdSchemaOf(definition, create.once), description: `the new ${kind}` },
    async handle(call) {
      const asked = await ask(call);
      if (isRefusal(asked)) return asked;
      const [what, once] = asked;
      const accepted = await api.writes.sign(call, what);
      return isRefusal(accepted) ? creationRefused(accepted, definition, call, api) : answer(accepted, call, once);
    },
  };
}

/** The body member with the id of the resource. */
const idIn = (defaultId: DefaultId | undefined): is.Scalar<unknown> =>
  defaultId ? is.optional(is.chosenId(), defaultId.says) : is.chosenId();

/** The route of one action; also used by hand-written routes. */
export function derivedAction(definition: AnyResource, name: string, api: ApiContext): Route {
  const { newId } = api;
  const { kind, route, defaultId } = definition;
  const action = definition.actions[name]!;
  const fields: is.Fields = action.input.fields ?? {};
  const path = actionPath(definition, name);
  const isNamedInPath = parametersOf(path).includes(route.param);
  /** Members of the input that come from the path. */
  const parameters = parametersOf(path).filter((each) => each in fields);
  const places = parametersOf(path).filter((each) => each !== route.param && !(each in fields));
  const pick = picking({ ...fields, ...action.adds });
  const { makes, idFields = {} } = action;
  const chosenFields = Object.entries(idFields);
  const idOf = async (call: Call): Promise<string | Refusal> =>
    call.params[route.param] ??
    (call.body[route.param] as string | undefined) ??
    (await api.writes.recalledId(call, kind)) ??
    defaultId!.find(name, call.params, transformerPort(api, call));
  const ask = async (call: Call): Promise<Signable | Refusal> => {
    const id = await idOf(call);
    if (isRefusal(id)) return id;
    const stray = places.length > 0 && (await misplaced(definition, { id, places }, call, api));
    if (stray) return stray;
    const { resourcePrev: prev } = call.body;
    const named =
      typeof prev === 'string' && prev.startsWith('0x') ? await api.views.eventOf(prev, kind, id) : undefined;
    const body = named === undefined ? call.body : { ...call.body, resourcePrev: named };
    const given = pick(body, parameters.length > 0 ? call.params : undefined);
    const [input, secrets] = is.splitSecrets(fields, given);
    const shown = secretShown(call, secrets);
    if (shown) return shown;
    const chosen = Object.fromEntries(
      chosenFields.map(([part, field]) => [part, call.body[field] as string | undefined]),
    );
    const asked: Untransformed = { kind, id, action: name, input, ids: idsOf(makes, newId, chosen), secrets };
    const prepared: Transformed | Refusal = await (action.transform?.(asked, transformerPort(api, call)) ?? {
      input,
    });
    if (isRefusal(prepared)) return prepared;
    const what = signable(asked, prepared, 200);
    return named === undefined ? what : { ...what, resourcePrev: named };
  };
  const answer = (accepted: Accepted, call: Call) =>
    api.writes.answer(accepted, 200, (done, receipt) =>
      replyOf(definition, name, done.entry.payload.id, { accepted: done, receipt, call, api }),
    );
  return {
    method: 'POST',
    path,
    name: `${name}${title(kind)}`,
    tag: route.tag,
    summary: action.summary,
    about: aboutAction(definition, name),
    scope: 'write',
    refuses: [...refusalsOfAction(definition, name), ...refusalsOfPlaces(places, api)],
    ...signedBodies(
      bodyOf(definition, action.input, parameters, {
        resourcePrev: action.resourcePrev === 'required' ? resourcePrev : optionalResourcePrev,
        ...(isNamedInPath ? {} : { [route.param]: idIn(defaultId) }),
        ...Object.fromEntries(chosenFields.map(([part, name]) => [name, ownId(makes?.[part] ?? '')])),
      }),
      action.adds,
    ),
    writes: [{ kind, action: name, answer }],
    example: {
      ...(isNamedInPath ? {} : { [route.param]: `${route.idPrefix}01J0000000000000000000000` }),
      ...(without(action.example as never, parameters) as object),
    } as Route['example'] & object,
    success: { status: 200, ...replySchemaOf(definition, action.reply, (other) => api.views.definitionOf(other)) },
    async handle(call) {
      const asked = await ask(call);
      if (isRefusal(asked)) return asked;
      const { id } = asked;
      const accepted = await api.writes.sign(call, asked);
      return isRefusal(accepted) ? actionRefused(accepted, definition, id, call, api) : answer(accepted, call);
    },
  };
}
