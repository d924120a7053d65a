/** Writes the journal: numbering, hash chain, secondary index, and idempotency keys. */

import { createHash } from 'node:crypto';
import { dayMs } from '../../core/bounds.js';
import { assert } from '../../core/refusal.js';
import { historyTypes } from '../../machines/kernel/posting.js';
import { chainHashOf, type EntryCore, noHash } from '../entry.js';
import type { Accounts } from './accounts.js';
import { Bulk } from './bulk.js';
import type { SqliteConnection } from './connection.js';
import { sealedTo } from './entry-rows.js';
import type { CommitJob, SegmentName, SnapshotJob } from './job.js';
import { packed } from './packing.js';
import { snapshotRowOf } from './rows.js';
import { eventPrefix, historyLinesOf, type SecondaryIndex, ways } from './secondary-index.js';

export interface JournalPlace {
  readonly seq: number;
  readonly prevEntry: string;
  readonly chainHash: string;
}

/** Days that a key is kept at least. Longer than its claim, which is two days. */
export const keptDays = 3;
const purgedRows = 500;

export class JournalWriter {
  readonly #insert;
  readonly #types: Map<string, number>;
  #seq: number;
  #chainHash: string;
  #newestDay = 0;
  #forgottenDay = 0;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly accounts: Accounts,
    private readonly index: SecondaryIndex,
  ) {
    this.#insert = new Bulk(connection, { insert: 'INSERT INTO journal', columns: 6 });
    const types = connection.rows<[number, string]>('SELECT type, name FROM event_types');
    this.#types = new Map(types.map(([type, name]) => [name, type]));
    const head = connection.row<[number, string]>('SELECT seq, chain_hash FROM journal ORDER BY seq DESC LIMIT 1');
    this.#seq = head?.[0] ?? 0;
    this.#chainHash = head?.[1] ?? noHash;
  }

  /**
   * The taken key of the entry's idempotency record, if any. An entry of day d claims d and d+1 but is stored once,
   * under d: it conflicts with a record stored under d-1, d or d+1.
   */
  takenKey({ idem, time }: EntryCore): string | undefined {
    if (!idem) return undefined;
    const day = Math.floor(time / dayMs);
    const taken = 'SELECT day FROM idempotency WHERE hash = ? AND day IN (?, ?, ?) ORDER BY day LIMIT 1';
    const found = this.connection.row<[number]>(taken, keyHash(idem.principal, idem.key), day - 1, day, day + 1);
    return found && `idem/${idem.principal}#${idem.key}@${Math.max(day, found[0])}`;
  }

  get next(): number {
    return this.#seq + 1;
  }

  /**
   * Adds an entry.
   * @returns its place, and the snapshot whose context is stored packed with the entry, if any
   */
  add(
    core: EntryCore,
    { coreText, payloadText, entryHash }: CommitJob,
    { issuer, snapshots }: { readonly issuer: number; readonly snapshots: readonly SnapshotJob[] },
  ): { readonly place: JournalPlace; readonly held: SnapshotJob | undefined } {
    const seq = ++this.#seq;
    const prevEntry = this.#chainHash;
    const chainHash = chainHashOf(seq, prevEntry, entryHash);
    this.#chainHash = chainHash;
    const { event, idem, time } = core;
    const type = this.#typeOf(event.type);
    const made = snapshots.find(isMadeForMany);
    const bytes = packed(coreText, payloadText, made?.context);
    const texts = bytes ? (['', '', bytes] as const) : ([coreText, payloadText, null] as const);
    this.#insert.add(seq, entryHash, chainHash, ...texts);
    this.index.add(ways.event, eventPrefix(event.hash), seq);
    this.index.add(ways.issuer, issuer, seq);
    this.index.add(ways.type, type, seq);
    for (const line of historyLinesOf(core)) {
      const account = this.accounts.change(line.did, seq);
      account[line.type]++;
      this.index.add(historyTypes.indexOf(line.type), account.account, seq, line.move);
    }
    if (idem) {
      const day = Math.floor(time / dayMs);
      this.#newestDay = Math.max(this.#newestDay, day);
      this.connection.change('INSERT INTO idempotency VALUES (?,?,?)', day, keyHash(idem.principal, idem.key), seq);
      if (snapshots.length > 0)
        this.connection.change('INSERT INTO replies VALUES (?,?)', seq, JSON.stringify(snapshots.map(snapshotRowOf)));
    }
    return { place: { seq, prevEntry, chainHash }, held: bytes && made };
  }

  /** Deletes the rows of the entries that are in the segment, which is on disk. */
  seal({ last, chainHash, sha256 }: SegmentName): void {
    if (last <= sealedTo(this.connection)) return;
    const [found] = this.connection.row<[string]>('SELECT chain_hash FROM journal WHERE seq = ?', last) ?? [];
    assert(found === chainHash, 'a segment ends with an entry of this journal');
    this.connection.change('INSERT INTO segments VALUES (?,?,?)', last, chainHash, sha256);
    // What the rows had stays in the segment, so the free pages need not be overwritten.
    this.connection.value('PRAGMA secure_delete = OFF');
    this.connection.change('DELETE FROM journal WHERE seq <= ?', last);
    this.connection.value('PRAGMA secure_delete = ON');
  }

  flush(): void {
    this.#insert.flush();
    this.index.flush();
    this.#forgetOldKeys();
  }

  /** Deletes some expired keys. Bounded per transaction, to keep it short. */
  #forgetOldKeys(): void {
    if (this.#forgottenDay >= this.#newestDay) return;
    const before = this.#newestDay - keptDays;
    const oldest = `FROM idempotency WHERE day < ? ORDER BY day, hash LIMIT ${purgedRows}`;
    this.connection.change(`DELETE FROM replies WHERE seq IN (SELECT seq ${oldest})`, before);
    const forgotten = this.connection.change(
      `DELETE FROM idempotency WHERE (day, hash) IN (SELECT day, hash ${oldest})`,
      before,
    );
    if (forgotten < purgedRows) this.#forgottenDay = this.#newestDay;
  }

  #typeOf(name: string): number {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const type = this.#types.size + 1;
    this.connection.change('INSERT INTO event_types VALUES (?,?)', type, name);
    this.#types.set(name, type);
    return type;
  }
}

/**
 * Resources in the search index are many and rarely change: their context is packed to save space, at the cost of
 * slower reads.
 */
const isMadeForMany = ({ version, search }: SnapshotJob): boolean => version === 1 && search?.found !== undefined;

/** A 16-byte hash of a key that may have 400 bytes. Collisions cannot be found. */
export const keyHash = (principal: string, key: string): Uint8Array =>
  createHash('sha256').update(`${principal}#${key}`).digest().subarray(0, 16);
