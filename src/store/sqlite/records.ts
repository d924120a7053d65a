/** Writes what is not in the journal: receipts, contents and local records. */
import { canonical } from '../../core/canonical.js';
import { noHash, type Receipt, receiptHashOf } from '../entry.js';
import type { Content } from '../store.js';
import { Bulk } from './bulk.js';
import type { SqliteConnection } from './connection.js';
import { rowHash } from './row-hash.js';
import { hashBytes, txPrefix } from './rows.js';

export class Receipts {
  #number: number;
  #hash: string;

  constructor(private readonly connection: SqliteConnection) {
    const newest = 'SELECT number, receipt_hash FROM receipts ORDER BY number DESC LIMIT 1';
    const [number, hash] = connection.row<[number, string]>(newest) ?? [0, noHash];
    this.#number = number;
    this.#hash = hash;
  }

  add(receipt: Receipt): void {
    this.#number++;
    this.#hash = receiptHashOf(this.#number, this.#hash, receipt);
    const values = [this.#number, receipt.entryHash, this.#hash, canonical(receipt), txPrefix(receipt.txHash)];
    this.connection.change('INSERT INTO receipts VALUES (?,?,?,?,?)', ...values);
  }
}

export class ContentWriter {
  readonly #insert;

  constructor(private readonly connection: SqliteConnection) {
    this.#insert = new Bulk(connection, { insert: 'INSERT OR IGNORE INTO contents (hash, seq, bytes)', columns: 3 });
  }

  erase(hash: string): void {
    this.connection.change('DELETE FROM contents WHERE hash = ?', hashBytes(hash));
  }

  add(seq: number, contents: readonly Content[]): void {
    for (const { hash, bytes } of contents) this.#insert.add(hashBytes(hash), seq, bytes);
  }

  flush(): void {
    this.#insert.flush();
  }
}

export class LocalRecords {
  constructor(private readonly connection: SqliteConnection) {}

  put(name: string, id: string, value: string, revision: number): boolean {
    const hash = rowHash(name, id, revision + 1, value);
    if (revision === 0)
      return this.connection.change('INSERT OR IGNORE INTO local VALUES (?,?,1,?,?)', name, id, value, hash) === 1;
    const update =
      'UPDATE local SET value = ?, hash = ?, revision = revision + 1 WHERE name = ? AND id = ? AND revision = ?';
    return this.connection.change(update, value, hash, name, id, revision) === 1;
  }

  delete(name: string, id: string): boolean {
    return this.connection.change('DELETE FROM local WHERE name = ? AND id = ?', name, id) === 1;
  }
}
