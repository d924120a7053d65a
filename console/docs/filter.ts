import type { Collection } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

const searched = [['path'], ['method'], ['operation', 'operationId'], ['operation', 'summary']];

/** Operations with all of these words in their path, name or summary, or in that of their tag; Swagger UI’s own knows tags and paths. */
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
