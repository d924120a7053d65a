/** Lists: aligned columns on a terminal, full values separated by tabs in a pipe. */
import process from 'node:process';
import { columnsIn, note, print, table, tame, widthsOf } from '../output.js';
import { paint, toneOf } from '../terminal.js';
import { columnsOf, type TableColumn } from './columns.js';
import { type DidNaming, namesOfDids } from './did-names.js';
import { type ReportItem, shortText, textOf, wholeText } from './values.js';

export interface TableOptions {
  readonly wide?: boolean;
  readonly nameOf?: DidNaming;
}

export function printItems(name: string, items: readonly ReportItem[], options: TableOptions = {}): void {
  const { wide = false, nameOf = namesOfDids() } = options;
  const columns = columnsOf(name, items);
  if (!process.stdout.isTTY) {
    print(tabbed(columns, items));
    return;
  }
  const textFor = (column: TableColumn, item: ReportItem) =>
    wide ? textOf(column.name, column.valueOf(item)) : shortText(column.name, column.valueOf(item), nameOf);
  const rows = items.map((item) => columns.map((column) => textFor(column, item)));
  const headings = columns.map(({ heading }) => heading);
  // Columns are ordered by importance, so a narrow terminal loses the last ones.
  const shown = wide ? columns.length : columnsIn(process.stdout.columns || 80, widthsOf([headings, ...rows]));
  print(
    painted(
      table(
        headings.slice(0, shown),
        rows.map((row) => row.slice(0, shown)),
      ),
      rows.map((row) => row[headings.indexOf('STATUS')]),
    ),
  );
  const hidden = headings.slice(shown);
  if (hidden.length > 0) note(`Not shown: ${hidden.join(', ')}. --wide shows all columns.`);
}

/** One line of headings, then one for each item. */
function tabbed(columns: readonly TableColumn[], items: readonly ReportItem[]): string {
  const lines = items.map((item) =>
    columns.map((column) => tame(wholeText(column.name, column.valueOf(item)))).join('\t'),
  );
  return [columns.map(({ heading }) => heading).join('\t'), ...lines].join('\n');
}

/** Makes the first line bold, and colours each state by its meaning. */
function painted(text: string, states: readonly (string | undefined)[]): string {
  return text
    .split('\n')
    .map((line, index) => {
      if (index === 0) return paint(line, 'strong');
      const state = states[index - 1];
      return state === undefined ? line : line.replace(state, (word) => paint(word, toneOf(word)));
    })
    .join('\n');
}
