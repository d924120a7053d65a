/** Prints the results of the demo, and fails it if one is not as expected. */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';

/** A result differs from the expected one; the message is for the person who runs the demo. */
export class DemoFailed extends Error {
  override name = 'DemoFailed';
}

// https://no-color.org: any value but the empty one.
const colored = process.stdout.isTTY === true && !process.env.NO_COLOR;
const paint =
  (code: number) =>
  (text: string): string =>
    colored ? `\u001b[${code}m${text}\u001b[0m` : text;

export const bold = paint(1);
export const dim = paint(2);
export const green = paint(32);
export const red = paint(31);

export const print = (text = ''): void => void process.stdout.write(`${text}\n`);

/** The beginning of a hash, long enough to be unique here. */
export const short = (hash: string): string => `${hash.slice(0, 10)}…`;
/** Both ends of a DID or address, because all begin alike. */
export const shortName = (name: string): string => `${name.slice(0, 14)}…${name.slice(-6)}`;

const widths = { what: 50, value: 27 };
let steps = 0;
let checks = 0;

export const checksMade = (): number => checks;

export function step(title: string): void {
  steps += 1;
  print(`\n${bold(`${String(steps).padStart(2)}  ${title}`)}`);
}

/** Prints a line without comparing anything. */
export const tell = (what: string, value: string, aside = ''): void => print(line(' ', what, value, aside));

const line = (mark: string, what: string, value: string, aside: string): string =>
  `    ${mark} ${what.padEnd(widths.what)} ${value.padEnd(aside ? widths.value : 0)}${aside ? ` ${dim(aside)}` : ''}`;

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 6 });

export interface Shown {
  /** Printed instead of the value. */
  readonly as?: string;
  /** Printed after the value. */
  readonly aside?: string;
}

/** Compares a result with the expected one and prints it, or fails. */
export function check(what: string, actual: unknown, expected: unknown, { as, aside = '' }: Shown = {}): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new DemoFailed(`${what}: expected ${textOf(expected)}, got ${textOf(actual)}`);
  }
  checks += 1;
  print(line(green('✓'), what, as ?? textOf(actual), aside));
}

const longestMs = 60_000;

/** Looks until the condition holds; fails the demo if that takes too long. */
export async function waitFor<T>(look: () => Promise<T>, is: (seen: T) => boolean, what: string): Promise<T> {
  for (const end = performance.now() + longestMs; ; await pause(100)) {
    const seen = await look();
    if (is(seen)) return seen;
    if (performance.now() > end) throw new DemoFailed(`waited ${longestMs / 1_000} s for: ${what}`);
  }
}
