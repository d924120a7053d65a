/** A chain that others run proves a clock that is slow, and none that is fast. */
import { expect } from 'chai';
import { TestNode } from '../../node/support/node.js';
import { JumpingClock } from '../../support/jumping-clock.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { PublicChain } from '../support/public-chain.js';
import { expectNodeSettled } from '../support/settled-node.js';

const hourMs = 3_600_000;

(anvilBinary() === undefined ? describe.skip : describe)('a node whose clock disagrees with its chain', () => {
  let chain: PublicChain;
  let node: TestNode;
  const world = new JumpingClock(-hourMs);

  before(async () => {
    chain = await PublicChain.start();
    node = await TestNode.start({ world, variables: chain.variables() });
  });
  after(async () => {
    await node.discard();
    await chain.stop();
    await tidy();
  });

  const writes = async () =>
    (await node.client.post('/api/v1/identities', { passphrase: 'correct horse battery' })).status === 201;
  const reasons = async (): Promise<string> => (await node.client.get('/readyz')).body.reasons.join('; ');

  it('writes nothing while its clock is an hour behind the chain, and again when it is set right', async () => {
    await until('the block is seen', writes, { is: (may) => !may });
    expect(await reasons()).to.match(/this machine’s clock is 60 minutes behind the newest block of the chain/);
    world.jumpMs = 0;
    expect(await writes()).to.equal(true);
    await node.rich();
    await expectNodeSettled(node);
  });

  it('writes on if its operator says that the chain’s clock is wrong', async () => {
    await chain.rpc('evm_setNextBlockTimestamp', Math.floor(Date.now() / 1_000) + 7_200);
    await chain.rpc('evm_mine');
    await until('the block is seen', writes, { is: (may) => !may });
    expect(node.running.actors.clock.accept()).to.equal(undefined);
    await chain.rpc('evm_mine');
    const newest = Number(await chain.rpc('eth_blockNumber'));
    const seen = () => node.running.chain!.evm!.health().blockNumber;
    await until('the next block is seen', seen, { is: (number) => (number ?? 0) >= newest });
    expect(await writes()).to.equal(true);
  });
});
