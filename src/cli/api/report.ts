/** Output of replies for people: lists as tables, other replies as names and values. */

import process from 'node:process';
import type { Entry } from '../../../packages/client/src/wire.js';
import { columnsIn, facts, note, print, table, tame, timeText, widthsOf } from '../output.js';

interface ReportItem {
  readonly [name: string]: unknown;
}

export interface List {
  readonly name: string;
  readonly items: readonly ReportItem[];
}

const isObject = (value: unknown): value is ReportItem =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The list in a reply: the array member beside a count or a page. */
export function listIn(reply: unknown): List | undefined {
  if (!isObject(reply)) return undefined;
  const isList = ['total', 'pagination', 'next', 'hasMore'].some((name) => name in reply);
  const [name, items] = Object.entries(reply).find(([, value]) => Array.isArray(value)) ?? [];
  const alone = Object.keys(reply).length === 1;
  if (name === undefined || !(isList || alone) || !(items as unknown[]).every(isObject)) return undefined;
  return { name, items: items as readonly ReportItem[] };
}

/** The `--after` value of the next page; undefined after the last page. */
export function nextOf({ pagination, next }: ReportItem): string | number | undefined {
  const after = isObject(pagination) ? pagination.after : next;
  return typeof after === 'string' || typeof after === 'number' ? after : undefined;
}

export function report(reply: unknown): void {
  const list = listIn(reply);
  if (list) reportList(list, reply as ReportItem);
  else if (!isObject(reply) || Object.keys(reply).length === 0) note('Done.');
  else reportOne(reply);
}

/** Names and values; below them, each list of many members as a table. */
function reportOne(reply: ReportItem): void {
  const tables = Object.entries(reply).filter(([, value]) => isTable(value));
  const names = new Set(tables.map(([name]) => name));
  print(facts(factsOf(Object.entries(reply).filter(([name]) => !names.has(name)))));
  for (const [name, items] of tables) {
    print(`\n${headingOf(name)}`);
    reportItems(items as readonly ReportItem[]);
  }
}

/** The most members that are printed in one line; longer lists become tables. */
const inLine = 2;
const isTable = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => isObject(each) && Object.keys(each).length > inLine);

/** Flattens nested members; their names contain the path: `chain.kind`. */
const factsOf = (members: readonly (readonly [string, unknown])[], way = ''): (readonly [string, string])[] =>
  members.flatMap(([name, value]) =>
    isObject(value) && Object.values(value).some((each) => typeof each !== 'object')
      ? factsOf(Object.entries(value), `${way}${name}.`)
      : [[`${way}${name}`, textOf(name, value)] as const],
  );

function reportList({ name, items }: List, { total, pagination, next }: ReportItem): void {
  if (items.length === 0) {
    note(`No ${name}.`);
    return;
  }
  reportItems(items);
  const after = nextOf({ pagination, next });
  if (after === undefined) return;
  note(`${items.length}${total === undefined ? '' : ` of ${total}`}; the next page: --after ${after}; all: --all`);
}

function reportItems(whole: readonly ReportItem[]): void {
  const items = whole.map(flat);
  const columns = columnsOf(items);
  const rows = items.map((item) => columns.map((column) => cellOf(column, item[column])));
  const headings = columns.map(headingOf);
  // Columns are ordered by importance, so a narrow terminal loses the last ones. Pipes get all of them.
  const { isTTY, columns: room } = process.stdout;
  const shown = isTTY ? columnsIn(room, widthsOf([headings, ...rows])) : columns.length;
  print(
    table(
      headings.slice(0, shown),
      rows.map((row) => row.slice(0, shown)),
    ),
  );
}

/** Adds nested members that a table should show. */
function flat(item: ReportItem): ReportItem {
  const { event, pricing, roles } = item;
  if (isObject(event))
    return { seq: item.seq, time: item.time, type: event.type, issuer: event.issuer, hash: event.hash };
  if (isObject(pricing)) return { ...item, price: priceOf(pricing) };
  if (Array.isArray(roles) && roles.every((each) => isObject(each) && 'permitted' in each)) {
    const namesOf = (permitted: boolean, name: string) => {
      const found = roles.filter((each) => each.permitted === permitted).map((each) => each[name]);
      return [...new Set(found)].join(', ') || null;
    };
    const [permitted, refused, code] = [namesOf(true, 'role'), namesOf(false, 'role'), namesOf(false, 'code')];
    return { action: item.action, permitted, refused, why: code };
  }
  return item;
}

function priceOf(pricing: ReportItem): unknown {
  const { usagePrice, subscriptionPrice, priceRange } = pricing;
  if (isObject(usagePrice)) return `${usagePrice.pricePerUnit} / ${usagePrice.unit}`;
  if (isObject(subscriptionPrice)) return `${subscriptionPrice.price} / ${subscriptionPrice.period}`;
  if (isObject(priceRange)) return `${priceRange.min} – ${priceRange.max}`;
  return pricing.price ?? pricing.fixedPrice ?? pricing.amount ?? pricing.budget;
}

/** Columns in order of importance, without nested members and duplicates, which `--json` and `get` show. */
const telling = [
  /^(seq|step)$/,
  /Id$/,
  /^home$/,
  /^(id|hash|prefix|kind|code|name|label|title)$/,
  /^(status|state|type|marketType|scope|act|action|dimension|permitted|refused)$/,
  /^(amount|price|score|rating|remaining|balance|total)$/,
  /^(from|to|seller|buyer|bidder|depositor|beneficiary|client|provider|lessee|lessor|issuer|did|by|signer)$/,
  /^(at|time|timestamp|createdAt)$/,
  /At$/,
];
const mostColumns = 7;

function columnsOf(items: readonly ReportItem[]): string[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) =>
    items.some((item) => item[name] !== null && typeof item[name] !== 'object'),
  );
  const isRepeated = (name: string) =>
    names.some((other) => other.endsWith('Id') && items.every((item) => item[other] === item[name]));
  const rank = (name: string) => {
    const index = telling.findIndex((pattern) => pattern.test(name));
    return index < 0 ? telling.length : index;
  };
  return names
    .filter((name) => name.endsWith('Id') || !isRepeated(name))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, mostColumns);
}

const headingOf = (name: string): string => name.replace(/(?<=[a-z])([A-Z])/g, ' $1').toUpperCase();

const longestCell = 40;

function cellOf(name: string, value: unknown): string {
  const text = textOf(name, value);
  if (/^did:svc:z\w+$/.test(text)) return `${text.slice(0, 14)}…${text.slice(-6)}`;
  if (/^(0x)?[0-9a-f]{64}$/.test(text)) return `${text.slice(0, 12)}…`;
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text;
}

const earliestMs = Date.UTC(2000);

/** Text from others must not contain control characters that the terminal would execute. */
function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return tame(value.join(', ')) || '–';
  if (
    typeof value === 'number' &&
    value > earliestMs &&
    /(At|By|Time|^asOf|^at|^time|^timestamp|^created|^updated)$/.test(name)
  ) {
    return timeText(value);
  }
  if (typeof value === 'string') return tame(value);
  return tame(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

export const eventLine = ({ seq, time, event }: Entry): string =>
  `${timeText(time)}  ${seq}  ${tame(event.type)}  ${event.issuer}  ${event.hash}`;
