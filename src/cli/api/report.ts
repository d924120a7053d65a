/** Output of replies for people: lists as tables, a single resource as names and values. */

import type { Entry } from '../../../packages/client/src/wire.js';
import { isJsonObject } from '../../core/canonical.js';
import { facts, note, print, tame, timeText } from '../output.js';
import { paint, toneOf } from '../terminal.js';
import { headingOf } from './columns.js';
import { isDid } from './did-names.js';
import { printItems, type TableOptions } from './tables.js';
import { type ReportItem, textOf, withErasedNamed } from './values.js';

export interface List {
  readonly name: string;
  readonly items: readonly ReportItem[];
}

/** The list in a reply: the array member next to a count or a page. */
export function listIn(reply: unknown): List | undefined {
  if (!isJsonObject(reply)) return undefined;
  const isList = ['total', 'pagination', 'next', 'hasMore'].some((name) => name in reply);
  const [name, items] = Object.entries(reply).find(([, value]) => Array.isArray(value)) ?? [];
  const alone = Object.keys(reply).length === 1;
  if (name === undefined || !(isList || alone) || !(items as unknown[]).every(isJsonObject)) return undefined;
  return { name, items: items as readonly ReportItem[] };
}

/** The `--after` value of the next page; undefined after the last page. */
export function nextOf({ pagination, next }: ReportItem): string | number | undefined {
  const after = isJsonObject(pagination) ? pagination.after : next;
  return typeof after === 'string' || typeof after === 'number' ? after : undefined;
}

interface ReportOptions extends TableOptions {
  /** Prints each item of a list with all its members, instead of a table. */
  readonly isFull?: boolean;
}

export function report(raw: unknown, options: ReportOptions = {}): void {
  const reply = withErasedNamed(raw);
  const list = listIn(reply);
  if (list) reportList(list, reply as ReportItem, options);
  else if (!isJsonObject(reply) || Object.keys(reply).length === 0) note('Done.');
  else reportOne(reply, options);
}

/** Names and values; below them, each list of many members as a table. */
function reportOne(reply: ReportItem, options: ReportOptions): void {
  const tables = Object.entries(reply).filter(([, value]) => isTable(value));
  const names = new Set(tables.map(([name]) => name));
  const members = Object.entries(reply).filter(
    ([name, value]) => !names.has(name) && (options.isFull || isRepeated(name, value, reply)),
  );
  print(factsText(factsOf(members), options));
  for (const [name, items] of tables) {
    print(`\n${headingOf(name)}`);
    printItems(name, items as readonly ReportItem[], options);
  }
}

/** Skips members that repeat another one: `id` repeats `escrowId`, `state` repeats `status`. */
const isRepeated = (name: string, value: unknown, reply: ReportItem): boolean =>
  !Object.entries(reply).some(
    ([other, same]) =>
      same === value &&
      value !== null &&
      ((name === 'id' && other !== 'id' && other.endsWith('Id')) || (name === 'state' && other === 'status')),
  );

function factsText(pairs: readonly (readonly [string, string])[], { nameOf = () => undefined }: ReportOptions) {
  const shown = (name: string, value: string): string => {
    if (/^(status|state)$/.test(name)) return paint(value, toneOf(value));
    const given = isDid(value) ? nameOf(value) : undefined;
    return given === undefined ? value : `${value} (${tame(given)})`;
  };
  return facts(Object.fromEntries(pairs.map(([name, value]) => [name, shown(name, value)])));
}

/** The most members that are printed in one line; longer lists become tables. */
const inLine = 2;
const isTable = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => isJsonObject(each) && Object.keys(each).length > inLine);

/** Flattens nested members; their names contain the path: `chain.kind`. */
const factsOf = (members: readonly (readonly [string, unknown])[], way = ''): (readonly [string, string])[] =>
  members.flatMap(([name, value]) =>
    isJsonObject(value) && name !== 'permittedActions' && Object.keys(value).length > 0
      ? factsOf(Object.entries(value), `${way}${name}.`)
      : [[`${way}${name}`, textOf(name, value)] as const],
  );

function reportList({ name, items }: List, { total, pagination, next }: ReportItem, options: ReportOptions): void {
  if (items.length === 0) {
    note(`No ${headingOf(name).toLowerCase()}.`);
    return;
  }
  if (options.isFull) print(items.map((item) => factsText(factsOf(Object.entries(item)), options)).join('\n\n'));
  else printItems(name, items, options);
  const after = nextOf({ pagination, next });
  if (after === undefined) return;
  note(`${items.length}${total === undefined ? '' : ` of ${total}`}; the next page: --after ${after}; all: --all`);
}

export const eventLine = ({ seq, time, event }: Entry): string =>
  `${timeText(time)}  ${seq}  ${tame(event.type)}  ${event.issuer}  ${event.hash}`;
