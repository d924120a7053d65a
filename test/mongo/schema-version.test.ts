/**
 * The schema version of a database on MongoDB: the program that opens it raises it, so that an earlier release cannot write to
 * it afterwards.
 */
import { expect } from 'chai';
import { StoreRefused } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { rejection } from '../contract/fixture.js';
import { requestCommits } from '../contract/requests.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

describeMongo('the schema version of a database on MongoDB', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await TestDatabase.fresh();
    await (await database.open()).close();
  });
  afterEach(() => database.dispose());

  const stated = () =>
    database.raw(
      async (client, name) =>
        (
          await client
            .db(name)
            .collection('control')
            .findOne({ _id: 'meta' as never })
        )?.schema,
    );
  const state = (schema: number) =>
    database.raw((client, name) =>
      client
        .db(name)
        .collection('control')
        .updateOne({ _id: 'meta' as never }, { $set: { schema } }),
    );

  it('is raised where an earlier program has left it', async () => {
    const own = await stated();
    await state(1);
    await (await database.open()).close();
    expect(await stated())
      .to.equal(own)
      .and.above(1);
  });

  it('is refused where a later program has raised it', async () => {
    await state(99);
    const refused = await rejection(database.open());
    expect(refused).to.be.instanceOf(StoreRefused);
    expect((refused as Error).message).to.match(/has schema version 99.*install that version/);
    expect(await stated()).to.equal(99);
  });

  it('is no obstacle to remote requests of an earlier program: they are labelled as their definition does', async () => {
    const store = await database.open();
    await store.append(requestCommits(new EntryBuilder()));
    await store.close();
    const labels = () =>
      database.raw(async (client, name) => {
        const found = await client.db(name).collection('resources').find({}).sort({ _id: 1 }).toArray();
        return found.map((document) => [document._id, [...document.labels].sort()]);
      });
    const before = await labels();
    await database.raw((client, name) =>
      client
        .db(name)
        .collection('resources')
        .updateMany({}, { $pull: { labels: /^(open|given-up)/ } as never }),
    );
    expect(await labels()).to.not.deep.equal(before);
    await (await database.open()).close();
    expect(await labels()).to.deep.equal(before);
  });
});
