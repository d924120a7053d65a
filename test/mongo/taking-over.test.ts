/** A move to MongoDB that was killed at any point can be continued, with the same result as without a kill. */
import { expect } from 'chai';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { type PlacedCommit, type Store, StoreRefused } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { firstPage, rejection } from '../contract/fixture.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

const ada = 'did:svc:ada';

async function journal(): Promise<{ store: MemoryStore; placed: PlacedCommit[] }> {
  const builder = new EntryBuilder();
  const order = (state: string) => builder.resource({ kind: 'order', id: 'o1', state, add: [state] });
  const commits = [builder.mint(ada, 100), order('open'), order('paid')];
  for (let n = 1; n <= 8; n++) commits.push(builder.transfer(ada, `did:svc:${n}`, n));
  commits.push(order('gone'));
  const store = new MemoryStore();
  await store.append(commits);
  const entries = await store.entries({ after: 0, limit: 100 });
  return { store, placed: entries.map((entry, index) => ({ entry, snapshots: commits[index]!.snapshots })) };
}

const everything = async (store: Store) => ({
  head: await store.head(),
  entries: await store.entries({ after: 0, limit: 100 }),
  totals: await store.totals(),
  account: await store.account(ada),
  history: await store.history(ada, undefined, firstPage),
  found: await store.find({ kind: 'order', anyLabel: ['paid'], page: firstPage }),
});

describeMongo('a move to MongoDB', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await TestDatabase.fresh();
  });

  afterEach(() => database.dispose());

  /** Removes documents that a process killed at that moment would not have written. */
  const leave = (part: string, query: object) =>
    database.raw((client, name) => client.db(name).collection(part).deleteMany(query));

  for (const [where, kill] of [
    ['between some of the entries and others', () => leave('entries', { core: /"nonce":[357],/ })],
    ['between the entries and their numbers', async () => {}],
  ] as const) {
    it(`killed ${where} continues in the order of the journal`, async () => {
      const { store: source, placed } = await journal();
      const first = await database.open();
      await first.takeOver(placed);
      await first.close();
      for (const part of ['order', 'accounts', 'resources']) await leave(part, {});
      await kill();
      const next = await database.open();
      await next.beAlone();
      // Entries without a number are ignored until they get one.
      expect(await next.head()).to.include({ seq: 0 });
      await next.takeOver(placed.slice(0, 5));
      await next.takeOver(placed.slice(5));
      expect(await everything(next)).to.deep.equal(await everything(source));
    });
  }

  it('killed between numbers and what follows from them is caught up with before anything else', async () => {
    const { store: source, placed } = await journal();
    const first = await database.open();
    await first.takeOver(placed);
    await first.close();
    await leave('order', { _id: { $gt: 7 } });
    for (const part of ['accounts', 'resources']) await leave(part, {});
    const next = await database.open();
    await next.beAlone();
    expect(await next.head()).to.include({ seq: 7, chainHash: placed[6]!.entry.chainHash });
    await next.takeOver(placed.slice(7));
    expect(await everything(next)).to.deep.equal(await everything(source));
  });

  it('refuses a database in which other entries hold what it needs', async () => {
    const { placed } = await journal();
    const first = await database.open();
    await first.takeOver(placed.slice(0, 1));
    await database.raw((client, name) =>
      client
        .db(name)
        .collection('entries')
        .insertOne({ _id: 'other' as never, keys: [`nonce/${ada}#1`] }),
    );
    const error = await rejection(first.takeOver(placed.slice(1)));
    expect(error).to.be.instanceOf(StoreRefused);
    expect(error.message).to.match(/holds entries that are not of this journal/);
  });

  it('refuses a database on which another process works', async () => {
    const other = await database.open();
    const store = await database.open();
    const error = await rejection(store.beAlone());
    expect(error)
      .to.be.instanceOf(StoreRefused)
      .with.property('message')
      .match(/another process works on mongodb:/);
    await other.close();
    await store.beAlone();
    await store.takeOver((await journal()).placed);
    expect(await store.head()).to.include({ seq: 12 });
  });
});
