/** The schema version of a database on MongoDB: one of another release is refused, and nothing in it is changed. */
import { expect } from 'chai';
import { StoreRefused } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { rejection } from '../contract/fixture.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

describeMongo('the schema version of a database on MongoDB', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await TestDatabase.fresh();
    const store = await database.open();
    await store.append([new EntryBuilder().mint('did:svc:ada', 5)]);
    await store.close();
  });
  afterEach(() => database.dispose());

  const state = (schema: number) =>
    database.raw((client, name) =>
      client
        .db(name)
        .collection('control')
        .updateOne({ _id: 'meta' as never }, { $set: { schema } }),
    );
  const contents = () =>
    database.raw(async (client, name) => {
      const collections = await client.db(name).listCollections({}, { nameOnly: true }).toArray();
      const names = collections.map((each) => each.name).sort();
      return Promise.all(names.map(async (each) => [each, await client.db(name).collection(each).find().toArray()]));
    });

  for (const [schema, says] of [
    [99, /has schema version 99.*install that version/],
    [
      2,
      /was written by an svc-node from before 0\.1\.0, in a format that no release reads: name a new database in SVC_STORE/,
    ],
  ] as const) {
    it(`is refused in one sentence where it is ${schema}`, async () => {
      await state(schema);
      const before = await contents();
      const refused = await rejection(database.open());
      expect(refused).to.be.instanceOf(StoreRefused);
      expect(refused.message).to.match(says);
      expect(await contents()).to.deep.equal(before);
    });
  }
});
