/**
 * Refuses hostile JSON before anything recursive or canonical sees it (decisions.md, JSON input; design.md,
 * Faults and load): depth, keys, poisonous names, lone surrogates, NUL, -0 and numbers that overflow.
 */
import { bounds } from '../../config.js';
import { invalid, type Refusal } from '../../machines/kernel/refusal.js';

/** Where a value was found: a list instead of paths, because a path is needed only when something is wrong. */
interface Place {
  readonly value: object;
  readonly depth: number;
  readonly name: string | number;
  readonly within: Place | undefined;
}

/** @returns undefined where the value is harmless */
export function guardJson(root: object): Refusal | undefined {
  const queue: Place[] = [{ value: root, depth: 1, name: '', within: undefined }];
  for (let at = 0; at < queue.length; at++) {
    const place = queue[at]!;
    if (place.depth > bounds.jsonDepth) return invalid(shortPath(place), `is nested deeper than ${bounds.jsonDepth}`);
    const refusal = Array.isArray(place.value) ? guardArray(place, queue) : guardObject(place, queue);
    if (refusal) return refusal;
  }
  return undefined;
}

function guardArray(place: Place, queue: Place[]): Refusal | undefined {
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

function guardObject(place: Place, queue: Place[]): Refusal | undefined {
  const members = place.value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  if (names.length > bounds.jsonKeys) return invalid(shortPath(place), `has more than ${bounds.jsonKeys} keys`);
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

/** `a.b.0.c`, cut where it gets long. */
function shortPath(place: Place, last?: string | number): string {
  const names: (string | number)[] = last === undefined ? [] : [last];
  for (let at: Place | undefined = place; at?.within; at = at.within) names.unshift(at.name);
  const path = names.slice(0, 8).map(shortName).join('.');
  return path === '' ? 'body' : names.length > 8 ? `${path}…` : path;
}

const shortName = (name: string | number): string => String(name).toWellFormed().replaceAll('\0', '').slice(0, 64);
