/** Inputs that once caused a failure, kept as files and sent again by every run. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Headers } from '../../node/support/client.js';

export interface Fixture {
  /** The failure that it caused. */
  readonly found: string;
  /** Expected status; absent: anything below 500. */
  readonly status?: number;
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly headers?: Headers;
  /** The body as it is sent. */
  readonly body?: string;
  /** Replaces `{repeat}` in path, headers and body by this many repetitions, so that the file stays small. */
  readonly repeat?: { readonly text: string; readonly times: number };
}

/** In the source folder and not in dist, because new fixtures are committed. */
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
