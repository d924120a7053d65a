/**
 * The writer's ledger rows: read once, changed in memory, written once a transaction. This holds only because the
 * writer is alone (lock.ts); after a failed transaction the whole writer is thrown away, and these rows with it.
 */
import { assert } from '../../machines/kernel/refusal.js';
import type { EntryCore } from '../entry.js';
import { Bulk } from './bulk.js';
import type { Connection } from './connection.js';

export interface AccountRow {
  readonly account: number;
  readonly did: string;
  available: number;
  reserved: number;
  escrowed: number;
  version: number;
  frozen: number;
  nonce: number;
  lastHash: string | null;
  /** The newest entry that changed the row. */
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
  readonly #rows = new Map<string, AccountRow>();
  readonly #changed = new Set<AccountRow>();
  readonly #select;
  readonly #write;
  readonly #writeHouse;
  readonly #house: { supply: number; fees: number };
  #houseChanged = false;
  #nextAccount: number;

  constructor(connection: Connection) {
    this.#select = connection.row<Columns>(`SELECT ${columns} FROM accounts WHERE did = ?`);
    this.#write = new Bulk(connection, {
      insert: `INSERT INTO accounts (${columns}, did)`,
      columns: 13,
      ending: `ON CONFLICT (account) DO UPDATE SET available = excluded.available, reserved = excluded.reserved,
         escrowed = excluded.escrowed, version = excluded.version, frozen = excluded.frozen, nonce = excluded.nonce,
         last_hash = excluded.last_hash, seq = excluded.seq, sent = excluded.sent, received = excluded.received, escrow = excluded.escrow`,
    });
    this.#writeHouse = connection.change('UPDATE house SET supply = ?, fees = ?');
    const [supply, fees] = connection.row<[number, number]>('SELECT supply, fees FROM house')([])!;
    this.#house = { supply, fees };
    this.#nextAccount = (connection.value('SELECT ifnull(max(account), 0) FROM accounts') as number) + 1;
  }

  /** The row of a DID; an unknown one gets its number now and is written if something comes to stand in it. */
  of(did: string): AccountRow {
    const known = this.#rows.get(did);
    if (known) return known;
    const row = this.#read(did) ?? blank(this.#nextAccount++, did);
    this.#rows.set(did, row);
    return row;
  }

  /** For changing: the row is written with the transaction. */
  change(did: string, seq: number): AccountRow {
    const row = this.of(did);
    row.seq = seq;
    this.#changed.add(row);
    return row;
  }

  /** The DID's event stream, debit versions, freezes and balances after this entry. */
  fold({ event, accounts, moves, postings }: EntryCore, seq: number): AccountRow {
    for (const { did, version } of accounts) this.change(did, seq).version = version;
    for (const move of moves) {
      if (move.op === 'freeze' || move.op === 'unfreeze')
        this.change(move.did, seq).frozen = move.op === 'freeze' ? 1 : 0;
    }
    let sum = 0;
    for (const [name, delta] of postings) {
      sum += delta;
      this.#post(name, delta, seq);
    }
    assert(sum === 0, 'postings do not sum to zero');
    const signer = this.change(event.issuer, seq);
    signer.nonce = event.nonce;
    signer.lastHash = event.hash;
    return signer;
  }

  /** Writes what changed, and forgets the rows unused for longest. */
  flush(): void {
    for (const r of this.#changed) {
      const { account, did, available, reserved, escrowed, version, frozen, nonce, lastHash, seq } = r;
      this.#write.add(account, available, reserved, escrowed, version, frozen, nonce, lastHash);
      this.#write.add(seq, r.sent, r.received, r.escrow, did);
      // Re-inserted at the end of the map: the front is what was changed longest ago.
      this.#rows.delete(r.did);
      this.#rows.set(r.did, r);
    }
    this.#changed.clear();
    this.#write.flush();
    if (this.#houseChanged) this.#writeHouse([this.#house.supply, this.#house.fees]);
    this.#houseChanged = false;
    for (const did of this.#rows.keys()) {
      if (this.#rows.size <= keptRows) break;
      this.#rows.delete(did);
    }
  }

  #read(did: string): AccountRow | undefined {
    const found = this.#select([did]);
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
      frozen,
      nonce,
      lastHash,
      seq,
      sent,
      received,
      escrow,
    };
  }

  #post(name: string, delta: number, seq: number): void {
    if (name === 'supply' || name === 'fees') {
      this.#house[name] += delta;
      this.#houseChanged = true;
      assert(name === 'supply' || this.#house.fees >= 0, 'fees would go below zero');
      return;
    }
    const slash = name.indexOf('/');
    const balance = name.slice(0, slash);
    assert(balance === 'available' || balance === 'reserved' || balance === 'escrowed', `no ledger account ${name}`);
    const row = this.change(name.slice(slash + 1), seq);
    row[balance] += delta;
    assert(row[balance] >= 0 && Number.isSafeInteger(row[balance]), `${name} would become ${row[balance]}`);
  }
}

const blank = (account: number, did: string): AccountRow => ({
  account,
  did,
  available: 0,
  reserved: 0,
  escrowed: 0,
  version: 0,
  frozen: 0,
  nonce: 0,
  lastHash: null,
  seq: 0,
  sent: 0,
  received: 0,
  escrow: 0,
});
