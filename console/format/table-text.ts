/** Rows of a table as CSV (RFC 4180) and JSON. */
export type Cell = string | number | boolean | null | undefined;

export interface ExportColumn<Row> {
  /** The column's heading in CSV, and the member's name in JSON. */
  readonly name: string;
  /** The cell of a row. Times are written with `isoTime`, amounts as whole numbers. */
  readonly of: (row: Row) => Cell;
}

export const isoTime = (epochMs: number | null | undefined): string | null =>
  epochMs === null || epochMs === undefined ? null : new Date(epochMs).toISOString();

/** A spreadsheet would run a text that begins with one of these as a formula, so it gets a leading apostrophe. */
const formula = /^[=+\-@\t\r]/;

function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf<Row>(columns: readonly ExportColumn<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ name }) => csvCell(name)),
    ...rows.map((row) => columns.map(({ of }) => csvCell(of(row)))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

export function jsonOf<Row>(columns: readonly ExportColumn<Row>[], rows: readonly Row[]): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map(({ name, of }) => [name, of(row) ?? null])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}
