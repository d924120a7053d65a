/** The search index on MongoDB: an audit names everything in it that differs from the journal. */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { catalogue } from '../../src/machines/catalogue.js';
import { ReadOnlyClient } from '../../src/store/mongo/read-only-client.js';
import { type AuditReport, audit } from '../../src/verify/audit.js';
import { publishes } from '../node/support/market.js';
import { changes } from '../world/history.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';
import { traded } from './support/traded.js';

describeMongo('the search index on MongoDB', () => {
  let database: TestDatabase;
  let client: ReadOnlyClient;

  before(async () => {
    database = await TestDatabase.fresh();
    await traded(database);
    client = await ReadOnlyClient.open({ url: database.url, network: database.network });
  });
  after(async () => {
    await client?.close();
    await database?.dispose();
  });

  const verdict = (): Promise<AuditReport> => audit(client, catalogue, database.network);
  const search = <T>(work: (collection: import('mongodb').Collection<Document>) => Promise<T>): Promise<T> =>
    database.raw((raw, name) => work(raw.db(name).collection<Document>('search')));
  const listings = (): Promise<Document[]> =>
    search((collection) => collection.find({ _id: { $ne: '@rules' as never } }).toArray());

  it('is what the journal gives', async () => {
    expect(await listings()).to.have.length(4);
    expect(await verdict())
      .to.include({ ok: true })
      .and.not.have.property('note');
  });

  it('is named at whatever place of whatever document was changed', async () => {
    let tried = 0;
    for (const document of await listings()) {
      const ways = [...changes(document as never)].filter(
        ({ path }) =>
          !/^\._id|^\.rules|^, one added$|^\.(words|labels), reversed$|^\.words\[\d+\], one added$/.test(path),
      );
      for (const { path, changed } of ways.filter((_, way) => way % 3 === 0 || way < 12)) {
        await search((collection) => collection.replaceOne({ _id: document._id }, changed as Document));
        const { flaw } = await verdict();
        expect(flaw?.check, `${document._id}${path}`).to.equal('search');
        expect(flaw!.what).to.include(document._id as unknown as string);
        tried++;
      }
      await search((collection) => collection.replaceOne({ _id: document._id }, document));
    }
    expect(tried).to.be.above(100);
    expect(await verdict()).to.include({ ok: true });
  });

  it('is named where a document is missing, or there that no listing gives', async () => {
    for (const document of await listings()) {
      await search((collection) => collection.deleteOne({ _id: document._id }));
      expect((await verdict()).flaw).to.include({
        check: 'search',
        what: 'the search index has 3 listings, and the journal gives 4',
      });
      for (const _id of ['another', 7]) {
        const stranger = { ...document, _id } as Document;
        await search((collection) => collection.insertOne(stranger));
        const said = `searches do not find ${_id} as what it is`;
        expect((await verdict()).flaw).to.include({ check: 'search', what: said });
        await search((collection) => collection.deleteOne({ _id: _id as never }));
      }
      await search((collection) => collection.insertOne(document));
    }
    expect(await verdict()).to.include({ ok: true });
  });

  it('may be ahead of the audit while a node publishes: that is no violation', async () => {
    const other = await TestDatabase.fresh();
    let isOver = false;
    let audits = 0;
    let published = 0;
    await traded(other, async (_, seller) => {
      const beside = await ReadOnlyClient.open({ url: other.url, network: other.network });
      const publishing = (async () => {
        for (; !isOver; published++) await publishes(seller, { title: `Report ${published}` });
      })();
      const flaws: unknown[] = [];
      for (; audits < 10 || published < 20; audits++) {
        const { flaw } = await audit(beside, catalogue, other.network);
        if (flaw) flaws.push(flaw);
      }
      isOver = true;
      await publishing;
      expect(flaws).to.deep.equal([]);
      expect(await audit(beside, catalogue, other.network))
        .to.include({ ok: true })
        .and.not.have.property('note');
      await beside.close();
    });
    await other.dispose();
  });

  it('of other rules is made anew by the next start, and is not compared', async () => {
    const rules = (rules: string) =>
      search((collection) => collection.updateOne({ _id: '@rules' as never }, { $set: { rules } }));
    const [before] = await search((collection) => collection.find({ _id: '@rules' as never }).toArray());
    await rules('older');
    const report = await verdict();
    expect(report).to.include({ ok: true });
    expect(report.note).to.match(/the next start rebuilds it/);
    await rules(before!.rules);
  });
});
