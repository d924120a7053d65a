/** The audit of a journal on MongoDB by a read-only client, of which nodes don't know, on documents that may be falsified. */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { ReadOnlyClient } from '../../src/store/mongo/read-only-client.js';
import { type Store, StoreRefused } from '../../src/store/store.js';
import { type AuditReport, audit } from '../../src/verify/audit.js';
import { move, type Side } from '../../src/verify/move/move.js';
import { rejection } from '../contract/fixture.js';
import { type Bench, network } from '../world/bench.js';
import { changes, life } from '../world/history.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

const side = (store: Store, place: string): Side => ({
  store,
  place,
  beAlone: async () => {},
  read: (work) => work(store),
});

describeMongo('a read-only client on MongoDB', () => {
  let database: TestDatabase;
  let bench: Bench;
  let client: ReadOnlyClient;

  before(async () => {
    database = await TestDatabase.fresh();
    bench = await life();
    const target = side(await database.open(), 'there');
    await move({ source: side(bench.store, 'here'), target, catalogue: bench.catalogue, network, id: 'm' });
    await target.store.close();
    client = await ReadOnlyClient.open({ url: database.url, network });
  });
  after(async () => {
    await client.close();
    await database.dispose();
  });

  const verdict = (): Promise<AuditReport> => audit(client, bench.catalogue, network);

  it('finds nothing wrong with an honest journal, and leaves no trace', async () => {
    const before = await database.raw((client, name) => client.db(name).collection('control').find({}).toArray());
    expect(await verdict()).to.include({ ok: true, supply: 1_000, head: (await bench.store.head()).chainHash });
    const after = await database.raw((client, name) => client.db(name).collection('control').find({}).toArray());
    expect(after).to.deep.equal(before);
  });

  /**
   * Members that say nothing about the journal: how the entry arrived, what only the numbering needs, what a move left for a
   * retry.
   */
  const apart: { readonly [part: string]: RegExp } = {
    entries: /^\._id|^\.(process|nth)|^\.writes\b(?!.*\.body)/,
    order: /^\._id|^\.token/,
    resources: /^\._id/,
    accounts: /^\._id/,
  };

  /** Changes without a meaning: an additional member, which is never read, and another order of a set. */
  const nothingElse = /^, one added$|^\.(tags|labels), reversed$/;

  for (const [part, unseen] of Object.entries(apart)) {
    it(`finds whatever place of whatever document of ${part} was changed`, async () => {
      await database.raw(async (client, name) => {
        const collection = client.db(name).collection<Document>(part);
        const documents = await collection.find({}).toArray();
        expect(documents.length).to.be.above(2);
        let tried = 0;
        for (const [index, document] of documents.entries()) {
          const ways = [...changes(document as never)].filter(
            ({ path }) => !unseen.test(path) && !nothingElse.test(path),
          );
          // Different places in different documents, because trying all of them would take too long.
          for (const { path, changed } of ways.filter((_, way) => way % 5 === index % 5)) {
            await collection.replaceOne({ _id: document._id }, changed as Document);
            expect((await verdict()).ok, `${part} ${document._id}${path}`).to.equal(false);
            tried++;
          }
          await collection.replaceOne({ _id: document._id }, document);
        }
        expect(tried).to.be.above(10);
      });
      expect(await verdict()).to.include({ ok: true });
    });

    it(`finds any document of ${part} that is missing, and one that no entry wrote`, async () => {
      await database.raw(async (client, name) => {
        const collection = client.db(name).collection<Document>(part);
        for (const document of await collection.find({}).toArray()) {
          await collection.deleteOne({ _id: document._id });
          const { ok, note } = await verdict();
          // Without its system accounts, a store counts as one whose projections have not begun.
          expect(ok && note === undefined, `${part} ${document._id}`).to.equal(false);
          await collection.insertOne(document);
        }
        if (part === 'entries') return; // an entry without a number is in no journal
        const [first] = await collection.find({ _id: { $ne: '@house' as never } }).toArray();
        const invented = { ...first, _id: part === 'order' ? 1_000 : 'none', entry: 'e', event: 'v', id: 'none' };
        await collection.insertOne(invented as Document);
        expect((await verdict()).ok).to.equal(false);
        await collection.deleteOne({ _id: invented._id as never });
      });
      expect(await verdict()).to.include({ ok: true });
    });
  }

  it('refuses a database that is not there, or of another network', async () => {
    const empty = await TestDatabase.fresh();
    const refusal = await rejection(ReadOnlyClient.open({ url: empty.url, network }));
    expect(refusal).to.be.instanceOf(StoreRefused);
    expect(refusal.message).to.match(/^there is no journal in the database svc-test-.*-devnet \(SVC_STORE\)$/);
    const other = await rejection(ReadOnlyClient.open({ url: database.url, network: 'mainnet' }));
    expect(other.message).to.match(/^there is no journal in the database svc-test-.*-mainnet \(SVC_STORE\)$/);
  });
});
