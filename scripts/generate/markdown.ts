/** Markdown that people read as text, too: tables with aligned columns. */

export const headOf = (title: string): string =>
  `# ${title}\n\n<!-- Written by npm run generate; what is changed here is lost. -->\n`;

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headings, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')));
  const widths = headings.map((_, column) => Math.max(3, ...cells.map((row) => [...(row[column] ?? '')].length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(cells[0] ?? []), rule, ...cells.slice(1).map(line)].join('\n');
}

export const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
export const codes = (texts: readonly string[], none = '–'): string => texts.map(code).join(', ') || none;
