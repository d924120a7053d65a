/** Inputs that once failed: kept as files, sent again by every run. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Headers } from '../../node/support/client.js';

export interface Fixture {
  /** What went wrong with it. */
  readonly found: string;
  /** What it must be answered with; absent: anything below 500. */
  readonly status?: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Headers;
  /** As it goes out. */
  readonly body?: string;
  /** Repeats `{repeat}` in path, headers and body so many times, instead of a file of that size. */
  readonly repeat?: { readonly text: string; readonly times: number };
}

/** In the sources, not in dist: what is found is to be committed. */
const folder = fileURLToPath(new URL('../../../../test/hostile/fixtures/', import.meta.url));

export const fixtures = (): readonly (readonly [string, Fixture])[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture]);

/** @returns the file's name */
export function keep(fixture: Fixture): string {
  const text = `${JSON.stringify(fixture, null, 2)}\n`;
  const name = `found-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`;
  writeFileSync(join(folder, name), text);
  return name;
}

export function written({ repeat, ...fixture }: Fixture): Fixture {
  if (!repeat) return fixture;
  const long = JSON.stringify(repeat.text.repeat(repeat.times)).slice(1, -1);
  return JSON.parse(JSON.stringify(fixture).replaceAll('{repeat}', () => long)) as Fixture;
}
