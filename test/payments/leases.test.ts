/** Calls that are paid from a lease, as buyer and seller see it (docs/payments.md#by-lease). */
import { expect } from 'chai';
import sinon from 'sinon';
import { Client, type HeldKey, keys } from '../../packages/client/src/index.js';
import { fakeNode } from '../../packages/fake-node/src/index.js';
import { fetchWithPayment, PaymentRefused, usedIn } from '../../packages/payments/src/index.js';
import { encoded, requiredHeader } from '../../packages/payments/src/messages.js';
import { dayMs, paymentBounds } from '../../src/core/bounds.js';
import { PaymentMarket, rejection } from './support/market.js';
import { chargedByHand, paidByHand, refusalOf, requiredIn, show } from './support/proofs.js';

type Gate = (body: string, send: () => Promise<Response>) => Promise<Response>;

/** A client of which each write passes a gate. */
const gated = (market: PaymentMarket, gate: Gate): Client =>
  new Client({
    url: market.node.url,
    fetch: (asked, init) => {
      const send = () => fetch(asked, init);
      return init?.method === 'POST' ? gate(String(init.body), send) : send();
    },
  });

/** Whether it is sent: others are prepared. */
const isSigned = (body: string, action: string): boolean => body.includes(`"${action}"`) && body.includes('"sig"');

describe('A buyer with a budget', () => {
  let market: PaymentMarket;
  before(async () => {
    market = await PaymentMarket.open();
  });
  after(() => market.close());

  const refused = async (promise: Promise<unknown>): Promise<string> => {
    const error = await rejection(promise);
    expect(error).to.be.instanceOf(PaymentRefused);
    return String(error);
  };
  const shopOf = async (listing: string) => market.shop({ listing });
  /** The same seller, who takes no transfers. */
  async function byLeaseAlone(url: string): Promise<string> {
    const only = await market.serve((_, response) => {
      void fetch(url).then((answer) => {
        const { accepts, ...required } = requiredIn(answer);
        const resource = { url: `${only}/` };
        const text = encoded({ ...required, resource, accepts: accepts.slice(1) });
        response.writeHead(402, { [requiredHeader]: text }).end();
      });
    });
    return only;
  }

  it('makes one lease for many calls, and gets the rest back when it closes it', async () => {
    const { url } = await shopOf(await market.listing());
    const { buy, key } = await market.buyer(30, { budget: 20 });
    const before = await market.balance(market.seller);
    for (let call = 1; call <= 3; call++) expect(await (await buy(url)).json()).to.include({ number: call });
    expect(await market.available(key.did)).to.equal(10);
    const [lease, ...others] = await market.leases(key.did);
    expect(others).to.deep.equal([]);
    expect(lease).to.include({ accrued: 6, remaining: 14, lessor: market.seller });
    expect(await buy.close(`${url}/any`)).to.equal(14);
    expect(await buy.close(url)).to.equal(0);
    expect(await market.available(key.did)).to.equal(24);
    expect(await market.balance(market.seller)).to.equal(before + 6);
    expect(await buy.close('https://weather.example')).to.equal(0);
  });

  it('asks its node once which home it is of', async () => {
    const { url } = await shopOf(await market.listing());
    const { key, kept } = await market.buyer(30);
    let asked = 0;
    const client = new Client({
      url: market.node.url,
      fetch: (to, init) => {
        if (String(to).endsWith('/node')) asked++;
        return fetch(to, init);
      },
    });
    const buy = fetchWithPayment(client, { key, kept, most: 2, budget: 20, loopback: true });
    await buy(`${url}/1`);
    const first = asked;
    for (const call of [2, 3]) await buy(`${url}/${call}`);
    expect(asked).to.equal(first);
  });

  it('charges one lease with calls at once, and no more than it holds', async () => {
    const { url } = await shopOf(await market.listing());
    const { buy, key } = await market.buyer(30, { budget: 10 });
    const answers = await Promise.allSettled(Array.from({ length: 7 }, (_, at) => buy(`${url}/${at}`)));
    expect(answers.filter(({ status }) => status === 'fulfilled').length).to.equal(5);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(String(answer.reason)).to.include('10 of 10 Tokens');
    expect(await market.leases(key.did)).to.have.length(1);
    expect(await market.available(key.did)).to.equal(20);
  });

  it('makes another lease when one has ended, as far as the budget goes', async () => {
    const { url } = await shopOf(await market.listing());
    const { buy, key, kept } = await market.buyer(30, { budget: 5 });
    const seller = market.node.client.as({ key: market.sellerKey });
    await buy(url);
    await seller.leases.terminate((await market.leases(key.did))[0]!.id);
    await buy(url);
    expect(await refused(buy(url))).to.include('4 of 5 Tokens');
    const found = await market.leases(key.did);
    expect(found.map(({ status, amount, accrued }) => [status, amount, accrued]).sort()).to.deep.equal([
      ['active', 3, 2],
      ['terminated', 5, 2],
    ]);
    // Its owner raises the budget: the rest of the last lease comes back for the next.
    const { buy: richer } = await market.buyer(0, { key, kept, budget: 9 });
    await richer(url);
    expect(await market.available(key.did)).to.equal(30 - 4 - 5);
    // One that ends within a minute is not charged any more.
    const client = new Client({
      url: market.node.url,
      async fetch(asked, init) {
        const answer = await fetch(asked, init);
        const isLease = init?.method === 'GET' && String(asked).includes('/leases/');
        return isLease ? Response.json({ ...((await answer.json()) as object), endsAt: Date.now() }) : answer;
      },
    });
    await fetchWithPayment(client, { key, kept, most: 2, budget: 9, loopback: true })(url);
    expect((await market.leases(key.did)).map(({ amount }) => amount).sort()).to.deep.equal([3, 3, 5, 5]);
    expect(await refused(richer(url))).to.include('8 of 9 Tokens');
    await richer.close(url);
    expect(await market.available(key.did)).to.equal(30 - 8);
  });

  it('makes no other lease while one is paused', async () => {
    const { url } = await shopOf(await market.listing());
    const { buy, key } = await market.buyer(30, { budget: 20 });
    await buy(url);
    await market.node.client.as({ key }).leases.pause((await market.leases(key.did))[0]!.id);
    expect(await refused(buy(url))).to.include('is paused');
    expect(await buy.close(url)).to.equal(18);
  });

  it('leaves a lease of what the seller does not offer any more', async () => {
    const shop = await shopOf(await market.listing());
    const { buy, key, kept } = await market.buyer(30, { budget: 20 });
    const proxied: typeof fetch = (asked, init) => fetch(String(asked).replace('https://one.example', shop.url), init);
    const url = 'https://one.example/';
    for (const listing of [await market.listing(), await market.listing()]) {
      shop.url = (await market.shop({ listing, url: 'https://one.example' })).url;
      await (await market.buyer(0, { key, kept, budget: 20, fetch: proxied })).buy(url);
    }
    expect((await market.leases(key.did)).map(({ status, amount }) => [status, amount]).sort()).to.deep.equal([
      ['active', 18],
      ['terminated', 20],
    ]);
    // Nor is one charged that does not pay who is to be paid now: that is a transfer.
    const other = (await keys.generate()).did;
    const listing = (await market.leases(key.did)).find(({ status }) => status === 'active')!.listingId;
    shop.url = (await market.shop({ listing, url: 'https://one.example', payTo: other })).url;
    const { buy: misled } = await market.buyer(0, { key, kept, budget: 20, fetch: proxied });
    expect((await misled(url)).status).to.equal(200);
    expect(await market.balance(other)).to.equal(2);
    expect(await buy.close(url)).to.equal(16);
  });

  it('makes no lease that does not pay the seller for a call, or that others could charge', async () => {
    const { buy, key } = await market.buyer(30, { budget: 20 });
    const foreign = await market.shop({ listing: await market.listing(), payTo: (await keys.generate()).did });
    const metered = await market.listing(1, { meteredBy: 'lessor' });
    const fixed = await market.listing(1, { pricing: { price: 1 } });
    const hourly = await market.listing(1, {
      pricing: { type: 'time_based', usagePrice: { unit: 'hour', pricePerUnit: 1 } },
    });
    const shops = [foreign];
    for (const listing of [metered, fixed, await market.listing(3), hourly, 'lst-none'])
      shops.push(await shopOf(listing));
    for (const { url } of shops) {
      expect(await refused(buy(await byLeaseAlone(url)))).to.match(/does not pay 2 to|no lease can be made/);
      // The seller has a wrong listing, and takes transfers as well.
      const { buy: another, key: its } = await market.buyer(3, { budget: 3 });
      expect((await another(url)).status).to.equal(200);
      expect(await market.available(its.did)).to.equal(1);
    }
    expect(await refused(buy(foreign.url, {}, { most: 1 }))).to.include('at most 1');
    for (const budget of [0, -1, 2.5, Number.NaN, null as never, '20' as never])
      expect(await refused((await market.buyer(0, { key, budget })).buy(foreign.url))).to.include('budget is');
    const poor = await market.buyer(0, { key, budget: 1 });
    expect(await refused(poor.buy((await shopOf(await market.listing())).url))).to.include('0 of 1 Tokens');
    expect(await market.leases(key.did)).to.deep.equal([]);
    expect(await market.available(key.did)).to.equal(30);
  });

  it('is the only one who pays by lease: without a budget a call is a transfer, or is refused', async () => {
    const { url } = await shopOf(await market.listing());
    const { buy, key } = await market.buyer(30);
    expect((await buy.offer(url))?.extra.by).to.equal('transfer');
    await buy(url);
    expect(await market.leases(key.did)).to.deep.equal([]);
    const only = await byLeaseAlone(url);
    expect(await refused(buy(only))).to.include('by a lease alone');
    const { buy: leasing } = await market.buyer(30, { budget: 20 });
    expect((await leasing.offer(only))?.extra.by).to.equal('lease');
  });

  it('makes one lease where two programs begin at once', async () => {
    const { url } = await shopOf(await market.listing());
    let idOfLease = '';
    const noted = await market.buyer(60);
    const { key } = noted;
    const add: typeof noted.kept.add = (payment) => {
      if (payment.spent !== undefined) idOfLease = payment.id;
      return noted.kept.add(payment);
    };
    const kept = { ...noted.kept, add };
    const { buy } = await market.buyer(0, { key, kept, budget: 20 });
    await buy(`${url}/1`);
    // It has looked before the other one has made its lease.
    const late = await market.buyer(0, { key, kept: { ...kept, get: async () => undefined }, budget: 20 });
    expect(await refused(late.buy(`${url}/2`))).to.include('another program');
    expect(await market.leases(key.did)).to.have.length(1);
    // It has looked two leases ago.
    const seller = market.node.client.as({ key: market.sellerKey });
    const [first] = await market.leases(key.did);
    const before = await kept.get(idOfLease);
    expect(before).to.include({ turn: 1 });
    for (let turn = 2; turn <= 3; turn++) {
      for (const { id, status } of await market.leases(key.did))
        if (status === 'active') await seller.leases.terminate(id);
      await buy(`${url}/${turn}`);
    }
    const get: typeof kept.get = async (id) => (id === idOfLease ? before : kept.get(id));
    const slow = await market.buyer(0, { key, kept: { ...kept, get }, budget: 20 });
    expect(await refused(slow.buy(`${url}/slow`))).to.include('another program');
    const active = (await market.leases(key.did)).filter(({ status }) => status === 'active');
    expect(active.map(({ amount }) => amount)).to.deep.equal([16]);
    expect(first!.id).not.to.equal(active[0]!.id);
    expect(await buy.close(url)).to.equal(14);
  });

  it('keeps its lease where the answer to it was lost, whatever the caller gives up', async () => {
    const { url } = await shopOf(await market.listing());
    const { key, kept, buy } = await market.buyer(30, { budget: 20 });
    const losing = gated(market, async (event, send) => {
      const answer = await send();
      if (isSigned(event, 'create')) throw new TypeError('fetch failed');
      return answer;
    });
    const lost = fetchWithPayment(losing, { key, kept, most: 2, budget: 20, loopback: true });
    const error = await rejection(lost(url));
    expect(error).to.be.instanceOf(PaymentRefused).and.not.have.property('payment');
    expect(await market.available(key.did)).to.equal(10);
    expect((await buy(url)).status).to.equal(200);
    expect(await market.leases(key.did)).to.have.length(1);
    expect(await buy.close(url)).to.equal(18);
  });

  it('makes no lease when it closes one that was refused', async () => {
    const [plain, shop] = [await market.shop(), await shopOf(await market.listing())];
    const { key, buy } = await market.buyer(10, { budget: 20 });
    // The next event is built by the client, and kept before the node has judged it.
    await buy(plain.url);
    expect(await rejection(buy(shop.url))).to.include({ refusal: 'INSUFFICIENT_BALANCE' });
    expect(await buy.close(shop.url)).to.equal(0);
    await market.node.fund(key.did, 50);
    expect(await buy.close(shop.url)).to.equal(0);
    expect(await market.leases(key.did)).to.deep.equal([]);
  });
});

describe('A buyer whose turn to pay comes late', () => {
  let market: PaymentMarket;
  let ahead: number;
  beforeEach(async () => {
    const now = Date.now;
    ahead = 0;
    sinon.stub(Date, 'now').callsFake(() => now() + ahead);
    market = await PaymentMarket.open();
  });
  afterEach(async () => {
    sinon.restore();
    await market.close();
  });
  /** As long as a seller still takes a payment, and a little more. */
  const late = () => {
    ahead += 130_000;
  };

  /** What the key does first, once. */
  let slow: (() => void) | undefined;

  async function setup(gate: Gate, budget?: number) {
    const { key: fast, kept } = await market.buyer(30);
    const key: HeldKey = {
      did: fast.did,
      sign: async (message) => {
        slow?.();
        slow = undefined;
        return fast.sign(message);
      },
    };
    const shop = await market.shop({ listing: await market.listing(), now: () => Date.now() });
    return { shop, key, buy: fetchWithPayment(gated(market, gate), { key, kept, most: 2, budget, loopback: true }) };
  }

  it('asks for a new price before it signs a transfer', async () => {
    const { shop, key, buy } = await setup((_, send) => {
      if (ahead === 0) late();
      return send();
    });
    expect((await buy(shop.url)).status).to.equal(200);
    expect([shop.served, await market.balance(key.did)]).to.deep.equal([1, 28]);
    // The client builds the next one without asking the node, and the key is slow.
    slow = late;
    expect((await buy(shop.url)).status).to.equal(200);
    expect(await market.balance(key.did)).to.equal(26);
    expect(slow).to.equal(undefined);
  });

  it('asks for a new price before a lease is charged', async () => {
    const { shop, key, buy } = await setup(async (body, send) => {
      const answer = await send();
      if (isSigned(body, 'invoke') && ahead === 0) late();
      return answer;
    }, 20);
    const answers = await Promise.all([1, 2, 3].map((each) => buy(`${shop.url}/${each}`)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(shop.served).to.equal(3);
    expect((await market.leases(key.did)).map(({ accrued }) => accrued)).to.deep.equal([6]);
  });

  for (const budget of [undefined, 20])
    it(`is charged nothing by a ${budget ? 'call' : 'transfer'} that comes late, and pays once afterwards`, async () => {
      const { shop, key, buy } = await setup((body, send) => {
        if (ahead === 0) ahead = 20_000;
        if (ahead === 20_000 && isSigned(body, budget ? 'invoke' : 'transfer')) ahead += 45_000;
        return send();
      }, budget);
      await rejection(buy(shop.url));
      late();
      expect((await buy(shop.url)).status).to.equal(200);
      expect(shop.served).to.equal(1);
      const leases = await market.leases(key.did);
      expect(budget ? leases.map(({ accrued }) => accrued) : await market.balance(key.did)).to.deep.equal(
        budget ? [2] : 28,
      );
    });
});

describe('A seller who takes leases', () => {
  let market: PaymentMarket;
  let key: HeldKey;
  let listing: string;
  before(async () => {
    market = await PaymentMarket.open();
    key = await market.key(1_000);
    listing = await market.listing();
  });
  after(() => market.close());

  const changedIn = (proof: Awaited<ReturnType<typeof chargedByHand>>, change: object) => ({
    ...proof,
    payload: { ...proof.payload, ...change },
  });

  it('serves what is charged, once, also where two sellers share what is used', async () => {
    const clock = { now: Date.now() };
    const used = usedIn(`${market.folder}/shared`);
    const shop = await market.shop({ listing, used, now: () => clock.now });
    const other = await market.shop({ listing, used, url: shop.url });
    const proof = await chargedByHand(market, { url: shop.url, key });
    for (let shown = 0; shown < 2; shown++)
      expect(await (await show(shop.url, proof)).json()).to.include({ number: 1 });
    expect(await refusalOf(other.url, proof)).to.include('has been used');
    clock.now += paymentBounds.answerKeptMs;
    expect(await refusalOf(shop.url, proof)).to.include('has been used');
  });

  it('refuses a call that costs too little, or does not say what it costs', async () => {
    const { url } = await market.shop({ listing });
    const charged = async (call: object) => refusalOf(url, await chargedByHand(market, { url, key, call }));
    expect(await charged({ units: 1, cost: 1 })).to.include('it costs 1');
    expect(await charged({ units: 2 })).to.include('it costs undefined');
  });

  it('refuses a lease of which it would see the Tokens in years', async () => {
    const { url } = await market.shop({ listing });
    const ending = async (endsAt: number) => chargedByHand(market, { url, key, endsAt });
    expect(await refusalOf(url, await ending(Date.now() + 32 * dayMs))).to.equal('the lease ends too late');
    expect((await show(url, await ending(Date.now() + 30 * dayMs))).status).to.equal(200);
  });

  it('is paid in full from a lease that is older than its price', async () => {
    const old = await market.listing();
    const { url } = await market.shop({ listing: old });
    const payer = market.node.client.as({ key });
    const { buy } = await market.buyer(0, { key, budget: 20 });
    await buy(url);
    await market.node.client.as({ key: market.sellerKey }).markets.capabilities.update(old, {
      pricing: { usagePrice: { unit: 'call', pricePerUnit: 2 } },
    });
    await buy(url);
    const newcomer = await market.buyer(20, { budget: 20 });
    await newcomer.buy(url);
    expect((await market.leases(newcomer.key.did))[0]).to.include({ accrued: 2, unitPrice: 2 });
    const [lease] = (await market.leases(key.did)).filter(({ listingId }) => listingId === old);
    expect(lease).to.include({ accrued: 4, unitPrice: 1 });
    await payer.leases.terminate(lease!.id);
  });

  it('refuses a lease of another listing, of another seller, or of which the beginning is missing', async () => {
    const { url } = await market.shop({ listing });
    const another = await market.listing();
    expect(await refusalOf(url, await chargedByHand(market, { url, key, listing: another }))).to.include('not of what');
    const misled = await market.shop({ listing, payTo: key.did });
    expect(await refusalOf(misled.url, await chargedByHand(market, { url: misled.url, key }))).to.include(
      'not of what',
    );
    const theirs = await chargedByHand(market, { url, key, listing: another });
    const ours = await chargedByHand(market, { url, key });
    const { lease } = ours.payload;
    expect(await refusalOf(url, changedIn(theirs, { lease }))).to.include('charged to another lease');
    expect(await refusalOf(url, changedIn(ours, { lease: undefined }))).to.include('it is missing');
    expect(await refusalOf(url, changedIn(ours, { lease: 1 }))).to.include('it is missing');
    const { entry, checkpoint } = ours.payload;
    expect(await refusalOf(url, changedIn(ours, { lease: { entry, checkpoint } }))).to.include('to another lease');
    const input = { ...lease.entry.payload!.input, listingId: another };
    const false_ = { ...lease.entry, payload: { ...lease.entry.payload, input } };
    expect(await refusalOf(url, changedIn(ours, { lease: { ...lease, entry: false_ } }))).to.include('payloadHash');
    const unsigned = { ...lease.checkpoint, time: lease.checkpoint.time + 1 };
    expect(await refusalOf(url, changedIn(ours, { lease: { ...lease, checkpoint: unsigned } }))).to.include(
      'not signed',
    );
    expect((await show(url, ours)).status).to.equal(200);
  });

  it('refuses what another home has signed', async () => {
    const elsewhere = await fakeNode();
    try {
      const { url } = await market.shop({ listing });
      const proof = await chargedByHand(market, { url, key });
      await elsewhere.fund(key.did, 50);
      const [seller, payer] = [market.sellerKey, key].map((each) => elsewhere.client.as({ key: each }));
      const { capabilities } = seller!.markets;
      const found = await market.node.client.markets.capabilities.get(listing);
      const { title, description, category, tags, pricing, capabilityType } = found;
      await capabilities.create({
        ...{ listingId: listing, title: title!, description: description!, category, tags, capabilityType },
        ...{ pricing: { usagePrice: pricing.usagePrice! }, capability: {}, quota: {}, access: {} },
      });
      const { leaseId, eventHash } = await payer!.leases.create({ listingId: listing, plan: { budget: 20 } });
      const { resource } = proof.payload.entry.payload!.input as { resource: string };
      const invoked = await payer!.leases.invoke(leaseId, { resource, units: 2, cost: 2 });
      const lease = await payer!.events.signed(eventHash);
      const signed = await payer!.events.signed(invoked.eventHash);
      const foreign = 'of another home or network';
      expect(await refusalOf(url, changedIn(proof, { ...signed, lease }))).to.include(foreign);
      expect(await refusalOf(url, changedIn(proof, { lease }))).to.include(`the lease: the checkpoint is ${foreign}`);
    } finally {
      await elsewhere.close();
    }
  });

  it('refuses what a watcher of the journal knows, and a payment of the other way', async () => {
    const { url } = await market.shop({ listing });
    const proof = await chargedByHand(market, { url, key });
    expect(await refusalOf(url, changedIn(proof, { secret: 'a guess' }))).to.include('does not pay for this request');
    const [byTransfer, byLease] = requiredIn(await fetch(url)).accepts;
    expect(await refusalOf(url, { ...proof, accepted: byLease! })).to.include('does not pay for this request');
    expect(await refusalOf(url, { ...proof, accepted: byTransfer! })).to.include('it pays 0');
    const paid = await paidByHand(market, { url, key });
    expect(await refusalOf(url, { ...paid, accepted: byLease! })).to.include('no call of a lease');
    expect(await refusalOf(`${url}/else`, proof)).to.include('not for this request');
    const other = await market.shop();
    expect(await refusalOf(other.url, proof)).to.include('the challenge');
  });

  it('refuses a call that is charged late, or shown late', async () => {
    const clock = { now: Date.now() };
    const { url } = await market.shop({ listing, now: () => clock.now });
    const early = await chargedByHand(market, { url, key });
    clock.now -= 10 * 60_000;
    const late = await chargedByHand(market, { url, key });
    expect(await refusalOf(url, late)).to.equal('it was not paid while the price was good');
    clock.now += 10 * 60_000 + dayMs + 1_000;
    expect(await refusalOf(url, early)).to.equal('the payment is too old');
  });
});
