import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'chai';

export interface UntilOptions<T> {
  /** What is waited for. @default what is seen is truthy */
  readonly is?: (seen: T) => unknown;
  readonly longestMs?: number;
}

const everyMs = 20;

/** Looks again and again until it is so. Fails with what was seen last. @returns what was seen then */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { is = Boolean, longestMs = 30_000 }: UntilOptions<T> = {},
): Promise<T> {
  for (const end = performance.now() + longestMs; ; await wait(everyMs)) {
    const seen = await look();
    if (is(seen)) return seen;
    if (performance.now() > end) {
      expect.fail(`waited ${longestMs} ms for: ${what}; last seen: ${inspect(seen, { depth: 4 }).slice(0, 2_000)}`);
    }
  }
}
