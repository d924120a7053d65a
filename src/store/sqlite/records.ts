/** The writer's records outside the journal: receipts, what entries bring, and documents local to this database. */
import { canonical } from '../../machines/kernel/canonical.js';
import { noHash, type Receipt, receiptHashOf } from '../entry.js';
import type { Content } from '../store.js';
import type { Connection } from './connection.js';
import { txPrefix } from './rows.js';

export class Receipts {
  readonly #insert;
  #number: number;
  #hash: string;

  constructor(connection: Connection) {
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

export class Contents {
  readonly #insert;

  constructor(connection: Connection) {
    this.#insert = connection.change('INSERT OR IGNORE INTO contents (hash, entry_hash, bytes) VALUES (?,?,?)');
  }

  add(entryHash: string, contents: readonly Content[]): void {
    for (const { hash, bytes } of contents) this.#insert([hash, entryHash, bytes]);
  }
}

export class LocalRecords {
  readonly #insert;
  readonly #update;
  readonly #delete;

  constructor(connection: Connection) {
    this.#insert = connection.change('INSERT OR IGNORE INTO local VALUES (?,?,1,?)');
    this.#update = connection.change(
      'UPDATE local SET value = ?, revision = revision + 1 WHERE name = ? AND id = ? AND revision = ?',
    );
    this.#delete = connection.change('DELETE FROM local WHERE name = ? AND id = ?');
  }

  put(name: string, id: string, value: string, revision: number): boolean {
    return (revision === 0 ? this.#insert([name, id, value]) : this.#update([value, name, id, revision])) === 1;
  }

  delete(name: string, id: string): boolean {
    return this.#delete([name, id]) === 1;
  }
}
