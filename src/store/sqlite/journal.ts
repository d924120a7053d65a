/** The writer's journal: numbering, chain, the indexes that lead back to entries, and idempotency keys. */
import { createHash } from 'node:crypto';
import { partiesOf } from '../../machines/kernel/posting.js';
import { chainHashOf, dayMs, type EntryCore, noHash } from '../entry.js';
import { type Accounts, historyTypes } from './accounts.js';
import type { Connection } from './connection.js';
import type { CommitJob } from './job.js';
import { snapshotRow } from './rows.js';

export interface Place {
  readonly seq: number;
  readonly prevEntry: string;
  readonly chainHash: string;
}

/** Days that a key outlives its claim (today and tomorrow), and how many are forgotten in one transaction. */
const purge = { afterDays: 3, rows: 500 };

export class Journal {
  readonly #insert;
  readonly #touch;
  readonly #insertType;
  readonly #types: Map<string, number>;
  readonly #findKey;
  readonly #keepKey;
  readonly #keepReply;
  readonly #forgetReplies;
  readonly #forgetKeys;
  readonly #accounts: Accounts;
  #seq: number;
  #chainHash: string;
  #newestDay = 0;
  #forgottenDay = 0;

  constructor(connection: Connection, accounts: Accounts) {
    this.#accounts = accounts;
    this.#insert = connection.change('INSERT INTO journal VALUES (?,?,?,?,?,?,?,?,?)');
    this.#touch = connection.change('INSERT OR IGNORE INTO account_moves VALUES (?,?,?,?)');
    this.#insertType = connection.change('INSERT INTO event_types VALUES (?,?)');
    this.#types = new Map(
      connection
        .rows<[number, string]>('SELECT type, name FROM event_types')([])
        .map(([type, name]) => [name, type]),
    );
    this.#findKey = connection.row<[number]>(
      'SELECT day FROM idempotency WHERE hash = ? AND day IN (?, ?, ?) ORDER BY day LIMIT 1',
    );
    this.#keepKey = connection.change('INSERT INTO idempotency VALUES (?,?,?)');
    this.#keepReply = connection.change('INSERT INTO replies VALUES (?,?)');
    const oldest = `FROM idempotency WHERE day < ? ORDER BY day, hash LIMIT ${purge.rows}`;
    this.#forgetReplies = connection.change(`DELETE FROM replies WHERE seq IN (SELECT seq ${oldest})`);
    this.#forgetKeys = connection.change(`DELETE FROM idempotency WHERE (day, hash) IN (SELECT day, hash ${oldest})`);
    const head = connection.row<[number, string]>('SELECT seq, chain_hash FROM journal ORDER BY seq DESC LIMIT 1')([]);
    this.#seq = head?.[0] ?? 0;
    this.#chainHash = head?.[1] ?? noHash;
  }

  /**
   * The key of the entry's idempotency record that is held already. An entry of day d claims d and d+1 but is
   * stored once, under d: it meets another one exactly when that one is stored under d-1, d or d+1.
   */
  takenKey({ idem, time }: EntryCore): string | undefined {
    if (!idem) return undefined;
    const day = Math.floor(time / dayMs);
    const found = this.#findKey([keyHash(idem.principal, idem.key), day - 1, day, day + 1]);
    return found && `idem/${idem.principal}#${idem.key}@${Math.max(day, found[0])}`;
  }

  /** The number of the next entry. */
  get next(): number {
    return this.#seq + 1;
  }

  add(core: EntryCore, { coreText, payloadText, entryHash, snapshots }: CommitJob, issuer: number): Place {
    const seq = ++this.#seq;
    const prevEntry = this.#chainHash;
    const chainHash = chainHashOf(seq, prevEntry, entryHash);
    this.#chainHash = chainHash;
    const { event, idem, moves, time } = core;
    const type = this.#typeOf(event.type);
    const prefix = eventPrefix(event.hash);
    this.#insert([seq, prefix, issuer, event.nonce, type, entryHash, chainHash, coreText, payloadText]);
    for (let move = 0; move < moves.length; move++) {
      for (const [did, historyType] of partiesOf(moves[move]!)) {
        const account = this.#accounts.change(did, seq);
        account[historyType] += this.#touch([account.account, historyTypes.indexOf(historyType), seq, move]);
      }
    }
    if (idem) {
      this.#newestDay = Math.max(this.#newestDay, Math.floor(time / dayMs));
      this.#keepKey([Math.floor(time / dayMs), keyHash(idem.principal, idem.key), seq]);
      if (snapshots.length > 0) this.#keepReply([seq, JSON.stringify(snapshots.map(snapshotRow))]);
    }
    return { seq, prevEntry, chainHash };
  }

  /** Forgets some keys of days long past; at most a few hundred a transaction, so that nobody waits for it. */
  forgetOldKeys(): void {
    if (this.#forgottenDay >= this.#newestDay) return;
    const before = this.#newestDay - purge.afterDays;
    this.#forgetReplies([before]);
    const forgotten = this.#forgetKeys([before]);
    if (forgotten < purge.rows) this.#forgottenDay = this.#newestDay;
  }

  #typeOf(name: string): number {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const type = this.#types.size + 1;
    this.#insertType([type, name]);
    this.#types.set(name, type);
    return type;
  }
}

/** The first 48 bits, which a JavaScript number holds exactly: an index on them finds an event's few candidates. */
export const eventPrefix = (eventHash: string): number => Number.parseInt(eventHash.slice(0, 12), 16);

/** 16 bytes instead of up to 400: nobody finds two keys with the same ones. */
export const keyHash = (principal: string, key: string): Uint8Array =>
  createHash('sha256').update(`${principal}#${key}`).digest().subarray(0, 16);
