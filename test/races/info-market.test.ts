/** Simultaneous requests on one listing or order of information: exactly one wins, and the Tokens are where they belong. */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { buys, infoPath, onListing, onOrder, publishes } from '../node/support/market.js';
import type { Person } from '../node/support/person.js';
import { until } from '../support/until.js';
import { accepted, outcomes, racingNode, shuffled } from './support.js';

const rounds = 10;

describe('Races in the market of information', () => {
  const node = racingNode();
  let seller: Person;
  let buyers: Person[];

  beforeEach(async () => {
    seller = await node().person();
    buyers = await Promise.all(Array.from({ length: 5 }, () => node().rich(1_000)));
  });

  const listingOf = async ({ listingId }: Body) => expectStatus(await node().client.get(`${infoPath}/${listingId}`));
  const escrowed = async () =>
    (await Promise.all(buyers.map((who) => who.wallet()))).reduce((sum, wallet) => sum + wallet.escrowed, 0);

  it('five buyers of the last unit: one order, one escrow', async () => {
    for (let round = 0; round < rounds; round++) {
      const listing = await publishes(seller, { stock: 1 });
      const before = await escrowed();
      const replies = await Promise.all(shuffled(buyers).map((who) => onListing(who, listing, 'purchase')));
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, LISTING_NOT_ACTIVE: 4 });
      const after = await listingOf(listing);
      expect(after).to.include({ stock: 0, status: 'paused', resourcePrev: accepted(replies)[0]!.body.eventHash });
      expect(after.stats.orders).to.equal(1);
      expect(await escrowed()).to.equal(before + 25);
    }
  });

  it('more than there is, by several: no unit is sold twice', async () => {
    for (let round = 0; round < rounds; round++) {
      const listing = await publishes(seller, { stock: 5 });
      const buying = buyers.map((who) => () => onListing(who, listing, 'purchase', { quantity: 2 }));
      const replies = await Promise.all(shuffled(buying).map((buy) => buy()));
      expect(outcomes(replies)).to.deep.equal({ accepted: 2, CONFLICT: 3 });
      expect(await listingOf(listing)).to.include({ stock: 1, status: 'active' });
    }
  });

  it('unlimited: all of them are served', async () => {
    const listing = await publishes(seller);
    const replies = await Promise.all(buyers.map((who) => onListing(who, listing, 'purchase')));
    expect(outcomes(replies)).to.deep.equal({ accepted: 5 });
    expect((await listingOf(listing)).stats.orders).to.equal(5);
  });

  it('a purchase against the pause of its listing: bought, or refused', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < rounds * 2; round++) {
      const listing = await publishes(seller);
      const before = await escrowed();
      const acts = [() => onListing(buyers[0]!, listing, 'purchase'), () => onListing(seller, listing, 'pause')];
      const replies = await Promise.all(shuffled(acts).map((act) => act()));
      expect([{ accepted: 2 }, { accepted: 1, LISTING_NOT_ACTIVE: 1 }]).to.deep.include(outcomes(replies));
      const sold = outcomes(replies).accepted === 2 ? 1 : 0;
      seen.add(sold);
      expect((await listingOf(listing)).stats.orders).to.equal(sold);
      expect(await escrowed()).to.equal(before + 25 * sold);
    }
    expect(seen.size, 'either may come first').to.be.greaterThan(0);
  });

  it('a change of price against a purchase that expects the old one: never the new price', async () => {
    for (let round = 0; round < rounds; round++) {
      const listing = await publishes(seller);
      const acts = [
        () => onListing(buyers[0]!, listing, 'purchase', { expectedPrice: 25 }),
        () => onListing(seller, listing, 'update', { pricing: { price: 99 } }),
      ];
      const replies = await Promise.all(shuffled(acts).map((act) => act()));
      expect([{ accepted: 2 }, { accepted: 1, CONFLICT: 1 }]).to.deep.include(outcomes(replies));
      const made = replies.find(({ body }) => body.orderId);
      if (made) expect(made.body.price).to.equal(25);
    }
  });

  it('a confirmation against the clock: the seller is paid once', async () => {
    for (let round = 0; round < rounds; round++) {
      const buyer = buyers[0]!;
      const made = await buys(buyer, await publishes(seller));
      const { confirmBy } = expectStatus(await onOrder(seller, made, 'deliver'));
      const before = (await seller.wallet()).balance;
      node().world.skip(confirmBy - node().world.now() - 3 + (round % 6));
      const reply = await onOrder(buyer, made, 'confirm');
      expect(['accepted', 'ORDER_INVALID_STATE']).to.include(Object.keys(outcomes([reply]))[0]);
      expect(expectStatus(await node().client.get(`/api/v1/orders/${made.orderId}`)).status).to.equal('confirmed');
      expect((await seller.wallet()).balance).to.equal(before + 25);
      const escrow = expectStatus(await node().client.get(`/api/v1/escrows/${made.escrowId}`));
      expect(escrow).to.include({ status: 'released', released: 25, refunded: 0 });
    }
  });

  it('a delivery against the clock: delivered, or paid back', async () => {
    for (let round = 0; round < rounds; round++) {
      const buyer = buyers[0]!;
      const made = await buys(buyer, await publishes(seller), { deliverBy: node().world.now() + dayMs });
      node().world.skip(made.deliverBy - node().world.now() - 4 + (round % 6));
      const reply = await onOrder(seller, made, 'deliver');
      expect(['accepted', 'ORDER_INVALID_STATE']).to.include(Object.keys(outcomes([reply]))[0]);
      const wanted = reply.status === 200 ? 'delivered' : 'cancelled';
      const order = async (): Promise<Body> => expectStatus(await node().client.get(`/api/v1/orders/${made.orderId}`));
      const { status } = await until('the clock comes', order, { is: (seen) => seen.status !== 'paid', everyMs: 1 });
      expect(status).to.equal(wanted);
      const escrow = expectStatus(await node().client.get(`/api/v1/escrows/${made.escrowId}`));
      expect(escrow.status).to.equal(wanted === 'delivered' ? 'funded' : 'refunded');
    }
  });

  it('two reviews of one party at once: one counts', async () => {
    const [buyer] = buyers;
    const made = await buys(buyer!, await publishes(seller));
    expectStatus(await onOrder(seller, made, 'deliver'));
    expectStatus(await onOrder(buyer!, made, 'confirm'));
    const path = `${infoPath}/${made.listingId}/actions/review`;
    const { nonce } = buyer!;
    const replies = await Promise.all(
      [0, 1, 2].map((i) => {
        const body = { ...buyer!.signed, nonce: nonce + i, orderId: made.orderId, rating: 5 };
        return buyer!.client.post(path, body);
      }),
    );
    expect(outcomes(replies).accepted).to.equal(1);
    expect((await listingOf(made)).stats).to.include({ ratingCount: 1 });
  });
});
