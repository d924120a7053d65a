/**
 * Tokens of contracts and of disputed orders on chain: paid by milestones, completed, terminated, ruled, settled, or ended by a
 * deadline. After each, ledger and vault are equal to the Token. test/stories covers the other paths.
 */
import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { buys, publishes } from '../../node/support/market.js';
import { TestNode } from '../../node/support/node.js';
import { accepts, bids, delivers, publishesTask, rejectedThrice } from '../../node/support/requester.js';
import { base, type Cast, castOf, Deal } from '../../stories/contract/stage.js';
import { until } from '../../support/until.js';
import { expectNodeSettled, settled } from '../support/settled-node.js';

const split = (providerPayment: number, clientRefund: number) => ({
  resolution: 'split',
  ...{ providerPayment, clientRefund },
});
const dispute = (deal: Deal) => deal.does('client', 'dispute', { reason: 'quality' });

/** From an active contract of 100 in milestones of 30 and 50 to its end, by path: what the provider gets, and the requests. */
const paths: { readonly [what: string]: readonly [paid: number, walk: (deal: Deal) => Promise<unknown>] } = {
  'completed, the rest behind its stages to the provider': [
    100,
    async (deal) => {
      await deal.steps('one', 'submit', 'approve');
      await deal.steps('two', 'submit', 'reject', 'submit', 'approve');
      await deal.does('client', 'complete');
    },
  ],
  'terminated by its provider, a stage paid': [
    30,
    async (deal) => {
      await deal.steps('one', 'submit', 'approve');
      await deal.does('provider', 'terminate');
    },
  ],
  'refunded by the arbiter, a stage paid': [
    50,
    async (deal) => {
      await deal.steps('two', 'submit', 'approve');
      await dispute(deal);
      await deal.does('arbiter', 'resolve', { resolution: 'refund' });
    },
  ],
  'split by the arbiter, a stage paid': [
    71,
    async (deal) => {
      await deal.steps('one', 'submit', 'approve');
      await dispute(deal);
      await deal.does('arbiter', 'resolve', split(41, 29));
    },
  ],
  'split with all of it on one side': [
    0,
    async (deal) => {
      await dispute(deal);
      await deal.does('arbiter', 'resolve', split(0, 100));
    },
  ],
};

describe('contracts, disputes and the chain', () => {
  let node: TestNode;
  let cast: Cast;
  before(async () => {
    node = await TestNode.start({ variables: { SVC_CHAIN: 'embedded' } });
    await settled(node);
    cast = await castOf(node);
  });
  after(async () => {
    const report = await node?.audit();
    await node?.discard();
    expect(report?.flaw?.what).to.equal(undefined);
  });

  const wallets = async () => [await cast.client.wallet(), await cast.provider.wallet()] as const;

  /** Runs the path, and compares the vault with the ledger and both wallets with the expected amount. */
  async function expectMoved(paid: number, walk: () => Promise<unknown>): Promise<void> {
    const [client, provider] = await wallets();
    await walk();
    await expectNodeSettled(node);
    const [left, earned] = await wallets();
    expect([left.balance, left.escrowed]).to.deep.equal([client.balance - paid, 0]);
    expect(earned.balance).to.equal(provider.balance + paid);
    const books = async () => expectStatus(await node.client.get('/api/v1/supply'));
    await until('ledger and vault agree', () => books(), { is: ({ balanced }) => balanced === true });
  }

  for (const [what, [paid, walk]] of Object.entries(paths)) {
    it(`a contract, ${what}`, async () => {
      await expectMoved(paid, async () => {
        const deal = await Deal.active(node, cast);
        await walk(deal);
        await deal.expectPaid(paid, 100 - paid);
        const { txHash } = await deal.view();
        expect(txHash, 'of the transaction').to.match(/^0x[0-9a-f]{64}$/);
      });
    });
  }

  const orders: { readonly [market: string]: () => Promise<Body> } = {
    information: async () => buys(cast.client, await publishes(cast.provider, { pricing: { price: 17 } })),
    tasks: async () => {
      const listing = await publishesTask(cast.client);
      const order = await accepts(cast.client, await bids(cast.provider, listing, { price: 17 }));
      return delivers(cast.provider, await rejectedThrice(cast.client, cast.provider, order));
    },
  };
  for (const [market, open] of Object.entries(orders)) {
    for (const [ruling, paid] of [
      [{ resolution: 'release' }, 17],
      [{ resolution: 'refund' }, 0],
      [split(6, 11), 6],
    ] as const) {
      it(`an order of ${market}, disputed, both parties asking for ${ruling.resolution}`, async () => {
        await expectMoved(paid, async () => {
          const { orderId } = await open();
          const path = `/api/v1/orders/${orderId}/actions`;
          expectStatus(await cast.client.write(`${path}/dispute`, { reason: 'quality' }));
          expectStatus(await cast.client.write(`${path}/resolve`, ruling));
          expectStatus(await cast.provider.write(`${path}/resolve`, ruling));
        });
      });
    }
  }
});

describe('the fallback and the chain', () => {
  let node: TestNode;
  before(async () => {
    node = await TestNode.start({ variables: { SVC_CHAIN: 'embedded' } });
    await settled(node);
  });
  after(() => node?.discard());

  it('a contract’s on request, an order’s by the clock: half of what was locked', async () => {
    const cast = await castOf(node);
    const deal = await Deal.disputed(node, cast);
    const { orderId } = await buys(cast.client, await publishes(cast.provider, { pricing: { price: 17 } }));
    expectStatus(await cast.client.write(`/api/v1/orders/${orderId}/actions/dispute`, { reason: 'quality' }));
    node.world.skip(60 * dayMs);
    await node.restart();
    await until('the clock came', async () => expectStatus(await node.client.get(`/api/v1/orders/${orderId}`)), {
      is: ({ status }) => status === 'confirmed',
    });
    const provider = cast.provider.through(node.client);
    const settledBy = await provider.write(`${base}/${deal.id}/actions/resolve`, { resolution: 'fallback' });
    expect(expectStatus(settledBy)).to.include({ state: 'completed', released: 50, refunded: 50 });
    await expectNodeSettled(node);
    const client = await cast.client.through(node.client).wallet();
    expect(client).to.include({ balance: 10_000 - 50 - 8, escrowed: 0 });
    expect((await provider.wallet()).balance).to.equal(50 + 8);
  });
});
