/** Places in a request where an operator could be hidden, from the route's description, and the values to hide there. */

import type { JsonSchema } from '../../src/core/schema/scalar.js';
import type { Route } from '../../src/http/server/route.js';
import type { Body } from '../node/support/client.js';
import { isLong } from '../support/long.js';
import type { Change, Passing } from './tamperer.js';

/** A hidden value and a harmless one of the same form, which the node must treat alike. */
export interface Hidden {
  readonly name: string;
  readonly value: Body;
  readonly twin: Body;
}

export const texts: readonly Hidden[] = [
  { name: 'an operator as text', value: '{"$gt":""}', twin: '{"xgt":""}' },
  { name: 'the name of an operator', value: '$where', twin: 'xwhere' },
  { name: 'a dotted path', value: 'available.0.$inc', twin: 'availablex0xxinc' },
];

export const objects: readonly Hidden[] = [
  { name: '$gt', value: { $gt: '' }, twin: { xgt: '' } },
  { name: '$ne', value: { $ne: null }, twin: { xne: null } },
  { name: '$in of $regex', value: { $in: [{ $regex: '.*' }] }, twin: { xin: [{ xregex: '.*' }] } },
];

/** Members added to an object. */
export const members: readonly Hidden[] = [
  { name: '$set', value: { $set: { available: 1 } }, twin: { xset: { available: 1 } } },
  { name: '$where and a dotted key', value: { $where: 'sleep(1)', 'a.b': 1 }, twin: { xwhere: 'sleep(1)', axb: 1 } },
];

export type Path = readonly (string | number)[];

export interface Place {
  readonly path: Path;
  readonly sort: 'text' | 'object';
}

const sortOf = (value: Body): Place['sort'] | undefined =>
  typeof value === 'string' ? 'text' : typeof value === 'object' && value !== null ? 'object' : undefined;

/** Texts and objects in a body that was sent. */
function* sentPlaces(value: Body, path: Path = []): Iterable<Place> {
  const sort = sortOf(value);
  if (path.length > 0 && sort) yield { path, sort };
  if (sort !== 'object') return;
  for (const [key, member] of Object.entries(value)) {
    yield* sentPlaces(member, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

const deepest = 5;

/** Texts and objects that the description allows. */
function* describedPlaces(schema: JsonSchema, path: Path = []): Iterable<Place> {
  const variants = [schema, ...((schema.oneOf ?? schema.anyOf ?? []) as JsonSchema[])];
  for (const { type, properties, items } of variants) {
    const types = [type].flat();
    if (path.length > 0 && types.includes('string')) yield { path, sort: 'text' };
    if (path.length > 0 && (types.includes('object') || types.includes('array'))) yield { path, sort: 'object' };
    if (path.length >= deepest) continue;
    for (const [name, member] of Object.entries((properties ?? {}) as { [name: string]: JsonSchema })) {
      yield* describedPlaces(member, [...path, name]);
    }
    if (items) yield* describedPlaces(items as JsonSchema, [...path, 0]);
  }
}

/** Without repetitions. */
export function placesOf({ body }: Route, sent: Body): Place[] {
  const all = [...sentPlaces(sent), ...(body ? describedPlaces(body.schema) : [])];
  return [...new Map(all.map((place) => [`${place.sort} ${place.path.join('.')}`, place])).values()];
}

/** A copy with another value at this path. Missing parents are created. */
export function withAt(value: Body, [key, ...rest]: Path, put: (old: Body) => Body): Body {
  if (key === undefined) return put(value);
  const copy = typeof key === 'number' ? [...(Array.isArray(value) ? value : [])] : { ...value };
  copy[key] = withAt(copy[key], rest, put);
  return copy;
}

export const at = (value: Body, path: Path): Body => path.reduce((inner, key) => inner?.[key], value);

const bodyChange =
  (path: Path, put: (old: Body) => Body): Change =>
  (request) => ({ ...request, body: withAt(request.body ?? {}, path, put) });

let turn = 0;

/** All values in the long form; in the short form one, changing from place to place. */
const some = <T>(all: readonly T[]): readonly T[] => (isLong ? all : [all[turn++ % all.length]!]);

/** One attempt, and the same request with the harmless value. */
export interface Attempt {
  readonly name: string;
  readonly hostile: Change;
  readonly harmless: Change;
  /** The paths within the body. */
  readonly paths?: readonly Path[];
}

function bodyAttempts(route: Route, sent: Body): Attempt[] {
  const replacing = (place: Place, { name, value, twin }: Hidden): Attempt => ({
    name: `${place.path.join('.')} is ${name}`,
    hostile: bodyChange(place.path, () => value),
    harmless: bodyChange(place.path, () => twin),
    paths: [place.path],
  });
  const joining = (path: Path, { name, value, twin }: Hidden): Attempt => ({
    name: `${path.join('.') || 'the body'} has ${name}`,
    hostile: bodyChange(path, (old) => ({ ...old, ...value })),
    harmless: bodyChange(path, (old) => ({ ...old, ...twin })),
    paths: Object.keys(value).map((key) => [...path, key]),
  });
  const places = placesOf(route, sent);
  const containers = places.filter(({ sort, path }) => sort === 'object' && !Array.isArray(at(sent, path)));
  return [
    ...places.flatMap((place) => some(objects).map((each) => replacing(place, each))),
    ...places
      .filter(({ sort }) => sort === 'text')
      .flatMap((place) => some(texts).map((each) => replacing(place, each))),
    ...[[], ...containers.map(({ path }) => path)].flatMap((path) => some(members).map((each) => joining(path, each))),
  ];
}

function pathAttempts({ path }: Route): Attempt[] {
  const put =
    (index: number, text: string): Change =>
    (request) => ({ ...request, segments: request.segments.with(index, text) });
  return path.split('/').flatMap((part, index) => {
    if (!part.startsWith(':')) return [];
    return some(texts).map(({ name, value, twin }) => ({
      name: `${part} is ${name}`,
      hostile: put(index, value),
      harmless: put(index, twin),
    }));
  });
}

function queryAttempts({ query }: Route): Attempt[] {
  const put =
    (name: string, text: string): Change =>
    (request: Passing) => ({ ...request, query: `?${encodeURIComponent(name)}=${encodeURIComponent(text)}` });
  const names = [...Object.keys(query?.fields ?? {}), 'unheard-of'];
  return names.flatMap((name) => [
    ...some(texts).map(({ name: what, value, twin }) => ({
      name: `?${name}= is ${what}`,
      hostile: put(name, value),
      harmless: put(name, twin),
    })),
    ...some([
      { name: `?${name}[$ne]=`, hostile: put(`${name}[$ne]`, 'x'), harmless: put(`${name}[xne]`, 'x') },
      { name: `?$${name}=`, hostile: put(`$${name}`, 'x'), harmless: put(`x${name}`, 'x') },
    ]),
  ]);
}

/** The given number of elements, evenly spread over the list; all of them in the long form. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (isLong || all.length <= most) return all;
  return Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)]!);
}

/** Most places of a body in the short form. A contract has hundreds. */
const mostInBody = 5;

export const attemptsOn = (route: Route, sent: Passing): Attempt[] => [
  ...(route.method === 'GET' ? [] : spread(bodyAttempts(route, sent.body), mostInBody)),
  ...pathAttempts(route),
  ...spread(queryAttempts(route), mostInBody / 2),
];
