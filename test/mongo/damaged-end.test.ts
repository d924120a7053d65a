/** A start examines the end of a journal on MongoDB: it refuses what no crash can cause, and repairs none of it. */
import { expect } from 'chai';
import type { Db } from 'mongodb';
import { StoreRefused } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { rejection } from '../contract/fixture.js';
import { lifeOfMoney } from '../contract/store/ledger.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

type Change = (db: Db, last: { readonly seq: number; readonly entry: string }) => Promise<unknown>;

const damages: readonly (readonly [title: string, change: Change, named: RegExp])[] = [
  [
    'the last number is gone',
    (db, { seq }) => db.collection('order').deleteOne({ _id: seq as never }),
    /entry (\d+) has lost its number, and balances are those of entry \1/,
  ],
  [
    'the one before it is',
    (db, { seq }) => db.collection('order').deleteOne({ _id: (seq - 1) as never }),
    /entry \d+ has lost its number/,
  ],
  [
    'the last entry is gone',
    (db, { entry }) => db.collection('entries').deleteOne({ _id: entry as never }),
    /entry \d+ is gone, and has its number still/,
  ],
  [
    'its text has another byte',
    (db, { entry }) => db.collection('entries').updateOne({ _id: entry as never }, { $set: { core: '{"v":2}' } }),
    /entry \d+ was changed/,
  ],
  [
    'its payload has',
    (db, { entry }) => db.collection('entries').updateOne({ _id: entry as never }, { $set: { payload: '{}' } }),
    /entry \d+ was changed/,
  ],
  [
    'its place in the chain is another',
    (db, { seq, entry }) => db.collection('order').updateOne({ _id: seq as never }, { $set: { chain: entry } }),
    /entry \d+ does not follow from the one before it/,
  ],
  [
    'the balances are those of another journal',
    (db, { entry }) => db.collection('accounts').updateOne({ _id: '@house' as never }, { $set: { chain: entry } }),
    /balances are those of another entry \d+ than the journal’s/,
  ],
];

describeMongo('a journal on MongoDB whose end is damaged', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await TestDatabase.fresh();
    const store = await database.open();
    await store.append(lifeOfMoney(new EntryBuilder()));
    await store.close();
  });
  afterEach(() => database.dispose());

  const inside = <T>(work: (db: Db) => Promise<T>): Promise<T> => database.raw((client, name) => work(client.db(name)));

  const everything = () =>
    inside((db) =>
      Promise.all(['entries', 'order', 'accounts', 'resources'].map((part) => db.collection(part).find({}).toArray())),
    );

  for (const [title, change, named] of damages) {
    it(`is refused at the start where ${title}, and stays as it is`, async () => {
      await inside(async (db) => {
        const [newest] = await db.collection('order').find({}).sort({ _id: -1 }).limit(1).toArray();
        await change(db, { seq: Number(newest!._id), entry: String(newest!.entry) });
      });
      const before = await everything();
      const refusal = await rejection(database.open());
      expect(refusal).to.be.instanceOf(StoreRefused);
      expect(refusal.message)
        .to.match(/^the journal is damaged: /)
        .and.match(named);
      expect(await everything()).to.deep.equal(before);
    });
  }
});
