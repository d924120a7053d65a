/** A data directory for each test, with SQLite stores that are always closed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SqliteOptions, SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { AppendResult } from '../../../src/store/store.js';

export const writers = ['inline', 'thread'] as const;

export class Directory {
  path = '';
  readonly #stores: SqliteStore[] = [];

  constructor() {
    beforeEach(async () => {
      this.path = await mkdtemp(join(tmpdir(), 'svc-sqlite-'));
    });
    afterEach(async () => {
      await Promise.all(this.#stores.splice(0).map((store) => store.close()));
      await rm(this.path, { recursive: true, force: true });
    });
  }

  async open(
    options: (typeof writers)[number] | Partial<SqliteOptions> = 'inline',
    dir = this.path,
    newIndexRows?: number,
  ): Promise<SqliteStore> {
    const given = typeof options === 'string' ? { writer: options } : options;
    const store = await SqliteStore.open({
      ...{ dir, writer: 'inline' as const, ...(newIndexRows && { newIndexRows }) },
      ...given,
    });
    this.#stores.push(store);
    return store;
  }
}

export const seqsOf = (results: readonly AppendResult[]): (number | string)[] =>
  results.map((result) => (result.ok ? result.seq : result.taken));
