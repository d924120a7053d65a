/** Proofs that a seller refuses, and what a watcher of the journal can't do (docs/payments.md#what-a-seller-checks). */
import { expect } from 'chai';
import { type HeldKey, keys } from '../../packages/client/src/index.js';
import { fakeNode } from '../../packages/fake-node/src/index.js';
import type { PaymentProof } from '../../packages/payments/src/index.js';
import { proofHeader, requiredHeader, settledHeader } from '../../packages/payments/src/messages.js';
import { dayMs, paymentBounds } from '../../src/core/bounds.js';
import { canonical, type JsonObject, sha256Hex } from '../../src/core/canonical.js';
import { PaymentMarket } from './support/market.js';
import { paidByHand, refusalOf, requiredIn, show } from './support/proofs.js';

describe('A seller', () => {
  let market: PaymentMarket;
  let key: HeldKey;
  before(async () => {
    market = await PaymentMarket.open();
    key = await market.key(1_000);
  });
  after(() => market.close());

  const notFor = /does not pay for this request/;

  it('serves what is paid, and says who has paid', async () => {
    const { url } = await market.shop();
    const proof = await paidByHand(market, { url, key });
    const answer = await show(url, proof);
    expect(answer.status).to.equal(200);
    const said = JSON.parse(Buffer.from(answer.headers.get(settledHeader)!, 'base64').toString());
    const transaction = proof.payload.entry.event.hash;
    expect(said).to.deep.equal({ success: true, payer: key.did, transaction, network: proof.accepted.network });
  });

  it('answers the same proof with the same answer for a minute, and never serves it again', async () => {
    const clock = { now: Date.now() };
    const shop = await market.shop({ now: () => clock.now });
    const proof = await paidByHand(market, { url: shop.url, key });
    const answers = await Promise.all([1, 2, 3].map(() => show(shop.url, proof).then((answer) => answer.text())));
    expect(new Set(answers).size).to.equal(1);
    clock.now += paymentBounds.answerKeptMs;
    expect(await refusalOf(shop.url, proof)).to.include('has been used');
    expect(shop.served).to.equal(1);
  });

  it('refuses a payment of too little, or to another', async () => {
    const { url } = await market.shop();
    expect(await refusalOf(url, await paidByHand(market, { url, key, amount: 1 }))).to.include('pays 1');
    const to = (await keys.generate()).did;
    expect(await refusalOf(url, await paidByHand(market, { url, key, to }))).to.include('pays 0');
  });

  it('refuses a payment that asks for the same amount elsewhere', async () => {
    const { url } = await market.shop();
    const onward = { home: (await keys.generate()).did, to: key.did };
    expect(await refusalOf(url, await paidByHand(market, { url, key, onward }))).to.include('in return');
  });

  it('refuses a payment for another URL, method or body', async () => {
    const { url } = await market.shop();
    const body = 'one';
    const proof = await paidByHand(market, { url: `${url}/a`, key, method: 'POST', body });
    const notOurs = 'the challenge is not for this request';
    expect(await refusalOf(`${url}/b`, proof, { method: 'POST', body })).to.equal(notOurs);
    expect(await refusalOf(`${url}/a`, proof, { method: 'PUT', body })).to.equal(notOurs);
    expect(await refusalOf(`${url}/a`, proof, { method: 'POST', body: 'two' })).to.equal(notOurs);
    const answer = await show(`${url}/a`, proof, { method: 'POST', body });
    expect(await answer.json()).to.include({ path: '/a', body });
  });

  it('refuses a payment that was made for the same offer at another URL', async () => {
    const { url } = await market.shop();
    // A seller between shows its own URL and the challenge of another, to be served at the buyer’s expense.
    const between = await market.serve((request, response) => {
      void fetch(url + request.url).then((answer) => {
        response.writeHead(402, { [requiredHeader]: answer.headers.get(requiredHeader)! }).end();
      });
    });
    const proof = await paidByHand(market, { url: between, key });
    expect(await refusalOf(url, proof)).to.match(notFor);
  });

  it('refuses what a watcher of the journal knows of a payment', async () => {
    const { url } = await market.shop();
    const { payload, ...rest } = await paidByHand(market, { url, key });
    const { entry, checkpoint } = await market.node.client.events.signed(payload.entry.event.hash);
    expect(await refusalOf(url, { ...rest, payload: { entry, checkpoint, secret: 'a guess' } })).to.match(notFor);
    const own = requiredIn(await fetch(url)).accepts[0]!;
    expect(await refusalOf(url, { ...rest, accepted: own, payload })).to.match(notFor);
  });

  it('refuses terms that it has not made', async () => {
    const { url } = await market.shop();
    const proof = await paidByHand(market, { url, key });
    const { accepted } = proof;
    const changed = async (change: object) =>
      refusalOf(url, { ...proof, accepted: { ...accepted, ...change } as PaymentProof['accepted'] });
    expect(await changed({ amount: '1' })).to.equal('the terms are not those of this seller');
    expect(await changed({ extra: { ...accepted.extra, challenge: `${Date.now()}.x` } })).to.include('the challenge');
    const [time, mac] = accepted.extra.challenge.split('.');
    const later = `${Number(time) + 1}.${mac}`;
    expect(await changed({ extra: { ...accepted.extra, challenge: later } })).to.include('the challenge');
    const dear = await market.shop({ amount: 3 });
    expect(await refusalOf(dear.url, proof)).to.include('the challenge');
  });

  it('refuses an entry or a checkpoint that was changed', async () => {
    const { url } = await market.shop();
    const proof = await paidByHand(market, { url, key });
    const { payload } = proof;
    const { entry, checkpoint } = payload;
    const changed = (change: object) => refusalOf(url, { ...proof, payload: { ...payload, ...change } });
    const [move] = entry.moves;
    expect(await changed({ entry: { ...entry, moves: [{ ...move, amount: 3 }] } })).to.include('members');
    const input = { ...entry.payload!.input, amount: 3 };
    expect(await changed({ entry: { ...entry, payload: { ...entry.payload, input } } })).to.include('payloadHash');
    expect(await changed({ checkpoint: { ...checkpoint, time: checkpoint.time + 1 } })).to.include('not signed');
    expect(await changed({ checkpoint: { ...checkpoint, seq: checkpoint.seq + 1 } })).to.include('another entry');
    expect(await changed({ checkpoint: { ...checkpoint, chainHash: 'f'.repeat(64) } })).to.include('another entry');
    expect((await show(url, proof)).status).to.equal(200);
  });

  it('refuses an entry that was made up, with its own hash, in the place of a true one', async () => {
    const { url } = await market.shop();
    const proof = await paidByHand(market, { url, key, amount: 1 });
    const { entry } = proof.payload;
    const moves = entry.moves.map((move) => ({ ...move, amount: 2 }));
    const { event, home, time, law, versions, reads, accounts, postings, idem } = entry;
    const core = { v: 2, event, home, time, law, versions, reads, accounts, moves, postings, idem };
    const entryHash = sha256Hex(canonical(core as unknown as JsonObject));
    const forged = { ...proof, payload: { ...proof.payload, entry: { ...entry, moves, entryHash } } };
    expect(await refusalOf(url, forged)).to.include('chainHash does not fit');
  });

  it('refuses what another home has signed, and another network', async () => {
    const elsewhere = await fakeNode();
    try {
      const { url } = await market.shop();
      const { url: asked } = await market.shop();
      await elsewhere.fund(key.did, 5);
      const proof = await paidByHand(market, { url, key });
      const there = elsewhere.client.as({ key });
      const memo = String(proof.payload.entry.payload?.input.memo);
      const { eventHash } = await there.wallets.transfer({ to: market.seller, amount: 2, memo });
      const signed = await there.events.signed(eventHash);
      const foreign = { ...proof, payload: { ...proof.payload, ...signed } };
      expect(await refusalOf(url, foreign)).to.include('of another home or network');
      // Its checkpoint in the name of this home, and this home’s for its entry.
      const checkpoint = { ...signed.checkpoint, home: market.node.did };
      expect(await refusalOf(url, { ...foreign, payload: { ...foreign.payload, checkpoint } })).to.not.equal(undefined);
      const mixed = { ...proof.payload, entry: signed.entry };
      expect(await refusalOf(url, { ...proof, payload: mixed })).to.include('another entry');
      const test = await market.shop({ network: 'testnet', url: asked });
      expect(await refusalOf(test.url, proof)).to.include('the challenge');
    } finally {
      await elsewhere.close();
    }
  });

  it('refuses a payment that is late, or shown late', async () => {
    const clock = { now: Date.now() };
    const { url } = await market.shop({ now: () => clock.now });
    const early = await paidByHand(market, { url, key });
    clock.now -= 10 * 60_000;
    const late = await paidByHand(market, { url, key });
    expect(await refusalOf(url, late)).to.equal('it was not paid while the price was good');
    clock.now += 10 * 60_000 + dayMs + 1_000;
    expect(await refusalOf(url, early)).to.equal('the payment is too old');
  });

  it('answers 400 to what is no proof, however it is nested', async () => {
    const { url } = await market.shop();
    const deep = `${'['.repeat(4_000)}${']'.repeat(4_000)}`;
    const nested = `{"x402Version":2,"accepted":{"extra":{"challenge":"x"},"a":${deep}},"payload":{}}`;
    for (const text of [
      'x',
      '!',
      'e30=',
      Buffer.from(nested).toString('base64'),
      Buffer.from('[1]').toString('base64'),
    ]) {
      const answer = await fetch(url, { headers: { [proofHeader]: text } });
      expect(answer.status, text.slice(0, 20)).to.equal(400);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
    }
    const proof = await paidByHand(market, { url, key });
    const odd = JSON.parse(`${'['.repeat(3_000)}"\\ud800"${']'.repeat(3_000)}`);
    const strange = { ...proof, accepted: { ...proof.accepted, odd } };
    expect(await refusalOf(url, strange)).to.equal('the terms are not those of this seller');
    const { entry } = proof.payload;
    for (const wrong of [
      { moves: 1 },
      { event: 1 },
      { event: { ...entry.event, home: null } },
      { leaves: { '/x': 1 } },
    ]) {
      const answer = await show(url, { ...proof, payload: { ...proof.payload, entry: { ...entry, ...wrong } } });
      expect(answer.status).to.be.oneOf([400, 402]);
    }
  });

  it('refuses bodies that are too long', async () => {
    const { url } = await market.shop();
    const answer = await fetch(url, { method: 'POST', body: 'x'.repeat(paymentBounds.bodyBytes + 1) });
    expect(answer.status).to.equal(413);
  });
});
