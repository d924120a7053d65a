/** Random histories told to several stores, and every question that can be asked about them afterwards. */
import { dayMs } from '../../src/store/entry.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { SearchQuery } from '../../src/store/search/search.js';
import type { Commit, Listing, Page, Store } from '../../src/store/store.js';
import { Scribe } from './entries.js';
import { everything, sorts, words } from './shelf.js';
import {
  affordable,
  dids,
  ids,
  keys,
  kinds,
  labels,
  owners,
  type RandomDraft,
  states,
  types,
} from './sqlite/random-histories.js';

/** Builds commits one by one; a store of its own says which of them will be accepted. */
export class Author {
  readonly #oracle = new MemoryStore();
  readonly #scribe = new Scribe();
  #past = new Scribe();

  get time(): number {
    return this.#scribe.time;
  }

  async write({ hours, stale, moves, resources, idem, ...draft }: RandomDraft): Promise<Commit> {
    const scribe = (stale ? this.#past : this.#scribe).fork();
    const time = this.#scribe.time + hours * 3_600_000 + 1;
    const paid = affordable(moves, this.#oracle.tables);
    // What ranks something comes after it.
    const there = await Promise.all(resources.map(({ ranked, id }) => !ranked || this.#oracle.load('listing', id)));
    const written = resources.filter((_, index) => there[index]);
    const commit = scribe.commit({ ...draft, moves: paid, resources: written, time, ...(idem && { idem }) });
    const [result] = await this.#oracle.append([commit]);
    if (commit.entry.core.event.nonce % 3 === 0) this.#past = this.#scribe.fork();
    if (result?.ok) this.#scribe.learn(commit);
    return commit;
  }
}

async function pages<T extends Listing<unknown>>(list: (page: Page) => Promise<T>): Promise<T[]> {
  const found = [await list({ limit: 100, offset: 0 }), await list({ limit: 2, offset: 1 })];
  for (let next = found[1]!.next; next !== null; next = found.at(-1)!.next) {
    found.push(await list({ limit: 2, offset: 0, after: next }));
  }
  return found;
}

/** Each sort with each of some filters. */
function searches(time: number): SearchQuery[] {
  const base: SearchQuery = { ...everything, statuses: ['active', 'expired', 'paused'], time };
  const filters: Partial<SearchQuery>[] = [
    {},
    ...['map', 'ma', 'rain', 'map rain', '地图 r', 'x map'].map(words),
    { statuses: ['active'] },
    { statuses: ['expired'], ...words('m') },
    { visibility: ['private', 'public'], reader: owners[1]! },
    { labels: [['tag:t1', 'tag:$t'], ['category:map']], ...words('r') },
    { labels: [['tag:t2']], markets: ['task'] },
    { minPrice: 1, maxPrice: 2 },
    { minRating: 3, ...words('map') },
    { minReputation: 100, owner: owners[0]! },
  ];
  return filters.flatMap((filter) => sorts.map((sort) => ({ ...base, ...filter, sort })));
}

/** Every read of the port, with every argument that could matter. */
export async function answers(store: Store, now: number): Promise<unknown[]> {
  const asked: Promise<unknown>[] = [store.head(), store.totals(), store.census()];
  for (const before of [0, 25, 50]) asked.push(store.due(before, 3));
  for (const kind of kinds) {
    for (const id of ids) {
      asked.push(store.load(kind, id), store.entries({ after: 0, limit: 9, resource: `${kind}/${id}` }));
    }
    for (const anyLabel of [[], ['l1'], ['l2', 'l3'], labels]) {
      for (const inStates of [undefined, ['open'], ['paid', 'gone'], states]) {
        const query = { kind, anyLabel, ...(inStates && { states: inStates }) };
        asked.push(pages((page) => store.find({ ...query, page })));
      }
    }
  }
  for (const did of dids) {
    asked.push(store.account(did));
    for (const type of [undefined, 'sent', 'received', 'escrow'] as const) {
      asked.push(pages((page) => store.history(did, type, page)));
    }
    for (const key of keys) {
      for (const time of [now - dayMs, now, now + dayMs]) asked.push(store.recall(did, key, time));
    }
    for (const after of [0, 3]) {
      asked.push(store.entries({ after, limit: 5, issuer: did }));
      asked.push(store.entries({ after, limit: 5, resource: `account/${did}` }));
      for (const type of types) asked.push(store.entries({ after, limit: 5, resource: `account/${did}`, type }));
    }
  }
  await store.rankOwners([{ owner: owners[0]!, reputation: 500 }]);
  for (const query of searches(now)) asked.push(pages((page) => store.search({ ...query, page })));
  for (const query of searches(now).slice(0, 9)) {
    asked.push(store.search({ ...query, facets: ['tag', 'market', 'category'] }));
  }
  const all = await store.entries({ after: 0, limit: 1_000 });
  for (const { core } of all) asked.push(store.entryByEvent(core.event.hash));
  return [...(await Promise.all(asked)), all];
}
