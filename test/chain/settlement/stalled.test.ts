/** A chain that answers but makes no blocks, and one that forgets transactions. */
import { expect } from 'chai';
import { keccak256 } from 'ethers/crypto';
import { expectStatus } from '../../node/support/answers.js';
import { TestNode } from '../../node/support/node.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { elapsed, expectWithin } from '../../support/within.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { PublicChain } from '../support/public-chain.js';
import { RpcProxy } from '../support/rpc-proxy.js';
import { settled, untilAsTimePasses } from '../support/settled-node.js';

const stalled = /the chain has made no block for \d\d s, where it usually makes one within \d s/;

(anvilBinary() === undefined ? describe.skip : describe)('a chain that stalls', () => {
  let chain: PublicChain;
  let node: TestNode;
  let proxy: RpcProxy;

  before(async () => {
    chain = await PublicChain.start(['--block-time', '1', '--mixed-mining']);
    proxy = await RpcProxy.open(() => chain.url);
    node = await TestNode.start({ variables: { ...chain.variables(proxy.url), SVC_SETTLEMENT_WAIT_MS: '60000' } });
  });
  after(async () => {
    await node?.discard();
    await proxy?.close();
    await chain?.stop();
    await tidy();
  });

  const readiness = async () => expectStatus(await node.client.get('/readyz'));

  it('is handed a transaction again that it has forgotten, within ten seconds', async () => {
    const [ada, ben] = [await node.rich(100), await node.person()];
    await settled(node);
    await expectWithin(15_000, async () => {
      let forgotten = 0;
      proxy.treat = ({ method, params }) => {
        if (method !== 'eth_sendRawTransaction' || ++forgotten > 1) return 'pass';
        return { answer: { result: keccak256(params[0] as string) } };
      };
      const tookMs = await elapsed(async () => {
        expect(await ada.pays(ben.did, 1)).to.include({ status: 'confirmed' });
      });
      expect(tookMs).to.be.above(4_000);
      return tookMs;
    });
  });

  it('is degraded when no block comes for longer than usual, until one comes', async () => {
    await until('the node knows its pace', async () => {
      node.world.skip(4_000);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return (await readiness()).status === 'ready';
    });
    for (let beat = 0; beat < 3; beat++) {
      node.world.skip(4_000);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    await chain.rpc('evm_setIntervalMining', 0);
    node.world.skip(2_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await readiness()).status).to.equal('ready');
    node.world.skip(8_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    node.world.skip(5_000);
    await until('it is degraded for want of blocks', () => readiness(), {
      is: ({ status, reasons }) => status === 'degraded' && stalled.test(reasons.join()),
    });
    await chain.rpc('evm_setIntervalMining', 1);
    await untilAsTimePasses('it is ready again', node, 4_000, async () => (await readiness()).status === 'ready');
  });
});
