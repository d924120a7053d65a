/** A search does not find a listing by the words of a text that the operator hides (docs/reference/moderation.md#what-it-does). */
import { isSearched, searchedAs } from '../../projections/search-index.js';
import { searchedLeaves, textsOf } from '../../store/search.js';
import { weighedWords } from '../../store/words.js';
import type { ReadContext } from '../context/read-context.js';

/** Ids of the listings that have all of these words, but some only in texts that are hidden from the reader. */
export async function foundByHiddenWords(
  words: readonly string[],
  reader: string | undefined,
  { catalogue, committed, moderations, store }: ReadContext,
): Promise<readonly string[]> {
  const hidden = new Set(words.length === 0 ? [] : moderations.textsHiddenFrom(reader));
  const places = new Map<string, string>();
  for (const hash of hidden) {
    const { kind, id } = (await moderations.placeOf(hash)) ?? {};
    if (kind !== undefined && id !== undefined && isSearched(catalogue.definitions[kind])) places.set(id, kind);
  }
  const found: string[] = [];
  for (const [id, kind] of places) {
    const listing = await committed.resource(kind, id);
    const texts = (listing && searchedAs(catalogue, listing, () => undefined)?.found?.texts) ?? [];
    const shown = texts.filter(([text]) => typeof text === 'string' || !hidden.has(text.leaf));
    if (shown.length === texts.length) continue;
    const leaves = await store.texts(searchedLeaves([{ texts: shown }]));
    const left = [...weighedWords(textsOf({ texts: shown }, (hash) => leaves.get(hash))).keys()];
    if (!words.every((word) => left.some((each) => each.startsWith(word)))) found.push(id);
  }
  return found;
}
