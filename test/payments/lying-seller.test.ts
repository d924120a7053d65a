/** A buyer pays once for a call, whatever the seller or the network does (docs/payments.md#pay-for-an-api). */
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client, type SignedEntry } from '../../packages/client/src/index.js';
import {
  fetchWithPayment,
  type PaymentProof,
  PaymentRefused,
  PaymentUnanswered,
  sell,
} from '../../packages/payments/src/index.js';
import { decoded, encoded, proofHeader, requiredHeader, settledHeader } from '../../packages/payments/src/messages.js';
import { dayMs } from '../../src/core/bounds.js';
import { PaymentMarket, rejection } from './support/market.js';

type Lie = (response: ServerResponse, request: IncomingMessage) => void;

describe('A buyer', () => {
  let market: PaymentMarket;
  before(async () => {
    market = await PaymentMarket.open();
  });
  after(() => market.close());

  /** A shop that does as told with what is paid, until told otherwise. */
  async function liar(lie: Lie) {
    const shop = { url: '', isHonest: false, shown: 0 };
    let handle: ReturnType<ReturnType<typeof sell>['http']>;
    shop.url = await market.serve((request, response) => {
      const isPaid = request.headers['payment-signature'] !== undefined;
      if (isPaid) shop.shown++;
      if (isPaid && !shop.isHonest) lie(response, request);
      else void handle(request, response);
    });
    handle = sell(market.offer(shop.url)).http((_, response) => response.end('sold'));
    return shop;
  }

  const lies: { readonly [name: string]: Lie } = {
    'asks for money again': (response) => response.writeHead(402).end(),
    'says that it is forbidden': (response) => response.writeHead(403).end(),
    'takes no such header': (response) => response.writeHead(431).end(),
    'sends it elsewhere': (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'answers without saying for what': (response) => response.end('not sold'),
    'says that it was not paid': (response, request) => {
      const { payload } = decoded(String(request.headers[proofHeader.toLowerCase()])) as unknown as PaymentProof;
      const settled = { success: false, transaction: payload.entry.event.hash };
      response.writeHead(200, { [settledHeader]: encoded(settled) }).end('x');
    },
    'answers for another payment': (response) =>
      response.writeHead(200, { [settledHeader]: encoded({ success: true, transaction: 'f'.repeat(64) }) }).end('x'),
    'has a fault each time': (response) => response.writeHead(500).end(),
    'hangs up': (response) => void response.destroy(),
    'breaks off in the answer': (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('so', () => response.destroy());
    },
  };
  for (const [name, lie] of Object.entries(lies)) {
    it(`pays once where the seller ${name}, and gets its answer once there is one`, async () => {
      const shop = await liar(lie);
      const { buy, key, kept } = await market.buyer(9);
      const first = await rejection(buy(shop.url));
      expect(first).to.be.instanceOf(PaymentUnanswered);
      for (let call = 0; call < 2; call++) expect(await rejection(buy(shop.url))).to.be.instanceOf(PaymentUnanswered);
      expect(await market.balance(key.did)).to.equal(7);
      shop.isHonest = true;
      expect(await (await buy(shop.url)).text()).to.equal('sold');
      expect(await market.balance(key.did)).to.equal(7);
      expect(await kept.get((first as PaymentUnanswered).payment.id)).to.equal(undefined);
    });
  }

  it('pays for one call with an identifier once, also after its answer', async () => {
    const { url } = await market.shop();
    const { buy, key } = await market.buyer(9);
    const again = () => buy(url, {}, { identifier: 'order 17' });
    expect((await again()).status).to.equal(200);
    for (let call = 0; call < 20; call++) expect(await rejection(again())).to.be.instanceOf(PaymentUnanswered);
    expect(await market.balance(key.did)).to.equal(7);
    expect((await buy(url, {}, { identifier: 'order 18' })).status).to.equal(200);
    expect((await buy(url)).status).to.equal(200);
    expect(await market.balance(key.did)).to.equal(3);
  });

  it('pays for each of two calls at once', async () => {
    const shop = await market.shop();
    const { buy, key } = await market.buyer(20);
    await Promise.all([buy(shop.url), buy(shop.url)]);
    expect(await market.balance(key.did)).to.equal(16);
  });

  it('pays once for a call that two programs make', async () => {
    const shop = await liar((response) => response.writeHead(402).end());
    const { buy, key, kept } = await market.buyer(9);
    await rejection(buy(shop.url));
    // It has looked before the other one has paid.
    const late = { ...kept, get: async () => undefined };
    const another = await market.buyer(0, { key, kept: late });
    expect(await rejection(another.buy(shop.url))).to.be.instanceOf(PaymentRefused);
    expect(await market.balance(key.did)).to.equal(7);
    shop.isHonest = true;
    expect((await buy(shop.url)).status).to.equal(200);
    expect(await market.balance(key.did)).to.equal(7);
  });

  it('pays nothing for what it does not accept', async () => {
    const { url } = await market.shop();
    const { key, kept, buy } = await market.buyer(9);
    const other = (more: object) => market.buyer(0, { key, kept, ...more }).then(({ buy: fetched }) => fetched);
    const refused = async (promise: Promise<unknown>) =>
      expect(await rejection(promise)).to.be.instanceOf(PaymentRefused);
    await refused((await other({ most: 1 }))(url));
    await refused(buy(url, {}, { most: 1 }));
    for (const most of [2.5, Number.POSITIVE_INFINITY, Number.NaN, undefined as never, 1.5, -1])
      await refused((await other({ most }))(url));
    await refused(buy(url, {}, { most: Number.NaN }));
    await refused((await other({ hosts: ['weather.example'] }))(url));
    await refused((await other({ loopback: false }))(url));
    await refused(buy('http://weather.example'));
    await refused(buy('https://me:secret@weather.example'));
    await refused(buy('https://me@weather.example'));
    await refused(buy(url, { method: 'POST', body: new Blob(['x']) }));
    // Nor is its key used for another home or network afterwards, because a seller has said so.
    await refused(buy((await market.shop({ home: market.seller })).url));
    await refused(buy((await market.shop({ network: 'mainnet' })).url));
    await refused((await other({ home: market.seller, network: 'devnet' }))(url));
    await refused(buy((await market.shop({ url: 'https://weather.example' })).url));
    const long = await market.serve((request, response) => {
      const resource = { url: `${long}${request.url}`, description: 'x'.repeat(6_000) };
      void fetch(url).then((answer) => {
        const required = JSON.parse(Buffer.from(answer.headers.get(requiredHeader)!, 'base64').toString());
        response.writeHead(402, { [requiredHeader]: encoded({ ...required, resource }) }).end();
      });
    });
    expect(String(await rejection(buy(long)))).to.include('too long');
    expect(await market.balance(key.did)).to.equal(9);
    expect((await buy.offer(url))?.amount).to.equal('2');
    expect(await market.balance(key.did)).to.equal(9);
  });

  it('shows its proof to no other place', async () => {
    const seen: unknown[] = [];
    const elsewhere = await market.serve((request, response) => {
      seen.push(request.headers['payment-signature']);
      response.end('stolen');
    });
    const shop = await liar((response) => response.writeHead(302, { location: elsewhere }).end());
    const { buy } = await market.buyer(9);
    expect(await rejection(buy(shop.url))).to.be.instanceOf(PaymentUnanswered);
    expect(seen).to.deep.equal([]);
  });

  it('is told by the node that it has too little, and can call again', async () => {
    const { url } = await market.shop();
    const { key, kept } = await market.buyer(3);
    let added = 0;
    const add: typeof kept.add = (payment) => {
      added++;
      return kept.add(payment);
    };
    const { buy } = await market.buyer(0, { key, kept: { ...kept, add } });
    expect((await buy(url)).status).to.equal(200);
    // The client has signed this one without asking.
    for (let call = 0; call < 2; call++)
      expect(await rejection(buy(url))).to.include({ refusal: 'INSUFFICIENT_BALANCE' });
    // What was refused can still take effect: it is sent again, and nothing else is signed.
    expect(added).to.equal(2);
    await market.node.fund(key.did, 1);
    expect((await buy(url)).status).to.equal(200);
  });

  it('forgets after a day what the node has refused, and nothing else', async () => {
    const shop = await liar((response) => response.writeHead(402).end());
    const { buy, key, kept } = await market.buyer(2);
    const folder = join(market.folder, `kept-${key.did.slice(-8)}`);
    await rejection(buy(shop.url));
    for (const path of ['/more', '/other'])
      expect(await rejection(buy(shop.url + path))).to.include({ refusal: 'INSUFFICIENT_BALANCE' });
    const marks = () => readdirSync(folder).filter((name) => name.endsWith('.refused'));
    const old = marks();
    expect([old.length, readdirSync(folder).length]).to.deep.equal([2, 5]);
    const before = new Date(Date.now() - dayMs - 1_000);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), before, before);
    expect(await rejection(buy(`${shop.url}/else`))).to.include({ refusal: 'INSUFFICIENT_BALANCE' });
    expect(marks()).to.have.length(1).and.not.include.members(old);
    expect(readdirSync(folder)).to.have.length(3);
    shop.isHonest = true;
    expect((await buy(shop.url)).status).to.equal(200);
    await market.node.fund(key.did, 2);
    shop.isHonest = false;
    expect(await rejection(buy(`${shop.url}/else`))).to.be.instanceOf(PaymentUnanswered);
    expect(marks()).to.deep.equal([]);
    shop.isHonest = true;
    expect((await buy(`${shop.url}/else`)).status).to.equal(200);
    expect(readdirSync(folder)).to.deep.equal([]);
    // Another program was refused with the same payment, and says so after it was accepted.
    await market.node.fund(key.did, 2);
    shop.isHonest = false;
    const { payment } = (await rejection(buy(`${shop.url}/third`))) as PaymentUnanswered;
    await kept.refused(payment);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), before, before);
    expect(await rejection(buy(`${shop.url}/more`))).to.include({ refusal: 'INSUFFICIENT_BALANCE' });
    expect(await kept.get(payment.id)).to.have.property('proof');
  });

  it('keeps no proof that its node has made up', async () => {
    const shop = await market.shop();
    let lies = true;
    const client = new Client({
      url: market.node.url,
      async fetch(asked, init) {
        const answer = await fetch(asked, init);
        if (!lies || !String(asked).endsWith('/signed')) return answer;
        const { entry, checkpoint } = (await answer.json()) as SignedEntry;
        return Response.json({ entry, checkpoint: { ...checkpoint, time: checkpoint.time + 1 } });
      },
    });
    const { key, kept } = await market.buyer(9);
    const buy = fetchWithPayment(client, { key, kept, most: 2, loopback: true });
    const { cause } = (await rejection(buy(shop.url))) as PaymentUnanswered;
    expect(String(cause)).to.include('has not signed the checkpoint');
    expect(shop.served).to.equal(0);
    lies = false;
    expect((await buy(shop.url)).status).to.equal(200);
    expect(await market.balance(key.did)).to.equal(7);
  });

  it('gives up after a day what no seller serves any more, but for a call with an identifier', async () => {
    for (const identifier of [undefined, 'order 19']) {
      const shop = await liar((response) => response.writeHead(402).end());
      const { buy, key, kept } = await market.buyer(9);
      const call = { ...(identifier !== undefined && { identifier }) };
      const { payment } = (await rejection(buy(shop.url, {}, call))) as PaymentUnanswered;
      const proof = structuredClone(payment.proof!) as { payload: { entry: { time: number } } };
      proof.payload.entry.time -= dayMs + 1;
      await kept.replace({ ...payment, proof: proof as never });
      if (identifier === undefined) {
        shop.isHonest = true;
        expect((await buy(shop.url, {}, call)).status).to.equal(200);
        expect(await kept.get(payment.id)).to.equal(undefined);
      } else expect(await rejection(buy(shop.url, {}, call))).to.be.instanceOf(PaymentUnanswered);
      expect(await market.balance(key.did)).to.equal(identifier === undefined ? 5 : 7);
    }
  });

  /** A client whose events the node does not get at first. */
  function holding(answer: () => Response | Promise<never>) {
    const held: [string | URL, RequestInit | undefined][] = [];
    const client = new Client({
      url: market.node.url,
      async fetch(asked, init) {
        if (!String(asked).endsWith('/api/v1/events')) return fetch(asked, init);
        held.push([asked, init]);
        return answer();
      },
    });
    return { held, client };
  }

  it('pays once where its node refuses a payment and commits it later', async () => {
    const shop = await market.shop();
    const { key, kept, buy } = await market.buyer(9);
    const error = { code: 'INSUFFICIENT_BALANCE', message: 'no' };
    const problem = { status: 402, code: 'INSUFFICIENT_BALANCE', title: 'no', detail: 'no', error };
    const { held, client } = holding(() => Response.json(problem, { status: 402 }));
    const lied = fetchWithPayment(client, { key, kept, most: 2, loopback: true });
    expect(await rejection(lied(shop.url))).to.include({ refusal: 'INSUFFICIENT_BALANCE' });
    await fetch(...held[0]!);
    expect(await market.balance(key.did)).to.equal(7);
    expect((await buy(shop.url)).status).to.equal(200);
    expect(await market.balance(key.did)).to.equal(7);
  });

  it('pays once where two programs give up one payment', async () => {
    const shop = await market.shop();
    const { key, kept, buy } = await market.buyer(9);
    const { client } = holding(() => Promise.reject(new TypeError('fetch failed')));
    const away = fetchWithPayment(client, { key, kept, most: 2, loopback: true });
    const { payment } = (await rejection(away(shop.url))) as PaymentUnanswered;
    const { write } = payment;
    const dead = { ...payment, write: { ...write, event: { ...write.event, until: 1 } } };
    await kept.replace(dead);
    expect(await kept.add({ ...dead, turn: 2 })).to.equal(true);
    const slow = await market.buyer(0, { key, kept: { ...kept, get: async () => dead } });
    expect(await rejection(slow.buy(shop.url))).to.be.instanceOf(PaymentRefused);
    await kept.drop(dead);
    expect(await kept.get(dead.id)).to.include({ turn: 2 });
    expect(await market.balance(key.did)).to.equal(9);
    expect((await buy(shop.url)).status).to.equal(200);
    expect(await market.balance(key.did)).to.equal(7);
  });

  it('says so if what it has kept cannot be read', async () => {
    const { url } = await market.shop();
    const { buy, key } = await market.buyer(9);
    const shop = await liar((response) => response.writeHead(402).end());
    const { payment } = (await rejection(buy(shop.url))) as PaymentUnanswered;
    writeFileSync(`${market.folder}/kept-${key.did.slice(-8)}/${payment.id}.${payment.turn}.json`, '{');
    expect(await rejection(buy(shop.url))).to.be.instanceOf(SyntaxError);
    expect((await buy(url)).status).to.equal(200);
    expect(await market.balance(key.did)).to.equal(5);
  });
});
