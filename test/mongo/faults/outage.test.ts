/**
 * The database is unreachable for hours of the nodes' clocks: requests are answered in bounded time, no process ends, and
 * afterwards all continue without help. A write that was under way takes effect once; one that had not begun does not.
 */
import { expect } from 'chai';
import { MovableClock } from '../../../packages/fake-node/src/movable-clock.js';
import { bounds } from '../../../src/core/bounds.js';
import { addressOf } from '../../../src/core/codecs/address.js';
import { MongoStore } from '../../../src/store/mongo/mongo-store.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Reply } from '../../node/support/client.js';
import { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { TestDatabase } from '../support/database.js';
import { Network } from '../support/network.js';
import { describeMongo } from '../support/server.js';
import { copyKeys } from '../support/traffic.js';

const hourMs = 3_600_000;

describeMongo('an outage of the database', () => {
  const world = new MovableClock();
  let database: TestDatabase;
  let network: Network;
  let nodes: TestNode[];
  let ada: Person;
  let ben: Person;

  before(async () => {
    database = await TestDatabase.fresh();
    network = await Network.to(database.url);
    const url = network.through(`${database.url}?serverSelectionTimeoutMS=500`);
    const start = () =>
      TestNode.start({ parts: { world }, store: () => MongoStore.open({ url, network: 'devnet', world }) });
    nodes = [await start(), await start()];
    ada = await nodes[0]!.rich(100);
    ben = await nodes[0]!.person();
    copyKeys(nodes[0]!.dir, nodes[1]!.dir, new Set([addressOf(ada.did)]));
  });
  after(async () => {
    network.open();
    for (const node of nodes) await node.discard();
    await database.dispose();
    await network.dispose();
  });

  const pay = (node: TestNode, nonce: number): Promise<Reply> =>
    ada
      .through(node.client)
      .write('/api/v1/transfers', { nonce, to: ben.did, amount: 10 }, { 'Idempotency-Key': `pay-${nonce}` });

  /** How many entries the server has. */
  const entries = async (): Promise<number> =>
    (await database.raw((client, name) => client.db(name).collection('entries').find({}).toArray())).length;

  async function untilReady(): Promise<void> {
    for (const { client } of nodes)
      await until('ready again', () => client.get('/readyz'), { is: ({ status }) => status === 200 });
  }

  const untilAway = ({ client }: TestNode) =>
    until('the node knows', () => client.get('/readyz'), { is: ({ body }) => body.code === 'SERVICE_UNAVAILABLE' });

  /** What is answered once the node has waited as long as it waits for the database; a request may only begin to wait now. */
  async function outwaited<T>(answer: Promise<T>): Promise<T> {
    let isThere = false;
    void answer.finally(() => {
      isThere = true;
    });
    const look = () => {
      if (!isThere) world.skip(bounds.outageWaitMs);
      return isThere;
    };
    await until('it is answered', look, { everyMs: 100 });
    return answer;
  }

  it('of hours: a caller learns that the outcome is unknown, and finds it out afterwards', async () => {
    const [node, other] = nodes as [TestNode, TestNode];
    // The entry reaches the server, and the reply is lost.
    const before = await entries();
    const reached = network.swallowRepliesToInsert('entries');
    const begun = pay(node, 1);
    await reached;
    await until('it is on the server', entries, { is: (now) => now > before });
    network.close();
    for (const reply of await outwaited(Promise.all([begun, pay(node, 2)]))) {
      expectProblem(reply, 'SERVICE_UNAVAILABLE');
      expect(Number(reply.headers['retry-after'])).to.be.within(1, 60);
    }
    expect((await begun).body.detail).to.match(/unknown: .* the same Idempotency-Key/);
    for (let hour = 0; hour < 3; hour++) {
      world.skip(hourMs);
      for (const node of nodes) {
        const { client } = node;
        await untilAway(node);
        expectProblem(await client.get(`/api/v1/wallets/${ada.did}`), 'SERVICE_UNAVAILABLE');
        expectStatus(await client.get('/healthz'));
      }
      expectProblem(await pay(other, 3), 'SERVICE_UNAVAILABLE');
    }
    network.open();
    await untilReady();
    const again = await pay(other, 1);
    expectStatus(again);
    expect(again.headers, 'what had begun').to.include({ 'idempotent-replayed': 'true' });
    const second = await pay(other, 2);
    expectStatus(second);
    expect(second.headers, 'what had not').to.not.have.property('idempotent-replayed');
    const wallet = expectStatus(await node.client.get(`/api/v1/wallets/${ada.did}`));
    expect(wallet).to.include({ availableBalance: 80, nonce: 2 });
  });

  it('during a batch: each of its writes has an answer, and takes effect once when the batch is sent again', async () => {
    const [node, other] = nodes as [TestNode, TestNode];
    const items = [3, 4, 5].map((nonce) => ({
      path: '/api/v1/transfers',
      body: { ...ada.signed, nonce, to: ben.did, amount: 10 },
      idempotencyKey: `batch-${nonce}`,
    }));
    const send = ({ client }: TestNode) => client.post('/api/v1/batch', { items });
    const before = await entries();
    const reached = network.swallowRepliesToInsert('entries');
    const begun = send(node);
    await reached;
    await until('it is on the server', entries, { is: (now) => now > before });
    network.close();
    await untilAway(node);
    const cut = expectStatus(await outwaited(begun)).items as readonly Reply[];
    expect(cut.map(({ status }) => status)).to.deep.equal([503, 503, 503]);
    const [first, ...waiting] = cut.map(({ body }) => body.detail);
    expect(first).to.match(/unknown: .* the same Idempotency-Key/);
    expect(waiting, 'they wait for the one before').to.deep.equal(Array(2).fill('the database does not answer'));
    network.open();
    await untilReady();
    const again = expectStatus(await send(other)).items as readonly Reply[];
    expect(again.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    const replayed = again.map(({ headers }) => headers?.['Idempotent-Replayed']);
    expect(replayed, 'only what had begun').to.deep.equal(['true', undefined, undefined]);
    const wallet = expectStatus(await other.client.get(`/api/v1/wallets/${ada.did}`));
    expect(wallet).to.include({ availableBalance: 50, nonce: 5 });
  });

  it('ends no process, and leaves one holder of the lease and one order', async () => {
    const report = await nodes[0]!.audit();
    expect(report.flaw?.what).to.equal(undefined);
    expect(await nodes[1]!.audit()).to.deep.equal(report);
    for (const { faults } of nodes) expect(faults).to.deep.equal([]);
    const control = await database.raw((client, name) => client.db(name).collection('control').find({}).toArray());
    const processes = control.map(({ _id }) => String(_id)).filter((id) => id.startsWith('process/'));
    expect(processes, 'no process was taken off the list').to.have.length(2);
    const order = control.find(({ _id }) => String(_id) === 'lease/order');
    expect(processes).to.include(`process/${order?.holder}`);
    // Who has lost the lease learns it in its next round.
    const holders = () => nodes.filter(({ store }) => (store as MongoStore).stats().order.holds);
    await until('one process numbers the entries', holders, { is: ({ length }) => length === 1 });
  });

  it('does not hold up who is asked to stop', async () => {
    network.close();
    const late = pay(nodes[0]!, 6);
    await untilAway(nodes[0]!);
    const from = performance.now();
    await nodes[0]!.running.close();
    expect(performance.now() - from).to.be.below(10_000);
    expectProblem(await late, 'SERVICE_UNAVAILABLE');
    expect(nodes[0]!.faults).to.deep.equal([]);
  });
});
