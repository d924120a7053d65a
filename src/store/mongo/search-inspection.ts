/** Checks that the search index matches the listings. */
import { searchedLeaves } from '../search/search.js';
import type { SearchedBy, StoreReader } from '../store.js';
import { documentOf, type SearchDocument } from './search-documents.js';

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
export async function violationOfSearch(
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
      const expected = entry && documentOf(entry, (hash) => texts.get(hash));
      if (!expected || comparable(document) !== comparable(expected))
        return `searches do not find ${document._id} as what it is`;
      stored++;
    }
  }
  return stored === count ? undefined : `the search index has ${stored} listings, and the journal gives ${count}`;
}
