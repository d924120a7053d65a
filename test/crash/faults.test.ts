/** A failed write or fsync: no caller learns of anything that is not on disk, and the node serves nothing until a restart. */
import { expect } from 'chai';
import { createLog } from '../../src/core/log.js';
import type { Fault } from '../../src/store/sqlite/job.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { StoreFault } from '../../src/store/store.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import type { Reply } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { until } from '../support/until.js';

const housekeepingMs = 5_000;
const before = 5;
const queued = 20;

/** A transfer with this nonce and its own idempotency key, so that it can be sent again. */
const pay = (from: Person, to: Person, nonce: number): Promise<Reply> =>
  from.client.post(
    '/api/v1/transfers',
    { ...from.signed, nonce, to: to.did, amount: 1, memo: 'm'.repeat(200) },
    { 'Idempotency-Key': `pay-${nonce}` },
  );

let running: TestNode | undefined;
const discard = async () => {
  await running?.discard();
  running = undefined;
};

describe('a store that fails under a node', () => {
  afterEach(discard);

  for (const fault of ['write', 'commit', 'die'] satisfies Fault[]) {
    it(`acknowledges nothing after the failure, and a restart finds a consistent state: ${fault}`, async () => {
      let store: SqliteStore | undefined;
      running = await TestNode.start({
        store: async (dir) => {
          store = await SqliteStore.open({ dir });
          return store;
        },
      });
      const node = running;
      const [ada, ben] = [await node.rich(), await node.person()];
      for (let nonce = 1; nonce <= before; nonce++) expectStatus(await pay(ada, ben, nonce));
      await store!.break(fault);
      // Sent at once: in-memory states run ahead of the disk, and each request builds on the previous ones.
      const nonces = Array.from({ length: queued }, (_, i) => before + 1 + i);
      const replies = await Promise.all(nonces.map((nonce) => pay(ada, ben, nonce)));
      const statuses = replies.map(({ status }) => status);
      const acknowledged = statuses.filter((status) => status === 200).length;
      // A file that may not grow still has free space in its pages.
      if (fault !== 'write') expect(acknowledged).to.equal(0);
      const failed = Array(queued - acknowledged).fill(503);
      expect(statuses, 'none behind the first failure').to.deep.equal([...Array(acknowledged).fill(200), ...failed]);
      for (const reply of replies.slice(acknowledged)) expectProblem(reply, 'SERVICE_UNAVAILABLE');
      expect(failed).to.not.have.length(0);
      expect(node.faults, 'reported once').to.have.length(1);
      expect(node.faults[0]).to.be.instanceOf(StoreFault);
      expectProblem(await node.client.get('/readyz'), 'SERVICE_UNAVAILABLE');
      expectProblem(await pay(ada, ben, before + acknowledged + 1), 'SERVICE_UNAVAILABLE');

      await node.restart();
      const again = ada.through(node.client);
      expect(await again.wallet()).to.include({ nonce: before + acknowledged });
      for (const nonce of nonces) expectStatus(await pay(again, ben, nonce));
      expect(await again.wallet()).to.include({ nonce: before + queued, balance: 1_000 - before - queued });
      expect(await node.audit()).to.include({ ok: true, supply: 1_000 });
    });
  }

  it('ends it also where what failed is a record that no request has asked for, such as how far a peer is followed', async () => {
    let store: SqliteStore | undefined;
    running = await TestNode.start({
      store: async (dir) => {
        store = await SqliteStore.open({ dir });
        return store;
      },
    });
    await store!.break('commit');
    await store!.putLocal('table', 'id', {}, 0).catch(() => {});
    await until('it is reported', () => running!.faults.length === 1);
    expectProblem(await running.client.get('/readyz'), 'SERVICE_UNAVAILABLE');
  });
});

describe('a disk that is nearly full', () => {
  afterEach(discard);

  it('stops writes with Retry-After, reads continue, /readyz and the log say so; and writes return with the space', async () => {
    let free = 256 * 1024 * 1024;
    const store = async (dir: string) =>
      Object.assign(await SqliteStore.open({ dir }), { freeBytes: async () => free });
    const lines: string[] = [];
    const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
    const logged = () => lines.map((line) => JSON.parse(line)).filter(({ freeBytes }) => freeBytes !== undefined);
    running = await TestNode.start({ store, parts: { log } });
    const node = running;
    const [ada, ben] = [await node.rich(), await node.person()];
    const look = async (status: string) => {
      node.world.skip(housekeepingMs);
      await until(`it is ${status}`, async () => (await node.client.get('/readyz')).body.status === status);
    };
    await look('ready');
    await ada.pays(ben.did, 1);
    expect(expectStatus(await node.client.get('/readyz'))).to.include({ status: 'ready' });

    expect(logged()).to.deep.equal([]);
    free -= 1;
    await look('degraded');
    expect(logged().map(({ level, msg, freeBytes }) => [level, msg, freeBytes])).to.deep.equal([
      [40, 'the disk is nearly full; writes are refused', free],
    ]);
    const head = await node.state();
    const escrow = { beneficiary: ben.did, amount: 1, releaseRules: [{ type: 'manual' }] };
    for (const refused of [
      await ada.write('/api/v1/transfers', { to: ben.did, amount: 1 }),
      await ada.write('/api/v1/escrows', escrow),
      await node.client.post('/api/v1/faucet', { did: ben.did }),
      await node.client.post('/api/v1/identities', { passphrase: 'correct horse battery staple' }),
    ]) {
      expectProblem(refused, 'SERVICE_UNAVAILABLE');
    }
    expect(await node.state()).to.deep.equal(head);
    expect(await ada.wallet()).to.include({ balance: 999, nonce: 1 });
    expectStatus(await node.client.get('/api/v1/events'));
    const ready = expectStatus(await node.client.get('/readyz'));
    expect(ready).to.include({ status: 'degraded' });
    expect(JSON.stringify(ready)).to.match(/disk/);

    free += 1;
    await look('ready');
    expect(logged().slice(1)).to.have.lengthOf(1);
    expect(logged()[1]).to.include({ msg: 'the disk has room again; writes are accepted' });
    await ada.pays(ben.did, 1);
    expect(expectStatus(await node.client.get('/readyz'))).to.include({ status: 'ready' });
  });
});
