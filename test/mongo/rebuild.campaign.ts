/** Damaged documents of a database on MongoDB: the audit names them, and a rebuild recreates them. */
import { expect } from 'chai';
import type { Collection, Document } from 'mongodb';
import { type Ended, ended, json, spawnCommand, svcNode } from '../cli/support/command.js';
import { longJournal } from '../cli/support/long-journal.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';
import { traded } from './support/traded.js';

type Documents = (collection: string) => Collection<Document>;

describeMongo('svc-node rebuild on MongoDB', () => {
  const databases: TestDatabase[] = [];
  after(async () => {
    await tidy();
    for (const database of databases) await database.dispose();
  });

  async function fresh(): Promise<TestDatabase> {
    const database = await TestDatabase.fresh();
    databases.push(database);
    return database;
  }

  const within = <T>(database: TestDatabase, work: (documents: Documents) => Promise<T>): Promise<T> =>
    database.raw((client, name) => work((collection) => client.db(name).collection<Document>(collection)));
  const run = ({ url }: TestDatabase, ...words: string[]): Promise<Ended> =>
    svcNode([...words, '--data', scratch()], { env: { SVC_STORE: url } });
  const auditOf = async (database: TestDatabase) =>
    json<{ ok: boolean; note?: string; flaw?: { what: string } }>(await run(database, 'audit', '--json'));

  async function rebuilt(database: TestDatabase): Promise<void> {
    const end = await run(database, 'rebuild', '--json');
    expect(end.code, end.stderr).to.equal(0);
    expect(await auditOf(database))
      .to.include({ ok: true })
      .and.not.have.property('note');
  }

  async function refusal(ending: Promise<Ended>): Promise<string> {
    const end = await ending;
    expect(end, end.stdout).to.include({ code: 1, stdout: '' });
    expect(end.stderr).to.match(/^svc-node: [^\n]+\n$/);
    return end.stderr;
  }

  const one = async (documents: Documents, name: string): Promise<Document> =>
    (
      await documents(name)
        .find({ _id: { $nin: ['@rules', '@house'] } } as object)
        .toArray()
    )[0]!;

  /** How the documents are damaged. */
  const damages: { readonly [title: string]: (documents: Documents) => Promise<unknown> } = {
    'another balance': (documents) =>
      documents('accounts').updateMany({ available: { $gt: 0 } }, { $inc: { available: 1 } }),
    'another length of a history': (documents) =>
      documents('accounts').updateMany({ escrow: { $gt: 0 } }, { $inc: { escrow: 1 } }),
    'another end of the journal': (documents) =>
      documents('accounts').updateOne({ _id: '@house' as never }, { $inc: { seq: 4_096 } }),
    'no end of the journal': (documents) => documents('accounts').deleteOne({ _id: '@house' as never }),
    'a snapshot that is no text': (documents) => documents('resources').updateMany({}, { $set: { body: '{' } }),
    'a resource without labels': (documents) => documents('resources').updateMany({}, { $set: { labels: null } }),
    'a resource missing': async (documents) =>
      documents('resources').deleteOne({ _id: (await one(documents, 'resources'))._id }),
    'a resource without an entry': async (documents) =>
      documents('resources').insertOne({ ...(await one(documents, 'resources')), _id: 'escrow/none' as never }),
    'another word of a listing': (documents) =>
      documents('search').updateMany({ 'words.n': 1 }, { $inc: { 'words.0.n': 1 } }),
    'a listing missing in searches': async (documents) =>
      documents('search').deleteOne({ _id: (await one(documents, 'search'))._id }),
    'a listing without an entry': async (documents) =>
      documents('search').insertOne({ ...(await one(documents, 'search')), _id: 'another' as never }),
    'another key of an entry': (documents) =>
      documents('entries').updateOne({}, { $set: { 'keys.0': 'nonce/none#1' } }),
    'another reply of an entry': (documents) =>
      documents('entries').updateOne({ 'writes.0': { $exists: true } }, { $set: { 'writes.0.body': '{}' } }),
    'entries without resources': (documents) => documents('entries').updateMany({}, { $unset: { writes: '' } }),
    'another tag of a number': (documents) => documents('order').updateMany({}, { $set: { 'tags.0': 'i/nobody' } }),
    'another index of hashes': (documents) =>
      documents('local').insertOne({
        ...{ _id: 'hashes/built' as never, table: 'hashes', id: 'built', revision: 1, write: 'none' },
        value: JSON.stringify({ size: 2, segments: 1 }),
      }),
    'another hash of an event': (documents) => documents('order').updateOne({}, { $set: { event: 'e'.repeat(64) } }),
  };

  describe('makes good', () => {
    let database: TestDatabase;
    before(async () => {
      database = await fresh();
      await traded(database);
      expect(await auditOf(database)).to.include({ ok: true });
    });

    for (const [title, harm] of Object.entries(damages)) {
      it(title, async () => {
        await within(database, harm);
        // A journal without its end counts as one from which nothing is derived yet, which the audit only notes.
        const { ok, note } = await auditOf(database);
        expect(ok && note === undefined).to.equal(false);
        await rebuilt(database);
      });
    }

    it('all of it at once, and the audit says what it said before', async () => {
      const before = await run(database, 'audit', '--json');
      for (const harm of Object.values(damages)) await within(database, harm);
      await rebuilt(database);
      expect(json(await run(database, 'audit', '--json'))).to.deep.equal(json(before));
    });

    it('not an entry: it says which, changes nothing, and is no obstacle to a start', async () => {
      await within(database, async (documents) => {
        const place = (await documents('order').findOne({ _id: 3 as never }))!;
        const entry = (await documents('entries').findOne({ _id: place.entry }))!;
        const core = (text: string) => documents('entries').updateOne({ _id: place.entry }, { $set: { core: text } });
        await core(entry.core.replace('"time":1', '"time":2'));
        const accounts = await documents('accounts').find({}).toArray();
        expect(await refusal(run(database, 'rebuild'))).to.include('entry 3 is damaged');
        expect(await documents('accounts').find({}).toArray()).to.deep.equal(accounts);
        expect(await documents('local').findOne({ _id: 'meta/rebuild' as never })).to.equal(null);
        await core(entry.core);
      });
      expect(await auditOf(database)).to.include({ ok: true });
    });

    it('not a journal that has lost its end', async () => {
      await within(database, async (documents) => {
        const [last] = await documents('order').find({}).sort({ _id: -1 }).limit(1).toArray();
        await documents('order').deleteOne({ _id: last!._id });
        expect(await refusal(run(database, 'rebuild'))).to.match(
          /the journal ends at \d+, and balances are those of a later/,
        );
        await documents('order').insertOne(last!);
      });
      expect(await auditOf(database)).to.include({ ok: true });
    });

    it('nothing while a process uses the database', async () => {
      const store = await database.open();
      expect(await refusal(run(database, 'rebuild'))).to.include('another process works on');
      await store.close();
      expect(await auditOf(database)).to.include({ ok: true });
    });
  });

  it('is killed on the way: no node starts, and the next one ends it', async () => {
    // Two pages of the journal.
    const entries = isLong ? 800 : 600;
    const [database, dir] = [await fresh(), scratch()];
    await longJournal(dir, entries - 2);
    const env = { SVC_STORE: database.url };
    const moved = await svcNode(['migrate', '--from', dir, '--to', database.url]);
    expect(moved.code, moved.stderr).to.equal(0);
    await within(database, async (documents) => {
      const stages: { readonly [title: string]: () => Promise<boolean> } = {
        marked: async () => (await documents('local').findOne({ _id: 'meta/rebuild' as never })) !== null,
        dropped: async () => (await documents('accounts').countDocuments({})) === 0,
        'half written': async () => (await documents('accounts').findOne({ _id: '@house' as never }))?.seq < entries,
      };
      for (const [stage, isReached] of Object.entries(stages)) {
        // After each kill the next process waits until this one has been silent for some seconds.
        if (!isLong && stage !== 'half written') continue;
        await documents('accounts').updateMany({ available: { $gt: 0 } }, { $inc: { available: 1 } });
        const child = spawnCommand(['rebuild', '--data', dir], { env });
        const end = ended(child);
        while (child.exitCode === null && !(await isReached())) await new Promise(setImmediate);
        child.kill('SIGKILL');
        const { signal, stderr } = await end;
        expect(signal, `${stage}: ${stderr}`).to.equal('SIGKILL');
        const start = await run(database, 'start', '--port', '0');
        expect(start, stage).to.include({ code: 1 });
        expect(start.stderr).to.include('is being rebuilt');
        expect(await refusal(svcNode(['migrate', '--from', database.url, '--to', scratch()]))).to.include(
          'is being rebuilt',
        );
      }
    });
    await rebuilt(database);
    const again = await run(database, 'rebuild');
    expect(again.stdout).to.match(/was rebuilt\n(.*\n)+OK: it passes the audit\.\n$/);
  });
});
