/** SQL that lists and counts resources. */
import type { Selection } from '../store.js';
import type { SqlQuery } from './journal-search.js';

type ListStart = readonly (string | number)[] | undefined;

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/**
 * Selects [created_at, id, resource], newest first. Rows of each label and kind are in this order already: SQLite
 * merges them without duplicates and stops at the limit.
 */
export function listed(selected: readonly Selection[], start?: ListStart): SqlQuery {
  const queries = selected.map((each) => matching(each, start));
  return {
    sql: `${queries.map(({ sql }) => sql).join(' UNION ')} ORDER BY 1 DESC, 2 DESC LIMIT ? OFFSET ?`,
    values: queries.flatMap(({ values }) => values),
  };
}

/** Selects the number of matching resources. */
export function counted(selection: Selection): SqlQuery {
  const { kind, anyLabel = [], states } = selection;
  if (anyLabel.length === 0) {
    // Without labels the census has the count.
    const inStates = states ? `AND state IN (${marks(states)})` : '';
    const sql = `SELECT ifnull(sum(count), 0) FROM census WHERE kind = ? ${inStates}`;
    return { sql, values: [kind, ...(states ?? [])] };
  }
  const { sql, values } = matching(selection);
  // With ORDER BY SQLite merges the labels and need not remember what it has seen.
  const inOrder = anyLabel.length > 1 ? 'ORDER BY 1 DESC, 2 DESC LIMIT -1' : '';
  return { sql: `SELECT count(*) FROM (${sql} ${inOrder})`, values };
}

function matching({ kind, anyLabel = [], states }: Selection, start?: ListStart): SqlQuery {
  const after = start ? 'AND (x.created_at, x.id) < (?, ?)' : '';
  const inStates = states ? `AND r.state IN (${marks(states)})` : '';
  const withState = states ? 'JOIN resources r ON r.resource = x.resource' : '';
  const select = 'SELECT x.created_at, x.id, x.resource FROM';
  const conditions = `${after} ${inStates}`;
  const more = [...(start ?? []), ...(states ?? [])];
  if (anyLabel.length === 0) {
    return { sql: `${select} resources x ${withState} WHERE x.kind = ? ${conditions}`, values: [kind, ...more] };
  }
  const each = `${select} labels x ${withState} WHERE x.kind = ? AND x.label = ? ${conditions}`;
  return {
    sql: anyLabel.map(() => each).join(' UNION '),
    values: anyLabel.flatMap((label) => [kind, label, ...more]),
  };
}
