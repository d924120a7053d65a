/**
 * Takes events that their issuers have signed elsewhere (docs/signing.md#submit): each is held to what its action's own
 * route is held to, and gets its reply.
 */
import type { Accepted } from '../../actors/command.js';
import { canonical, type Json, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { type Leaf, leavesIn, newLeaf, type RenderedLeaves } from '../../core/leaf.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { noKey, signerOfPresented } from '../../keys/presented.js';
import type { AnyDefinition } from '../../machines/kernel/definition.js';
import type { Request } from '../../machines/kernel/resource.js';
import type { Transformed, TransformerPort } from '../../machines/kernel/transformer.js';
import { type ActionMembers, actionOf } from '../../machines/kernel/visibility.js';
import { eventFields, type SignedEvent } from '../../store/journal-form.js';
import type { Content } from '../../store/store.js';
import { boundToAnother } from '../access/caller.js';
import type { ApiContext } from '../context/api-context.js';
import { writing } from '../openapi/schemas/replies.js';
import type { Call, Route, SubmittedWrite } from '../server/route.js';
import { transformerPort } from './transformer-port.js';

/** The longest time between an event's `ts` and its `until`, ms. */
const longestLifeMs = 600_000;

const leafFields = is.object({
  leaf: is.described(is.hash, 'SHA-256 of salt and text, hex.'),
  size: is.described(is.integer(0), 'Bytes of the text in its RFC 8785 form.'),
  salt: is.described(is.pattern(/^[0-9a-f]{32}$/, '16 bytes in hex'), 'Its salt, hex.'),
});

const body = is.object({
  event: is.described(
    is.object({
      ...eventFields,
      until: is.described(is.time, 'Latest time of its entry: at most ten minutes after `ts`.'),
    }),
    'The event, signed by its issuer.',
  ),
  payload: is.described(
    is.object({
      kind: is.described(is.text(64, 1), 'Kind of the resource.'),
      id: is.described(is.text(200, 1), 'Id of the resource.'),
      action: is.described(is.text(64, 1), 'The action; `create` makes the resource.'),
      input: is.described(is.freeObject, 'The members that the event is signed for, with the texts of leaves.'),
      ids: is.optional(is.freeObject, 'Ids of the further resources that it makes.'),
    }),
    'What the event asks for.',
  ),
  leaves: is.optional(is.freeObject, 'The leaves in `payload.input`: `{ leaf, size, salt }` by JSON pointer.'),
  salt: is.optional(
    is.pattern(/^[0-9a-f]{32}$/, '16 bytes in hex'),
    'Salt of the confidential members, if there are any; hex.',
  ),
  contents: is.optional(
    is.list(is.object({ dataBase64: is.described(is.text(1_400_000), 'The bytes, in base64.') }), 0, 4),
    'Encrypted contents whose SHA-256 the input names.',
  ),
});
type Submitted = is.TypeOf<typeof body>;

/** What a caller can ask for with an event. */
interface Submittable {
  readonly write: SubmittedWrite;
  readonly definition: AnyDefinition;
  readonly action: ActionMembers;
  /** Members of its input that the holder of the key makes. */
  readonly adds: is.Scalar<unknown>;
}

function submittableOf(write: SubmittedWrite, { catalogue }: ApiContext): Submittable | undefined {
  const definition = catalogue.definitions[write.kind];
  const action = definition && actionOf(definition, write.action);
  if (!action) return undefined;
  const isAttested = definition.form === 'machine' && definition.attests?.[write.action] !== undefined;
  const fields = { ...action.adds, ...(isAttested ? { signature: is.text(86, 86) } : {}) };
  return { write, definition, action, adds: is.object(fields as is.Fields) };
}

/** @param routes all that a caller can write */
export function submitRoute(api: ApiContext, routes: readonly Route[]): Route {
  const known = new Map<string, Submittable | undefined>();
  for (const each of routes.flatMap((route) => route.writes ?? []))
    known.set(`${each.kind}.${each.action}`, submittableOf(each, api));

  async function asked(call: Call, submitted: Submitted) {
    const event = submitted.event as SignedEvent;
    const payload = submitted.payload as Request;
    const { kind, action } = payload;
    const found = known.get(`${kind}.${action}`);
    if (!found)
      return Object.hasOwn(api.catalogue.definitions, kind)
        ? refuse('UNPROCESSABLE', `payload: no caller can ask for ${kind}.${action}`)
        : refuse('NOT_FOUND', `payload.kind: there is no kind ${kind}`);
    const flaw = flawOfEvent(event, api) ?? flawOfIds(found, payload);
    if (flaw) return flaw;
    const input = normalInput(found, payload.input);
    if (isRefusal(input)) return input;
    const { write } = found;
    const request = { ...payload, input };
    const refusal = await write.admits?.(request, event.issuer);
    if (isRefusal(refusal)) return refusal;
    const port = () => ({ ...transformerPort(api, call), ...elsewhere(event.issuer) });
    const what = await transformed(found.action, request, submitted, port);
    return isRefusal(what) ? what : { what, write };
  }

  /** What is refused now may be in the journal: a rule of this node, or the time, has changed since. */
  async function ofWritten(refused: Refusal, { hash, nonce }: SignedEvent): Promise<Refusal> {
    if (!(await api.store.entryByEvent(hash))) return refused;
    return refuse(refused.code, refused.detail, { ...refused.extras, eventHash: hash, nonce, committed: true });
  }

  return {
    method: 'POST',
    path: '/api/v1/events',
    name: 'submitEvent',
    tag: 'Events',
    summary: 'Submit an event that its issuer has signed with its own key. The same event again gives its reply.',
    scope: 'write',
    refuses: ['UNPROCESSABLE', 'CONFLICT', 'NOT_FOUND'],
    body,
    success: {
      status: 200,
      schema: writing(a.freeObject),
      description:
        'what the action’s own operation answers, with its status: 201 for what was made; refusals are those of the action',
    },
    async handle(call) {
      const submitted = call.body as unknown as Submitted;
      const event = submitted.event as SignedEvent;
      const bound = boundToAnother(call.caller, event.issuer);
      if (bound) return bound;
      const signer = signerOfPresented(event, submitted.payload.input.signature);
      if (isRefusal(signer)) return signer;
      const found = await asked(call, submitted);
      if (isRefusal(found)) return ofWritten(found, event);
      const { what, write } = found;
      const accepted: Accepted | Refusal = await api.writes.present(call, what, {
        event,
        salt: submitted.salt,
        signer,
      });
      if (isRefusal(accepted)) return accepted;
      // Replies may be about the part of the resource that the request names.
      call.params = Object.fromEntries(
        Object.entries(submitted.payload.input).filter((each): each is [string, string] => typeof each[1] === 'string'),
      );
      return write.answer(accepted, call);
    },
  };
}

const elsewhere = (issuer: string): Pick<TransformerPort, 'signer' | 'openKey'> => ({
  signer: () => issuer,
  openKey: async () => noKey,
});

function flawOfEvent({ network, home, ts, until }: SignedEvent, api: ApiContext): Refusal | undefined {
  if (network !== api.network || home !== api.home())
    return refuse('UNPROCESSABLE', `the event is for ${network} at ${home}: this is ${api.network} at ${api.home()}`);
  return until! < ts || until! > ts + longestLifeMs
    ? invalid('event.until', 'must be at most ten minutes after ts')
    : undefined;
}

/** Ids are chosen by the signer, within what a caller of the route could choose. */
function flawOfIds({ definition, action }: Submittable, { id, action: name, ids = {} }: Request) {
  const { makes = {} } = action;
  if (Object.keys(ids).sort().join() !== Object.keys(makes).sort().join())
    return invalid('payload.ids', `must name ${Object.keys(makes).join(', ') || 'nothing'}`);
  for (const part of Object.keys(makes)) {
    if (isRefusal(is.parse(is.chosenId(makes[part]), ids[part])))
      return invalid(`payload.ids.${part}`, `must be an id that begins with ${makes[part]}`);
  }
  if (definition.form !== 'machine' || name !== 'create') return undefined;
  const prefix = definition.create.anyId ? '' : definition.route.idPrefix;
  return isRefusal(is.parse(is.chosenId(prefix), id)) ? invalid('payload.id', `must begin with ${prefix}`) : undefined;
}

/** The input must be what parsing makes of it, with nothing more: that is what the event is signed for. */
function normalInput({ action, adds }: Submittable, input: JsonObject): JsonObject | Refusal {
  const parsed = is.parse(action.input, input);
  if (isRefusal(parsed)) return parsed;
  const added = is.parse(adds, input);
  if (isRefusal(added)) return added;
  const [open, secrets] = is.splitSecrets(action.input.fields ?? {}, parsed as JsonObject);
  const [secret] = Object.keys(secrets);
  if (secret !== undefined) return invalid(`payload.input.${secret}`, 'is a secret: send it encrypted');
  if (leavesIn(input).size > 0) return invalid('payload.input', 'must have texts, and no references to them');
  const normal = { ...open, ...(added as JsonObject) };
  const another = differing(input, normal);
  return another === undefined
    ? normal
    : invalid(`payload.input.${another}`, 'is not known, or not in its normal form');
}

/** The request with references in the place of the texts of leaves, if it is what the action's own route would make of it. */
async function transformed(
  action: ActionMembers,
  request: Request,
  { leaves = {}, contents = [] }: Submitted,
  port: () => TransformerPort,
) {
  const { input } = request;
  const made: Transformed | Refusal = action.transform
    ? await action.transform({ ...request, secrets: {} }, port())
    : { input };
  if (isRefusal(made)) return made;
  const another = made.input === input ? undefined : differing(input, made.input);
  if (another !== undefined)
    return refuse('CONFLICT', `payload.input.${another} is not what this node would record: prepare it again`);
  const given = is.parse(leafTable, leaves);
  if (isRefusal(given)) return given;
  const stored: Content[] = contents.map(({ dataBase64 }) => {
    const bytes = new Uint8Array(Buffer.from(dataBase64, 'base64'));
    return { hash: sha256Hex(bytes), bytes };
  });
  const unused = new Set(Object.keys(given));
  let flaw: string | undefined;
  const refer = (text: Json, pointer: string): Leaf => {
    const stated = unused.delete(pointer) ? (given as RenderedLeaves)[pointer] : undefined;
    const { leaf, content } = newLeaf(text, Buffer.from(stated?.salt ?? '', 'hex'));
    if (!stated) flaw ??= `has no salt for the text at ${pointer}`;
    else if (leaf.leaf !== stated.leaf || leaf.size !== stated.size)
      flaw ??= `the text at ${pointer} is not that of its leaf`;
    stored.push(content);
    return leaf;
  };
  const now = is.withLeaves(action.input, input, refer) as JsonObject;
  for (const pointer of unused) flaw ??= `there is no text to erase at ${pointer}`;
  if (flaw !== undefined) return invalid('leaves', flaw);
  return { ...request, input: now, contents: stored, prechecked: made.prechecked };
}

const leafTable = is.refined(is.freeObject, (value) => {
  for (const each of Object.values(value))
    if (isRefusal(is.parse(leafFields, each))) return 'must be leaves by JSON pointer';
  return true;
});

/** The first member of which the two have different values. */
function differing(one: JsonObject, other: JsonObject): string | undefined {
  if (canonical(one) === canonical(other)) return undefined;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const text = (each: JsonObject, name: string) =>
    Object.hasOwn(each, name) && each[name] !== undefined ? canonical(each[name]) : '';
  return [...names].find((name) => text(one, name) !== text(other, name));
}
