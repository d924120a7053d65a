/**
 * The server stops under three processes with many writers, and returns: no process ends, nothing acknowledged is lost or done
 * twice, and a process started meanwhile has waited. Then one process is stopped for longer than its lease.
 */
import { expect } from 'chai';
import { addressOf } from '../../../src/core/codecs/address.js';
import { NodeProcess } from '../../crash/support/process.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import { isLong } from '../../support/long.js';
import { scratch, tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { expectWithin } from '../../support/within.js';
import { TestDatabase } from '../support/database.js';
import { Leases } from '../support/leases.js';
import { describeMongo, givenUrl, JavaServer } from '../support/server.js';
import { copyKeys, Traffic } from '../support/traffic.js';

const outageMs = isLong ? 200_000 : 2_500;
const stillMs = isLong ? 60_000 : 4_000;
const recoveryMs = 20_000;

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

(givenUrl === undefined ? describeMongo : describe.skip)('a server that is away', () => {
  const server = new JavaServer();
  let database: TestDatabase;
  let nodes: NodeProcess[];
  let traffic: Traffic;
  /** Processes that have ended for any reason. */
  const ended: unknown[] = [];
  const leases = new Leases(
    () => database,
    () => nodes,
  );
  const start = async (dir = scratch()): Promise<NodeProcess> => {
    const node = await NodeProcess.start(dir, [], { SVC_STORE: database.url });
    void node.ended.then((end) => ended.push(end));
    return node;
  };

  before(async () => {
    await server.start();
    database = await TestDatabase.on(server.url);
    nodes = await Promise.all([start(), start(), start()]);
    traffic = await Traffic.begin(3, () => nodes, 120_000 + outageMs);
    for (const { dir } of nodes.slice(1)) copyKeys(nodes[0]!.dir, dir, addresses());
    traffic.start();
  });
  after(async () => {
    await tidy();
    await database?.dispose();
    await server.dispose();
  });

  const addresses = () => new Set(traffic.writers.map(({ did }) => addressOf(did)));
  const statusOf = async ({ client }: NodeProcess, path: string) => (await client.get(path)).status;

  it(`for ${outageMs / 1_000} s is waited for by those who run and by those who start`, async () => {
    await expectWithin(recoveryMs, outage);
    expect(ended).to.deep.equal([]);
  });

  /** @returns how long it takes until all are ready again and write */
  async function outage(): Promise<number> {
    await traffic.goesOn(30);
    await server.kill();
    await rest(1_500);
    const dir = scratch();
    copyKeys(nodes[0]!.dir, dir, addresses());
    const late = start(dir);
    const acknowledged = traffic.acknowledged;
    await rest(outageMs - 1_500);
    for (const node of nodes) {
      await until('it has noticed', () => statusOf(node, '/readyz'), { is: (status) => status === 503 });
      expectProblem(await node.client.get('/readyz'), 'SERVICE_UNAVAILABLE');
      expectStatus(await node.client.get('/healthz'));
    }
    expect(traffic.acknowledged, 'nothing is acknowledged meanwhile').to.equal(acknowledged);
    await server.start();
    const from = performance.now();
    for (const node of nodes)
      await until('it is back', () => statusOf(node, '/readyz'), { is: (status) => status === 200 });
    await traffic.goesOn(1);
    const recoveredMs = performance.now() - from;
    nodes.push(await late);
    await traffic.goesOn(30);
    if (isLong) console.log(`      ready and writing again after ${Math.round(recoveredMs)} ms`);
    return recoveredMs;
  }

  it('has one holder of the lease afterwards, and one who stands still for longer than that comes back', async () => {
    const { node, token } = await leases.holderOf('order');
    node.signal('SIGSTOP');
    nodes = nodes.filter((each) => each !== node);
    await leases.handedOver('order', token);
    await traffic.goesOn(12);
    await rest(stillMs);
    node.signal('SIGCONT');
    nodes.push(node);
    await until('it is back', () => statusOf(node, '/readyz'), { is: (status) => status === 200 });
    await traffic.goesOn(12);
    expect((await leases.holderOf('order')).node, 'no second holder').to.not.equal(node);
  });

  it('loses nothing and does nothing twice', async () => {
    await traffic.stop();
    await traffic.compare(nodes);
    expect(ended, 'no process has ended').to.deep.equal([]);
    for (const node of nodes) expect((await node.stop()).code).to.equal(0);
    if (isLong) console.log(`      ${traffic.acknowledged} writes were acknowledged`);
  });
});
