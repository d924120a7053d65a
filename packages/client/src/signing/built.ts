/** What a node would answer to `prepare`, built without asking it: only where nothing of it is the node's to choose. */
import type { SignedAction } from './actions.js';
import {
  base58Of,
  canonicalText,
  concatenated,
  hashHex,
  hexText,
  type JsonMembers,
  type JsonValue,
  utf8,
} from './bytes.js';
import { type AskedWrite, escapedName, isAt, type PreparedWrite } from './prepared.js';
import type { DrawBytes } from './sealing.js';

type BuiltWrite = Omit<PreparedWrite, 'event' | 'signs'>;

/** @returns undefined if the node must prepare it: it chooses a part, or checks what the payload does not say */
export async function built(
  { action, members, issuer }: AskedWrite,
  drawBytes: DrawBytes,
): Promise<(BuiltWrite & { readonly type: string }) | undefined> {
  const {
    kind,
    action: name,
    type,
    id: named = '',
    prefix = '',
    makes = {},
    idFields = {},
    confidential = [],
  } = action;
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const input = Object.fromEntries(given.filter(([member]) => action.input.includes(member)));
  const ofIds = [named, ...Object.values(idFields)];
  const isWhole = given.every(
    ([member, value]) =>
      Object.hasOwn(input, member) || ofIds.includes(member) || (named === 'signer' && value === issuer),
  );
  const newId = (begin: string) => `${begin}${base58Of(drawBytes(16))}`;
  const id = named === 'signer' ? issuer : (members[named] ?? (name === 'create' ? newId(prefix) : undefined));
  if (type === undefined || typeof id !== 'string' || !isWhole) return undefined;
  const ids = Object.entries(makes).map(([part, begin]) => [part, members[idFields[part] ?? ''] ?? newId(begin)]);
  const leaves: { [pointer: string]: { leaf: string; size: number; salt: string } } = {};
  for (const [pointer, text] of textsOf(input, action)) {
    const salt = drawBytes(16);
    const bytes = utf8(canonicalText(text));
    leaves[pointer] = { leaf: await hashHex(concatenated(salt, bytes)), size: bytes.length, salt: hexText(salt) };
  }
  const closed = Object.keys(input).filter((member) => confidential === 'all' || confidential.includes(member));
  return {
    type,
    payload: { kind, id, action: name, input, ...(ids.length > 0 && { ids: Object.fromEntries(ids) }) },
    ...(Object.keys(leaves).length > 0 && { leaves }),
    ...((confidential === 'all' || closed.length > 0) && { confidential: closed, salt: hexText(drawBytes(16)) }),
  };
}

/** The texts that can be erased, by JSON pointer: of two places, one inside the other, the inner one. */
function textsOf(
  input: JsonMembers,
  { leaves = [], plain = [] }: SignedAction,
): readonly (readonly [string, JsonValue])[] {
  const within = (value: JsonValue | undefined, pointer: string): readonly (readonly [string, JsonValue])[] => {
    if (value === undefined || value === null) return [];
    const deep = pointer.split('/').length;
    const isAbove = leaves.some((place) => {
      const start = place.split('/');
      return start.length > deep && isAt(pointer, start.slice(0, deep).join('/'));
    });
    if (isAbove && typeof value === 'object')
      return Object.entries(value).flatMap(([name, member]) => within(member, `${pointer}/${escapedName(name)}`));
    const isAtAny = (places: readonly string[]) => places.some((place) => isAt(pointer, place));
    return isAtAny(leaves) && !isAtAny(plain) ? [[pointer, value]] : [];
  };
  return within(input, '');
}
