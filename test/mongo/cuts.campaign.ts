/** A store whose connections are cut, and whose server is killed. */
import { expect } from 'chai';
import { StoreClosed, StoreFault } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { rejection } from '../contract/fixture.js';
import { isLong } from '../support/long.js';
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

  it('an append whose reply was lost is answered once its outcome is known, and counts once', async () => {
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

  it('appends continue through cuts, and reads are refused with 503 while no server answers', async () => {
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

  it('a store that is given up while its server is away answers all that waits, closes, and does nothing more', async () => {
    const store = await database.open({ url: network.through(database.url) });
    network.close();
    const waiting = [store.append([builder.mint(ada, 1)]), store.holds('l'), store.putLocal('t', 'i', {}, 0)];
    await rejection(store.account(ada));
    store.giveUp();
    for (const call of waiting) expect(await rejection(call)).to.be.instanceOf(StoreClosed);
    expect(await rejection(store.append([builder.mint(ada, 1)]))).to.be.instanceOf(StoreClosed);
    await store.close();
  });

  it('a store whose server has lost what was acknowledged fails at once, and numbers nothing behind the loss', async () => {
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
    it('nothing acknowledged is lost when the server is killed', async () => {
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
