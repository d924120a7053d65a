/**
 * What leads to entries: one index for every way in which they are found. A lead put in its place at once would cost a
 * page of the log, as its place may be anywhere. So new leads lie in a small table in front, and are put in their
 * places by the thousand. Whoever looks for entries looks into both tables.
 */
import { type HistoryType, partiesOf } from '../../machines/kernel/posting.js';
import type { EntryCore } from '../entry.js';
import { Bulk } from './bulk.js';
import type { Connection } from './connection.js';

/** How a history type is stored, in leads.way; the order breaks ties in a history. */
export const historyTypes: readonly HistoryType[] = ['sent', 'received', 'escrow'];

/** The other ways: of an event's hash, of who signed, of the event's type, of a resource that was written. */
export const ways = { event: 3, issuer: 4, type: 5, resource: 6 } as const;

/** In the order of their entries: whatever is in the second is newer than all that is in the first. */
export const leadTables = ['leads', 'new_leads'] as const;
export type LeadTable = (typeof leadTables)[number];

/** So many new leads (five a transfer) are put in their places at once, which takes a few milliseconds. */
export const fewLeads = 4_096;

export class Leads {
  readonly #new: Bulk;
  readonly #settle: () => void;
  readonly #few: number;
  #unsettled: number;

  constructor(connection: Connection, few: number) {
    this.#few = few;
    this.#new = new Bulk(connection, { insert: 'INSERT INTO new_leads', columns: 4 });
    const copy = connection.change('INSERT INTO leads SELECT * FROM new_leads ORDER BY way, what, seq, move');
    const empty = connection.change('DELETE FROM new_leads');
    this.#settle = () => {
      copy([]);
      empty([]);
    };
    this.#unsettled = connection.value('SELECT count(*) FROM new_leads') as number;
  }

  /** @param what its number where it has one: account, resource, type; the prefix of an event's hash */
  add(way: number, what: number, seq: number, move = 0): void {
    this.#new.add(way, what, seq, move);
    this.#unsettled++;
  }

  flush(): void {
    this.#new.flush();
    if (this.#unsettled < this.#few) return;
    this.#settle();
    this.#unsettled = 0;
  }
}

/** Lines of wallet histories that an entry's moves make: one for each account, move and type. */
export function linesOf({ moves }: EntryCore): { did: string; type: HistoryType; move: number }[] {
  return moves.flatMap((each, move) => {
    const [first, second] = partiesOf(each).map(([did, type]) => ({ did, type, move }));
    if (!first) return [];
    return second && (second.did !== first.did || second.type !== first.type) ? [first, second] : [first];
  });
}

/** The first 48 bits, which a JavaScript number holds exactly: an event's few candidates are found by it. */
export const eventPrefix = (eventHash: string): number => Number.parseInt(eventHash.slice(0, 12), 16);
