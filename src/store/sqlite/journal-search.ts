/** The SQL that finds entries by what leads to them, in their order. */
import type { EventQuery } from '../store.js';
import type { Value } from './connection.js';
import { historyTypes, type LeadTable, ways } from './leads.js';
import { entryColumns } from './rows.js';

export interface Query {
  readonly sql: string;
  readonly values: readonly Value[];
}

const accountOf = '(SELECT account FROM accounts WHERE did = ?)';
const typeOf = '(SELECT type FROM event_types WHERE name = ?)';
const resourceOf = '(SELECT resource FROM resources WHERE kind = ? AND id = ?)';

/** The entries that one table leads to, of a query that has a condition. */
export function ledTo(table: LeadTable, query: EventQuery, limit: number): Query {
  const { issuer, type, resource } = query;
  const way = wayTo(table, query, limit);
  const conditions: string[] = [];
  const values: Value[] = [];
  // What did not show the way is looked up in each entry.
  if (resource !== undefined && issuer !== undefined) {
    conditions.push(`j.issuer = ${accountOf}`);
    values.push(issuer);
  }
  if ((resource !== undefined || issuer !== undefined) && type !== undefined) {
    conditions.push(`j.type = ${typeOf}`);
    values.push(type);
  }
  return {
    sql: `SELECT ${entryColumns} FROM (${way.sql}) l CROSS JOIN journal j ON j.seq = l.seq
      LEFT JOIN journal p ON p.seq = j.seq - 1
      ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''} ORDER BY l.seq LIMIT ?`,
    values: [...way.values, ...values, limit],
  };
}

/** Without any condition. */
export const nextEntries = ({ after }: EventQuery, limit: number): Query => ({
  sql: `SELECT ${entryColumns} FROM journal j LEFT JOIN journal p ON p.seq = j.seq - 1
    WHERE j.seq > ? ORDER BY j.seq LIMIT ?`,
  values: [after, limit],
});

/** Selects `seq`: by the resource if one is asked for, since it has the fewest entries, then by the issuer. */
function wayTo(table: LeadTable, { after, issuer, resource, type }: EventQuery, limit: number): Query {
  if (resource !== undefined) {
    const [kind, id] = kindAndId(resource);
    if (kind !== 'account') return oneWay(table, ways.resource, { what: resourceOf, named: [kind, id], after });
    // Without another condition the first `limit` lines are the page: a long history is not gone through.
    const alone = issuer === undefined && type === undefined;
    return accountWays(table, id, { after, limit: alone ? limit : undefined });
  }
  if (issuer !== undefined) return oneWay(table, ways.issuer, { what: accountOf, named: [issuer], after });
  return oneWay(table, ways.type, { what: typeOf, named: [type!], after });
}

function oneWay(
  table: LeadTable,
  way: number,
  { what, named, after }: { what: string; named: readonly string[]; after: number },
): Query {
  return {
    sql: `SELECT seq FROM ${table} WHERE way = ${way} AND what = ${what} AND seq > ?`,
    values: [...named, after],
  };
}

/** An entry is in an account's history once for each of its lines. */
function accountWays(
  table: LeadTable,
  did: string,
  { after, limit }: { after: number; limit: number | undefined },
): Query {
  const each = historyTypes.map((_, way) => oneWay(table, way, { what: accountOf, named: [did], after }));
  return {
    sql: `${each.map(({ sql }) => sql).join(' UNION ')} ORDER BY 1 ${limit === undefined ? '' : 'LIMIT ?'}`,
    values: [...each.flatMap(({ values }) => values), ...(limit === undefined ? [] : [limit])],
  };
}

function kindAndId(resource: string): [kind: string, id: string] {
  const slash = resource.indexOf('/');
  return [resource.slice(0, slash), resource.slice(slash + 1)];
}
