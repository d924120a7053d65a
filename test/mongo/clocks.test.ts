/** Three processes on one database, of which one has a wrong clock. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { JumpingClock } from '../support/jumping-clock.js';
import { until } from '../support/until.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

const yearMs = 400 * 86_400_000;

describeMongo('three processes on one database, one of which has a wrong clock', () => {
  let database: TestDatabase;
  const nodes: TestNode[] = [];

  async function start(world = new JumpingClock(), dir?: string): Promise<TestNode> {
    const store = () => database.open({ world });
    const node = await TestNode.start({ world, store, ...(dir === undefined ? {} : { dir }) });
    nodes.push(node);
    return node;
  }

  const worldOf = ({ world }: TestNode) => world as JumpingClock;
  const reasons = async ({ client }: TestNode): Promise<string> =>
    (await client.get('/readyz')).body.reasons.join('; ');
  const pays = (who: Person) => who.write('/api/v1/transfers', { to: nodes[0]!.did, amount: 1 });

  async function holderOfAlarms(): Promise<string | undefined> {
    return database.raw(async (client, name) => {
      const control = client.db(name).collection('control');
      return (await control.findOne({ _id: 'lease/alarms' as never }))?.holder ?? undefined;
    });
  }

  before(async () => {
    database = await TestDatabase.fresh();
    await start();
    // The first takes the deadlines, which the others must get from it.
    await until('a process has the deadlines', holderOfAlarms);
    await start();
    await start();
  });
  after(async () => {
    for (const node of nodes) await node.discard();
    await database.dispose();
  });

  it('write without it, and take the deadlines from it', async () => {
    const [wrong, right] = nodes as [TestNode, TestNode];
    const [ada, ben] = [await right.rich(), await wrong.rich()];
    const beneficiary = ben.did;
    const body = { beneficiary, amount: 1, releaseRules: [{ type: 'manual' }], autoFund: true };
    worldOf(wrong).jumpMs = yearMs;
    const { escrowId } = await ada.does('/api/v1/escrows', { ...body, expiresAt: right.world.now() + 10_000 });
    const refused = await pays(ben);
    expect([refused.status, refused.body.detail]).to.match(/^503,this machine’s clock has jumped 400 days ahead/);
    const status = async () => (await right.client.get(`/api/v1/escrows/${escrowId}`)).body.status;
    await until('another process expires it', status, { is: (seen) => seen === 'expired' });
    const [entry] = await right.store.entries({ after: 0, limit: 1_000, type: 'escrow.expired' });
    expect(entry?.core.home).to.not.equal(wrong.did);
    await until('the others warn', () => reasons(right), { is: (text) => /the clock of another process/.test(text) });
    expect((await pays(ada)).status).to.equal(200);
    worldOf(wrong).jumpMs = 0;
    expect((await pays(ben)).status).to.equal(200);
    await until('the warning ends', () => reasons(right), { is: (text) => text === '' });
    expect((await right.audit()).flaw).to.equal(undefined);
  });

  for (const jumpMs of [yearMs, -yearMs]) {
    it(`hold the start of one whose clock is ${jumpMs > 0 ? 'ahead' : 'behind'}, until it is right`, async () => {
      const [before] = nodes.splice(2, 1) as [TestNode];
      await before.stop();
      rmSync(join(before.dir, 'clock.json'), { force: true });
      const wrong = await start(new JumpingClock(jumpMs), before.dir);
      const reply = await wrong.client.post('/api/v1/identities', { passphrase: 'correct horse battery' });
      expect([reply.status, reply.body.detail]).to.match(
        /^503,this machine’s clock is 400 days \w+( of)? most of the clocks/,
      );
      worldOf(wrong).jumpMs = 0;
      expect((await pays(await wrong.rich())).status).to.equal(200);
    });
  }
});
