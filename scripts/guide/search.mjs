/** The search of the guide, loaded when somebody looks for something. */
import MiniSearch from 'minisearch';

/** @param sections `{ page, slug, title, heading, text }` each @returns what is found by words, or their beginnings, best first */
export function indexOf(sections) {
  const index = new MiniSearch({
    idField: 'place',
    fields: ['title', 'heading', 'text'],
    storeFields: ['page', 'slug', 'title', 'heading'],
    searchOptions: {
      prefix: true,
      fuzzy: (word) => (word.length > 5 ? 1 : false),
      combineWith: 'AND',
      boost: { heading: 4, title: 3 },
    },
  });
  index.addAll(sections.map((section, place) => ({ place, ...section })));
  return (text) => index.search(text);
}
