/** A buyer of one home buys, at its own node, what a seller of another home offers. */
import { expect } from 'chai';
import { expectStatus } from '../../node/support/answers.js';
import { publishes } from '../../node/support/market.js';
import type { Person } from '../../node/support/person.js';
import { acquaint, discard, Home } from '../nodes/network.js';

describe('Trade across homes', function () {
  this.timeout(60_000);
  let homes: readonly Home[] = [];
  let [a, b] = homes as [Home, Home];
  let seller: Person;
  let buyer: Person;

  before(async () => {
    homes = [await Home.start(), await Home.start()];
    [a, b] = homes as [Home, Home];
    await acquaint(homes);
    seller = await a.node.rich();
    buyer = await b.node.rich();
    // The account of home B at home A.
    expectStatus(await a.node.client.post('/api/v1/faucet', { did: b.did }));
    await b.sees(a);
    await a.sees(b);
  });
  after(() => discard(homes));

  const wallet = (home: Home, did: string) => home.get(`/wallets/${did}`);

  it('buys a listing of another home with one request', async () => {
    const { listingId } = await publishes(seller, { title: 'rain of the north', pricing: { price: 12 } });
    await b.sees(a);
    const found = await b.get('/markets/search?q=rain');
    expect(found.listings[0].listingId).to.equal(listingId);
    const before = await wallet(b, buyer.did);
    const order = expectStatus(await buyer.write(`/api/v1/markets/info/${listingId}/actions/purchase`, {}), 201);
    expect(order).to.include({ status: 'paid', buyer: buyer.did, seller: seller.did, price: 12, home: a.did });
    expect(order.nonce).to.equal(before.nextNonce);
    expect(await b.get(`/remote-requests/${order.remoteRequestId}`)).to.include({
      status: 'accepted',
      money: 12,
      to: a.did,
    });
    expect((await wallet(b, buyer.did)).balance).to.equal(before.balance - 12);
    expect((await wallet(b, a.did)).balance, 'what A has at B').to.equal(12);
    expect(await wallet(a, b.did), 'what B has at A').to.include({ balance: 88 });
    expect(await wallet(a, buyer.did)).to.include({ escrowed: 12, availableBalance: 0 });
    for (const home of homes) expect(await home.node.audit()).to.include({ ok: true });
  });
});
