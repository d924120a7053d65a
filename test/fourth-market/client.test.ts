/** The methods of the client and the commands of the command line, for kinds that neither of them knows. */
import { expect } from 'chai';
import { Client } from '../../packages/client/src/index.js';
import { operationsOf } from '../../scripts/generate/operations.js';
import { commandWords, narrowings } from '../../src/cli/api/names.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { shapeOf } from '../client/support/shape.js';
import { expectStatus } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';
import { auctionOrderKind, lotKind, offerKind } from './client.js';
import { withAuctions } from './market.js';

describe('A fourth market, through the client', () => {
  let node: TestNode;

  before(async () => {
    node = await TestNode.start({ parts: { catalogue: withAuctions } });
  });
  after(() => node.discard());

  for (const described of [lotKind, offerKind, auctionOrderKind]) {
    it(`describes ${described.kind} as its definition does`, () => {
      expect(described).to.deep.equal(shapeOf(withAuctions.definitions[described.kind] as AnyResource));
    });
  }

  it('publishes, offers, reads, lists, accepts and confirms', async () => {
    const [seller, buyer] = [await node.person(), await node.rich(100)];
    const as = ({ did, passphrase }: typeof seller) => new Client({ url: node.url, signer: { did, passphrase } });
    const lot = await as(seller)
      .resource(lotKind)
      .create({
        ...{ title: 'A book', description: 'Signed.', category: 'books', pricing: { price: 5 }, stock: 1 },
        ...{ lot: 'A signed first edition', closesAt: node.world.now() + 3_600_000 },
      });
    expect((await as(buyer).resource(lotKind).list({ keyword: 'signed' })).listings[0]).to.include({ id: lot.id });
    const offers = as(buyer).resource(offerKind);
    const offer = await offers.create({ listingId: lot.listingId, amount: 20, note: 'for my aunt' });
    expect(offer.receiptId).to.match(/^rcp-/);
    expect(await offers.get(offer.id)).to.include({ status: 'leading', amount: 20, listingId: lot.listingId });
    const mine: string[] = [];
    for await (const each of offers.list({ role: 'bidder', did: buyer.did })) mine.push(each.offerId);
    expect(mine).to.deep.equal([offer.offerId]);
    const order = await as(seller).resource(offerKind).accept(offer);
    expect(order).to.include({ status: 'paid', price: 20 });
    expect((await offers.waitFor(offer.id, 'won')).offerId).to.equal(offer.offerId);
    const orders = as(buyer).resource(auctionOrderKind);
    await orders.confirm(order.orderId);
    expect(await orders.review(order.orderId, { rating: 5 })).to.include({ status: 'reviewed' });
    expect((await seller.wallet()).balance).to.equal(20);
  });

  it('has a separate command for each operation, once they are generated', async () => {
    const described = operationsOf(expectStatus(await node.client.get('/openapi.json')));
    const named = described.filter(({ operationId }) => !Object.values(narrowings).includes(operationId));
    const words = named.flatMap((operation) => commandWords(operation) ?? []);
    expect(new Set(words).size).to.equal(words.length);
    expect(words).to.include.members(['auction-listing create', 'offer create', 'offer list', 'lot-offer list']);
    expect(words).to.include.members(['offer accept', 'auction-order confirm', 'auction-order review']);
  });
});
