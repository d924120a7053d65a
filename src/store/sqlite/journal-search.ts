/** The SQL that finds entries by what leads to them, in their order. */
import type { EventQuery } from '../store.js';
import type { Value } from './connection.js';
import { historyTypes, type LeadTable, ways } from './leads.js';
import { entryColumns } from './rows.js';

export interface Query {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Selects `seq`; its last parameter, how many at most, is missing. */
type Leading = (from: number) => Query;

const accountOf = '(SELECT account FROM accounts WHERE did = ?)';
const typeOf = '(SELECT type FROM event_types WHERE name = ?)';
const resourceOf = '(SELECT resource FROM resources WHERE kind = ? AND id = ?)';

/** For each condition, by itself, what leads to its entries: their numbers from one on, ascending, so many at most. */
export function leadingTo(table: LeadTable, { issuer, type, resource }: EventQuery): Leading[] {
  const leading: Leading[] = [];
  if (resource !== undefined) leading.push(wayTo(table, resource));
  if (issuer !== undefined) leading.push(oneWay(table, ways.issuer, accountOf, [issuer]));
  if (type !== undefined) leading.push(oneWay(table, ways.type, typeOf, [type]));
  return leading;
}

/** Without any condition. */
export const nextEntries = ({ after }: EventQuery, limit: number): Query => ({
  sql: `SELECT ${entryColumns} FROM journal j LEFT JOIN journal p ON p.seq = j.seq - 1
    WHERE j.seq > ? ORDER BY j.seq LIMIT ?`,
  values: [after, limit],
});

function wayTo(table: LeadTable, resource: string): Leading {
  const [kind, id] = kindAndId(resource);
  if (kind !== 'account') return oneWay(table, ways.resource, resourceOf, [kind, id]);
  // An entry is in an account's history once for each of its lines.
  const each = historyTypes.map((_, way) => part(table, way, accountOf));
  return (from) => ({
    sql: `${each.join(' UNION ')} ORDER BY 1 LIMIT ?`,
    values: each.flatMap(() => [id, from]),
  });
}

/** @param what selects the number that stands for what is named */
function oneWay(table: LeadTable, way: number, what: string, named: readonly string[]): Leading {
  const sql = `${part(table, way, what)} ORDER BY seq LIMIT ?`;
  return (from) => ({ sql, values: [...named, from] });
}

const part = (table: LeadTable, way: number, what: string): string =>
  `SELECT seq FROM ${table} WHERE way = ${way} AND what = ${what} AND seq >= ?`;

function kindAndId(resource: string): [kind: string, id: string] {
  const slash = resource.indexOf('/');
  return [resource.slice(0, slash), resource.slice(slash + 1)];
}
