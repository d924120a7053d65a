import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { TestDatabase } from '../mongo/support/database.js';
import { describeMongo } from '../mongo/support/server.js';
import { scratch, tidy } from '../support/scratch.js';
import { svcNode } from './support/command.js';
import { runHere } from './support/here.js';
import { longJournal } from './support/long-journal.js';
import { faucet, get, startHere } from './support/node.js';
import { auditOf, ok, refusal } from './support/outcome.js';

const passphrase = 'correct horse battery staple';

/** A start on what is not, or no longer, a node's journal. */
const refusedStart = async (dir: string, env: NodeJS.ProcessEnv = {}) =>
  (await runHere(['start', '--data', dir, '--port', '0'], { SVC_CHAIN: 'none', ...env })).stderr;
const migrate = (...words: string[]) => svcNode(['migrate', ...words]);

describe('svc-node migrate', () => {
  after(tidy);

  for (const [words, says] of [
    [['--from', 'embedded'], 'Name a target with --to, or give the move up with --give-up.'],
    [
      ['--from', 'embedded', '--to', '/tmp', '--give-up'],
      'Name a target with --to, or give the move up with --give-up.',
    ],
    [['--from', 'embedded', '--to', 'postgres://x/y'], '--to must be embedded, a data directory, or a URL'],
  ] as const) {
    it(`is asked wrongly by: ${words.join(' ')}`, async () => {
      const dir = scratch();
      await longJournal(dir, 1);
      const end = await migrate(...words, '--data', dir);
      expect(end).to.include({ code: 2, stdout: '' });
      expect(end.stderr).to.include(says);
    });
  }

  it('moves from one data directory into another, and names what is not there', async () => {
    const [dir, other] = [scratch(), join(scratch(), 'other')];
    expect(await refusal(migrate('--from', dir, '--to', other))).to.equal(`svc-node: there is no journal in ${dir}\n`);
    expect(existsSync(other)).to.equal(false);
    await longJournal(dir, 20);
    const end = await migrate('--from', dir, '--to', other);
    expect(end.code, end.stderr).to.equal(0);
    expect(end.stdout)
      .to.match(/^\S+ was moved to \S+\n +entries +22\n/)
      .and.include('OK: both pass the audit');
    expect(end.stderr).to.include('Keys are not in it');
    expect((await auditOf(other)).head).to.equal((await auditOf(dir)).head);
  });

  it('refuses a data directory in which a node runs, on either side', async () => {
    const node = await startHere();
    const other = scratch();
    expect(await refusal(migrate('--from', node.dataDir, '--to', other))).to.include(`in use by process ${node.pid}`);
    await longJournal(other, 10);
    expect(await refusal(migrate('--from', other, '--to', node.dataDir))).to.include(`in use by process ${node.pid}`);
    await node.stop();
    expect(await refusal(migrate('--from', other, '--to', node.dataDir))).to.include(
      'is not empty: it holds 1 entries',
    );
    expect((await migrate('--from', other, '--to', other)).stderr).to.include('name the same place');
  });

  it('refuses a tampered source, which continues as before, and leaves a target on which no node starts', async () => {
    const node = await startHere();
    // More entries than a start checks, so that the start does not notice the changed one.
    for (let n = 0; n < 9; n++) await faucet(node, node.did);
    await node.stop();
    const dir = node.dataDir;
    const change = (what: string) => {
      const database = new Database(join(dir, 'journal.db'));
      expect(database.prepare(what).run().changes).to.equal(1);
      database.close();
    };
    change(`UPDATE journal SET core = replace(core, ',100]', ',101]') WHERE seq = 2`);
    const other = scratch();
    const says = await refusal(migrate('--from', dir, '--to', other));
    expect(says).to.match(/does not pass the audit: entry 2 is bad \(event [0-9a-f]{64}\): entryHash is not the hash/);
    expect(await refusedStart(other)).to.include('This database is the unfinished target of a move from');
    change(`UPDATE journal SET core = replace(core, ',101]', ',100]') WHERE seq = 2`);
    await (await startHere(dir)).stop();
    expect(await ok(migrate('--from', dir, '--to', other, '--json'))).to.include({ now: true, entries: 10 });
    expect(await refusedStart(dir)).to.include(`The journal of this database was moved to ${other}`);
    expect((await svcNode(['api-key', 'create', '--data', dir, '--scope', 'read'])).stderr).to.include('was moved to');
    expect(await ok(migrate('--from', dir, '--give-up', '--json'))).to.deep.equal({ from: dir, givenUp: true });
    await (await startHere(dir)).stop();
  });
});

describeMongo('svc-node migrate, between a data directory and MongoDB', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await TestDatabase.fresh();
  });
  afterEach(() => database.dispose());
  after(tidy);

  it('takes a node there and back, with its money, its API keys and the replies that it may give again', async () => {
    const dir = scratch();
    const onMongo = { env: { SVC_STORE: database.url } };
    const move = (from: string, to: string) =>
      svcNode(['migrate', '--from', from, '--to', to, '--data', dir, '--json'], onMongo);
    const known = { env: { SVC_PASSPHRASE: passphrase } };
    const { did } = await ok(svcNode(['identity', 'create', '--data', dir, '--json'], known));
    const transfer = { did, passphrase, nonce: 1, to: '', amount: 30 };
    const pay = async (url: string) => {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
      const reply = await fetch(`${url}/api/v1/transfers`, { method: 'POST', headers, body: JSON.stringify(transfer) });
      expect(reply.status, await reply.clone().text()).to.equal(200);
      return reply.headers.get('Idempotent-Replayed');
    };
    const embedded = await startHere(dir);
    transfer.to = embedded.did;
    await faucet(embedded, String(did));
    expect(await pay(embedded.url)).to.equal(null);
    const { key } = await ok(svcNode(['api-key', 'create', '--scope', 'admin', '--data', dir, '--json']));
    await embedded.stop();

    const there = await ok(move('embedded', 'SVC_STORE'));
    expect(there).to.include({ now: true, entries: 3, supply: 100, from: dir });
    expect(await auditOf(database.url)).to.deep.equal(await auditOf(dir));
    expect(await refusedStart(dir)).to.include('The journal of this database was moved to mongodb://127.0.0.1');
    expect(await ok(move('embedded', 'SVC_STORE'))).to.include({ now: false, head: there.head });

    const shared = await startHere(dir, onMongo.env);
    expect(shared.did).to.equal(embedded.did);
    expect((await get(`${shared.url}/api/v1/wallets/${did}`)).body.balance).to.equal(70);
    expect(await pay(shared.url)).to.equal('true');
    expect((await get(`${shared.url}/api/v1/admin/api-keys`, String(key))).body.total).to.equal(1);
    expect(await refusal(move('SVC_STORE', 'embedded'))).to.include('another process works on mongodb://');
    expect(await refusal(svcNode(['backup', join(dir, 'b'), '--data', dir], onMongo))).to.include('mongodump');
    expect(await refusal(svcNode(['backup', join(dir, 'b'), '--data', dir]))).to.include('MongoDB');
    await faucet(shared, shared.did);
    await shared.stop();

    expect(await ok(move('SVC_STORE', 'embedded'))).to.include({ now: true, entries: 4, supply: 200, to: dir });
    expect(await auditOf(dir)).to.deep.equal(await auditOf(database.url));
    expect(await refusedStart(dir, onMongo.env)).to.include(`The journal of this database was moved to ${dir}`);
    const back = await startHere(dir);
    expect((await get(`${back.url}/api/v1/wallets/${back.did}`)).body.balance).to.equal(130);
    expect(await pay(back.url)).to.equal('true');
    await back.stop();
  });

  it('refuses entries and rows on MongoDB that were tampered with', async () => {
    const dir = scratch();
    await longJournal(dir, 30);
    const url = database.url;
    await ok(migrate('--from', dir, '--to', url, '--json'));
    const change = (part: string, which: object, what: object) =>
      database.raw(async (client, name) => {
        const { modifiedCount } = await client.db(name).collection(part).updateOne(which, what);
        expect(modifiedCount).to.equal(1);
      });
    const [first] = await database.raw((client, name) =>
      client
        .db(name)
        .collection('order')
        .find({ _id: 7 as never })
        .toArray(),
    );
    const entry = { _id: first!.entry };
    const { core } = (await database.raw((client, name) => client.db(name).collection('entries').findOne(entry)))!;
    await change('entries', entry, { $set: { core: core.replace('"time":1', '"time":2') } });
    const bad = /does not pass the audit: entry 7 is bad \(event [0-9a-f]{64}\): entryHash is not the hash/;
    expect(await refusal(migrate('--from', url, '--to', scratch()))).to.match(bad);
    await change('entries', entry, { $set: { core } });
    await change('accounts', { _id: '@house' as never }, { $inc: { fees: 1 } });
    expect(await refusal(migrate('--from', url, '--to', scratch()))).to.include('the ledger rows sum to');
    await change('accounts', { _id: '@house' as never }, { $inc: { fees: -1 } });
    expect(await ok(migrate('--from', url, '--to', scratch(), '--json'))).to.include({ now: true, entries: 32 });
  });

  it('shows no password of a URL, wherever the server is not', async () => {
    const dir = scratch();
    await longJournal(dir, 5);
    const url = 'mongodb://ops:s3cret-w0rd@127.0.0.1:1/x?serverSelectionTimeoutMS=300';
    const says = await refusal(migrate('--from', dir, '--to', url));
    expect(says).to.include('mongodb://127.0.0.1:1/x').and.not.include('s3cret').and.not.include('ops:');
  });
});
