/** The output of a benchmark: one line for each figure, its target, and whether the target was met. */

export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** Absent: the figure is for information only. */
  readonly target?: string;
  readonly met?: boolean;
  /** Both in the same unit. */
  readonly value?: number;
  readonly bound?: number;
  readonly isAtLeast?: boolean;
}

/** Lines of points over a common axis. */
export interface Chart {
  readonly title: string;
  /** What the axes show, with the unit. */
  readonly x: string;
  readonly y: string;
  readonly lines: readonly { readonly name: string; readonly values: readonly (readonly [x: number, y: number])[] }[];
}

/** What the run has shown so far. */
export const tables: { readonly title: string; readonly figures: readonly Figure[] }[] = [];
export const charts: Chart[] = [];

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** 0 where there are no values. @param part 0.5 for the median */
export const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

export const atMost = (what: string, value: number, most: number, show: (value: number) => string): Figure => ({
  what,
  measured: show(value),
  target: `≤ ${show(most)}`,
  met: value <= most,
  ...{ value, bound: most },
});

export const atLeast = (what: string, value: number, least: number, show: (value: number) => string): Figure => ({
  what,
  measured: show(value),
  target: `≥ ${show(least)}`,
  met: value >= least,
  ...{ value, bound: least, isAtLeast: true },
});

export const perSecond = (value: number): string => `${Math.round(value)}/s`;
export const micros = (value: number): string => `${value.toFixed(0)} µs`;
export const times = (value: number): string => `${value.toFixed(2)} ×`;
export const percent = (value: number): string => `${(value * 100).toFixed(0)} %`;
export const millis = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
export const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
export const count = (value: number): string => value.toFixed(value < 100 && !Number.isInteger(value) ? 1 : 0);

export function table(title: string, figures: readonly Figure[]): void {
  tables.push({ title, figures });
  const cells = [
    [title, 'target', 'measured', ''],
    ...figures.map(({ what, target = '', measured, met }) => [
      what,
      target,
      measured,
      met === undefined ? '' : met ? 'ok' : 'MISS',
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]!.length)));
  say('');
  for (const [index, row] of cells.entries()) {
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('   ')
        .trimEnd(),
    );
    if (index === 0) say(widths.map((width) => '─'.repeat(width)).join('   '));
  }
}
