import { expect } from 'chai';
import { tagOf } from '../../../src/peers/tag.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import { buys, onOrder, publishes } from '../../node/support/market.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from './network.js';

describe('Three nodes of three operators', function () {
  this.timeout(120_000);
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  let seller: Person;
  let buyer: Person;

  before(async () => {
    homes = [await Home.start(), await Home.start(), await Home.start()];
    [a, b, c] = homes as [Home, Home, Home];
    await acquaint(homes);
    seller = await a.node.rich();
    buyer = await a.node.rich();
  });
  after(() => discard(homes));

  it('know each other', async () => {
    for (const home of homes) {
      await until('both peers are current', () => home.peers(), {
        is: (peers) =>
          peers.length === 2 && peers.every(({ status, direction }) => status === 'current' && direction === 'both'),
      });
      const { peerId, peers, synced } = await home.get('/node');
      expect(peerId).to.match(/^12D3KooW/);
      expect({ peers, synced }).to.deep.equal({ peers: 2, synced: true });
    }
    const { peers, total, pagination } = await a.get('/node/peers?limit=1');
    expect(peers).to.have.length(1);
    expect(total).to.equal(2);
    const { peers: rest } = await a.get(`/node/peers?limit=1&after=${pagination.after}`);
    expect([...peers, ...rest].map(({ did }) => did)).to.deep.equal([b.did, c.did].sort());
    for (const { latencyMs, connectedAt, lagMs, withheld, address } of await a.peers()) {
      expect([latencyMs, connectedAt, lagMs]).to.not.include(null);
      expect(withheld).to.equal(0);
      expect(address).to.match(/^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/12D3KooW/);
    }
  });

  it('show each other’s listings, escrows, identities and reputation', async () => {
    const listing = await publishes(seller, { title: 'rain of the north', tags: ['rain'] });
    const create = { beneficiary: seller.did, amount: 25, releaseRules: [{ type: 'manual' }], autoFund: true };
    const escrow = expectStatus(await buyer.write('/api/v1/escrows', create), 201);
    const { docHash: prevDocHash } = await a.get(`/identities/${seller.did}`);
    const document = { displayName: 'Rain of the North' };
    expectStatus(await seller.write(`/api/v1/identities/${seller.did}/actions/update`, { document, prevDocHash }));
    for (const home of [b, c]) {
      await home.sees(a);
      const there = await home.reads(`/markets/info/${listing.listingId}`);
      expect(there).to.include({ home: a.did, title: 'rain of the north' });
      expect(there.asOf).to.be.above(0);
      const { home: from, asOf, ...shown } = await home.reads(`/escrows/${escrow.escrowId}`);
      expect(from).to.equal(a.did);
      const { txHash: _, ...own } = await a.get(`/escrows/${escrow.escrowId}`);
      const { txHash: __, ...foreign } = shown;
      expect(foreign).to.deep.equal(own);
      for (const part of ['history', 'state', 'permitted', 'proof'])
        expect(await home.get(`/machines/escrow/${escrow.escrowId}/${part}`), part).to.include({ home: a.did });
      const found = await home.get('/markets/search?q=rain%20north');
      expect(
        found.listings.map(({ listingId, home: of }: { listingId: string; home: string }) => [listingId, of]),
      ).to.deep.equal([[listing.listingId, a.did]]);
      expect(await home.reads(`/identities/${seller.did}`)).to.include({ home: a.did });
      expect((await home.get(`/wallets/${buyer.did}?home=${a.did}`)).escrowed).to.equal(25);
    }
    const [others] = await Promise.all([b, c].map((home) => home.get('/escrows?home=own')));
    expect(others!.total).to.equal(0);
    expectProblem(
      await b.node.client.post(`/api/v1/escrows/${escrow.escrowId}~${tagOf(a.did, [])}/actions/release`, { amount: 1 }),
      'INVALID_REQUEST',
    );
  });

  it('show of a trade what everyone may see, and its content to the parties’ homes only', async () => {
    const listing = await publishes(seller, { title: 'wind' });
    const order = await buys(buyer, listing);
    expectStatus(await onOrder(seller, order, 'deliver'));
    expectStatus(await onOrder(buyer, order, 'confirm', {}));
    expectStatus(await onOrder(buyer, order, 'review', { rating: 5 }));
    await b.sees(a);
    const there = await b.reads(`/orders/${order.orderId}`);
    expect(there).to.include({ withheld: true, home: a.did });
    expect(JSON.stringify(there)).to.not.include('example.org');
    expect((await b.peer(a)).withheld).to.be.above(0);
    const { home: _, asOf: __, ...reputation } = await b.get(`/reputations/${seller.did}`);
    expect(reputation).to.deep.equal(await a.get(`/reputations/${seller.did}`));
    // The order's listing is not withheld.
    expect(await b.get(`/markets/info/${listing.listingId}`)).to.include({ title: 'wind', home: a.did });
  });

  it('continue without each other, and after their cursors afterwards', async () => {
    await b.stop();
    await buyer.pays(seller.did, 1);
    await until('the loss is noticed', () => a.peer(b), { is: ({ status }) => status === 'unreachable' });
    await c.sees(a);
    await buyer.pays(seller.did, 1);
    const { adopted } = await c.peer(a);
    const back = await Home.start({
      dir: b.node.dir,
      variables: { SVC_LISTEN: (await address(a, b)).replace(/\/p2p.*/, '') },
    });
    homes = [a, back, c];
    b = back;
    await b.sees(a);
    expect((await b.peer(a)).adopted).to.be.at.least(adopted);
    await until('all are connected', () => a.peers(), {
      is: (peers) => peers.every(({ direction }) => direction === 'both'),
    });
    for (const home of homes) expect((await home.node.audit()).ok).to.equal(true);
  });

  it('hide the copy of a removed peer, and delete that of a forgotten one', async () => {
    const { escrows } = await c.get(`/escrows?home=${a.did}`);
    const copies = async (): Promise<string> => JSON.stringify((await c.operator('peers.list')).homes);
    await c.operator('peers.remove', { did: a.did });
    expect((await c.peers()).map(({ did }) => did)).to.deep.equal([b.did]);
    expectProblem(await c.node.client.get(`/api/v1/escrows/${escrows[0].escrowId}`), 'ESCROW_NOT_FOUND');
    expect(await copies()).to.include(a.did);
    await c.operator('peers.forget', { did: a.did });
    expect(await copies()).to.not.include(a.did);
    // After it is added again, the feed is read from its first entry.
    await c.operator('peers.add', { address: await address(b, a) });
    await c.sees(a);
    expect(await c.reads(`/escrows/${escrows[0].escrowId}`)).to.include({ home: a.did });
  });

  const address = async (at: Home, of: Home): Promise<string> => (await at.peer(of)).address;
});
