/**
 * The routes of every kind with a machine, derived from its definition: create, list, read, and each action.
 */
import type { Accepted } from '../../actors/command.js';
import type { Settled } from '../../chain/chain.js';
import { type Json, type JsonObject, quoted } from '../../machines/kernel/canonical.js';
import { isRefusal, type Refusal } from '../../machines/kernel/refusal.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import * as is from '../../machines/kernel/scalar.js';
import type { Members } from '../../machines/kernel/shape.js';
import {
  type Desk,
  optionalResourcePrev,
  optionalSignerFields,
  resourcePrev,
  type Signable,
  signerFields,
} from '../desk.js';
import { opened, type Told, told, transferResult, writeFields } from '../render.js';
import type { Call, Route } from '../route.js';
import { createdSchemaOf, memberOf, replySchemaOf } from '../schemas/resources.js';
import {
  actionPath,
  basePath,
  createPath,
  misplaced,
  parametersOf,
  title,
  unknownPlace,
  without,
} from './derived-paths.js';
import { listRoute, readRoute } from './derived-reads.js';
import { marketRoute } from './market-search.js';

/** Makes ids: prefix + ULID. */
export type NewId = (prefix: string) => string;

/** What is about to be asked, secrets apart. */
export interface Asked extends Pick<Signable, 'kind' | 'id' | 'action' | 'input' | 'ids'> {
  readonly secrets: JsonObject;
}

/** What was made of it with keys. */
export interface Prepared extends Pick<Signable, 'input' | 'contents' | 'breaks'> {
  /** Another action, where the body says so. */
  readonly action?: string;
  /** Members of this reply alone: where it is given again they are null. */
  readonly once?: JsonObject;
}

/** What a request needs done with keys before the law is asked: encrypting, wrapping, signing an envelope. */
export type Prepare = (call: Call, asked: Asked) => Promise<Prepared | Refusal> | Prepared | Refusal;

/** By action of a kind. */
export type Preparations = { readonly [action: string]: Prepare };

export interface Deriving {
  readonly desk: Desk;
  readonly newId: NewId;
  readonly preparations?: Preparations | undefined;
  /** What the reply to a creation tells once and never again: null in a replay. */
  readonly once?: Members | undefined;
}

export function derivedRoutes(definition: AnyResource, deriving: Deriving): Route[] {
  const { desk } = deriving;
  return [
    ...(definition.create.internal ? [] : [createRoute(definition, deriving)]),
    ...(definition.route.ownReads ? [] : [listing(definition, desk), readRoute(definition, desk)]),
    ...Object.entries(definition.actions)
      .filter(([, action]) => !action.internal && !action.ownRoute)
      .map(([name]) => derivedAction(definition, name, deriving)),
  ];
}

/** What is searched is listed by a search of its market. */
const listing = (definition: AnyResource, desk: Desk): Route =>
  definition.search ? marketRoute(definition, desk) : listRoute(definition, desk);

/** Picks an input's members, in the order in which they are hashed; what the path says comes before the body. */
function picking(fields: is.Fields): (body: JsonObject, path?: JsonObject) => JsonObject {
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

/** A prefix, or the name of a member, by a workflow's part. */
type ByPart = { readonly [part: string]: string };

const ownId = (prefix: string) => is.optional(is.described(is.chosenId(prefix), 'An id of one’s own.'));

/** Ids for what a workflow makes beside, chosen here or by the caller, so that the law draws nothing at random. */
const idsOf = (makes: ByPart | undefined, newId: NewId, chosen: { readonly [part: string]: string | undefined } = {}) =>
  makes && Object.fromEntries(Object.entries(makes).map(([part, prefix]) => [part, chosen[part] ?? newId(prefix)]));

/** The body of a signed write: the common fields, `resourcePrev`, the action's own. */
function bodyOf(definition: AnyResource, fields: is.Fields, prev: is.Scalar<unknown>, more: is.Fields = {}) {
  return is.object({
    ...(definition.signerOptional ? optionalSignerFields : signerFields),
    ...fields,
    resourcePrev: prev,
    ...more,
  } as is.Fields);
}

const noneYet = is.optional(is.described(is.nullable(is.hash), 'null: there is no event of it yet.'));

/** What a write has come to, for whom, and how far it is settled. */
interface Done {
  readonly accepted: Accepted;
  readonly receipt: Settled | undefined;
  readonly call: Call;
  readonly desk: Desk;
}

/** The view of what a write left, as its signer sees it, and what every write's reply carries. */
async function left(definition: AnyResource, id: string, done: Done, more?: JsonObject): Promise<Told> {
  const { accepted, receipt, call, desk } = done;
  const snapshot = accepted.snapshots.find((each) => each.kind === definition.kind && each.id === id);
  if (!snapshot) {
    const fields = JSON.stringify(Object.assign({}, writeFields(accepted, receipt), more));
    return { text: fields, resourcePrev: null, part: () => '{' };
  }
  const beside = definition.beside === undefined ? undefined : await desk.beside(definition, id);
  const reader = accepted.entry.core.event.issuer;
  const looking = Object.assign(desk.looking(call, receipt, beside), { reader });
  return told(definition, snapshot, looking, { accepted, more });
}

/** What an action answers, as JSON text: the view, or what it was about with the view inside. */
async function replyOf(definition: AnyResource, name: string, id: string, done: Done): Promise<string> {
  const { reply = 'view' } = definition.actions[name]!;
  const { text, resourcePrev, part } = await left(definition, id, done);
  if (reply === 'view') return text;
  const { accepted, receipt, call, desk } = done;
  const { route } = definition;
  const inside = `"${memberOf(definition)}":${text}`;
  if (reply !== 'transfer' && 'kind' in reply) {
    const made = accepted.snapshots.find((each) => each.kind === reply.kind)!;
    // Its view may have the same member.
    const other = await left(desk.definitionOf(reply.kind), made.id, done, { [route.param]: id });
    return `${other.text.slice(0, -1)},${inside}}`;
  }
  const current = `"${route.param}":${quoted(id)},${inside},"resourcePrev":${JSON.stringify(resourcePrev)}`;
  if (reply === 'transfer') {
    return `${opened(transferResult(accepted.entry, receipt, desk.hasChain))},${current}}`;
  }
  const { eventHash, nonce, txHash } = writeFields(accepted, receipt);
  const one = part(reply.among, call.params[reply.named] ?? call.body[reply.named]);
  return `${one},${current},"eventHash":"${eventHash}","nonce":${nonce},"txHash":"${txHash}"}`;
}

const onlyOnce = (once: JsonObject | undefined, { replayed }: Accepted): JsonObject | undefined =>
  once && Object.fromEntries(Object.entries(once).map(([name, value]) => [name, replayed ? null : value]));

/** Member by member, since spreads of one into another cost several times as much. */
const signable = (asked: Asked, prepared: Prepared, status: 200 | 201): Signable => ({
  kind: asked.kind,
  id: asked.id,
  action: prepared.action ?? asked.action,
  input: prepared.input,
  ids: asked.ids,
  contents: prepared.contents,
  status,
  breaks: prepared.breaks,
});

function createRoute(definition: AnyResource, { desk, newId, preparations, once: secret }: Deriving): Route {
  const { create, kind, route } = definition;
  const fields = create.input.fields ?? {};
  const path = createPath(definition);
  const parameters = parametersOf(path);
  const pick = picking(fields);
  return {
    method: 'POST',
    path,
    name: `create${title(kind)}`,
    tag: route.tag,
    summary: create.summary,
    scope: 'write',
    body: bodyOf(definition, without(fields, parameters), noneYet, {
      [create.idField]: ownId(create.anyId ? '' : route.idPrefix),
    }),
    example: without(create.example as never, parameters) as never,
    success: { status: 201, schema: createdSchemaOf(definition, secret), description: `the new ${kind}` },
    async handle(call) {
      const unknown = await unknownPlace(definition, call, desk);
      if (unknown) return unknown;
      const chosen = call.body[create.idField] as string | undefined;
      const [input, secrets] = is.splitSecrets(fields, pick(call.body, call.params));
      const id = chosen ?? newId(route.idPrefix);
      const asked: Asked = { kind, id, action: 'create', input, ids: idsOf(create.makes, newId), secrets };
      const prepared: Prepared | Refusal = await (preparations?.create?.(call, asked) ?? asked);
      if (isRefusal(prepared)) return prepared;
      const { once } = prepared;
      const accepted = await desk.sign(call, signable(asked, prepared, 201));
      if (isRefusal(accepted)) return accepted;
      // A replay made its resource under the id it chose then.
      const made = accepted.entry.payload?.id ?? id;
      return desk.answer(
        accepted,
        201,
        async (done, receipt) =>
          (await left(definition, made, { accepted: done, receipt, call, desk }, onlyOnce(once, done))).text,
        `${basePath(definition)}/${made}`,
      );
    },
  };
}

/** The route of one action; also for those that are put together by hand. */
export function derivedAction(definition: AnyResource, name: string, { desk, newId, preparations }: Deriving): Route {
  const { kind, route } = definition;
  const action = definition.actions[name]!;
  const fields: is.Fields = action.input.fields ?? {};
  const path = actionPath(definition, name);
  const isNamedInPath = parametersOf(path).includes(route.param);
  /** Members of the input that the path gives. */
  const parameters = parametersOf(path).filter((each) => each in fields);
  const places = parametersOf(path).filter((each) => each !== route.param && !(each in fields));
  const pick = picking(fields);
  const { makes, idFields = {} } = action;
  const chosenFields = Object.entries(idFields);
  const render = (id: string, call: Call) => (accepted: Accepted, receipt: Settled | undefined) =>
    replyOf(definition, name, id, { accepted, receipt, call, desk });
  return {
    method: 'POST',
    path,
    name: `${name}${title(kind)}`,
    tag: route.tag,
    summary: action.summary,
    scope: 'write',
    body: bodyOf(
      definition,
      without(fields, parameters),
      action.resourcePrev === 'required' ? resourcePrev : optionalResourcePrev,
      {
        ...(isNamedInPath ? {} : { [route.param]: is.chosenId() }),
        ...Object.fromEntries(chosenFields.map(([part, name]) => [name, ownId(makes?.[part] ?? '')])),
      },
    ),
    example: {
      ...(isNamedInPath ? {} : { [route.param]: `${route.idPrefix}01J0000000000000000000000` }),
      ...(without(action.example as never, parameters) as object),
    } as Route['example'] & object,
    success: { status: 200, ...replySchemaOf(definition, action.reply, (other) => desk.definitionOf(other)) },
    async handle(call) {
      const id = (call.params[route.param] ?? call.body[route.param]) as string;
      const stray = places.length > 0 && (await misplaced(definition, { id, places }, call, desk));
      if (stray) return stray;
      const given = pick(call.body, parameters.length > 0 ? call.params : undefined);
      const [input, secrets] = is.splitSecrets(fields, given);
      const chosen = Object.fromEntries(
        chosenFields.map(([part, field]) => [part, call.body[field] as string | undefined]),
      );
      const asked: Asked = { kind, id, action: name, input, ids: idsOf(makes, newId, chosen), secrets };
      const prepared: Prepared | Refusal = await (preparations?.[name]?.(call, asked) ?? asked);
      if (isRefusal(prepared)) return prepared;
      const accepted = await desk.sign(call, signable(asked, prepared, 200));
      return isRefusal(accepted) ? accepted : desk.answer(accepted, 200, render(id, call));
    },
  };
}
