/** The writer's journal: numbering, chain, what leads back to entries, and idempotency keys. */
import { createHash } from 'node:crypto';
import { chainHashOf, dayMs, type EntryCore, noHash } from '../entry.js';
import type { Accounts } from './accounts.js';
import { Bulk } from './bulk.js';
import type { Connection } from './connection.js';
import type { CommitJob, SnapshotJob } from './job.js';
import { eventPrefix, historyTypes, type Leads, linesOf, ways } from './leads.js';
import { packed } from './packing.js';
import { rowOf } from './rows.js';

export interface Place {
  readonly seq: number;
  readonly prevEntry: string;
  readonly chainHash: string;
}

/** Days that a key outlives its claim (today and tomorrow), and how many are forgotten in one transaction. */
const purge = { afterDays: 3, rows: 500 };

export class Journal {
  readonly #insert;
  readonly #insertType;
  readonly #types: Map<string, number>;
  readonly #findKey;
  readonly #keepKey;
  readonly #keepReply;
  readonly #forgetReplies;
  readonly #forgetKeys;
  readonly #accounts: Accounts;
  readonly #leads: Leads;
  #seq: number;
  #chainHash: string;
  #newestDay = 0;
  #forgottenDay = 0;

  constructor(connection: Connection, accounts: Accounts, leads: Leads) {
    this.#accounts = accounts;
    this.#leads = leads;
    this.#insert = new Bulk(connection, { insert: 'INSERT INTO journal', columns: 8 });
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

  /** @returns the place, and the snapshot whose context lies with the entry now, if one does */
  add(
    core: EntryCore,
    { coreText, payloadText, entryHash }: CommitJob,
    { issuer, snapshots }: { readonly issuer: number; readonly snapshots: readonly SnapshotJob[] },
  ): { readonly place: Place; readonly held: SnapshotJob | undefined } {
    const seq = ++this.#seq;
    const prevEntry = this.#chainHash;
    const chainHash = chainHashOf(seq, prevEntry, entryHash);
    this.#chainHash = chainHash;
    const { event, idem, time } = core;
    const type = this.#typeOf(event.type);
    const made = snapshots.find(isMadeForMany);
    const bytes = packed(coreText, payloadText, made?.context);
    const texts = bytes ? (['', null, bytes] as const) : ([coreText, payloadText, null] as const);
    this.#insert.add(seq, issuer, type, entryHash, chainHash, ...texts);
    this.#leads.add(ways.event, eventPrefix(event.hash), seq);
    this.#leads.add(ways.issuer, issuer, seq);
    this.#leads.add(ways.type, type, seq);
    for (const line of linesOf(core)) {
      const account = this.#accounts.change(line.did, seq);
      account[line.type]++;
      this.#leads.add(historyTypes.indexOf(line.type), account.account, seq, line.move);
    }
    if (idem) {
      this.#newestDay = Math.max(this.#newestDay, Math.floor(time / dayMs));
      this.#keepKey([Math.floor(time / dayMs), keyHash(idem.principal, idem.key), seq]);
      if (snapshots.length > 0) this.#keepReply([seq, JSON.stringify(snapshots.map(rowOf))]);
    }
    return { place: { seq, prevEntry, chainHash }, held: bytes && made };
  }

  flush(): void {
    this.#insert.flush();
    this.#leads.flush();
    this.#forgetOldKeys();
  }

  /** Forgets some keys of days long past; at most a few hundred a transaction, so that nobody waits for it. */
  #forgetOldKeys(): void {
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

/** What is searched is many, and seldom moves: its context is to take little room, and may take longer to read. */
const isMadeForMany = ({ version, search }: SnapshotJob): boolean => version === 1 && search?.found !== undefined;

/** 16 bytes instead of up to 400: nobody finds two keys with the same ones. */
export const keyHash = (principal: string, key: string): Uint8Array =>
  createHash('sha256').update(`${principal}#${key}`).digest().subarray(0, 16);
