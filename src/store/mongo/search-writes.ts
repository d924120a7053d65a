/** Writes of the search index that are not part of an entry. */
import type { OwnerRank, SearchEntry } from '../search/search.js';
import type { Collections } from './database.js';
import type { Outage } from './outage.js';
import type { Projection } from './projection.js';
import { rulesId } from './search-documents.js';

export class SearchWrites {
  constructor(
    private readonly collections: Pick<Collections, 'search' | 'reputations'>,
    private readonly projection: Projection,
    private readonly outage: Outage,
  ) {}

  async rebuild(rules: string, pages: AsyncIterable<readonly SearchEntry[]>): Promise<void> {
    const { search } = this.collections;
    await this.outage.retry(() => search.deleteOne({ _id: rulesId }));
    for await (const page of pages) await this.projection.index(page, rules);
    await this.outage.retry(() => search.updateOne({ _id: rulesId }, { $set: { rules } }, { upsert: true }));
  }

  async rank(ranks: readonly OwnerRank[]): Promise<void> {
    const { reputations } = this.collections;
    for (const { owner: _id, reputation } of ranks) {
      await this.outage.retry(() => reputations.updateOne({ _id }, { $set: { reputation } }, { upsert: true }));
    }
  }
}
