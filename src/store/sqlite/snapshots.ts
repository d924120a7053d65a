/** Rows of resources as they are read: the context of what an entry has made may lie packed with that entry (packing.ts). */
import type { Connection } from './connection.js';
import { unpacked } from './packing.js';
import { type SnapshotRow, type StoredSnapshotRow, snapshotColumns } from './rows.js';

/** Contexts kept unpacked, most of them of the pages that are looked at again and again: less than 1 KiB each. */
const kept = 1_000;

export class Snapshots {
  readonly #byName;
  readonly #byNumber;
  readonly #packed;
  /** By the number of the entry, which never changes; in order of use. */
  readonly #contexts = new Map<number, string>();

  constructor(connection: Connection) {
    const select = `SELECT ${snapshotColumns} FROM resources r WHERE`;
    this.#byName = connection.row<StoredSnapshotRow>(`${select} r.kind = ? AND r.id = ?`);
    this.#byNumber = connection.row<StoredSnapshotRow>(`${select} r.resource = ?`);
    this.#packed = connection.row<[Uint8Array]>('SELECT packed FROM journal WHERE seq = ?');
  }

  named(kind: string, id: string): SnapshotRow | undefined {
    const row = this.#byName([kind, id]);
    return row && this.#whole(row);
  }

  /** @param resource of one that there is */
  numbered(resource: number): SnapshotRow {
    return this.#whole(this.#byNumber([resource])!);
  }

  #whole([kind, id, version, state, text, ...more]: StoredSnapshotRow): SnapshotRow {
    const [lastHash, machine, createdAt, updatedAt, contextAt] = more;
    const context = contextAt === null ? text : this.#contextIn(contextAt);
    return [kind, id, version, state, context, lastHash, machine, createdAt, updatedAt];
  }

  #contextIn(seq: number): string {
    const known = this.#contexts.get(seq);
    const [bytes] = known === undefined ? (this.#packed([seq]) ?? []) : [];
    const context = known ?? (bytes ? unpacked(bytes)[2] : '');
    this.#contexts.delete(seq);
    this.#contexts.set(seq, context);
    if (this.#contexts.size > kept) this.#contexts.delete(this.#contexts.keys().next().value!);
    return context;
  }
}
