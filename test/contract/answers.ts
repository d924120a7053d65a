/** Writes random histories to several stores, and compares all their answers afterwards. */
import PQueue from 'p-queue';
import { dayMs } from '../../src/core/bounds.js';
import { sha256Hex } from '../../src/core/canonical.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { SearchQuery } from '../../src/store/search.js';
import type { Commit, Content, ListPage, PageRequest, Store } from '../../src/store/store.js';
import { EntryBuilder } from './entries.js';
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

/** Builds commits one by one. Its own store predicts which of them will be accepted. */
export class Author {
  readonly #oracle = new MemoryStore();
  readonly #builder = new EntryBuilder();
  #past = new EntryBuilder();

  get time(): number {
    return this.#builder.time;
  }

  async write({ hours, stale, moves, resources, idem, ...draft }: RandomDraft): Promise<Commit> {
    const builder = (stale ? this.#past : this.#builder).fork();
    const time = this.#builder.time + hours * 3_600_000 + 1;
    const paid = affordable(moves, this.#oracle.tables);
    // A ranking needs the ranked resource, which must exist before.
    const there = await Promise.all(resources.map(({ ranked, id }) => !ranked || this.#oracle.load('listing', id)));
    const written = resources.filter((_, index) => there[index]);
    const bare = builder.commit({ ...draft, moves: paid, resources: written, time, ...(idem && { idem }) });
    const commit = { ...bare, contents: contentsOf(bare) };
    const [result] = await this.#oracle.append([commit]);
    if (commit.entry.core.event.nonce % 3 === 0) this.#past = this.#builder.fork();
    if (result?.ok) this.#builder.learn(commit);
    return commit;
  }
}

const bytesOf = (text: string): Content => ({ hash: sha256Hex(text), bytes: Buffer.from(text) });

/** Contents of a commit: some are new, some were brought by other commits too. */
function contentsOf({ entry: { core } }: Commit): Content[] {
  const { nonce, hash } = core.event;
  if (nonce % 3 === 1) return [];
  return nonce % 3 === 0 ? [bytesOf(hash), bytesOf('of many')] : [bytesOf(`of many ${nonce}`)];
}

/** Writes local records: receipts of some entries, and documents that are not in the journal. */
export async function keepBeside(store: Store): Promise<void> {
  const all = await store.entries({ after: 0, limit: 1_000 });
  const settled = all.filter(({ seq }) => seq % 3 !== 0);
  for (const txHash of ['0xa', '0xb']) {
    const batch = settled.filter(({ seq }) => (seq % 2 === 0) === (txHash === '0xa'));
    const receipts = batch.map(
      ({ entryHash, seq }) => ({ entryHash, seq, status: 'confirmed', txHash, blockNumber: 7 }) as const,
    );
    await store.appendReceipts(receipts);
  }
  for (const { core, seq } of all.slice(0, 12)) {
    const table = `table ${seq % 2}`;
    const known = await store.getLocal(table, core.event.issuer);
    await store.putLocal(table, core.event.issuer, { seq }, (known?.revision ?? 0) + (seq % 5 === 0 ? 1 : 0));
    if (seq % 7 === 0) await store.deleteLocal(table, core.event.issuer);
  }
}

async function pages<T extends ListPage<unknown>>(list: (page: PageRequest) => Promise<T>): Promise<T[]> {
  const found = [await list({ limit: 100, offset: 0 }), await list({ limit: 2, offset: 1 })];
  for (let next = found[1]!.next; next !== null; next = found.at(-1)!.next) {
    found.push(await list({ limit: 2, offset: 0, after: next }));
  }
  return found;
}

/** Some filters, each with two of the sorts. */
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
  return filters.flatMap((filter, index) =>
    [index, index + 3].map((at) => ({ ...base, ...filter, sort: sorts[at % sorts.length]! })),
  );
}

/** Limits how many reads run at once, so that none waits for a connection until it times out. */
function gently(store: Store): Store {
  const queue = new PQueue({ concurrency: 16 });
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function'
        ? (...given: unknown[]) => queue.add(() => member.apply(target, given))
        : member;
    },
  });
}

/** Every read of the port, with every argument that could make a difference. */
export async function answers(asking: Store, now: number): Promise<unknown[]> {
  const store = gently(asking);
  const asked: Promise<unknown>[] = [store.head(), store.totals(), store.census()];
  asked.push(pages((page) => store.accounts(page)));
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
  for (const query of searches(now).slice(0, 5)) {
    asked.push(store.search({ ...query, facets: ['tag', 'market', 'category'] }));
  }
  const all = await store.entries({ after: 0, limit: 1_000 });
  for (const { core, entryHash } of all) asked.push(store.entryByEvent(core.event.hash), store.receipt(entryHash));
  for (const after of [0, 2]) asked.push(store.receipts(after, 4));
  for (const txHash of ['0xa', '0xb', '0xc']) asked.push(store.receiptsOf(txHash));
  const named = await store.contentsOf(all);
  asked.push(store.contentsOf(all.filter(({ seq }) => seq % 2 === 0)));
  for (const { hash } of named) asked.push(store.content(hash).then((bytes) => bytes && Buffer.from(bytes).toString()));
  for (const table of ['table 0', 'table 1', 'table 2']) {
    asked.push(store.listLocal(table));
    for (const did of dids) asked.push(store.getLocal(table, did));
  }
  asked.push(store.localTables(), Promise.resolve(named));
  return [...(await Promise.all(asked)), all];
}
