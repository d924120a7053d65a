import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'chai';

export interface UntilOptions<T> {
  /** The condition. @default the value is truthy */
  readonly is?: (seen: T) => unknown;
  /** Long enough for a machine that does many other things. */
  readonly longestMs?: number;
  readonly everyMs?: number;
}

/** Polls until the condition holds. Fails with the last value. @returns the value for which it held */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { is = Boolean, longestMs = 120_000, everyMs = 20 }: UntilOptions<T> = {},
): Promise<T> {
  for (const end = performance.now() + longestMs; ; await wait(everyMs)) {
    const seen = await look();
    if (is(seen)) return seen;
    if (performance.now() > end) {
      expect.fail(`waited ${longestMs} ms for: ${what}; last seen: ${inspect(seen, { depth: 4 }).slice(0, 2_000)}`);
    }
  }
}
