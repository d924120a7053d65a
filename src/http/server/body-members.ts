/**
 * Normalises a body before its values are validated (docs/reference/requests.md#unknown-members): resolves aliases,
 * drops `null` where a member is optional, and finds unknown members.
 */
import { isDeepStrictEqual } from 'node:util';
import { bounds } from '../../core/bounds.js';
import type { Json } from '../../core/canonical.js';
import { type FieldError, Refusal } from '../../core/refusal.js';
import type { Scalar } from '../../core/schema/scalar.js';
import { reservedNames } from '../../store/journal-form.js';
import { meantBy, misspelt, nearest } from './nearest-name.js';

/** The longest field name in a refusal, in code units. */
const longestField = 200;

type BodyObject = { [name: string]: Json | undefined };

interface Member {
  /** Null counts as absent. */
  readonly yieldsToNull: boolean;
  /** Members of an object; they may depend on its value. */
  readonly inside: MembersOf | undefined;
  readonly each: MembersOf | undefined;
  readonly atMost: number;
  /** Words that a text may not misspell. */
  readonly nearby: readonly string[] | undefined;
}

type MembersOf = (value: BodyObject) => Members;

interface Members {
  readonly names: ReadonlyMap<string, Member>;
  readonly aliases: ReadonlyMap<string, string>;
  /** What happens to members that the schema does not name. */
  readonly unknown: Scalar<unknown>['unknown'];
  /** Members whose names others may not resemble, although the object keeps them. */
  readonly nearby: readonly string[];
  readonly misnamed: ReadonlyMap<string, string>;
  /** Object members that may be given as a text, each with the inner member that the text stands for. */
  readonly texts: readonly (readonly [name: string, as: string])[];
}

export interface BodyFindings {
  /** Unknown members by path; they are removed from the body. */
  readonly unknown: FieldError[];
  /** Unknown members of objects that take any: the node does not use them. */
  readonly unused: string[];
  /**
   * Refused however lenient the caller is: members given under an alias and under their name, with different values;
   * texts that are nearly a word that the node acts on; members that might be misspelt, where too many others were compared.
   */
  readonly wrong: FieldError[];
}

interface SettlingBody extends BodyFindings {
  /** Names that were compared with those of the schema. */
  searched: number;
}

/** A parameter of the path that the body repeats. */
const repeated: Member = { yieldsToNull: true, inside: undefined, each: undefined, atMost: 0, nearby: undefined };

/** Normalises the body in place. */
export type Settle = (body: BodyObject) => BodyFindings | undefined;

/** @param inPath names of the path's parameters, which a body may repeat */
export function settling(scalar: Scalar<unknown>, inPath: readonly string[]): Settle {
  const own = membersOf(scalar);
  const names = new Map([...inPath.map((name) => [name, repeated] as const), ...own.names]);
  const members = { ...own, names };
  return (body) => {
    const found: SettlingBody = { unknown: [], unused: [], wrong: [], searched: 0 };
    settle(body, members, '', found);
    return found.unknown.length + found.unused.length + found.wrong.length === 0 ? undefined : found;
  };
}

/** The refusal, unless the caller has asked for lenient handling. */
export function refusalOfMembers({ unknown, wrong }: BodyFindings, isLenient: boolean): Refusal | undefined {
  const errors = isLenient ? wrong : [...wrong, ...unknown];
  const [first] = errors;
  return first && new Refusal('INVALID_REQUEST', `${first.field}: ${first.message}`, { errors });
}

/** RFC 7240: `Prefer: handling=lenient`, among other preferences. */
export const prefersLenient = (prefer: string | undefined): boolean =>
  prefer
    ?.split(',')
    .some((each) => each.replaceAll('"', '').replaceAll(' ', '').toLowerCase() === 'handling=lenient') ?? false;

function membersOf({ fields = {}, aliases = {}, unknown, nearby = [], misnamed = {} }: Scalar<unknown>): Members {
  const entries = Object.entries(fields);
  return {
    names: new Map(entries.map(([name, field]) => [name, memberOf(field)])),
    aliases: new Map(Object.entries(aliases)),
    unknown,
    nearby,
    misnamed: new Map(Object.entries(misnamed)),
    texts: entries.flatMap(([name, { textAs }]) => (textAs === undefined ? [] : [[name, textAs] as const])),
  };
}

function insideOf({ choose, ...scalar }: Scalar<unknown>): MembersOf | undefined {
  if (choose) {
    const known = new Map<Scalar<unknown>, Members>();
    return (value) => {
      const chosen = choose(value);
      const members = known.get(chosen) ?? membersOf(chosen);
      known.set(chosen, members);
      return members;
    };
  }
  const members = scalar.fields && membersOf(scalar);
  return members && (() => members);
}

const memberOf = (field: Scalar<unknown>): Member => ({
  yieldsToNull: field.optional && !field.nullable,
  inside: insideOf(field),
  each: field.element && insideOf(field.element),
  // A longer list is refused by its length, without looking at its elements.
  atMost: (field.schema.maxItems as number | undefined) ?? 0,
  nearby: field.nearby,
});

function settle(body: BodyObject, members: Members, path: string, found: SettlingBody): void {
  for (const [name, as] of members.texts) {
    if (typeof body[name] === 'string') body[name] = { [as]: body[name] };
  }
  if (members.aliases.size > 0) resolveAliases(body, members, path, found);
  for (const name of Object.keys(body)) {
    const member = members.names.get(name);
    if (member === undefined && path === '' && isReserved(name, members)) {
      found.wrong.push({ field: name, message: 'is not supported yet' });
      continue;
    }
    if (member === undefined) {
      reportUnknown(body, name, members, path, found);
      continue;
    }
    const value = body[name];
    if (value === null) {
      if (member.yieldsToNull) delete body[name];
    } else if (typeof value === 'object' && (member.inside ?? member.each)) {
      settleInside(value, member, `${path}${name}.`, found);
    } else if (typeof value === 'string' && member.nearby) {
      const meant = misspelt(value, member.nearby);
      if (meant !== undefined) found.wrong.push({ field: `${path}${name}`, message: `did you mean ${meant}?` });
    }
  }
}

/** Members of the signed event of a later version: a caller who states one relies on it. */
const isReserved = (name: string, { names }: Members): boolean =>
  (names.has('passphrase') || names.has('prepare')) && reservedNames.has(name);

function settleInside(
  value: Json | undefined,
  { inside, each, atMost }: Member,
  path: string,
  found: SettlingBody,
): void {
  if (Array.isArray(value)) {
    if (!each || value.length > atMost) return;
    for (let i = 0; i < value.length; i++) {
      const element = value[i];
      if (isObject(element)) settle(element, each(element), `${path}${i}.`, found);
    }
  } else if (inside) settle(value as BodyObject, inside(value as BodyObject), path, found);
}

const isObject = (value: Json | undefined): value is BodyObject & Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function reportUnknown(body: BodyObject, name: string, members: Members, path: string, found: SettlingBody): void {
  const { names, aliases, unknown } = members;
  if (unknown === 'kept') {
    reportMisnamed(name, members, path, found);
    return;
  }
  if (unknown === 'ignored') {
    if (found.unused.length < bounds.namedErrors) found.unused.push(shown(path, name));
    return;
  }
  // A search costs some 15 µs, and a body has room for 50,000 names.
  const isSearched = found.searched < bounds.searchedNames;
  if (isSearched) found.searched += 1;
  const own = { names: [...names.keys()], aliases: [...aliases.keys()] };
  const meant = !isSearched
    ? undefined
    : unknown === 'not misspelt'
      ? nearest(name, own.names)
      : meantBy(name, { ...own, inside: membersInside(members) });
  if (unknown === 'not misspelt' && isSearched && meant === undefined) return;
  delete body[name];
  // A caller who wants a member kept does not want it ignored.
  const errors = unknown === 'not misspelt' && !isSearched ? found.wrong : found.unknown;
  if (errors.length >= bounds.namedErrors) return;
  const message = meant === undefined ? `is unknown${membersKnown(names)}` : `is unknown: did you mean ${meant}?`;
  errors.push({ field: shown(path, name), message });
}

/** The object keeps the member, but the caller seems to mean one that the node acts on. */
function reportMisnamed(name: string, { nearby, misnamed }: Members, path: string, { unknown }: SettlingBody): void {
  if (nearby.length === 0 || unknown.length >= bounds.namedErrors) return;
  const meant = misnamed.get(name.toLowerCase()) ?? misspelt(name, nearby);
  if (meant !== undefined) unknown.push({ field: shown(path, name), message: `did you mean ${meant}?` });
}

/** Members of the objects inside, for suggestions: `terms.arbiter`. */
const membersInside = ({ names }: Members): string[] =>
  [...names].flatMap(([name, { inside }]) =>
    inside ? [...inside({}).names.keys()].map((member) => `${name}.${member}`) : [],
  );

/** Members of every signed write: who signs, and what the signature binds. */
export const signingMembers = ['did', 'passphrase', 'home', 'nonce', 'prev', 'ts', 'most', 'until'];
/** What is named last. */
const common = [...signingMembers, 'resourcePrev'];
const mostListed = 16;

function membersKnown(names: Members['names']): string {
  const own = [...names].filter(([, member]) => member !== repeated).map(([name]) => name);
  const known = [...own.filter((name) => !common.includes(name)), ...common.filter((name) => own.includes(name))];
  const more = known.length > mostListed ? ', …' : '';
  return known.length === 0
    ? '; the request takes no members'
    : `; known are ${known.slice(0, mostListed).join(', ')}${more}`;
}

const shown = (path: string, name: string): string => `${path}${name}`.slice(0, longestField).toWellFormed();

/** How aliases name their target: see `aliased` in the scalars. */
function resolveAliases(body: BodyObject, { aliases }: Members, path: string, found: SettlingBody): void {
  for (const [alias, target] of aliases) {
    const value = body[alias];
    if (value === undefined) continue;
    delete body[alias];
    if (value === null) continue;
    const moved = target === '*' ? isObject(value) && Object.entries(value) : [[target, value] as const];
    for (const [to, each] of moved || []) {
      if (put(body, to, each)) continue;
      found.wrong.push({ field: `${path}${alias}`, message: `is another name of ${to}, which has a different value` });
    }
  }
}

/** Sets the value; false if another value is there already. */
function put(body: BodyObject, target: string, value: Json | undefined): boolean {
  const [name, inner] = target.replace('[]', '').split('.') as [string, string?];
  if (inner !== undefined) {
    const holder = body[name] ?? {};
    // A holder that is not an object is refused later, with its own message.
    if (!isObject(holder)) return true;
    body[name] = holder;
    return put(holder, inner, value);
  }
  const whole = target.endsWith('[]') && !Array.isArray(value) ? [value as Json] : value;
  const there = body[name] ?? undefined;
  if (there !== undefined && !isDeepStrictEqual(there, whole)) return false;
  body[name] = whole;
  return true;
}
