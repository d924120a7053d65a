/** A kind's transitions as a table: CSV (RFC 4180) for spreadsheets, Markdown for people. */
import type { TransitionView, UndrawnChart } from './chart-view.js';

const headings = ['Id', 'From', 'Action', 'To', 'Roles', 'Guards and refusals', 'Effects', 'Moves', 'Changes'] as const;

const rowOf = ({ id, from, event, to, roles, guards, effects, moves, changes }: TransitionView): string[] => [
  id,
  from ?? '',
  event,
  to,
  roles.join(', '),
  guards.map(({ name, refusal, meaning }) => `${name}: ${refusal} (${meaning})`).join('; '),
  effects.join(', '),
  wordsOfMoves(moves),
  wordsOfChanges(changes),
];

/** Formats moves: `price: buyer, escrowed → seller, available`. */
export const wordsOfMoves = (moves: TransitionView['moves']): string =>
  moves.map(({ amount, from, to }) => `${amount}: ${from} → ${to}`).join('; ');

/** `funded: amount; refunded: + what remains`. */
export const wordsOfChanges = (changes: TransitionView['changes']): string =>
  changes.map(({ member, to }) => `${member}: ${to}`).join('; ');

export const csvOf = ({ transitions }: Pick<UndrawnChart, 'transitions'>): string =>
  [headings, ...transitions.map(rowOf)].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

/** Spreadsheets evaluate a text that looks like a formula; an apostrophe in front prevents it. */
export function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) || plain !== text ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const markdownOf = ({ title, version, transitions }: UndrawnChart): string =>
  `# ${title}

Definition version \`${version}\`.

${tableOf(headings, transitions.map(rowOf))}
`;

/** A Markdown table with aligned columns, readable as plain text too. */
export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [titles, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')));
  const widths = titles.map((_, column) => Math.max(3, ...cells.map((row) => [...(row[column] ?? '')].length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(cells[0] ?? []), rule, ...cells.slice(1).map(line)].join('\n');
}
