/** How a reply is printed. */
import process from 'node:process';
import { print, printJson } from '../output.js';
import { yamlOf } from '../yaml.js';

export const formatsForPrograms = ['json', 'yaml'] as const;
export const outputFormats = ['table', 'full', ...formatsForPrograms] as const;
export type OutputFormat = (typeof outputFormats)[number];

interface OutputOptions {
  readonly output?: string;
  readonly json?: boolean;
}

export const formatOf = ({ output, json }: OutputOptions): OutputFormat =>
  json ? 'json' : ((output as OutputFormat | undefined) ?? 'table');

export const isForPrograms = (options: OutputOptions): boolean =>
  (formatsForPrograms as readonly OutputFormat[]).includes(formatOf(options));

/** @returns whether the format is one for programs, and has been printed */
export function printForPrograms(value: unknown, options: OutputOptions): boolean {
  const format = formatOf(options);
  if (format === 'yaml') print(yamlOf(value));
  // `--json` promises one line; `--output json` on a terminal is formatted for reading.
  else if (format === 'json' && !options.json && process.stdout.isTTY) print(JSON.stringify(value, undefined, 2));
  else if (format === 'json') printJson(value);
  else return false;
  return true;
}
