/**
 * The secondary index of entries: one table for all kinds of look-ups. Inserting each row in its place would write a
 * random page to the log each time. So new rows go to a small second table, from which thousands at a time are moved to
 * the main one. Reads use both tables.
 */
import { type HistoryType, partiesOf } from '../../machines/kernel/posting.js';
import type { EntryCore } from '../entry.js';
import { Bulk } from './bulk.js';
import type { SqliteConnection } from './connection.js';

/** Stored values in leads.way, behind those of `historyTypes`: event hash, signer, event type, written resource. */
export const ways = { event: 3, issuer: 4, type: 5, resource: 6 } as const;

/** In journal order: every row of the second table is newer than those of the first. */
export const indexTables = ['leads', 'new_leads'] as const;
export type IndexTable = (typeof indexTables)[number];

/** Rows (five per transfer) that are moved to the main table at once, which takes a few milliseconds. */
export const newRows = 4_096;

export class SecondaryIndex {
  readonly #new: Bulk;
  #unsettled: number;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly few: number,
  ) {
    this.#new = new Bulk(connection, { insert: 'INSERT INTO new_leads', columns: 4 });
    this.#unsettled = connection.value('SELECT count(*) FROM new_leads') as number;
  }

  /** @param what the number of the account, resource or type; the prefix of an event hash */
  add(way: number, what: number, seq: number, move = 0): void {
    this.#new.add(way, what, seq, move);
    this.#unsettled++;
  }

  flush(): void {
    this.#new.flush();
    if (this.#unsettled < this.few) return;
    this.connection.change('INSERT INTO leads SELECT * FROM new_leads ORDER BY way, what, seq, move');
    this.connection.change('DELETE FROM new_leads');
    this.#unsettled = 0;
  }
}

/** The wallet history lines of an entry's moves: one per account, move and type. */
export function historyLinesOf({ moves }: EntryCore): { did: string; type: HistoryType; move: number }[] {
  return moves.flatMap((each, move) => {
    const [first, second] = partiesOf(each).map(([did, type]) => ({ did, type, move }));
    if (!first) return [];
    return second && (second.did !== first.did || second.type !== first.type) ? [first, second] : [first];
  });
}

/** The first 48 bits of an event hash, which a JavaScript number holds exactly. */
export const eventPrefix = (eventHash: string): number => Number.parseInt(eventHash.slice(0, 12), 16);
