/**
 * Processes without a sign of life for long, because they were stopped or the database was unreachable: which of them
 * still count as members.
 */
import { expect } from 'chai';
import { MovableClock } from '../../../packages/fake-node/src/movable-clock.js';
import { StoreFault } from '../../../src/store/store.js';
import { EntryBuilder } from '../../contract/entries.js';
import { until } from '../../support/until.js';
import { TestDatabase } from '../support/database.js';
import { Network } from '../support/network.js';
import { describeMongo } from '../support/server.js';

const ada = 'did:svc:ada';
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describeMongo('a process that was silent for long', () => {
  let database: TestDatabase;
  const networks: Network[] = [];

  beforeEach(async () => {
    database = await TestDatabase.fresh();
  });
  afterEach(async () => {
    for (const network of networks) network.open();
    await database.dispose();
    for (const network of networks.splice(0)) await network.dispose();
  });

  const processes = (): Promise<readonly string[]> =>
    database.raw(async (client, name) => {
      const found = await client.db(name).collection('control').find({}).toArray();
      return found.map(({ _id }) => String(_id)).filter((id) => id.startsWith('process/'));
    });
  const forget = (id: string) =>
    database.raw((client, name) =>
      client
        .db(name)
        .collection('control')
        .deleteOne({ _id: id as never }),
    );

  it('with the database is not taken for dead by the one that is first to reach it again', async () => {
    const world = new MovableClock();
    const [first, second] = [await Network.to(database.url), await Network.to(database.url)];
    networks.push(first, second);
    const open = (network: Network) =>
      database.open({ world, url: network.through(`${database.url}?serverSelectionTimeoutMS=500`) });
    const [holder, other] = [await open(first), await open(second)];
    await holder.append([new EntryBuilder().mint(ada, 1)]);
    await other.catchUp();
    await until('both are known', () => holder.stats().processes === 2);
    for (const network of networks) network.close();
    await rest(300);
    for (let minutes = 0; minutes < 30; minutes += 10) {
      world.skip(600_000);
      await rest(50);
    }
    first.open();
    await holder.append([new EntryBuilder().mint(ada, 2, { issuer: 'did:svc:ben' })]);
    expect(holder.stats().processes, 'it counts as living').to.equal(2);
    expect(await processes()).to.have.length(2);
    second.open();
    await other.catchUp();
  });

  it('returns after others removed it from the list, and continues', async () => {
    const store = await database.open();
    await store.announce('did:svc:node', 'no chain');
    const [id] = (await processes()) as [string];
    await forget(id);
    await until('it is on the list', async () => (await processes()).length > 0);
    expect(await processes()).to.deep.equal([id]);
    expect(await store.append([new EntryBuilder().mint(ada, 1)])).to.have.nested.property('[0].ok', true);
  });

  it('ends if its node continues in another process', async () => {
    const store = await database.open();
    await store.announce('did:svc:node', 'no chain');
    const [id] = (await processes()) as [string];
    const next = { _id: 'process/next' as never, beat: 1, ready: [], settled: 0, home: 'did:svc:node', now: 0 };
    await database.raw((client, name) => client.db(name).collection('control').insertOne(next));
    await forget(id);
    expect(await store.lost)
      .to.be.instanceOf(StoreFault)
      .with.property('message')
      .that.matches(/taken its place/);
  });
});
