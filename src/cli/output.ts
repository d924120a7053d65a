/** What commands print: results to standard output, everything else to standard error. */
import process from 'node:process';

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value));
/** A word to the person who waits; no part of the result. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);

/** A reader that went away (`svc-node … | head`) is no fault of ours. */
export function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

/** What others have written (labels, say) must not steer the terminal. */
export const tame = (text: string): string => text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, '\u{fffd}');

/** Columns as wide as their longest cell, two blanks between them. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows.map((row) => row.map(tame))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values, one pair a line. */
export function facts(pairs: readonly (readonly [name: string, value: string])[], indent = ''): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`).join('\n');
}

/** `2026-11-21 04:20:00Z`, or `–`. */
export const timeText = (epochMs: number | null): string =>
  epochMs === null ? '–' : `${new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ')}Z`;

export const count = (value: number): string => value.toLocaleString('en-US');

export function durationText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}
