/**
 * Refuses hostile JSON before any recursive code or canonicalisation sees it (docs/reference/requests.md#json-input):
 * depth, number of members, prototype-polluting names, lone surrogates, NUL, -0, numbers that overflow or lose
 * precision, duplicate members.
 */
import { bounds } from '../../core/bounds.js';
import { invalid, type Refusal } from '../../core/refusal.js';
import { flawOfText, type Scan, scanJson } from './json-text.js';

/** Where a value was found: a list instead of paths, because a path is needed only when something is wrong. */
interface JsonPlace {
  readonly value: object;
  readonly depth: number;
  readonly name: string | number;
  readonly within: JsonPlace | undefined;
}

interface Walk {
  readonly queue: JsonPlace[];
  /** Members of all objects so far. */
  members: number;
}

/** Checked before parsing: a megabyte of `{},` takes ten times as long to parse as to refuse. */
export function guardShape({ members, containers, commas }: Scan): Refusal | undefined {
  if (containers > bounds.jsonContainers)
    return invalid('body', `has more than ${bounds.jsonContainers} objects and lists`);
  if (members > bounds.jsonMembers) return invalid('body', `has more than ${bounds.jsonMembers} members`);
  return commas > bounds.jsonCommas ? invalid('body', `has more than ${bounds.jsonCommas} commas`) : undefined;
}

/** @param text the text that the value was parsed from. @returns undefined if both are harmless */
export function guardJson(root: object, text: string, scan = scanJson(text)): Refusal | undefined {
  const walk: Walk = { queue: [{ value: root, depth: 1, name: '', within: undefined }], members: 0 };
  for (let at = 0; at < walk.queue.length; at++) {
    const place = walk.queue[at]!;
    if (place.depth > bounds.jsonDepth) return invalid(shortPath(place), `is nested deeper than ${bounds.jsonDepth}`);
    const refusal = Array.isArray(place.value) ? guardArray(place, walk) : guardObject(place, walk);
    if (refusal) return refusal;
  }
  const { members, rounded } = scan;
  // JSON.parse keeps one of several duplicate members, so the counts differ.
  return rounded || members !== walk.members ? flawOfText(text) : undefined;
}

function guardArray(place: JsonPlace, { queue }: Walk): Refusal | undefined {
  const elements = place.value as readonly unknown[];
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i];
    if (typeof element === 'object') {
      if (element !== null) queue.push({ value: element, depth: place.depth + 1, name: i, within: place });
    } else {
      const wrong = wrongScalar(element);
      if (wrong) return invalid(shortPath(place, i), wrong);
    }
  }
  return undefined;
}

function guardObject(place: JsonPlace, walk: Walk): Refusal | undefined {
  const { queue } = walk;
  const members = place.value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  if (names.length > bounds.jsonKeys) return invalid(shortPath(place), `has more than ${bounds.jsonKeys} keys`);
  walk.members += names.length;
  for (const name of names) {
    const member = members[name];
    const wrongName = wrongKey(name, member);
    if (wrongName) return invalid(shortPath(place), wrongName);
    if (typeof member === 'object') {
      if (member !== null) queue.push({ value: member, depth: place.depth + 1, name, within: place });
    } else {
      const wrong = wrongScalar(member);
      if (wrong) return invalid(shortPath(place, name), wrong);
    }
  }
  return undefined;
}

function wrongScalar(value: unknown): string | undefined {
  if (typeof value === 'number') {
    if (value === 0) return Object.is(value, -0) ? 'is -0, which has no canonical form' : undefined;
    return Number.isFinite(value) ? undefined : 'is a number beyond what JSON can hold';
  }
  return typeof value === 'string' ? wrongText(value) : undefined;
}

function wrongText(text: string): string | undefined {
  if (!text.isWellFormed()) return 'contains a lone surrogate';
  return text.includes('\0') ? 'contains NUL' : undefined;
}

/** `constructor` alone is an ordinary word; with a `prototype` inside it is an attack. */
function wrongKey(name: string, member: unknown): string | undefined {
  if (name === '__proto__' || name === 'prototype') return `has the key ${name}`;
  if (name === 'constructor' && typeof member === 'object' && member !== null && Object.hasOwn(member, 'prototype')) {
    return 'has the key constructor.prototype';
  }
  const wrong = wrongText(name);
  return wrong && `has a key that ${wrong}`;
}

/** A path like `a.b.0.c`, shortened if long. */
function shortPath(place: JsonPlace, last?: string | number): string {
  const names: (string | number)[] = last === undefined ? [] : [last];
  for (let at: JsonPlace | undefined = place; at?.within; at = at.within) names.unshift(at.name);
  const path = names.slice(0, 8).map(shortName).join('.');
  return path === '' ? 'body' : names.length > 8 ? `${path}…` : path;
}

const shortName = (name: string | number): string => String(name).toWellFormed().replaceAll('\0', '').slice(0, 64);
