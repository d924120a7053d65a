import type { Collection } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

const searched = [['path'], ['method'], ['operation', 'operationId'], ['operation', 'summary']];

/**
 * Keeps the operations whose path, name, summary or tag contains all of these words. Swagger UI’s own filter matches tags and
 * paths only.
 */
export function opsFilter(tagged: Collection, phrase: string): Collection {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (tag: string) => (operation: Collection) => {
    const text = [tag, ...searched.map((keys) => operation.getIn(keys))].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return tagged
    .map((group, tag) => group.set('operations', (group.get('operations') as Collection).filter(has(tag))))
    .filter((group) => (group.get('operations') as Collection).size > 0);
}
