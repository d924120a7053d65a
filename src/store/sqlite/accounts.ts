/**
 * The writer's cache of ledger rows: read once, changed in memory, and written once per transaction. Caching is safe
 * because there is one writer (lock.ts), which is discarded with its caches when a transaction fails.
 */

import { growingCache } from '../../core/growing-cache.js';
import { foldEntry, type LedgerRow, type SystemBalances } from '../../machines/kernel/ledger.js';
import type { EntryCore } from '../entry.js';
import { unseenAccount } from '../store.js';
import { Bulk } from './bulk.js';
import type { SqliteConnection } from './connection.js';

export interface AccountRow extends LedgerRow {
  readonly account: number;
  readonly did: string;
  seq: number;
  sent: number;
  received: number;
  escrow: number;
}

type Columns = readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  string | null,
  number,
  number,
  number,
  number,
];

const columns =
  'account, available, reserved, escrowed, version, frozen, nonce, last_hash, seq, sent, received, escrow' as const;

/** Rows kept between transactions: about 0.5 KiB each. */
const keptRows = 20_000;

export class Accounts {
  readonly #rows = growingCache<string, AccountRow>(keptRows);
  readonly #changed = new Map<string, AccountRow>();
  readonly #write;
  readonly #system: SystemBalances;
  #writtenSystem: SystemBalances;
  #nextAccount: number;

  constructor(private readonly connection: SqliteConnection) {
    this.#write = new Bulk(connection, {
      insert: `INSERT INTO accounts (${columns}, did)`,
      columns: 13,
      ending: `ON CONFLICT (account) DO UPDATE SET available = excluded.available, reserved = excluded.reserved,
         escrowed = excluded.escrowed, version = excluded.version, frozen = excluded.frozen, nonce = excluded.nonce,
         last_hash = excluded.last_hash, seq = excluded.seq, sent = excluded.sent, received = excluded.received, escrow = excluded.escrow`,
    });
    const [supply, fees] = connection.row<[number, number]>('SELECT supply, fees FROM house')!;
    this.#system = { supply, fees };
    this.#writtenSystem = { supply, fees };
    this.#nextAccount = (connection.value('SELECT ifnull(max(account), 0) FROM accounts') as number) + 1;
  }

  /** The row of a DID. A new account gets its number now, and is written when an entry changes it. */
  of(did: string): AccountRow {
    const known = this.#changed.get(did) ?? this.#rows.get(did);
    if (known) return known;
    const row = this.#read(did) ?? blank(this.#nextAccount++, did);
    this.#rows.set(did, row);
    return row;
  }

  /** The row of a DID, to be changed: it is written with the transaction. */
  change(did: string, seq: number): AccountRow {
    const row = this.of(did);
    row.seq = seq;
    this.#changed.set(did, row);
    return row;
  }

  /** Folds an entry into the rows. @returns the signer's row */
  fold(core: EntryCore, seq: number): AccountRow {
    foldEntry(core, { account: (name) => this.change(name, seq), system: this.#system });
    return this.of(core.event.issuer);
  }

  flush(): void {
    for (const r of this.#changed.values()) {
      const { account, did, available, reserved, escrowed, version, frozen, nonce, lastHash, seq } = r;
      this.#write.add(account, available, reserved, escrowed, version, frozen ? 1 : 0, nonce, lastHash);
      this.#write.add(seq, r.sent, r.received, r.escrow, did);
      // The row may have been evicted from the cache since.
      this.#rows.set(did, r);
    }
    this.#changed.clear();
    this.#write.flush();
    const { supply, fees } = this.#system;
    if (supply !== this.#writtenSystem.supply || fees !== this.#writtenSystem.fees)
      this.connection.change('UPDATE house SET supply = ?, fees = ?', supply, fees);
    this.#writtenSystem = { supply, fees };
  }

  #read(did: string): AccountRow | undefined {
    const found = this.connection.row<Columns>(`SELECT ${columns} FROM accounts WHERE did = ?`, did);
    if (!found) return undefined;
    const [account, available, reserved, escrowed, version, frozen, nonce, lastHash, seq, sent, received, escrow] =
      found;
    return {
      account,
      did,
      available,
      reserved,
      escrowed,
      version,
      frozen: frozen === 1,
      nonce,
      lastHash,
      seq,
      sent,
      received,
      escrow,
    };
  }
}

const blank = (account: number, did: string): AccountRow => ({
  ...unseenAccount(did),
  account,
  sent: 0,
  received: 0,
  escrow: 0,
});
