/** Downloads a table's rows as CSV or JSON, made in this page. */
import { useState } from 'preact/hooks';
import { asProblem } from '../api/read.ts';
import { csvOf, type ExportColumn, jsonOf } from '../format/table-text.ts';
import { save } from './save.ts';

export { type ExportColumn, isoTime } from '../format/table-text.ts';

export interface ExportProps<Row> {
  /** What the table holds (`escrows`, `steps of esc-…`): the file's name, also read by screen readers. */
  readonly name: string;
  readonly columns: readonly ExportColumn<Row>[];
  /** All rows, including those of other pages. A function is called when the user asks for the download. */
  readonly rows: readonly Row[] | (() => Promise<readonly Row[]>);
}

const formats = {
  CSV: { type: 'text/csv;charset=utf-8', extension: 'csv', make: csvOf },
  JSON: { type: 'application/json', extension: 'json', make: jsonOf },
} as const;

const fileName = (name: string, extension: string): string =>
  `${name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80)}.${extension}`;

export function Export<Row>({ name, columns, rows }: ExportProps<Row>) {
  const [says, setSays] = useState('');
  const take = async (format: keyof typeof formats) => {
    const { type, extension, make } = formats[format];
    try {
      if (typeof rows === 'function') setSays('Reading …');
      const all = typeof rows === 'function' ? await rows() : rows;
      save(fileName(name, extension), type, make(columns, all));
      setSays('');
    } catch (error) {
      setSays(asProblem(error).detail);
    }
  };
  return (
    <span class="export">
      {(Object.keys(formats) as (keyof typeof formats)[]).map((format) => (
        <button
          key={format}
          type="button"
          class="small"
          onClick={() => void take(format)}
          aria-label={`Download ${name} as ${format}`}
        >
          {format}
        </button>
      ))}
      <span role="status" class="faint">
        {says}
      </span>
    </span>
  );
}
