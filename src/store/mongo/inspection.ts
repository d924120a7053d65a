/** Checks that the search index matches the listings, and histories the moves. */

import type { Collection } from 'mongodb';
import { type HistoryType, historyTypes } from '../../machines/kernel/posting.js';
import type { NumberedEntry } from '../entry.js';
import { searchedLeaves } from '../search.js';
import type { SearchedBy, StoreReader } from '../store.js';
import { type AccountDocument, type SystemDocument, systemId, touchesOf } from './documents.js';
import { type SearchDocument, searchDocumentOf } from './search-documents.js';

/** Everything by which a search finds or sorts a document, in a fixed order, because labels and words are sets. */
function comparable(document: Omit<SearchDocument, 'rules'>): string {
  const { _id, kind, version, status, createdAt, market, visibility, owner, expiresAt, price } = document;
  const { labels, words, ranksVersion, rating, popularity } = document;
  const values = [
    ...[_id, kind, version, status, createdAt, market, visibility, owner, expiresAt, price],
    ...[sorted(labels, String), sorted(words, ({ w, n }) => `${n} ${w}`), ranksVersion, rating, popularity],
  ];
  return JSON.stringify(values, (_, value) => (value === undefined ? 'absent' : value));
}

/** Sorts a list. In a damaged document this may be no list, or a list of anything. */
const sorted = <T>(list: readonly T[], textOf: (element: T) => string): unknown =>
  Array.isArray(list) ? list.map((element) => (element === null ? 'null' : textOf(element))).sort() : list;

/** @param pages of all documents of the index, each once */
export async function violationOfSearchDocuments(
  pages: AsyncIterable<readonly SearchDocument[]>,
  count: number,
  searched: SearchedBy,
  contents: Pick<StoreReader, 'texts'>,
): Promise<string | undefined> {
  let stored = 0;
  for await (const page of pages) {
    const entries = page.map(({ kind, _id }) => (typeof kind === 'string' ? searched(kind, _id) : undefined));
    const texts = await contents.texts(searchedLeaves(entries.map((entry) => entry?.found)));
    for (const [index, document] of page.entries()) {
      const entry = entries[index];
      const expected = entry && searchDocumentOf(entry, (hash) => texts.get(hash));
      if (!expected || comparable(document) !== comparable(expected))
        return `searches do not find ${document._id} as what it is`;
      stored++;
    }
  }
  return stored === count ? undefined : `the search index has ${stored} listings, and the journal gives ${count}`;
}

/** Counts the lines of each DID's history as an audit reads the entries, and compares them with the accounts. */

type HistoryLengths = { [type in HistoryType]: number };

const none: HistoryLengths = { sent: 0, received: 0, escrow: 0 };
const counted = { sent: 1, received: 1, escrow: 1 } as const;

export class Tallies {
  readonly #tallies = new Map<string, HistoryLengths>();

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
