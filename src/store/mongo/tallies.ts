/** Counts the lines of each DID's history as an audit reads the entries, and compares them with the accounts. */
import type { Collection } from 'mongodb';
import { type HistoryType, historyTypes } from '../../machines/kernel/posting.js';
import type { NumberedEntry } from '../entry.js';
import { type AccountDocument, type SystemDocument, systemId, touchesOf } from './documents.js';

type HistoryLengths = { [type in HistoryType]: number };

const none: HistoryLengths = { sent: 0, received: 0, escrow: 0 };
const counted = { sent: 1, received: 1, escrow: 1 } as const;

export class Tallies {
  readonly #tallies = new Map<string, HistoryLengths>();

  /** Called with each entry in order. */
  saw({ seq, core }: NumberedEntry): void {
    // A new audit begins with the same reader.
    if (seq === 1) this.#tallies.clear();
    for (const { did, type } of touchesOf(core.moves)) {
      const tally = this.#tallies.get(did) ?? { ...none };
      tally[historyTypes[type]!]++;
      this.#tallies.set(did, tally);
    }
  }

  async violationOf(accounts: Collection<AccountDocument | SystemDocument>): Promise<string | undefined> {
    const all = accounts.find({ _id: { $ne: systemId } }, { projection: counted });
    for await (const row of all as AsyncIterable<Pick<AccountDocument, '_id' | HistoryType>>) {
      const tally = this.#tallies.get(row._id) ?? none;
      if (historyTypes.some((type) => row[type] !== tally[type]))
        return `the history of ${row._id} is not as long as its account says`;
    }
    return undefined;
  }
}
