/** The reputation records that real orders make about their parties (docs/reference/reputation.md#records). */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { until } from '../support/until.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { buys, onOrder, publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('The reputation that orders of information give', () => {
  const node = nodeForSuite();
  let seller: Person;
  let buyer: Person;
  beforeEach(async () => {
    [seller, buyer] = [await node().rich(), await node().rich()];
  });

  const delivered = async (more: Body = {}): Promise<Body> => {
    const bought = await buys(buyer, await publishes(seller, more));
    return expectStatus(await onOrder(seller, bought, 'deliver'));
  };
  /** Reads it from the store, and compares it with the journal. */
  async function reputation({ did }: Person): Promise<Body> {
    const [stored, logged] = await Promise.all(
      ['store', 'log'].map((source) => node().client.get(`/api/v1/reputations/${did}?source=${source}`)),
    );
    expect(expectStatus(logged!)).to.deep.equal(expectStatus(stored!));
    return stored!.body;
  }
  const reviews = (who: Person, of: Person, body: Body) =>
    who.write(`/api/v1/reputations/${of.did}/reviews`, { target: of.did, dimension: 'quality', score: 1000, ...body });

  it('is nothing before the buyer confirms, then a transaction of both and the fulfillment of the seller', async () => {
    const made = await delivered();
    for (const { did } of [buyer, seller]) {
      expectProblem(await node().client.get(`/api/v1/reputations/${did}`), 'REPUTATION_NOT_FOUND');
    }
    expectStatus(await onOrder(buyer, made, 'confirm'));
    const [ofSeller, ofBuyer] = [await reputation(seller), await reputation(buyer)];
    expect(ofSeller).to.deep.include({ score: 1000, totalTransactions: 1, successRate: 1, averageRating: null });
    expect(Object.keys(ofSeller.dimensions)).to.deep.equal(['transaction', 'fulfillment']);
    expect(Object.keys(ofBuyer.dimensions)).to.deep.equal(['transaction']);
    const { updatedAt } = expectStatus(await node().client.get(`/api/v1/orders/${made.orderId}`));
    expect(ofSeller.updatedAt).to.equal(updatedAt);
  });

  const becomes = ({ orderId }: Body, status: string): Promise<Body> =>
    until('the clock comes', async () => expectStatus(await node().client.get(`/api/v1/orders/${orderId}`)), {
      is: (order) => order.status === status,
    });

  it('is the same where the clock confirms', async () => {
    const made = await delivered();
    node().world.skip(8 * dayMs);
    await becomes(made, 'confirmed');
    expect(await reputation(seller)).to.deep.include({ score: 1000, totalTransactions: 1 });
    expect(await reputation(buyer)).to.deep.include({ score: 1000, totalTransactions: 1 });
  });

  it('takes the stars of both parties as reviews of quality, once', async () => {
    const made = await delivered();
    expectStatus(await onOrder(buyer, made, 'confirm'));
    expectStatus(await onOrder(buyer, made, 'review', { rating: 4, comment: 'clear', aspects: { format: 5 } }));
    expectStatus(await onOrder(seller, made, 'review', { rating: 1 }));
    expect(await reputation(seller)).to.deep.include({ averageRating: 4 });
    expect((await reputation(seller)).dimensions.quality).to.include({ score: 800, count: 1 });
    expect(await reputation(buyer)).to.deep.include({ averageRating: 1 });
    const listed = expectStatus(await node().client.get(`/api/v1/reputations/${seller.did}/reviews`));
    expect(listed.reviews).to.have.length(1);
    expect(listed.reviews[0]).to.deep.include({
      ...{ issuer: buyer.did, target: seller.did, ref: made.orderId, dimension: 'quality' },
      ...{ rating: 4, score: 800, comment: 'clear', aspects: { format: 5 } },
    });
    expectProblem(await reviews(buyer, seller, { ref: made.orderId }), 'CONFLICT');
    expectStatus(await reviews(buyer, seller, { ref: made.orderId, dimension: 'social' }), 201);
  });

  it('lets the parties review each other next to the order once it is finished', async () => {
    const made = await delivered();
    const stranger = await node().person();
    expectProblem(await reviews(buyer, seller, { ref: made.orderId }), 'UNPROCESSABLE');
    expectStatus(await onOrder(buyer, made, 'confirm'));
    expectProblem(await reviews(stranger, seller, { ref: made.orderId }), 'UNPROCESSABLE');
    expectProblem(await reviews(buyer, stranger, { ref: made.orderId }), 'UNPROCESSABLE');
    expectStatus(await reviews(buyer, seller, { ref: made.orderId }), 201);
    expectProblem(await onOrder(buyer, made, 'review', { rating: 5 }), 'CONFLICT');
    expect(await reputation(seller)).to.deep.include({ averageRating: 5 });
  });

  it('is none of an order that was free, or that the clock cancelled', async () => {
    const free = await delivered({ pricing: { price: 0 } });
    expectStatus(await onOrder(buyer, free, 'confirm'));
    expectProblem(await reviews(buyer, seller, { ref: free.orderId }), 'UNPROCESSABLE');
    const bought = await buys(buyer, await publishes(seller));
    node().world.skip(8 * dayMs);
    await becomes(bought, 'cancelled');
    expectProblem(await reviews(buyer, seller, { ref: bought.orderId }), 'UNPROCESSABLE');
    expectProblem(await node().client.get(`/api/v1/reputations/${seller.did}`), 'REPUTATION_NOT_FOUND');
  });

  it('is equal for equal histories, whatever the ids that their buyer has chosen', async () => {
    const scores = new Set<string>();
    for (const name of ['a', 'm', 'z', '0', 'Q']) {
      const provider = await node().rich();
      for (const [index, rating] of [5, 1, 3].entries()) {
        const orderId = `ord-${name.repeat(index + 1)}-${provider.did.slice(-8)}`;
        const bought = await buys(buyer, await publishes(provider), { orderId });
        expectStatus(await onOrder(provider, bought, 'deliver'));
        expectStatus(await onOrder(buyer, bought, 'confirm'));
        expectStatus(await onOrder(buyer, bought, 'review', { rating }));
      }
      const { score, dimensions } = await reputation(provider);
      scores.add(`${score}, quality ${dimensions.quality.score}`);
    }
    expect([...scores]).to.have.length(1);
  });

  it('of orders that many buyers confirm at once holds them all', async () => {
    const buyers = await Promise.all(Array.from({ length: 8 }, () => node().rich()));
    const listing = await publishes(seller);
    const orders = await Promise.all(buyers.map((each) => buys(each, listing)));
    for (const order of orders) expectStatus(await onOrder(seller, order, 'deliver'));
    const replies = await Promise.all(orders.map((order, i) => onOrder(buyers[i]!, order, 'confirm')));
    for (const reply of replies) expectStatus(reply);
    expect(await reputation(seller)).to.deep.include({ totalTransactions: 8, score: 1000 });
  });
});
