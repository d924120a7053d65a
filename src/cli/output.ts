/** What commands print: results to standard output, everything else to standard error. */
import process from 'node:process';
import { hasColour } from './terminal.js';

/** Control characters except tab and newline, those that change the direction of text, and two that are no characters. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;
/** The colours of `paint`. */
const colours = /(\x1b\[(?:1|2|22|32|33|39)m)/;

export const unicodeEscape = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const escaped = (text: string): string => text.replace(controls, unicodeEscape);

/**
 * Escapes what a terminal would execute, wherever it comes from: as `\u…`, which means the same in JSON and YAML.
 */
export const printable = (text: string, stream: { readonly isTTY?: boolean } = process.stdout): string =>
  hasColour(stream)
    ? text
        .split(colours)
        .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
        .join('')
    : escaped(text);

export const print = (text: string): void => void process.stdout.write(`${printable(text)}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value));
/** Writes a note for people to standard error; it is no part of the result. */
export const note = (text: string): void => void process.stderr.write(`${printable(text, process.stderr)}\n`);

const output = new AbortController();
/** Aborts when standard output can no longer be written, as in `svc-node … | head`. */
export const outputLost: AbortSignal = output.signal;
let effect: string | undefined;

export function watchOutput(): void {
  process.stdout.on('error', (error) => output.abort(error));
  process.stderr.on('error', () => {}); // nothing is left to report it with
}

/** @param sentence what the command has done; printed to standard error if standard output is lost */
export function tellIfLost(sentence: string): void {
  effect ??= sentence;
}

/** @returns the exit code: not 0 if output is lost, unless its reader has closed the pipe */
export async function endOutput(exitCode: number): Promise<number> {
  await new Promise<void>((resolve) => {
    if (outputLost.aborted) return resolve();
    // A stream that has failed may not report its end.
    outputLost.addEventListener('abort', () => resolve(), { once: true });
    // Not `end`: it would shut down a socket that other processes write to as well.
    process.stdout.write(printable(''), () => resolve());
  });
  if (!outputLost.aborted) return exitCode;
  const { code, message } = outputLost.reason as NodeJS.ErrnoException;
  const isClosed = code === 'EPIPE';
  if (effect !== undefined || !isClosed) {
    note(`svc-node: ${effect === undefined ? '' : `${effect}, but `}the output could not be written: ${message}`);
  }
  return isClosed ? exitCode : exitCode || 1;
}

/** Text from others (labels, for example) must not contain control characters that the terminal would execute. */
export const tame = (text: string): string => text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, '\u{fffd}');

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Terminal columns of a text: two for each Chinese or Japanese character, none for combining marks. */
export const cellWidth = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (/\p{Mn}|\p{Me}/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1), 0);

const between = '  ';
const number = /^(-?\d+|–)$/;

/** The width of each column: that of its longest cell. The first row has all columns. */
export const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => cellWidth(row[column] ?? ''))));

/**
 * Formats a table: columns as wide as their longest cell, separated by two blanks; columns that contain only numbers
 * are right-aligned.
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows.map((row) => row.map(tame))];
  const widths = widthsOf(all);
  const isNumeric = headings.map((_, column) => rows.length > 0 && rows.every((row) => number.test(row[column] ?? '')));
  const padded = (cell: string, column: number) => {
    const room = ' '.repeat((widths[column] ?? 0) - cellWidth(cell));
    return isNumeric[column] ? room + cell : cell + room;
  };
  return all.map((row) => row.map(padded).join(between).trimEnd()).join('\n');
}

/** Prints a table on a terminal; in a pipe, lines of values separated by tabs. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = () => [headings, ...rows].map((row) => row.map(tame).join('\t')).join('\n');
  print(process.stdout.isTTY ? table(headings, rows) : lines());
}

/** How many of the first columns fit into the terminal; at least one. @param widths of the columns */
export function columnsIn(room: number, widths: readonly number[]): number {
  let taken = -between.length;
  const tooMany = widths.findIndex((width) => {
    taken += between.length + width;
    return taken > room;
  });
  return tooMany < 0 ? widths.length : Math.max(1, tooMany);
}

/** Names and values, as `facts` prints them; those without a value are left out. */
export type Facts = { readonly [name: string]: string | undefined };

/** Formats names and values, one pair per line. */
export function facts(named: Facts, indent = ''): string {
  const pairs = Object.entries(named).filter((pair): pair is [string, string] => pair[1] !== undefined);
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
