/** Reads rows of resources. A context may be packed with the entry that created it (packing.ts). */
import { LRUCache } from 'lru-cache';
import type { SqliteConnection } from './connection.js';
import type { EntryRows } from './entry-rows.js';
import { type SnapshotRow, type StoredSnapshotRow, snapshotColumns } from './rows.js';

/** Unpacked contexts in the cache, less than 1 KiB each. */
const kept = 1_000;

const select = `SELECT ${snapshotColumns} FROM resources r WHERE`;

export class Snapshots {
  /** By the number of the entry, whose context never changes. */
  readonly #contexts = new LRUCache<number, string>({ max: kept });

  constructor(
    private readonly connection: SqliteConnection,
    private readonly entries: EntryRows,
  ) {}

  named(kind: string, id: string): SnapshotRow | undefined {
    const row = this.connection.row<StoredSnapshotRow>(`${select} r.kind = ? AND r.id = ?`, kind, id);
    return row && this.#whole(row);
  }

  all(kinds: readonly string[], ids: readonly string[]): SnapshotRow[] {
    const among = 'IN (SELECT value FROM json_each(?))';
    const rows = this.connection.rows<StoredSnapshotRow>(
      `${select} r.kind ${among} AND r.id ${among}`,
      JSON.stringify(kinds),
      JSON.stringify(ids),
    );
    return rows.map((row) => this.#whole(row));
  }

  numbered(resource: number): SnapshotRow {
    return this.#whole(this.connection.row<StoredSnapshotRow>(`${select} r.resource = ?`, resource)!);
  }

  #whole([kind, id, version, state, text, ...more]: StoredSnapshotRow): SnapshotRow {
    const [lastHash, machine, createdAt, updatedAt, contextAt] = more;
    const context = contextAt === null ? text : this.#contextIn(contextAt);
    return [kind, id, version, state, context, lastHash, machine, createdAt, updatedAt];
  }

  #contextIn(seq: number): string {
    const known = this.#contexts.get(seq);
    if (known !== undefined) return known;
    const context = this.entries.texts(seq)?.[2] ?? '';
    this.#contexts.set(seq, context);
    return context;
  }
}
