/** Definitions of resources to search for. */
import type { Searched } from '../../src/machines/kernel/searched.js';
import { type SearchQuery, sorts } from '../../src/store/search.js';
import { searchWords } from '../../src/store/words.js';
import { firstDay, type ResourceChange } from './entries.js';

export interface Goods extends Partial<Pick<Searched, 'market' | 'owner' | 'visibility' | 'expiresAt' | 'price'>> {
  readonly title?: string;
  readonly description?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
}

export function searched(goods: Goods): Searched {
  const { title = 'thing', description = '', category = 'none', tags = [], market = 'info' } = goods;
  return {
    texts: [
      [title, 4],
      [tags.join(' '), 3],
      [category, 2],
      [description, 1],
    ],
    labels: [`market:${market}`, `category:${category}`, ...tags.map((tag) => `tag:${tag}`)],
    market,
    owner: goods.owner ?? 'did:svc:seller',
    visibility: goods.visibility ?? 'public',
    expiresAt: goods.expiresAt ?? null,
    price: goods.price ?? null,
  };
}

export const listing = (id: string, goods: Goods, state = 'active'): ResourceChange => ({
  kind: 'listing',
  id,
  state,
  found: searched(goods),
});

export const stats = (id: string, rating: number | null, popularity: number): ResourceChange => ({
  kind: 'stats',
  id,
  ranked: { rating, popularity },
});

export const everything: SearchQuery = {
  words: [],
  labels: [],
  statuses: ['active'],
  visibility: ['public'],
  time: firstDay,
  sort: 'relevance',
  page: { limit: 100, offset: 0 },
  facets: [],
};

export const words = (keyword: string): Pick<SearchQuery, 'words'> => ({ words: [...new Set(searchWords(keyword))] });

export { sorts };
