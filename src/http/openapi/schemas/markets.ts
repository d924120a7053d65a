/** Replies of the searches (docs/reference/markets.md#search). */

import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import type { AnyResource } from '../../../machines/kernel/definition.js';
import { pageSchema } from './replies.js';
import { viewSchemaOf } from './resources.js';

const facetCount = a.named(
  'FacetCount',
  a.object({
    key: a.described(a.text, 'The value.'),
    count: a.described(a.count, 'Number of listings in the whole result with this value.'),
  }),
);
const facet = (what: string): JsonSchema =>
  a.described(a.list(facetCount), `${what}, the most frequent first, 100 at most.`);

const facets = a.named('MarketFacets', {
  description: 'How often values occur in the whole result.',
  ...a.object({
    markets: facet('Markets'),
    categories: facet('Categories'),
    tags: facet('Tags'),
    types: facet('Types of information, task or capability'),
    price: facet('Prices by their digits, such as `10-99`'),
  }),
});

/** @param title `MarketSearchResult`, or the title of one market's result */
export function searchSchemaOf(title: string, definitions: readonly AnyResource[]): JsonSchema {
  const views = definitions.map(viewSchemaOf);
  const item = views.length === 1 ? views[0]! : { anyOf: views };
  const { properties, required } = pageSchema('listings', item) as a.ObjectSchema;
  const page = { type: 'object', properties: { ...properties, facets }, required };
  return a.named(title, { ...page, description: '`facets` only with `includeFacets=true`, over the whole result.' });
}
