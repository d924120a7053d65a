/** How `svc-node doctor` checks the server of SVC_STORE. */
import { expect } from 'chai';
import { examineServer } from '../../src/store/mongo/examination.js';
import { StoreRefused } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { lifeOfMoney } from '../contract/store/ledger.js';
import { TestDatabase } from './support/database.js';

describe('MongoDB, looked at by the doctor', () => {
  let database: TestDatabase;
  before(async () => {
    database = await TestDatabase.fresh();
  });
  after(() => database.dispose());

  const collections = () =>
    database.raw(async (client, name) => (await client.db(name).listCollections().toArray()).map((each) => each.name));

  it('is tried for its guarantees, and left as it was', async () => {
    const { place, durability, stranger } = await examineServer(database.url, database.network);
    expect(place).to.match(/^mongodb:\/\/.*-devnet\)$/);
    expect(durability).to.match(/^in the journal of/);
    expect(stranger).to.match(/there is no journal in the database/);
    expect(await collections()).to.deep.equal([]);
  });

  it('is ours once a node has been there', async () => {
    const store = await database.open();
    await store.append(lifeOfMoney(new EntryBuilder()));
    const { stranger, ending } = await examineServer(database.url, database.network);
    expect([stranger, ending]).to.deep.equal([undefined, undefined]);
    const { seq } = await store.head();
    await store.close();
    await database.raw((client, name) =>
      client
        .db(name)
        .collection('order')
        .deleteOne({ _id: seq as never }),
    );
    expect((await examineServer(database.url, database.network)).ending).to.match(/has lost its number/);
  });

  it('that does not answer is named without its password', async () => {
    const url = 'mongodb://me:secret-word@127.0.0.1:9/?serverSelectionTimeoutMS=200';
    const refused = await examineServer(url, 'devnet').catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(StoreRefused);
    expect((refused as Error).message)
      .to.match(/can't be opened/)
      .and.not.include('secret-word');
  });
});
