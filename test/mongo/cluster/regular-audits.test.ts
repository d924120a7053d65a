/** The audit of `SVC_AUDIT_EVERY_HOURS` on one database: one process runs it, and another takes over. */
import { expect } from 'chai';
import { MovableClock } from '../../../packages/fake-node/src/movable-clock.js';
import { expectStatus } from '../../node/support/answers.js';
import type { TestNode } from '../../node/support/node.js';
import { Cluster, soon } from '../support/cluster.js';
import { describeMongo } from '../support/server.js';

const hourMs = 3_600_000;

describeMongo('regular audits of several processes', () => {
  const world = new MovableClock();
  let cluster: Cluster;
  before(async () => {
    cluster = await Cluster.start(3, { world, variables: { SVC_AUDIT_EVERY_HOURS: '24' } });
  });
  after(() => cluster?.discard());

  const reportsAt = async ({ client }: TestNode): Promise<{ node: string; status: string }[]> =>
    expectStatus(await client.get('/api/v1/audit/reports')).reports;
  /** Expects that all processes list this many reports. Waits first, because a second process might audit as well. */
  async function reports(many: number, nodes = cluster.nodes) {
    await soon(
      () => reportsAt(nodes[0]!),
      (found) => found.length >= many,
    );
    for (let round = 0; round < 3; round++) await world.skip(60_000);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const all = await Promise.all(nodes.map(reportsAt));
    for (const each of all) expect(each).to.deep.equal(all[0]);
    expect(all[0]).to.have.length(many);
    return all[0]!;
  }

  it('are run by one of them, once an interval', async () => {
    const [first] = await reports(1);
    expect(first!.status).to.equal('sound');
    await world.skip(25 * hourMs);
    const [second] = await reports(2);
    expect(second).to.include({ status: 'sound', node: first!.node });
  });

  it('are run by another one after the process that ran them has ended', async () => {
    const [last] = await reports(2);
    const runner = cluster.nodes.find(({ did }) => did === last!.node)!;
    const others = cluster.nodes.filter((each) => each !== runner);
    await runner.stop();
    await world.skip(25 * hourMs);
    const [third] = await reports(3, others);
    expect(third).to.include({ status: 'sound' });
    expect(others.map((each) => each.did)).to.include(third!.node);
  });
});
