/** Clocks and settlement: days without a move, and a chain whose time is behind the journal's. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SettlementContract } from '../../../src/chain/settlement/settlement-contract.js';
import { dayMs } from '../../../src/core/bounds.js';
import { TestNode } from '../../node/support/node.js';
import { until } from '../../support/until.js';
import { expectNodeSettled, someDid } from '../support/settled-node.js';

/** Longer than the settler's interval. */
const restMs = 2_500;

describe('the clock and settlement', () => {
  // On a busy machine a chain takes longer to start than a request waits for it by default.
  const variables = { SVC_CHAIN: 'embedded', SVC_SETTLEMENT_WAIT_MS: '50000' };
  let node: TestNode;
  beforeEach(async () => {
    node = await TestNode.start({ variables });
  });
  afterEach(() => node.discard());

  const batches = async () => {
    const { evm, contracts } = node.running.chain!;
    const contract = await SettlementContract.at(evm!, contracts!.settlement);
    return contract.appliedSince(0, await evm!.blockNumber());
  };
  const signsOfLife = async () => (await batches()).filter(({ first, last }) => last < first).length;

  it('after days without a move gives one sign of life, and settles what comes then, also after a restart', async () => {
    const ada = await node.rich(100);
    expect(await ada.pays(someDid(1), 1)).to.include({ status: 'confirmed' });
    await expectNodeSettled(node);
    node.world.skip(6 * dayMs);
    await until('there is a sign of life', () => signsOfLife(), { is: (count) => count === 1 });
    expect(await ada.pays(someDid(1), 2)).to.include({ status: 'confirmed' });
    node.world.skip(4 * dayMs);
    await until('there is another one', () => signsOfLife(), { is: (count) => count === 2 });
    for (let look = 0; look < 3; look++) {
      node.world.skip(restMs);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await signsOfLife()).to.equal(2);
    await node.restart();
    expect(await ada.through(node.client).pays(someDid(1), 3)).to.include({ status: 'confirmed' });
    expect(await expectNodeSettled(node)).to.equal(4);
  });

  it('settles a journal that is days ahead of the chain’s clock', async () => {
    const ada = await node.rich(100);
    await expectNodeSettled(node);
    node.world.skip(6 * dayMs);
    expect(await ada.pays(someDid(1), 1)).to.include({ status: 'confirmed' });
    await expectNodeSettled(node);
    await node.stop();
    rmSync(join(node.dir, 'chain', 'chain.db'));
    // The chain starts anew with the right clock.
    node = await TestNode.start({ dir: node.dir, variables });
    expect(await expectNodeSettled(node)).to.equal(2);
  });
});
