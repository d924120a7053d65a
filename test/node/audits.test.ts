/** `svc-node audit` over HTTP: the node audits its own journal while it serves requests. */
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import sinon from 'sinon';
import { RefusedError, refuse } from '../../src/core/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { until } from '../support/until.js';
import { expectProblem, expectStatus } from './support/answers.js';
import { auditOf, path, sound, withNode } from './support/audits.js';
import { nodeForSuite } from './support/node.js';
import { onMongo } from './support/shared-store.js';

describe('An audit over HTTP', () => {
  const node = nodeForSuite();

  it('is not there before the first', async () => {
    expect(expectStatus(await node().client.get(path))).to.deep.equal({ running: null, last: null });
  });

  it('says how far it has come, and then that the journal is sound', async () => {
    await (await node().rich(30)).pays(node().did, 10);
    const admin = await node().keyed({ scope: 'admin' });
    const reply = await admin.post(path);
    const run = expectStatus(reply, 201);
    const { seq } = await node().store.head();
    expect(run).to.include({ status: 'running', finishedAt: null, total: seq, checked: 0, flaw: null });
    expect(reply.headers.location).to.equal(path);
    const { running } = expectStatus(await node().client.get(path));
    expect(running.startedAt).to.equal(run.startedAt);
    await until('the end', async () => expectStatus(await node().client.get(path)), {
      is: ({ running }) => running === null,
    });
    const { last } = expectStatus(await node().client.get(path));
    expect(last).to.include({ ...sound, startedAt: run.startedAt, checked: seq, total: seq, chain: null });
    expect(last.journal).to.include({ supply: 30, head: (await node().store.head()).chainHash });
    expect(last.finishedAt).to.be.at.least(last.startedAt);
  });

  it('verifies an entry once, unless it is asked for all of them', async () => {
    const [ada, ben] = [await node().rich(30), await node().rich(30)];
    const admin = await node().keyed({ scope: 'admin' });
    const ended = async (body: object) => {
      expectStatus(await admin.post(path, body), 201);
      return (
        await until('the end', async () => expectStatus(await node().client.get(path)), {
          is: ({ running }) => running === null,
        })
      ).last;
    };
    const escrow = { beneficiary: ben.did, amount: 6, releaseRules: [{ type: 'manual' }] };
    for (const round of [1, 2]) {
      await ada.does('/api/v1/transfers', { to: ben.did, amount: 1 }, { 'Idempotency-Key': `transfer-${round}` });
      await ada.does('/api/v1/escrows', escrow, { 'Idempotency-Key': `escrow-${round}` });
      const first = await ended({});
      expect(first).to.include({ ...sound, note: null });
      const second = await ended({});
      expect(second).to.include({ ...sound, note: null, known: first.checked });
      expect(second.journal).to.deep.equal(first.journal);
    }
    expect(await ended({ full: true })).to.include({ ...sound, known: 0 });
  });

  it('runs one at a time: a second start is CONFLICT', async () => {
    const admin = await node().keyed({ scope: 'admin' });
    const replies = await Promise.all([admin.post(path), admin.post(path)]);
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 409]);
    expectProblem(replies.find(({ status }) => status === 409)!, 'CONFLICT');
    await until('the end', async () => expectStatus(await node().client.get(path)), {
      is: ({ running }) => running === null,
    });
  });

  it('is started with an admin key alone, is written down, and can be read without', async () => {
    for (const client of [node().client, await node().keyed({ scope: 'write' })]) {
      expectProblem(await client.post(path), 'FORBIDDEN');
    }
    const admin = await node().key({ scope: 'admin' });
    expectStatus(await node().client.keyed(admin.key).post(path), 201);
    await until('the end', async () => expectStatus(await node().client.get(path)), {
      is: ({ running }) => running === null,
    });
    const { acts } = expectStatus(await node().client.keyed(admin.key).get('/api/v1/admin/log'));
    expect(acts[0]).to.include({ act: 'audit.start', by: admin.id });
  });

  it('is remembered over a restart, and a stop breaks off the one that runs', async () => {
    const { last } = expectStatus(await node().client.get(path));
    const admin = await node().keyed({ scope: 'admin' });
    expectStatus(await admin.post(path), 201);
    await node().restart();
    expect(expectStatus(await node().client.get(path))).to.deep.equal({ running: null, last });
  });

  it('works on a store in memory', () =>
    withNode({ store: async () => new MemoryStore() }, async (inMemory) => {
      expect(await auditOf(inMemory)).to.include(sound);
    }));

  it('that could not begin keeps no other from it', async () => {
    const store = new MemoryStore();
    await withNode({ store: async () => store }, async (own) => {
      const admin = await own.keyed({ scope: 'admin' });
      const away = new RefusedError(refuse('SERVICE_UNAVAILABLE', 'away', { retryAfter: 1 }));
      const head = sinon.stub(store, 'head').rejects(away);
      expectProblem(await admin.post(path), 'SERVICE_UNAVAILABLE');
      head.restore();
      expect(expectStatus(await own.client.get(path)).running).to.equal(null);
      expect(await auditOf(own)).to.include(sound);
    });
  });
});

/** These two tests open their own store. */
(onMongo ? () => {} : describe)('An audit over HTTP of a tampered journal', () => {
  const bad = 5;
  const change = (column: string, from: string, to: string) =>
    `UPDATE journal SET ${column} = replace(${column}, '${from}', '${to}') WHERE seq = ${bad}`;

  for (const [title, sql, check, seq] of [
    ['an amount in its payload', change('payload', '"amount":2', '"amount":3'), 'hash', bad],
    ['its chain hash', `UPDATE journal SET chain_hash = entry_hash WHERE seq = ${bad}`, 'chain', bad],
    ['what leads to it', `UPDATE new_leads SET what = -what WHERE way = 3 AND seq = ${bad}`, 'index', bad],
    [
      'the balance of an account',
      'UPDATE accounts SET available = available + 1 WHERE available = 94',
      'projection',
      0,
    ],
    ['the supply', 'UPDATE house SET supply = supply - 1', 'sums', 0],
  ] as const) {
    it(`names the first bad entry and the check when ${title} was changed`, () =>
      withNode({}, async (node) => {
        const [, , , , entry] = await node.store.entries({ after: 0, limit: bad });
        // While the node runs, because none starts on a journal with a damaged end.
        const database = new Database(join(node.dir, 'journal.db'));
        expect(database.prepare(sql).run().changes, sql).to.equal(1);
        database.close();
        const { status, flaw, checked } = await auditOf(node);
        expect({ status, ...flaw }).to.include({
          ...{ status: 'flawed', check, seq },
          eventHash: seq === 0 ? null : entry!.core.event.hash,
        });
        expect(flaw.what).to.be.a('string').and.not.equal('');
        if (seq > 0) expect(checked).to.equal(seq - 1);
      }));
  }
});
