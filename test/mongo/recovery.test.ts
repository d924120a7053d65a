import { expect } from 'chai';
import { type Store, StoreClosed } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { firstPage, rejection } from '../contract/fixture.js';
import { lifeOfMoney } from '../contract/store/ledger.js';
import { until } from '../support/until.js';
import { TestDatabase } from './support/database.js';
import { Network } from './support/network.js';
import { describeMongo } from './support/server.js';

const ada = 'did:svc:ada';
const bob = 'did:svc:bob';

/** What the running test has to end, also if it fails or takes too long, so that the next one is alone. Last first. */
const ends: (() => unknown)[] = [];
async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

/** Everything derived from the journal, as reads return it. */
async function everything(store: Store) {
  return {
    head: await store.head(),
    totals: await store.totals(),
    accounts: [await store.account(ada), await store.account(bob)],
    history: await store.history(ada, undefined, firstPage),
    entries: await store.entries({ after: 0, limit: 1_000 }),
    found: await store.find({ kind: 'order', anyLabel: ['l'], page: firstPage }),
    order: await store.load('order', 'o1'),
    due: await store.due(100, 10),
    census: await store.census(),
  };
}

describeMongo('after a crash', () => {
  let database: TestDatabase;
  let builder: EntryBuilder;

  beforeEach(async () => {
    database = await TestDatabase.fresh();
    builder = new EntryBuilder();
  });

  afterEach(async () => {
    await endAll();
    await database.dispose();
  });

  const order = { kind: 'order', id: 'o1', add: ['l'], alarm: { at: 5, action: 'expire' } };

  it('projections that were not written, or only some of them, are made up for at the next start', async () => {
    const store = await database.open();
    await store.append([...lifeOfMoney(builder), builder.resource(order)]);
    await store.append([builder.resource({ kind: 'order', id: 'o1', state: 'paid', drop: ['l'], add: ['l'] })]);
    const before = await everything(store);
    await store.close();
    for (const lost of [['accounts', 'resources'], ['accounts'], ['resources', 'house']]) {
      await database.raw(async (client, name) => {
        const db = client.db(name);
        for (const part of lost) {
          if (part === 'house') await db.collection('accounts').deleteOne({ _id: '@house' as never });
          else await db.collection(part).deleteMany({});
        }
      });
      const next = await database.open();
      expect(await everything(next)).to.deep.equal(before);
      await next.close();
    }
  });

  it('rows that are ahead of the system accounts are not applied twice', async () => {
    const store = await database.open();
    await store.append(lifeOfMoney(builder));
    const before = await everything(store);
    await store.close();
    await database.rewind();
    expect(await everything(await database.open())).to.deep.equal(before);
  });

  it('an entry that its process left without a number gets one from the next, in its order', async () => {
    const network = await Network.to(database.url);
    ends.push(() => network.dispose());
    const dying = await database.open({ url: network.through(`${database.url}?socketTimeoutMS=300`) });
    await dying.append([builder.mint(ada, 100), builder.mint(bob, 1), builder.resource(order)]);
    const inserted = network.swallowRepliesToInsert('entries');
    const paid = builder.resource({ kind: 'order', id: 'o1', state: 'paid' });
    const spent = rejection(dying.append([builder.transfer(ada, bob, 29), paid]));
    await inserted;
    await until('the outage is noticed', () => dying.awayForMs !== undefined);
    dying.giveUp();
    expect(await spent).to.be.instanceOf(StoreClosed);

    const next = await database.open();
    await until('it has its number', async () => {
      await next.catchUp();
      return (await next.head()).seq >= 5;
    });
    expect(await next.account(bob)).to.include({ available: 30 });
    expect(await next.load('order', 'o1')).to.include({ version: 2, state: 'paid' });
    // The store accepts further entries.
    expect(await next.append([builder.transfer(ada, bob, 1)])).to.have.nested.property('[0].ok', true);
    expect(await next.totals()).to.include({ supply: 101, available: 101 });
  });

  it('a write that loses to an unnumbered entry makes it get its number', async () => {
    const store = await database.open();
    await store.append([builder.mint(ada, 100)]);
    const other = builder.fork();
    await database.leave(builder.transfer(ada, bob, 30), 1);
    const [result] = await store.append([other.transfer(ada, bob, 1)]);
    expect(result).to.deep.equal({ ok: false, taken: `nonce/${ada}#1` });
    expect(await store.account(bob)).to.include({ available: 30, seq: 2 });
  });

  it('and what the same process has made before comes before it', async () => {
    const [store, follower] = [await database.open(), await database.open()];
    await store.append([builder.mint(ada, 100), builder.mint(bob, 100)]);
    const other = builder.fork();
    const [first, second] = [builder.transfer(ada, bob, 30), builder.transfer(bob, ada, 5)];
    await database.leave(first, 1);
    await database.leave(second, 2);
    const [result] = await follower.append([other.transfer(bob, ada, 1)]);
    expect(result).to.deep.equal({ ok: false, taken: `nonce/${bob}#1` });
    const [older, newer] = await follower.entries({ after: 2, limit: 10 });
    expect([older?.entryHash, newer?.entryHash]).to.deep.equal([first.entry.entryHash, second.entry.entryHash]);
  });
});
