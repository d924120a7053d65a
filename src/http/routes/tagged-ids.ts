/**
 * Ids with the tag of their home, in paths and in the id members of bodies (docs/reference/other-homes.md#spelling): they
 * decide which home a write is for, and that home gets them bare.
 */
import type { Json, JsonObject } from '../../core/canonical.js';
import { invalid, type Refusal } from '../../core/refusal.js';
import { spellingOf } from '../../peers/tag.js';
import type { HomeReader } from '../context/home-reader.js';
import type { ReadContext } from '../context/read-context.js';
import { parametersOf } from '../server/paths.js';
import type { Call, Route } from '../server/route.js';

/** The members of a body that are ids, also by their other names, and those that repeat parameters of the path. */
export function idMembersOf({ path, body }: Pick<Route, 'path' | 'body'>): readonly string[] {
  const { fields = {}, aliases = {} } = body ?? {};
  const isId = (name: string): boolean => Object.hasOwn(fields, name) && fields[name]!.isId === true;
  const others = Object.keys(aliases).filter((alias) => isId(aliases[alias]!));
  const repeated = parametersOf(path).filter((name) => !Object.hasOwn(fields, name));
  return [...Object.keys(fields).filter(isId), ...others, ...repeated];
}

export interface BareCall {
  readonly params: Call['params'];
  readonly body: JsonObject;
  /** The home that the tags name, and one of the texts that name it; undefined if there are none. */
  readonly named: { readonly at: ReadContext; readonly text: string } | undefined;
}

/** A text whose tag names no home that this node follows stays as it is. */
export function bareCall(
  { params, body }: { readonly params: Call['params']; readonly body: JsonObject },
  members: readonly string[],
  reading: Pick<HomeReader, 'namedIn'>,
): BareCall | Refusal {
  const named = new Map<ReadContext, { readonly name: string; readonly text: string }>();
  const bare = (name: string, text: Json): Json => {
    const at = typeof text === 'string' ? reading.namedIn(text) : undefined;
    if (!at) return text;
    named.set(at, { name, text: text as string });
    return spellingOf(text as string).id;
  };
  const places = Object.fromEntries(Object.entries(params).map(([name, text]) => [name, String(bare(name, text))]));
  const ids = members.filter((name) => Object.hasOwn(body, name)).map((name) => [name, bare(name, body[name]!)]);
  const [first, second] = [...named];
  if (!first) return { params, body, named: undefined };
  const [at, { text }] = first;
  if (second) return invalid(second[1].name, `is of another home than ${text}: one request acts at one home`);
  return { params: places, body: { ...body, ...Object.fromEntries(ids) }, named: { at, text } };
}
