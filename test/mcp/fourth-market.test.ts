/** A market that neither the server nor the client knows: all tools work with it, because the node describes it. */
import { expect } from 'chai';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { auctionsWith } from '../fourth-market/market.js';
import { offer } from '../fourth-market/offer.js';
import { TestNode } from '../node/support/node.js';
import { TestAgent } from './support/agent.js';

/** Offers to which the node adds nothing: no key signs what its holder has not asked for. */
const { transform: _, once: __, ...create } = offer.create;
const catalogue = auctionsWith({ ...(offer as unknown as AnyResource), create: create as AnyResource['create'] });

describe('A fourth market over MCP', () => {
  let node: TestNode;
  let agents: TestAgent[];

  before(async () => {
    node = await TestNode.start({ parts: { catalogue } });
    agents = [await TestAgent.make(node, 100), await TestAgent.make(node, 100)];
  });
  after(async () => {
    for (const each of agents) await each.discard();
    await node.discard();
  });

  it('is searched, described, bid at, sold and paid', async () => {
    const [seller, buyer] = [await agents[0]!.host(), await agents[1]!.host()];
    const does = async (host: typeof seller, input: object) => {
      const proposal = await host.propose(input);
      const { says, isError } = await host.call('commit', { proposal });
      expect(isError, says).to.equal(false);
      return says;
    };
    const described = await seller.call('describe_action', { action: 'auction-listing.create' });
    expect(described.data).to.have.nested.property('input.properties.closesAt');
    const said = await does(seller, {
      action: 'auction-listing.create',
      input: {
        ...{ title: 'A book', description: 'Signed.', category: 'books', pricing: { price: 5 }, stock: 1 },
        ...{ lot: 'A signed first edition', closesAt: node.world.now() + 3_600_000 },
      },
    });
    const listingId = /(lst-\w+)/.exec(said)![1]!;
    expect((await buyer.call('search', { text: 'signed' })).data).to.have.nested.property('listings[0].id', listingId);
    expect((await buyer.call('read', { id: listingId })).says).to.include('offer.create');
    const offered = await does(buyer, {
      action: 'offer.create',
      input: { listingId, amount: 20 },
    });
    const offerId = /offer (\S+?)[,.]/.exec(offered)![1]!;
    await does(seller, { action: 'offer.accept', id: offerId });
    expect((await buyer.call('wait', { id: offerId, states: ['won'] })).says).to.equal('It is reached.');
    const { data } = await buyer.call('list_mine', { kind: 'auction-order' });
    const { orderId } = (data as { orders: { orderId: string }[] }).orders[0]!;
    await does(buyer, { action: 'auction-order.confirm', id: orderId });
    expect((await seller.call('wallet')).data).to.include({ available: 120 });
    expect(await agents[1]!.events()).to.have.length(2);
  });
});
