/**
 * Checks JSON from callers (docs/reference/requests.md#json-input) and from peers. One pass over the text, which need not be valid
 * JSON, finds what JSON.parse would hide: duplicate members, of which the last one wins; numbers that would become
 * another integer (docs/reference/requests.md#amounts); and how many values it would create. The guards check the result
 * of JSON.parse.
 */
import { bounds } from './bounds.js';
import { messageOf } from './error-message.js';
import { isLeaf } from './leaf.js';
import { invalid, type Refusal } from './refusal.js';

const quote = 0x22;
const backslash = 0x5c;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const beginsNumber = (code: number): boolean => isDigit(code) || code === 0x2d;
const inNumber = (code: number): boolean =>
  beginsNumber(code) || code === 0x2e || code === 0x2b || code === 0x65 || code === 0x45;

function endOfNumber(text: string, begin: number): number {
  let end = begin + 1;
  while (inNumber(text.charCodeAt(end))) end++;
  return end;
}

/** The position after the string that begins at the quote; the end of the text if it is unterminated. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return text.length;
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
}

/** Numbers with fewer digits than a double can hold are always distinct. */
const exactLength = 15;

/** Whether JSON.parse makes another integer of the number. */
export function isRounded(literal: string): boolean {
  if (literal.length <= (/e/i.test(literal) ? 5 : exactLength)) return false;
  const value = Number(literal);
  return Number.isInteger(value) && decimalOf(literal) !== decimalOf(String(value));
}

/** One text for each absolute value: the digits between the zeros at both ends, and the power of ten of the last one. */
function decimalOf(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^-?0*/, '');
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return end === 0 ? '0' : `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

interface Scan {
  readonly members: number;
  readonly containers: number;
  readonly commas: number;
  /** Nesting of objects and lists, and the most members of one object. */
  readonly depth: number;
  readonly keys: number;
  /** Whether a number becomes an integer that it does not equal. */
  readonly rounded: boolean;
}

/** Stops early if the text exceeds the bounds of a body. */
export function scanJson(text: string): Scan {
  let members = 0;
  let containers = 0;
  let commas = 0;
  let rounded = false;
  let depth = 0;
  let deepest = 0;
  let most = 0;
  /** Members so far of the open objects, by depth. */
  const keys: number[] = [0];
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('"', at);
    const end = found < 0 ? text.length : found;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x3a) {
        members++;
        if (depth < keys.length) most = Math.max(most, ++keys[depth]!);
      } else if (code === 0x2c) commas++;
      else if (code === 0x7b || code === 0x5b) {
        containers++;
        deepest = Math.max(deepest, ++depth);
        if (depth <= bounds.jsonDepth) keys[depth] = 0;
      } else if (code === 0x7d || code === 0x5d) depth = Math.max(0, depth - 1);
      else if (beginsNumber(code)) {
        const after = endOfNumber(text, at);
        rounded ||= after - at > 5 && isRounded(text.slice(at, after));
        at = after - 1;
      }
    }
    if (containers > bounds.jsonContainers || members > bounds.jsonMembers) break;
    if (found >= 0) at = endOfString(text, found);
  }
  return { members, containers, commas, depth: deepest, keys: most, rounded };
}

interface Frame {
  /** Names of the object so far; undefined in a list. */
  readonly names: Set<string> | undefined;
  /** Name or index of the current member or element. */
  at: string | number;
  awaitsName: boolean;
}

export function violationOfText(text: string): Refusal | undefined {
  const frames: Frame[] = [];
  const path = (): string => frames.map(({ at }) => String(at).slice(0, 64)).join('.') || 'body';
  for (let at = 0; at < text.length; at++) {
    const frame = frames.at(-1);
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (frame?.names && frame.awaitsName) {
        frame.at = JSON.parse(text.slice(at, end)) as string;
        if (frame.names.has(frame.at)) return invalid(path(), 'appears twice in one object');
        frame.names.add(frame.at);
        frame.awaitsName = false;
      }
      at = end - 1;
    } else if (code === 0x7b) frames.push({ names: new Set(), at: '', awaitsName: true });
    else if (code === 0x5b) frames.push({ names: undefined, at: 0, awaitsName: false });
    else if (code === 0x7d || code === 0x5d) frames.pop();
    else if (code === 0x2c && frame) next(frame);
    else if (beginsNumber(code)) {
      const after = endOfNumber(text, at);
      if (isRounded(text.slice(at, after)))
        return invalid(path(), 'cannot be represented exactly: it would be rounded');
      at = after - 1;
    }
  }
  return undefined;
}

function next(frame: Frame): void {
  if (frame.names) frame.awaitsName = true;
  else frame.at = Number(frame.at) + 1;
}

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
  readonly hasLeaves: boolean;
}

/** Checked before parsing: a megabyte of `{},` takes ten times as long to parse as to refuse. */
export function guardShape(scan: Scan): Refusal | undefined {
  const excess = excessIn(scan);
  return excess === undefined ? undefined : invalid('body', excess);
}

function excessIn({ members, containers, commas }: Scan): string | undefined {
  if (containers > bounds.jsonContainers) return `has more than ${bounds.jsonContainers} objects and lists`;
  if (members > bounds.jsonMembers) return `has more than ${bounds.jsonMembers} members`;
  return commas > bounds.jsonCommas ? `has more than ${bounds.jsonCommas} commas` : undefined;
}

/**
 * Parses the JSON of a peer, if its shape is within the bounds of a body.
 * @returns what is wrong with it, as the end of a sentence
 */
export function parseShaped(text: string): { readonly value: unknown } | string {
  const scan = scanJson(text);
  const excess = excessIn(scan);
  if (excess !== undefined) return excess;
  if (scan.depth > bounds.jsonDepth) return `is nested deeper than ${bounds.jsonDepth}`;
  if (scan.keys > bounds.jsonKeys) return `has an object with more than ${bounds.jsonKeys} keys`;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
}

/**
 * @param text the text that the value was parsed from
 * @param hasLeaves whether it may have references to leaves
 * @returns undefined if both are harmless
 */
export function guardJson(root: object, text: string, scan = scanJson(text), hasLeaves = false): Refusal | undefined {
  const walk: Walk = { queue: [{ value: root, depth: 1, name: '', within: undefined }], members: 0, hasLeaves };
  for (let at = 0; at < walk.queue.length; at++) {
    const place = walk.queue[at]!;
    if (place.depth > bounds.jsonDepth) return invalid(shortPath(place), `is nested deeper than ${bounds.jsonDepth}`);
    const refusal = Array.isArray(place.value) ? guardArray(place, walk) : guardObject(place, walk);
    if (refusal) return refusal;
  }
  const { members, rounded } = scan;
  // JSON.parse keeps one of several duplicate members, so the counts differ.
  return rounded || members !== walk.members ? violationOfText(text) : undefined;
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
  // A reference that a caller wrote would stand for a missing text.
  if (!walk.hasLeaves && isLeaf(members))
    return invalid(shortPath(place), 'must have other members than just leaf and size');
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
    return Number.isFinite(value) ? undefined : 'is outside the range of JSON numbers';
  }
  return typeof value === 'string' ? wrongText(value) : undefined;
}

function wrongText(text: string): string | undefined {
  if (!text.isWellFormed()) return 'contains a lone surrogate';
  return text.includes('\0') ? 'contains NUL' : undefined;
}

/** Why a member name is refused. `constructor` alone is an ordinary word; with a `prototype` inside it is an attack. */
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
