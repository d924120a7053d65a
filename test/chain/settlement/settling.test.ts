/** Every move is settled and gets its receipt: on a chain behind an RPC URL, and on the EVM in the process. */
import { expect } from 'chai';
import { SettlementContract } from '../../../src/chain/settlement/settlement-contract.js';
import { expectStatus } from '../../node/support/answers.js';
import { TestNode, type Variables } from '../../node/support/node.js';
import { tidy } from '../../support/scratch.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { PublicChain } from '../support/public-chain.js';
import { chainOf, expectNodeSettled, settled } from '../support/settled-node.js';

for (const kind of ['embedded', 'rpc'] as const) {
  (kind === 'rpc' && anvilBinary() === undefined ? describe.skip : describe)(`settlement on ${kind}`, () => {
    let node: TestNode;
    const chains: PublicChain[] = [];

    async function start(more: Variables = {}): Promise<TestNode> {
      if (kind === 'embedded') return TestNode.start({ variables: { SVC_CHAIN: kind, ...more } });
      const chain = await PublicChain.start();
      chains.push(chain);
      return TestNode.start({ variables: { ...chain.variables(), ...more } });
    }
    before(async () => {
      node = await start();
    });
    after(async () => {
      await node?.discard();
      for (const chain of chains) await chain.stop();
      await tidy();
    });

    it('answers a transfer with the transaction that settled it', async () => {
      const [ada, ben] = [await node.rich(100), await node.person()];
      const sent = await ada.pays(ben.did, 30);
      expect(sent).to.include({ status: 'confirmed' });
      expect(sent.confirmations).to.be.at.least(1);
      expect(sent.txHash).to.match(/^0x[0-9a-f]{64}$/);
      const receipt = await node.running.chain!.evm!.receipt(sent.txHash);
      expect(receipt).to.include({ succeeded: true, blockNumber: sent.blockNumber });
      await expectNodeSettled(node);
    });

    it('settles what was committed before the chain was up', async () => {
      const other = await start({ SVC_SETTLEMENT_WAIT_MS: '0' });
      const [ada, ben] = [await other.rich(100), await other.person()];
      const sent = await ada.pays(ben.did, 30);
      expect(sent).to.include({ status: 'pending', txHash: `0x${sent.eventHash}`, blockNumber: null });
      expect(await expectNodeSettled(other)).to.equal(2);
      const { transactions } = expectStatus(await other.client.get(`/api/v1/wallets/${ada.did}/transactions?limit=1`));
      expect(transactions[0]).to.include({ status: 'confirmed', eventHash: sent.eventHash });
      await other.discard();
    });

    it('settles many at once in few transactions, each once', async () => {
      const people = await Promise.all(Array.from({ length: 8 }, () => node.rich(1_000)));
      await settled(node);
      const before = await node.running.chain!.evm!.blockNumber();
      const hashes = new Set<string>();
      const sends = people.map(async (person, index) => {
        for (let amount = 1; amount <= 5; amount++) {
          const { txHash, status } = await person.pays(people[(index + amount) % people.length]!.did, amount);
          hashes.add(`${status} ${txHash}`);
        }
      });
      await Promise.all(sends);
      for (const each of hashes) expect(each).to.match(/^confirmed 0x/);
      expect(hashes.size).to.be.below(40);
      await expectNodeSettled(node);
      const { evm, contracts } = node.running.chain!;
      const contract = await SettlementContract.at(evm!, contracts!.settlement);
      const batches = await contract.appliedSince(before + 1, await evm!.blockNumber());
      expect(batches.length).to.equal(hashes.size);
    });

    it('settles escrows with all that happens to them', async () => {
      const [ada, ben] = [await node.rich(1_000), await node.person()];
      const escrow = { beneficiary: ben.did, amount: 100, releaseRules: [{ type: 'manual' }] };
      const one = await ada.does('/api/v1/escrows', { ...escrow, autoFund: true });
      expectStatus(await ada.act(one, 'release', { amount: 40 }), 200);
      const { resourcePrev } = expectStatus(await node.client.get(`/api/v1/escrows/${one.escrowId}`));
      expectStatus(await ben.act(one, 'refund', { amount: 60, reason: 'too much', resourcePrev }), 200);
      const two = await ada.does('/api/v1/escrows', escrow);
      expectStatus(await ada.act(two, 'cancel'), 200);
      await expectNodeSettled(node);
    });

    it('continues after a restart, and settles nothing twice', async () => {
      const [ada, ben] = [await node.rich(100), await node.person()];
      await ada.pays(ben.did, 1);
      const operations = await expectNodeSettled(node);
      const { chainId } = await chainOf(node);
      await node.restart();
      await settled(node);
      expect(await chainOf(node)).to.include({ chainId });
      expect(await expectNodeSettled(node)).to.equal(operations);
      await ada.through(node.client).pays(ben.did, 1);
      expect(await expectNodeSettled(node)).to.equal(operations + 1);
    });

    it('is shown in the status and the metrics', async () => {
      expect(await chainOf(node)).to.include({ kind, connected: true, lag: 0, settlement: 'running' });
      const { status, reasons } = expectStatus(await node.client.get('/readyz'));
      expect({ status, reasons }).to.deep.equal({ status: 'ready', reasons: [] });
      const figure = async () => {
        const { text } = await node.client.get('/metrics');
        return (name: string) => Number(new RegExp(`^svc_settlement_${name} (\\S+)$`, 'm').exec(text)?.[1]);
      };
      const was = await figure();
      expect([was('lag_operations'), was('lag_seconds'), was('reverts_total')]).to.deep.equal([0, 0, 0]);
      const [ada, ben] = [await node.rich(100), await node.person()];
      for (const amount of [1, 2, 3]) await ada.pays(ben.did, amount);
      const now = await figure();
      const grown = (name: string) => now(name) - was(name);
      expect(grown('operations_total')).to.equal(4);
      expect(grown('batches_total')).to.be.within(3, 4);
      expect(grown('gas_total')).to.be.within(4 * 40_000, 4 * 150_000);
      expect([grown('reverts_total'), now('lag_operations'), now('lag_seconds')]).to.deep.equal([0, 0, 0]);
    });
  });
}
