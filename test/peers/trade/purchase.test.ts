/** A buyer of one home buys, at its own node, what a seller of another home offers. */
import { expect } from 'chai';
import { tagOf } from '../../../src/peers/tag.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body, Reply } from '../../node/support/client.js';
import { dataset, onOrder, publishes } from '../../node/support/market.js';
import type { Person } from '../../node/support/person.js';
import { publishesTask } from '../../node/support/requester.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from '../nodes/network.js';

describe('Trade across homes', function () {
  this.timeout(60_000);
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  let seller: Person;
  let buyer: Person;

  before(async () => {
    homes = [
      await Home.start(),
      await Home.start({ variables: { SVC_SETTLEMENT_WAIT_MS: '3000' } }),
      await Home.start({ variables: { SVC_OWN_HOME_RECORDS: '0' } }),
    ];
    [a, b, c] = homes as [Home, Home, Home];
    await acquaint(homes);
    seller = await a.node.rich();
    buyer = await b.node.rich();
    // The account of home B at home A.
    expectStatus(await a.node.client.post('/api/v1/faucet', { did: b.did }));
    // The buyer lives at B once it has signed something there.
    await buyer.pays(b.did, 1);
    await b.sees(a);
    await a.sees(b);
  });
  after(() => discard(homes));

  /** A bid. */
  const offer = { price: 7, timeline: '2 days', approach: 'by hand' };
  const wallet = (home: Home, did: string) => home.get(`/wallets/${did}`);
  const purchase = (listingId: string, body: Body = {}, headers?: Body): Promise<Reply> =>
    buyer.write(`/api/v1/markets/info/${listingId}/actions/purchase`, body, headers);
  const offers = async (more: Body): Promise<Body> => {
    const listing = await publishes(seller, more);
    await b.sees(a);
    return listing;
  };
  /** Someone of home B has asked home A for something. */
  const trades = async (): Promise<void> => {
    const { listingId } = await offers({ title: 'mist', pricing: { price: 1 } });
    expectStatus(await purchase(listingId), 201);
    await c.sees(b);
  };
  /** What B holds at A, and A at B. */
  const accounts = async () => [(await wallet(a, b.did)).balance, (await wallet(b, a.did)).balance];

  /** Both ledgers add up, and all copies agree with their homes. */
  async function adsUp(): Promise<void> {
    for (const home of homes) {
      expect(await home.node.audit()).to.include({ ok: true });
      for (const other of homes) if (other !== home) await home.sees(other);
      for (const { status } of await home.peers()) expect(status).to.equal('current');
    }
  }

  it('buys a listing of another home with one request', async () => {
    const { listingId } = await offers({ title: 'rain of the north', pricing: { price: 12 } });
    const found = await b.get('/markets/search?q=rain');
    expect(found.listings[0].listingId).to.equal(listingId);
    const before = await wallet(b, buyer.did);
    const order = expectStatus(await purchase(listingId), 201);
    expect(order).to.include({ status: 'paid', buyer: buyer.did, seller: seller.did, price: 12, home: a.did });
    expect(order.nonce).to.equal(before.nextNonce);
    const request = await b.get(`/remote-requests/${order.remoteRequestId}`);
    expect(request).to.include({ status: 'accepted', money: 12, to: a.did, signer: buyer.did });
    expect((await wallet(b, buyer.did)).balance).to.equal(before.balance - 12);
    expect(await accounts()).to.deep.equal([88, 12]);
    expect(await wallet(a, buyer.did)).to.include({ escrowed: 12, availableBalance: 0 });
    await adsUp();

    expectStatus(await onOrder(seller, order, 'deliver', { accessUrl: 'https://example.org/rain.csv' }));
    await b.sees(a);
    const signed = { did: buyer.did, passphrase: buyer.passphrase };
    const opened = expectStatus(await b.node.client.post(`/api/v1/orders/${order.orderId}/actions/open`, signed));
    expect(opened).to.include({ accessUrl: 'https://example.org/rain.csv' });
    const confirmed = expectStatus(await onOrder(buyer, order, 'confirm', {}));
    expect(confirmed).to.include({ status: 'confirmed', home: a.did });
    const reviewed = expectStatus(await onOrder(buyer, order, 'review', { rating: 5 }));
    expect(reviewed).to.include({ status: 'reviewed' });
    expect((await wallet(a, seller.did)).balance).to.equal(1_012);
    await adsUp();
  });

  it('takes a listing by its spelling, and the same Idempotency-Key only once', async () => {
    const { listingId } = await offers({ title: 'wind', pricing: { price: 3 } });
    const before = await accounts();
    const spelt = `${listingId}~${tagOf(a.did, [])}`;
    const body = { nonce: buyer.nonce };
    const first = expectStatus(await purchase(spelt, body, { 'Idempotency-Key': 'once' }), 201);
    const again = await purchase(spelt, body, { 'Idempotency-Key': 'once' });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(expectStatus(again, 201)).to.include({ orderId: first.orderId, eventHash: first.eventHash });
    expect(await accounts()).to.deep.equal([before[0] - 3, before[1] + 3]);
  });

  it('refuses what the other home would refuse, and an account that is too small, at no cost', async () => {
    const { listingId } = await offers({ title: 'snow', pricing: { price: 500 } });
    const [before, { seq }] = [await wallet(b, buyer.did), await b.node.store.head()];
    expectProblem(await purchase(listingId, { expectedPrice: 4 }), 'CONFLICT');
    const short = expectProblem(await purchase(listingId), 'INSUFFICIENT_BALANCE');
    expect(short.detail).to.include(`the account of this home (${b.did}) at ${a.did}`);
    expectProblem(await purchase(listingId, { nonce: 999 }), 'CONFLICT');
    expect(await wallet(b, buyer.did)).to.deep.equal(before);
    expect((await b.node.store.head()).seq).to.equal(seq);
  });

  it('gives the Tokens back where the other home refuses afterwards, and says that the nonce is used', async () => {
    const rival = await b.node.rich();
    /** Both buy the last one at once. @returns the refusal of one of them */
    const compete = async (): Promise<Body> => {
      const { listingId } = await offers({ title: 'hail', pricing: { price: 6 }, stock: 1 });
      const buying = [buyer, rival].map((who) => who.write(`/api/v1/markets/info/${listingId}/actions/purchase`, {}));
      const replies = await Promise.all(buying);
      const [sold, refused] = replies.sort((one, other) => one.status - other.status) as [Reply, Reply];
      expectStatus(sold, 201);
      return expectProblem(refused, 'LISTING_NOT_ACTIVE');
    };
    let [before, { balance }] = [await accounts(), await wallet(b, rival.did)];
    let problem = await compete();
    // If the first one is sold before the second is tried on the copy, the second is refused before it is sent.
    for (let left = 10; left > 0 && !problem.committed; left--) {
      [before, { balance }] = [await accounts(), await wallet(b, rival.did)];
      problem = await compete();
    }
    expect(problem).to.include({ committed: true });
    const request = await b.get(`/remote-requests/${problem.remoteRequestId}`);
    expect(request).to.include({ status: 'refused', code: 'LISTING_NOT_ACTIVE', money: 6 });
    const loser = request.signer === rival.did ? rival : buyer;
    if (loser === buyer) buyer.nonce += 1;
    expect(await b.get(`/wallets/${rival.did}`)).to.include({
      ...{ balance: loser === rival ? balance : balance - 6, escrowed: 0 },
    });
    expect(await accounts()).to.deep.equal([before[0] - 6, before[1] + 6]);
    await adsUp();
  });

  it('signs a contract of another home, with the signature that its terms need', async () => {
    const terms = {
      provider: buyer.did,
      terms: { scope: 'a secret scope' },
      payment: { totalAmount: 5 },
      milestones: [],
    };
    const { contractId } = expectStatus(await seller.write('/api/v1/contracts', terms), 201);
    expectStatus(await seller.write(`/api/v1/contracts/${contractId}/actions/sign`));
    await b.sees(a);
    const signed = expectStatus(await buyer.write(`/api/v1/contracts/${contractId}/actions/sign`));
    expect(signed).to.include({ state: 'signed', home: a.did });
    await adsUp();
    const seen = await c.get(`/contracts/${contractId}`);
    expect(JSON.stringify(seen)).to.not.include('a secret scope');
  });

  it('reviews the other party of a trade at another home, and shows whose records count', async () => {
    const { listingId } = await offers({ title: 'dew', pricing: { price: 2 } });
    const order = expectStatus(await purchase(listingId), 201);
    const review = (more: Body) =>
      buyer.write(`/api/v1/reputations/${seller.did}/reviews`, { dimension: 'behavior', score: 700, ...more });
    expectProblem(await review({ ref: order.orderId }), 'UNPROCESSABLE');
    expectStatus(await onOrder(seller, order, 'deliver', { accessUrl: 'https://example.org/dew.csv' }));
    await b.sees(a);
    expectStatus(await onOrder(buyer, order, 'confirm', {}));
    const nonce = buyer.nonce;
    expectProblem(await review({ ref: order.orderId, dimension: 'transaction' }), 'CONFLICT');
    const made = expectStatus(await review({ ref: order.orderId }), 201);
    expect(made).to.include({
      issuer: buyer.did,
      target: seller.did,
      score: 700,
      home: a.did,
      nonce,
      status: 'confirmed',
    });
    expect(await b.get(`/remote-requests/${made.remoteRequestId}`)).to.deep.include({
      ...{ status: 'accepted', money: 0 },
      subject: { kind: 'reputation', id: made.id, action: 'review' },
    });
    const path = `/reputations/${seller.did}`;
    const { reviews } = await b.get(`${path}/reviews`);
    expect(reviews[0]).to.include({ id: made.id, home: a.did });
    expect((await a.get(`${path}/reviews`)).reviews[0])
      .to.include({ id: made.id })
      .and.not.have.property('home');

    // The seller buys at the other home, where it does not live.
    const copy = expectStatus(await buyer.write('/api/v1/markets/info', dataset({ pricing: { price: 1 } })), 201);
    expectStatus(await b.node.client.post('/api/v1/faucet', { did: a.did }));
    await a.sees(b);
    const bought = expectStatus(await seller.write(`/api/v1/markets/info/${copy.listingId}/actions/purchase`), 201);
    expectStatus(await onOrder(buyer, bought, 'deliver', { accessUrl: 'https://example.org/copy.csv' }));
    await a.sees(b);
    expectStatus(await onOrder(seller, bought, 'confirm', {}));
    for (const home of [a, b]) await c.sees(home);
    const shown = await b.get(path);
    expect(shown).to.not.have.property('home');
    const byHome = new Map<string, Body>(shown.homes.map((each: Body) => [each.home, each]));
    expect([...byHome.keys()]).to.have.members([a.did, b.did]);
    expect(byHome.get(a.did)).to.include({ lives: true, score: (await a.get(`${path}?homes=own`)).score });
    expect(byHome.get(b.did)).to.deep.equal({
      ...{ home: b.did, lives: false, records: 1, score: 1_000, totalTransactions: 1, averageRating: null },
    });
    const ofA = await b.get(`${path}~${tagOf(a.did, [])}`);
    expect(ofA).to.include({ home: a.did, totalTransactions: shown.totalTransactions - 1 });
    expect(await b.get(`${path}?homes=${a.did}`)).to.deep.include({ score: ofA.score, homes: ofA.homes });

    // The third home leaves out what a home says about its residents, in searches too.
    expect(await c.get(`${path}?ownHomeWeight=1`)).to.include({ score: shown.score });
    const strict = await c.get(path);
    expect(strict).to.include({ score: 1_000, totalTransactions: 1, averageRating: null });
    expect(await b.get(`${path}?ownHomeWeight=0`)).to.include({ score: 1_000, totalTransactions: 1 });
    expect(shown.score).to.be.below(1_000);
    const found = (home: Home, least: number) =>
      home.get(`/markets/search?seller=${seller.did}&minReputation=${least}`);
    const isFound = { is: ({ total }: Body) => total > 0 };
    for (const home of [a, b]) await until('the seller is ranked', () => found(home, 1), isFound);
    await until('the seller has another rank there', () => found(c, 1_000), isFound);
    expect(await found(b, 1_000)).to.include({ total: 0 });
    expectProblem(await c.node.client.get(`/api/v1${path}?homes=nowhere1`), 'INVALID_REQUEST');
    await adsUp();
  });

  it('bids on a task of another home, delivers it and is paid there', async () => {
    const task = await publishesTask(seller);
    await b.sees(a);
    const before = (await wallet(a, buyer.did)).availableBalance;
    const bid = expectStatus(await buyer.write(`/api/v1/markets/tasks/${task.listingId}/bids`, offer), 201);
    const accepted = `/api/v1/markets/tasks/${task.listingId}/bids/${bid.bidId}/actions/accept`;
    const { orderId } = expectStatus(await seller.write(accepted, { bidId: bid.bidId }));
    await b.sees(a);
    const delivery = { envelope: { type: 'text', transport: { method: 'inline', data: 'done' } } };
    const path = `/api/v1/markets/tasks/${task.listingId}/actions`;
    const done = await buyer.write(`${path}/deliver`, { orderId, deliverables: [{ name: 'a text' }], delivery });
    const { submissionId } = expectStatus(done);
    expectStatus(await seller.write(`${path}/confirm`, { orderId, submissionId, approved: true }));
    expect((await wallet(a, buyer.did)).availableBalance).to.equal(before + offer.price);
    await adsUp();
  });

  it('answers 202 while the other home is away, and completes afterwards', async () => {
    const { listingId } = await offers({ title: 'fog', pricing: { price: 9 } });
    const address = (await a.address()).replace(/\/p2p.*/, '');
    const { availableBalance: earned } = await wallet(a, buyer.did);
    await a.stop();
    const reply = await purchase(listingId);
    // What the buyer has earned at the other home pays first.
    const pending = expectStatus(reply, 202);
    expect(pending).to.include({ status: 'pending', to: a.did, money: Math.max(0, 9 - earned) });
    expect(reply.headers.location).to.equal(`/api/v1/remote-requests/${pending.remoteRequestId}`);
    a = await Home.start({ dir: a.node.dir, variables: { SVC_LISTEN: address } });
    homes = [a, b, c];
    seller = seller.through(a.node.client);
    await until('the request is closed', () => b.get(`/remote-requests/${pending.remoteRequestId}`), {
      is: ({ status }) => status === 'accepted',
    });
    expect(await b.get(`/orders/${pending.subject.id}`)).to.include({ status: 'paid', home: a.did });
    await adsUp();
  });

  it('agrees at both ends of each request, in the audit of each home', async () => {
    await trades();
    const { total: refused } = await b.get(`/remote-requests?to=${a.did}&status=refused`);
    await adsUp();
    for (const home of homes) {
      const { flaw, peers, trade } = await home.auditPeers();
      expect(flaw).to.equal(undefined);
      expect(peers.map(({ ok }) => ok)).to.deep.equal([true, true]);
      const asked = trade.find(({ from }) => from === b.did);
      expect(asked).to.include({ to: a.did, refused, open: 0, inFlight: 0, unseen: 0 });
      const back = trade.find(({ from }) => from === a.did);
      if (back) expect(back).to.include({ to: b.did, open: 0, unseen: 0 });
      // What A has at B, with its claim of the faucet if it has bought there, and without what it has spent.
      expect(asked!.paid + (back ? 100 - back.paid : 0)).to.equal((await accounts())[1]);
    }
  });

  it('shows a third home who trades, and not the confidential part', async () => {
    await trades();
    const { items } = await b.node.store.find({ kind: 'remote-request', page: { limit: 100, offset: 0 } });
    const request = await c.get(`/remote-requests/${items[0]!.id}`);
    expect(request).to.include({ home: b.did, to: a.did });
    const { total } = await c.get(`/remote-requests?home=${b.did}`);
    expect(total).to.equal(items.length);
  });
});
