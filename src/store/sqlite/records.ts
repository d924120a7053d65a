/** Writes what is not in the journal: receipts, contents and local records. */
import { canonical } from '../../core/canonical.js';
import { noHash, type Receipt, receiptHashOf } from '../entry.js';
import type { Content } from '../store.js';
import type { SqliteConnection } from './connection.js';
import { rowHash } from './row-hash.js';
import { hashBytes, txPrefix } from './rows.js';

export class Receipts {
  readonly #insert;
  #number: number;
  #hash: string;

  constructor(connection: SqliteConnection) {
    this.#insert = connection.change('INSERT INTO receipts VALUES (?,?,?,?,?)');
    const newest = 'SELECT number, receipt_hash FROM receipts ORDER BY number DESC LIMIT 1';
    const [number, hash] = connection.row<[number, string]>(newest)([]) ?? [0, noHash];
    this.#number = number;
    this.#hash = hash;
  }

  add(receipt: Receipt): void {
    this.#number++;
    this.#hash = receiptHashOf(this.#number, this.#hash, receipt);
    this.#insert([this.#number, receipt.entryHash, this.#hash, canonical(receipt), txPrefix(receipt.txHash)]);
  }
}

export class ContentWriter {
  readonly #insert;
  readonly #delete;

  constructor(connection: SqliteConnection) {
    this.#delete = connection.change('DELETE FROM contents WHERE hash = ?');
    this.#insert = connection.change('INSERT OR IGNORE INTO contents (hash, seq, bytes) VALUES (?,?,?)');
  }

  erase(hash: string): void {
    this.#delete([hashBytes(hash)]);
  }

  add(seq: number, contents: readonly Content[]): void {
    for (const { hash, bytes } of contents) this.#insert([hashBytes(hash), seq, bytes]);
  }
}

export class LocalRecords {
  readonly #insert;
  readonly #update;
  readonly #delete;

  constructor(connection: SqliteConnection) {
    this.#insert = connection.change('INSERT OR IGNORE INTO local VALUES (?,?,1,?,?)');
    this.#update = connection.change(
      'UPDATE local SET value = ?, hash = ?, revision = revision + 1 WHERE name = ? AND id = ? AND revision = ?',
    );
    this.#delete = connection.change('DELETE FROM local WHERE name = ? AND id = ?');
  }

  put(name: string, id: string, value: string, revision: number): boolean {
    const hash = rowHash(name, id, revision + 1, value);
    const values = revision === 0 ? [name, id, value, hash] : [value, hash, name, id, revision];
    return (revision === 0 ? this.#insert(values) : this.#update(values)) === 1;
  }

  delete(name: string, id: string): boolean {
    return this.#delete([name, id]) === 1;
  }
}
