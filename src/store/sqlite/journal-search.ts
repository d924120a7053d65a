/** SQL that finds entries through the secondary index, in journal order. */
import { historyTypes } from '../../machines/kernel/posting.js';
import type { EventQuery } from '../store.js';
import type { Value } from './connection.js';
import { type IndexTable, ways } from './secondary-index.js';

export interface SqlQuery {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** SQL that selects `seq`. The caller appends the last parameter, the limit. */
type Leading = (from: number) => SqlQuery;

const accountOf = '(SELECT account FROM accounts WHERE did = ?)';
const typeOf = '(SELECT type FROM event_types WHERE name = ?)';
const resourceOf = '(SELECT resource FROM resources WHERE kind = ? AND id = ?)';

/** One query per condition: the matching entry numbers from a number on, ascending or (`before`) descending, limited. */
export function leadingTo(name: IndexTable, { issuer, type, resource, before }: EventQuery): Leading[] {
  const table = { name, isDown: before !== undefined };
  const leading: Leading[] = [];
  if (resource !== undefined) leading.push(wayTo(table, resource));
  if (issuer !== undefined) leading.push(oneWay(table, ways.issuer, accountOf, [issuer]));
  if (type !== undefined) leading.push(oneWay(table, ways.type, typeOf, [type]));
  return leading;
}

/** A table, and whether it is read backwards. */
interface IndexRead {
  readonly name: IndexTable;
  readonly isDown: boolean;
}

const direction = ({ isDown }: IndexRead): string => (isDown ? 'DESC' : 'ASC');

function wayTo(table: IndexRead, resource: string): Leading {
  const [kind, id] = kindAndId(resource);
  if (kind !== 'account') return oneWay(table, ways.resource, resourceOf, [kind, id]);
  // UNION, because an entry may have several lines in an account's history.
  const each = historyTypes.map((_, way) => part(table, way, accountOf));
  return (from) => ({
    sql: `${each.join(' UNION ')} ORDER BY 1 ${direction(table)} LIMIT ?`,
    values: each.flatMap(() => [id, from]),
  });
}

/** @param what SQL that selects the integer of the named value */
function oneWay(table: IndexRead, way: number, what: string, named: readonly string[]): Leading {
  const sql = `${part(table, way, what)} ORDER BY seq ${direction(table)} LIMIT ?`;
  return (from) => ({ sql, values: [...named, from] });
}

const part = ({ name, isDown }: IndexRead, way: number, what: string): string =>
  `SELECT seq FROM ${name} WHERE way = ${way} AND what = ${what} AND seq ${isDown ? '<=' : '>='} ?`;

function kindAndId(resource: string): [kind: string, id: string] {
  const slash = resource.indexOf('/');
  return [resource.slice(0, slash), resource.slice(slash + 1)];
}
