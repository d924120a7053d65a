/**
 * What a node answers to `prepare`, compared with what its caller asked for: nothing is signed that the caller did not ask
 * for (docs/signing.md#what-a-client-checks).
 */

import { SigningError } from '../errors.js';
import type { SignedAction } from './actions.js';
import { canonicalText, concatenated, fromHex, hashHex, type JsonMembers, type JsonValue, utf8 } from './bytes.js';

export interface PreparedEvent {
  readonly v: number;
  readonly type: string;
  readonly issuer: string;
  readonly pub: string;
  readonly home: string;
  readonly network: string;
  readonly nonce: number;
  readonly prev: string | null;
  readonly ts: number;
  readonly most?: number;
  readonly until?: number;
}

interface ShownLeaf {
  readonly leaf: string;
  readonly size: number;
  readonly salt?: string;
}

export interface Payload {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonMembers;
  readonly ids?: { readonly [part: string]: string };
}

export interface PreparedWrite {
  readonly event: PreparedEvent;
  readonly payload: Payload;
  readonly leaves?: { readonly [pointer: string]: ShownLeaf };
  readonly confidential?: readonly string[];
  readonly salt?: string;
  readonly signs?: readonly { readonly at: string; readonly message: string }[];
}

/** The node wants something else signed than what was asked for; nothing was signed. */
export class UnexpectedPayload extends SigningError {
  override readonly name = 'UnexpectedPayload';

  /**
   * @param paths the members that differ
   * @param late hash of an event that the node has refused, and asks to sign over nevertheless: the error's `write`
   */
  constructor(
    readonly paths: readonly string[],
    late?: string,
  ) {
    const why = late === undefined ? '' : `: the event ${late}, which it had refused, comes before it`;
    super(`the node asks to sign something else than what was asked for: ${paths.join(', ')}${why}`);
  }
}

/** What the caller asked for. */
export interface AskedWrite {
  readonly action: SignedAction;
  /** Of the request: body and parameters of the path. */
  readonly members: JsonMembers;
  readonly issuer: string;
  /** The arbiter of the network that the caller accepts, if any. */
  readonly networkArbiter: string | undefined;
}

/** Whether this is what was asked for: a time in a text is epoch ms in what is signed, an EVM address has its checksum. */
function isAsked(given: JsonValue | undefined, asked: JsonValue | undefined): boolean {
  if (given === undefined || asked === undefined) return given === asked;
  if (typeof given === 'number' && typeof asked === 'string')
    return /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(asked) && Date.parse(asked) === given;
  if (typeof given === 'string' && typeof asked === 'string' && /^0x[0-9A-Fa-f]{40}$/.test(asked))
    return given.toLowerCase() === asked.toLowerCase();
  if (typeof given !== 'object' || typeof asked !== 'object' || given === null || asked === null)
    return canonicalText(given) === canonicalText(asked);
  const [members, others] = [given as JsonMembers, asked as JsonMembers];
  const names = new Set([...Object.keys(members), ...Object.keys(others)]);
  return (
    Array.isArray(given) === Array.isArray(asked) &&
    [...names].every((name) => isAsked(own(members, name), own(others, name)))
  );
}

const own = (members: JsonMembers, name: string): JsonValue | undefined =>
  Object.hasOwn(members, name) ? members[name] : undefined;

/** @throws UnexpectedPayload unless this is what was asked for, with an event */
export function checkPayload(
  prepared: unknown,
  { action, members, issuer, networkArbiter }: AskedWrite,
): asserts prepared is PreparedWrite {
  const { payload, leaves = {} } = formed(prepared);
  const wrong: string[] = [];
  const expect = (path: string, isRight: boolean) => {
    if (!isRight) wrong.push(path);
  };
  const { kind, id, action: name, input, ids = {}, ...more } = payload;
  wrong.push(...Object.keys(more));
  expect('kind', kind === action.kind);
  expect('action', name === action.action);
  expect('id', isId(id, action, members, issuer));
  expect(
    'ids',
    Object.keys(ids).sort().join() ===
      Object.keys(action.makes ?? {})
        .sort()
        .join(),
  );
  for (const [part, prefix] of Object.entries(action.makes ?? {})) {
    const chosen = members[action.idFields?.[part] ?? ''];
    expect(`ids.${part}`, chosen === undefined ? isNewId(ids[part], prefix) : ids[part] === chosen);
  }
  const made: { [name: string]: (value: JsonValue | undefined) => boolean } = {
    salt: isSalt,
    networkArbiter: (value) => value === networkArbiter,
    signature: (value) => value === '',
  };
  for (const name of new Set([...Object.keys(input), ...action.input.filter((each) => each in members)])) {
    const [given, asked] = [input[name], members[name]];
    const isMade = asked === undefined && action.made?.includes(name) && made[name]?.(given);
    expect(`input.${name}`, isMade || (action.input.includes(name) && isAsked(given, asked)));
  }
  const strange = Object.keys(leaves).filter((pointer) => !action.leaves?.some((place) => isAt(pointer, place)));
  const paths = [...wrong.map((path) => `payload.${path}`), ...strange.map((pointer) => `leaves${pointer}`)];
  if (paths.length > 0) throw new UnexpectedPayload(paths);
}

/** With its parts, if these are objects. */
function formed(prepared: unknown): PreparedWrite {
  const { event, payload, leaves = {}, confidential = [] } = objectAt('prepared', prepared);
  objectAt('event', event);
  const { input, ids = {} } = objectAt('payload', payload);
  objectAt('payload.input', input);
  objectAt('payload.ids', ids);
  for (const [pointer, leaf] of Object.entries(objectAt('leaves', leaves))) objectAt(`leaves${pointer}`, leaf);
  if (!Array.isArray(confidential)) throw new UnexpectedPayload(['confidential']);
  return prepared as PreparedWrite;
}

function objectAt(path: string, value: unknown): { readonly [name: string]: unknown } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new UnexpectedPayload([path]);
}

/** Whether a JSON pointer is at a place, where `*` is any name. */
export function isAt(pointer: string, place: string): boolean {
  const [parts, names] = [pointer.split('/'), place.split('/')];
  return parts.length === names.length && names.every((name, at) => name === '*' || name === parts[at]);
}

const isSalt = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

const isNewId = (id: unknown, prefix: string): boolean =>
  typeof id === 'string' && id.startsWith(prefix) && /^[A-Za-z0-9._~-]{1,200}$/.test(id);

function isId(id: string, { id: named, prefix = '' }: SignedAction, members: JsonMembers, issuer: string): boolean {
  if (named === 'signer') return id === issuer;
  const chosen = named === undefined ? undefined : members[named];
  return chosen === undefined ? isNewId(id, prefix) : id === chosen;
}

/** As a part of a JSON pointer. */
export const escapedName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The input with references in the place of texts. @throws UnexpectedPayload if one is not that of its text */
async function withReferences(input: JsonMembers, leaves: NonNullable<PreparedWrite['leaves']>): Promise<JsonMembers> {
  const replace = async (value: JsonValue | undefined, pointer: string): Promise<JsonValue | undefined> => {
    if (Object.hasOwn(leaves, pointer)) return referenceOf(value ?? null, pointer, leaves[pointer]!);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      return Promise.all(
        value.map(async (each: JsonValue, index) => (await replace(each, `${pointer}/${index}`)) ?? null),
      );
    }
    const members: [string, JsonValue | undefined][] = [];
    for (const [name, member] of Object.entries(value as JsonMembers)) {
      members.push([name, await replace(member, `${pointer}/${escapedName(name)}`)]);
    }
    return Object.fromEntries(members);
  };
  return (await replace(input, '')) as JsonMembers;
}

async function referenceOf(value: JsonValue, pointer: string, { leaf, size, salt }: ShownLeaf): Promise<JsonValue> {
  const text = utf8(canonicalText(value));
  const isRight = isSalt(salt) && size === text.length && leaf === (await hashHex(concatenated(fromHex(salt), text)));
  if (!isRight) throw new UnexpectedPayload([`leaves${pointer}`]);
  return { leaf, size };
}

type Sealable = Omit<PreparedWrite, 'event' | 'signs'>;

/** `payloadHash` of the event (docs/reference/journal-format.md#payload). */
export const hashOfPayload = async (write: Sealable): Promise<string> =>
  publishedHash({ ...write, salt: await hashHex(`svc:salt:v1:${write.salt ?? ''}:payload`) });

/** The same of an entry, whose `salt` is that of its payload alone. */
export async function publishedHash({
  payload,
  leaves = {},
  confidential,
  salt = '',
  sealed: hidden = null,
}: Sealable & { readonly sealed?: string | null }): Promise<string> {
  const input = await withReferences(payload.input, leaves);
  const members = Object.entries(input);
  const open = Object.fromEntries(members.filter(([name]) => !confidential?.includes(name)));
  const closed = Object.fromEntries(members.filter(([name]) => confidential?.includes(name)));
  const sealed = confidential ? await hashHex(`svc:sealed:v1:${salt}:${canonicalText(closed)}`) : hidden;
  return hashHex(canonicalText({ public: { ...payload, input: open } as unknown as JsonMembers, sealed }));
}
