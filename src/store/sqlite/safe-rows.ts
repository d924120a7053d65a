/**
 * Reads rows safely. libsql aborts the process on invalid UTF-8, which one flipped bit can cause. So texts are
 * selected as bytes, all of a row as one value because each value has a cost, and numeric columns are cast to
 * numbers.
 */

export type Value = string | number | null | Uint8Array;

interface Column {
  /** The declared type of the column; null for an expression. */
  readonly type: string | null;
}

interface SafeQuery {
  readonly sql: string;
  /** Restores the row of the original query. Invalid UTF-8 becomes U+FFFD. */
  readonly whole: (row: Value[]) => Value[];
}

/** How a column is read, by its declared type; an expression may have any type. */
const cellOf: { readonly [type: string]: (column: string) => string } = {
  TEXT: (column) => `octet_length(${column})`,
  INTEGER: (column) => `${column} | 0`,
  REAL: (column) => `${column} + 0.0`,
  BLOB: (column) => `CAST(${column} AS BLOB)`,
  expression: (column) => `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`,
};

export function safeQuery(sql: string, columns: readonly Column[]): SafeQuery {
  const types = columns.map(({ type }) => type ?? 'expression');
  const names = columns.map((_, index) => `c${index}`);
  const texts = names.filter((_, index) => types[index] === 'TEXT');
  const cells = names.map((name, index) => cellOf[types[index]!]!(name));
  const all = texts.length === 1 ? texts[0] : texts.map((name) => `ifnull(${name}, '')`).join(' || ');
  if (texts.length > 0) cells.push(`CAST(${all} AS BLOB)`);
  return {
    sql: `WITH q(${names.join(', ')}) AS (${sql}) SELECT ${cells.join(', ')} FROM q`,
    whole: (row) => withTexts(row, types),
  };
}

/** @param row lengths of the texts in their places, followed by all their bytes */
function withTexts(row: Value[], types: readonly string[]): Value[] {
  const bytes = row.length > types.length ? (row.pop() as Buffer | null) : null;
  let at = 0;
  for (const [index, type] of types.entries()) {
    const value = row[index]!;
    if (type === 'expression') {
      if (value instanceof Uint8Array) row[index] = value.toString();
    } else if (type === 'TEXT' && value !== null) {
      row[index] = bytes!.toString('utf8', at, at + (value as number));
      at += value as number;
    }
  }
  return row;
}
