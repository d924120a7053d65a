/** Tokens moved by leases settle on chain: leases that are started, used up, ended early, and ended by the clock. */
import { expect } from 'chai';
import { expectStatus } from '../../node/support/answers.js';
import { acts, leases, publishes, readLease } from '../../node/support/lessor.js';
import type { TestNode } from '../../node/support/node.js';
import { until } from '../../support/until.js';
import { expectNodeSettled, nodeOnLocalChain } from '../support/settled-node.js';

describe('leases and the chain', () => {
  let node: TestNode;
  nodeOnLocalChain((started) => {
    node = started;
  });

  it('the vault holds what the ledger says after each', async () => {
    const [lessor, lessee] = [await node.person(), await node.rich(100)];
    const byUse = await publishes(lessor);
    const byTime = await publishes(lessor, { pricing: { subscriptionPrice: { period: 'day', price: 3 } } });
    const soon = node.world.now() + 60_000;
    const usedUp = await leases(lessee, byUse, { budget: 10 });
    expect(usedUp.txHash).to.match(/^0x[0-9a-f]{64}$/);
    const exhausted = await acts(lessee, usedUp, 'invoke', { units: 9 });
    expect(exhausted.status).to.equal('exhausted');
    expect(exhausted.txHash).to.match(/^0x[0-9a-f]{64}$/);
    const endedEarly = await leases(lessee, byUse, { budget: 20 });
    await acts(lessee, endedEarly, 'invoke');
    await acts(lessee, endedEarly, 'terminate');
    const runsOut = await leases(lessee, byUse, { budget: 30, endsAt: soon });
    await acts(lessee, runsOut, 'invoke', { units: 2 });
    await acts(lessee, await leases(lessee, byTime, { periods: 2 }), 'terminate');
    await expectNodeSettled(node);
    node.world.skip(60_000);
    await until('the clock came', () => readLease(lessee, runsOut), { is: ({ status }) => status === 'expired' });
    await expectNodeSettled(node);
    expect((await lessor.wallet()).balance).to.equal(10 + 2 + 4 + 3);
    expect(await lessee.wallet()).to.include({ availableBalance: 81, escrowed: 0 });
    await until('ledger and vault agree', async () => expectStatus(await node.client.get('/api/v1/supply')), {
      is: ({ balanced }) => balanced === true,
    });
  });
});
