/** The lease holder is killed: within five seconds another process numbers entries and runs the alarms. */
import { expect } from 'chai';
import { addressOf } from '../../../src/core/codecs/address.js';
import { NodeProcess } from '../../crash/support/process.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { isLong } from '../../support/long.js';
import { scratch, tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { expectWithin } from '../../support/within.js';
import { TestDatabase } from '../support/database.js';
import { Leases, longestMs } from '../support/leases.js';
import { describeMongo } from '../support/server.js';
import { copyKeys, Traffic } from '../support/traffic.js';

const rounds = isLong ? 10 : 1;

describeMongo('the holder of the leases is killed', () => {
  let database: TestDatabase;
  let nodes: NodeProcess[] = [];

  before(async () => {
    database = await TestDatabase.fresh();
  });
  after(async () => {
    await tidy();
    await database.dispose();
  });

  const leases = new Leases(
    () => database,
    () => nodes,
  );

  it(`${rounds} times: another one takes over within 5 s, and no number is missing or given twice`, async () => {
    const start = (dir: string) => NodeProcess.start(dir, [], { SVC_STORE: database.url });
    nodes = await Promise.all([start(scratch()), start(scratch()), start(scratch())]);
    const home = nodes[0]!.dir;
    const traffic = await Traffic.begin(3, () => nodes);
    const addresses = new Set(traffic.writers.map(({ did }) => addressOf(did)));
    for (const { dir } of nodes.slice(1)) copyKeys(home, dir, addresses);
    traffic.start();
    const kill = async (): Promise<number> => {
      await traffic.goesOn(12);
      const numbering = await leases.holderOf('order');
      const ringing = await leases.holderOf('alarms');
      nodes = nodes.filter((node) => node !== numbering.node);
      await numbering.node.kill();
      const waits = [leases.handedOver('order', numbering.token)];
      if (ringing.node === numbering.node) waits.push(leases.handedOver('alarms', ringing.token));
      const tookMs = Math.max(...(await Promise.all(waits)), await traffic.goesOn(12));
      const next = scratch();
      copyKeys(home, next, addresses);
      nodes.push(await start(next));
      return tookMs;
    };
    for (let round = 0; round < rounds; round++) await expectWithin(longestMs, kill);
    await traffic.stop();
    await traffic.compare(nodes);
  });

  it('a deadline that comes meanwhile is kept by the next', async () => {
    const [{ client }] = nodes as [NodeProcess];
    const passphrase = 'correct horse battery staple';
    const { did } = expectStatus(await client.post('/api/v1/identities', { passphrase }), 201);
    expectStatus(await client.post('/api/v1/faucet', { did }));
    const { did: beneficiary } = expectStatus(await client.post('/api/v1/identities', { passphrase }), 201);
    const terms = { beneficiary, amount: 10, releaseRules: [{ type: 'manual' }], autoFund: true };
    let expiresAt = 0;
    const create = () => {
      expiresAt = Date.now() + 3_000;
      return client.post('/api/v1/escrows', { did, passphrase, nonce: 1, ...terms, expiresAt });
    };
    // A busy machine may take longer than these three seconds.
    const { body } = await until('it is there before it expires', create, { is: ({ status }) => status === 201 });
    const { escrowId } = body;
    const { node, token } = await leases.holderOf('alarms');
    nodes = nodes.filter((each) => each !== node);
    await node.kill();
    await leases.handedOver('alarms', token);
    const survivor = nodes[0]!.client;
    const read = async (): Promise<Body> => expectStatus(await survivor.get(`/api/v1/escrows/${escrowId}`));
    const escrow = await until('the deadline is kept', read, { is: ({ status }) => status !== 'funded' });
    expect(escrow).to.include({ status: 'expired', refunded: 10 });
    expect(escrow.updatedAt).to.be.at.least(expiresAt);
  });
});
