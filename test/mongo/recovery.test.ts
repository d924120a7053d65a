import { expect } from 'chai';
import { type Store, StoreClosed, StoreFault } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { firstPage, rejection } from '../contract/fixture.js';
import { lifeOfMoney } from '../contract/store/ledger.js';
import { isLong } from '../support/long.js';
import { until } from '../support/until.js';
import { TestDatabase } from './support/database.js';
import { Network } from './support/network.js';
import { describeMongo, givenUrl, JavaServer } from './support/server.js';

const kills = isLong ? 3 : 1;
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

  it('an entry that its process left without a number gets one from the next, in its order', async function () {
    this.timeout(90_000);
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
    const startedAt = performance.now();
    while ((await next.head()).seq < 5 && performance.now() - startedAt < 10_000) await next.catchUp();
    expect(await next.account(bob)).to.include({ available: 30 });
    expect(await next.load('order', 'o1')).to.include({ version: 2, state: 'paid' });
    // The store accepts further entries.
    expect(await next.append([builder.transfer(ada, bob, 1)])).to.have.nested.property('[0].ok', true);
    expect(await next.totals()).to.include({ supply: 101, available: 101 });
  });

  it('a write that loses to an unnumbered entry makes it get its number', async function () {
    this.timeout(90_000);
    const store = await database.open();
    await store.append([builder.mint(ada, 100)]);
    const other = builder.fork();
    await database.leave(builder.transfer(ada, bob, 30), 1);
    const [result] = await store.append([other.transfer(ada, bob, 1)]);
    expect(result).to.deep.equal({ ok: false, taken: `nonce/${ada}#1` });
    expect(await store.account(bob)).to.include({ available: 30, seq: 2 });
  });

  it('and what the same process has made before comes before it', async function () {
    this.timeout(90_000);
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

describeMongo('while the network or the server fails', () => {
  let database: TestDatabase;
  let network: Network;
  let builder: EntryBuilder;

  beforeEach(async () => {
    database = await TestDatabase.fresh();
    network = await Network.to(database.url);
    builder = new EntryBuilder();
  });

  afterEach(async () => {
    network.open();
    await endAll();
    await database.dispose();
    await network.dispose();
  });

  it('an append whose reply was lost is answered once its outcome is known, and counts once', async function () {
    this.timeout(90_000);
    const store = await database.open({ url: network.through(database.url) });
    await store.append([builder.mint(ada, 100)]);
    for (let n = 1; n <= 5; n++) {
      network.swallowReplies();
      const appended = store.append([builder.transfer(ada, bob, 1), builder.resource({ kind: 'order', id: `o${n}` })]);
      await new Promise((resolve) => setTimeout(resolve, 60 * n));
      network.open();
      expect(await appended).to.have.nested.property('[0].ok', true);
      expect(await store.account(bob)).to.include({ available: n });
    }
    expect(await store.head()).to.include({ seq: 11 });
  });

  it('appends continue through cuts, and reads are refused with 503 while no server answers', async function () {
    this.timeout(90_000);
    const path = network;
    // Otherwise the driver looks for a lost server every 500 ms, and the test would mostly wait for that.
    const store = await database.open({ url: path.through(`${database.url}?minHeartbeatFrequencyMS=20`) });
    await store.append([builder.mint(ada, 1_000)]);
    const pay = async () =>
      expect(await store.append([builder.transfer(ada, bob, 1)])).to.have.nested.property('[0].ok', true);
    for (let n = 0; n < 20; n++) {
      const paid = pay();
      // At another request of the append each time, and of what the driver does to connect again.
      for (const requests of [1 + (n % 5), 1 + (n % 7)]) await path.cutAfter(requests);
      await paid;
    }
    await pay();
    expect(await store.account(bob)).to.include({ available: 21 });

    network.close();
    const refused = await rejection(store.account(bob));
    expect(refused).to.have.nested.property('refusal.code', 'SERVICE_UNAVAILABLE');
    expect(store.awayForMs).to.be.a('number');
    network.open();
    expect(await store.append([builder.transfer(ada, bob, 1)])).to.have.nested.property('[0].ok', true);
    expect(store.awayForMs).to.equal(undefined);
  });

  it('a store that is given up while its server is away answers all that waits, closes, and does nothing more', async function () {
    this.timeout(90_000);
    const store = await database.open({ url: network.through(database.url) });
    network.close();
    const waiting = [store.append([builder.mint(ada, 1)]), store.holds('l'), store.putLocal('t', 'i', {}, 0)];
    await rejection(store.account(ada));
    store.giveUp();
    for (const call of waiting) expect(await rejection(call)).to.be.instanceOf(StoreClosed);
    expect(await rejection(store.append([builder.mint(ada, 1)]))).to.be.instanceOf(StoreClosed);
    await store.close();
  });

  it('a store whose server has lost what was acknowledged fails at once, and numbers nothing behind the loss', async function () {
    this.timeout(90_000);
    const store = await database.open({ url: network.through(database.url) });
    await store.append([builder.mint(ada, 1), builder.mint(ada, 2)]);
    network.close();
    const late = rejection(store.append([builder.mint(ada, 3)]));
    await rejection(store.account(ada));
    await database.raw((client, name) =>
      client
        .db(name)
        .collection('order')
        .deleteOne({ _id: 2 as never }),
    );
    network.open();
    expect(await store.lost)
      .to.be.instanceOf(StoreFault)
      .with.property('message')
      .that.matches(/lost what it had/);
    expect(await late).to.be.instanceOf(StoreFault);
    const numbers = await database.raw((client, name) => client.db(name).collection('order').find({}).toArray());
    expect(numbers.map(({ _id }) => Number(_id))).to.deep.equal([1]);
  });

  if (givenUrl === undefined) {
    it('nothing acknowledged is lost when the server is killed', async function () {
      this.timeout(120_000);
      const server = new JavaServer();
      ends.push(() => server.dispose());
      await server.start();
      const own = await TestDatabase.on(server.url);
      ends.push(() => own.dispose());
      const store = await own.open();
      const acknowledged: string[] = [];
      let going = true;
      ends.push(() => {
        going = false;
      });
      const writer = async (issuer: string) => {
        const mine = new EntryBuilder();
        while (going) {
          const commit = mine.mint(ada, 1, { issuer });
          const [result] = await store.append([commit]);
          expect(result).to.have.property('ok', true);
          acknowledged.push(commit.entry.core.event.hash);
        }
      };
      const writers = ['w1', 'w2', 'w3'].map((name) => writer(`did:svc:${name}`));
      for (let kill = 0; kill < kills; kill++) {
        const goal = acknowledged.length + 30;
        while (acknowledged.length < goal) await new Promise((resolve) => setTimeout(resolve, 5));
        await server.kill();
        await server.start();
      }
      going = false;
      await Promise.all(writers);
      const journal = await store.entries({ after: 0, limit: 100_000 });
      expect(journal.map(({ core }) => core.event.hash)).to.have.members(acknowledged);
      expect(await store.account(ada)).to.include({ available: acknowledged.length });
    });
  }
});
