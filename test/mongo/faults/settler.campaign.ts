/**
 * Three processes on one database settle on one chain. The settling process is killed, or stopped and resumed: another one
 * continues, and every operation is on chain exactly once.
 */
import { expect } from 'chai';
import { SettlementContract } from '../../../src/chain/settlement/settlement-contract.js';
import { addressOf } from '../../../src/core/codecs/address.js';
import { anvilBinary } from '../../chain/support/anvil-binary.js';
import { PublicChain } from '../../chain/support/public-chain.js';
import { expectSettled } from '../../chain/support/settled-node.js';
import { NodeProcess } from '../../crash/support/process.js';
import { expectStatus } from '../../node/support/answers.js';
import { isLong } from '../../support/long.js';
import { scratch, tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { elapsed, expectWithin } from '../../support/within.js';
import { TestDatabase } from '../support/database.js';
import { Leases, longestMs } from '../support/leases.js';
import { describeMongo } from '../support/server.js';
import { copyKeys, Traffic } from '../support/traffic.js';

const kills = isLong ? 20 : 2;

(anvilBinary() === undefined ? describe.skip : describeMongo)('the process that settles', () => {
  let database: TestDatabase;
  let chain: PublicChain;
  let nodes: NodeProcess[] = [];
  let traffic: Traffic;
  const leases = new Leases(
    () => database,
    () => nodes,
  );

  before(async () => {
    [database, chain] = await Promise.all([TestDatabase.fresh(), PublicChain.start()]);
    const [first, ...others] = [scratch(), scratch(), scratch()] as const;
    nodes = await Promise.all([first, ...others].map(start));
    traffic = await Traffic.begin(3, () => nodes);
    for (const dir of others) copyKeys(first, dir, addresses());
    traffic.start();
  });
  after(async () => {
    await chain?.stop();
    await tidy();
    await database?.dispose();
  });

  const addresses = () => new Set(traffic.writers.map(({ did }) => addressOf(did)));
  const start = (dir: string): Promise<NodeProcess> =>
    NodeProcess.start(dir, [], { SVC_STORE: database.url, SVC_SETTLEMENT_WAIT_MS: '0', ...chain.variables() });
  const settledOperations = async (): Promise<number> =>
    (await (await SettlementContract.at(chain.evm, chain.contracts.settlement)).cursor()).operation;

  /** Waits until another process has the lease, and then until it has settled something. @returns the longer of both */
  async function goesOnElsewhere(token: number): Promise<number> {
    const tookMs = await leases.handedOver('settlement', token);
    const settled = await settledOperations();
    const settlesMs = await elapsed(() =>
      until('the next one has settled something', async () => (await settledOperations()) > settled),
    );
    return Math.max(tookMs, settlesMs);
  }

  it(`is killed under load, ${kills} times: another one continues within 5 s`, async () => {
    const kill = async (): Promise<number> => {
      await traffic.goesOn(12);
      const { node, token } = await leases.holderOf('settlement');
      nodes = nodes.filter((each) => each !== node);
      await node.kill();
      const tookMs = await goesOnElsewhere(token);
      const next = scratch();
      copyKeys(nodes[0]!.dir, next, addresses());
      nodes.push(await start(next));
      return tookMs;
    };
    for (let turn = 0; turn < kills; turn++) await expectWithin(longestMs, kill);
  });

  it('is held up, and wakes when another one settles: neither disturbs the other', async () => {
    await expectWithin(longestMs, async () => {
      await traffic.goesOn(12);
      const { node, token } = await leases.holderOf('settlement');
      nodes = nodes.filter((each) => each !== node);
      node.signal('SIGSTOP');
      const tookMs = await goesOnElsewhere(token);
      node.signal('SIGCONT');
      nodes.push(node);
      await traffic.goesOn(30);
      return tookMs;
    });
  });

  it('leaves every operation on the chain once, in order, with its receipt, and all processes say so', async () => {
    await traffic.stop();
    await traffic.compare(nodes);
    for (const { client } of nodes) {
      const chainOf = async () => expectStatus(await client.get('/api/v1/node')).chain;
      await until('everything is settled', () => chainOf(), { is: ({ lag }) => lag === 0 });
      expect(await chainOf()).to.include({ settlement: 'running', connected: true });
    }
    const store = await database.open();
    expect(await expectSettled(store, chain.evm, chain.contracts)).to.be.above(kills * 12);
    const receipts = await store.receipts(0, 100_000);
    expect(new Set(receipts.map(({ entryHash }) => entryHash)).size, 'a receipt each').to.equal(receipts.length);
    expect(receipts.map(({ number }) => number)).to.deep.equal(receipts.map((_, index) => index + 1));
    await store.close();
  });

  it('is one of those that settle on the same: a process that would not is refused', async () => {
    const variables = { SVC_STORE: database.url, ...chain.variables() };
    const elsewhere = { settlement: `0x${'11'.repeat(20)}` };
    for (const [other, sentence] of [
      [
        { ...variables, SVC_RPC_URL: '', SVC_CONTRACTS: '', SVC_OPERATOR_KEY_FILE: '' },
        /the chain that did:svc:\w+ runs itself/,
      ],
      [{ SVC_STORE: database.url, SVC_CHAIN: 'none' }, /this one would settle on no chain/],
      [
        { ...variables, SVC_CONTRACTS: JSON.stringify({ ...chain.contracts, ...elsewhere }) },
        /on the contracts at 0x1111/,
      ],
    ] as const) {
      const { code, stderr } = await NodeProcess.spawn(scratch(), [], other).ended;
      expect({ code, stderr }).to.have.property('code', 1);
      expect(stderr).to.match(sentence).and.to.include('all processes of one database settle on one chain');
    }
  });
});
