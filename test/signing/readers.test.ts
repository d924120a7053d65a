/** `Svc-Reader`: reading with a key that the node does not keep (docs/reference/access.md#readers). */
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { type HeldKey, keys } from '../../packages/client/src/signing/key.js';
import { createLog } from '../../src/core/log.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body, Headers } from '../node/support/client.js';
import { didWith, jcs, OwnKey } from '../node/support/independent.js';
import { nodeForSuite } from '../node/support/node.js';
import { EventStream } from '../node/support/stream.js';
import { until } from '../support/until.js';

const base64Url = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url');
const remote: Headers = { 'X-Forwarded-For': '203.0.113.9' };

describe('A proof of who reads', () => {
  const logged: string[] = [];
  const log = createLog({ level: 'trace', destination: { write: (line) => void logged.push(line) } });
  const node = nodeForSuite({ parts: { log } });
  let own: OwnKey;

  const stated = (change: Body = {}): Body => ({
    ...{ did: own.did, exp: node().world.now() + 60_000, home: node().did, network: 'devnet', ...change },
  });
  const proof = (key: OwnKey, text: string): string =>
    `v1.${base64Url(text)}.${base64Url(key.sign(`svc:reader:v1:${text}`))}`;
  const reading = (change: Body = {}, key = own): Headers => ({ 'Svc-Reader': proof(key, jcs(stated(change))) });
  const get = (path: string, headers: Headers) => node().client.with(headers).get(`/api/v1${path}`);

  before(() => {
    own = OwnKey.fresh();
  });

  it('is refused unless it is signed by its DID, for this home, and for a few minutes', async () => {
    const refused = async (headers: Headers, why: RegExp) => {
      const { code, detail } = (await get('/markets/info', headers)).body;
      expect(code, String(why)).to.equal('UNAUTHORIZED');
      expect(detail).to.match(why);
    };
    const now = node().world.now();
    expectStatus(await get('/markets/info', reading()));
    await refused({ 'Svc-Reader': 'v1.e30' }, /must be v1/);
    await refused({ 'Svc-Reader': proof(own, ` ${jcs(stated())}`) }, /must state did/);
    await refused({ 'Svc-Reader': proof(own, 'no json') }, /must state did/);
    await refused({ 'Svc-Reader': proof(own, '[]') }, /must state did/);
    await refused({ 'Svc-Reader': proof(own, jcs({ ...stated(), exp: undefined })) }, /must state did/);
    await refused(reading({ under: 'grant-1' }), /must state did/);
    await refused(reading({ exp: String(now + 60_000) }), /must state did/);
    await refused(reading({ exp: now + 60_000.5 }), /must state did/);
    await refused(reading({ did: 'did:svc:z6Mk' }), /must state did/);
    await refused(reading({}, OwnKey.fresh()), /not signed by the key/);
    await refused(reading({ home: own.did }), /is for devnet at/);
    await refused(reading({ network: 'testnet' }), /is for testnet at/);
    await refused(reading({ exp: now - 1 }), /has expired/);
    await refused(reading({ exp: node().world.now() + 330_000 }), /5 minutes ahead at most/);
    // Any message has a signature by a key of small order: S = 0, R = the key.
    const small = Buffer.alloc(32);
    small[0] = 1;
    const forged = `v1.${base64Url(jcs(stated({ did: didWith(small) })))}.${base64Url(Buffer.concat([small, Buffer.alloc(32)]))}`;
    await refused({ 'Svc-Reader': forged }, /must state did|not signed/);
    const twice = `${reading()['Svc-Reader']}, ${reading()['Svc-Reader']}`;
    await refused({ 'Svc-Reader': twice }, /must be v1/);
    expect(logged.join('')).not.to.include(reading()['Svc-Reader']);
  });

  it('was good until it expired, though the node has checked it', async () => {
    const headers = reading();
    expectStatus(await get('/markets/info', headers));
    node().world.outrun(61_000);
    expectProblem(await get('/markets/info', headers), 'UNAUTHORIZED');
  });

  it('opens nothing that needs an API key, and is refused beside the key of another DID', async () => {
    expectProblem(await get('/markets/info', { ...reading(), ...remote }), 'UNAUTHORIZED');
    const { key } = await node().key({ scope: 'read' });
    expectStatus(await get('/markets/info', { ...reading(), ...remote, 'X-Api-Key': key }));
    const bound = await node().key({ did: (await node().person()).did });
    expectProblem(await get('/markets/info', { ...reading(), 'X-Api-Key': bound.key }), 'FORBIDDEN');
    const ones = await node().key({ did: own.did });
    expectStatus(await get('/markets/info', { ...reading(), 'X-Api-Key': ones.key }));
  });

  it('signs no write, though the key is unlocked in the keystore', async () => {
    const ada = await node().rich(10);
    const key = await ada.key();
    await ada.pays(own.did, 1);
    const headers = { 'Svc-Reader': proof(key, jcs(stated({ did: ada.did }))), ...remote };
    const api = (await node().keyed({ scope: 'write' })).with(headers);
    const admin = await node().keyed({ scope: 'admin' });
    expectStatus(
      await admin.post(`/api/v1/admin/identities/${ada.did}/actions/unlock`, { passphrase: ada.passphrase }),
    );
    const create = (client: typeof api, body: Body) =>
      client.post(
        '/api/v1/contracts',
        { provider: own.did, terms: { scope: 'a logo' }, ...body },
        { 'Idempotency-Key': 'once' },
      );
    expect(expectProblem(await create(api, {}), 'INVALID_REQUEST').detail).to.match(/did: is required/);
    const { detail } = expectProblem(await create(api, { did: ada.did, nonce: 2 }), 'INVALID_REQUEST');
    expect(detail).to.match(/passphrase: is required/);
    expect((await ada.wallet()).nonce).to.equal(1);
    expectStatus(await create(await node().keyed({ scope: 'write', did: ada.did }), {}), 201);
  });

  it('ends a stream when it expires', async () => {
    const headers = reading({ exp: node().world.now() + 60_000 });
    const stream = await EventStream.open(`${node().url}/api/v1/events/stream`, headers);
    expect(stream.response.statusCode).to.equal(200);
    const lasting = await EventStream.open(`${node().url}/api/v1/events/stream`);
    node().world.skip(60_000);
    await until('the stream has ended', () => stream.ended);
    expect(lasting.ended).to.equal(false);
    lasting.close();
  });

  describe('by the client', () => {
    const environment = { now: () => node().world.now() };
    const clientOf = (key: HeldKey) => new Client({ url: node().url, signer: { key }, environment });
    const { example } = infoListing.create;
    const offered = { ...example, content: { format: 'text/plain', data: 'Rain fell every day.' } };

    it('keeps a private listing, and changes it', async () => {
      const [ada, ben] = [clientOf(await keys.generate()), clientOf(await keys.generate())];
      const { listingId } = await ada.markets.info.create({ ...offered, visibility: 'private' } as never);
      const path = `/markets/info/${listingId}`;
      expect((await ada.markets.info.get(listingId)).listingId).to.equal(listingId);
      const refusal = await ben.markets.info.get(listingId).catch((error: Body) => error.refusal);
      expect(refusal).to.equal('LISTING_NOT_FOUND');
      expectProblem(await node().client.get(`/api/v1${path}`), 'LISTING_NOT_FOUND');
      const changed = await ada.markets.info.update(listingId, { title: 'Rain of the year' } as never);
      expect(changed).to.include({ listingId, title: 'Rain of the year' });
      expect((await ada.markets.info.list({ visibility: 'private' } as never)).listings).to.have.lengthOf(1);
    });

    it('sells to a key that decrypts by itself, and opens with it what was bought', async () => {
      const sellers = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
      const ada = clientOf(sellers);
      // X25519 of a generated key is not that of its DID.
      for (const key of [await keys.generate(), await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)))]) {
        const ben = clientOf(key);
        await node().fund(key, 100);
        const { listingId, contentKeyHex } = (await ada.markets.info.create(offered as never)) as Body;
        const { orderId } = await ben.infoOrders.create({ listingId } as never);
        const secrets = { contentKeyHex, accessToken: 'open sesame' };
        await ada.infoOrders.deliver(orderId, { listingId, ...secrets } as never);
        const opened = await ben.information.open(orderId);
        expect(opened).to.include({
          ...secrets,
          orderId,
          listingId,
          content: 'Rain fell every day.',
          encoding: 'utf8',
        });
        const lied = new Client({
          ...{ url: node().url, signer: { key }, environment },
          async fetch(url, init) {
            const body = (await (await fetch(url, init)).json()) as Body;
            return new Response(JSON.stringify({ ...body, ...(body.keyEnvelope && { contentHash: '5a'.repeat(32) }) }));
          },
        });
        const found = await lied.information.open(orderId).catch((error: Error) => error.message);
        expect(found).to.match(/does not open the content of the listing/);
        const other = clientOf(await keys.generate());
        const why = await other.information.open(orderId).catch((error: Error) => error.message);
        expect(why).to.match(/encrypted for another key/);
      }
    });

    it('delivers nothing for a key that its buyer has not signed for', async () => {
      const [sellers, buyers, stranger] = [await keys.generate(), await keys.generate(), await keys.generate()];
      await node().fund(buyers, 100);
      const ben = clientOf(buyers);
      const agreement = stranger.agreement!.publicKeyHex;
      const sent: string[] = [];
      let lie: (path: string, reply: Body) => void = () => {};
      const ada = new Client({
        url: node().url,
        signer: { key: sellers },
        environment,
        async fetch(url, init) {
          const reply = await fetch(url, init);
          const body = (await reply.json()) as Body;
          lie(new URL(url).pathname, body);
          if (init.method === 'POST') sent.push(String(init.body));
          return new Response(JSON.stringify(body), { status: reply.status });
        },
      });
      const { listingId, contentKeyHex } = (await ada.markets.info.create(offered as never)) as Body;
      const { orderId } = await ben.infoOrders.create({ listingId } as never);
      const lies: readonly (typeof lie)[] = [
        (path, reply) => path.includes('/orders/') && Object.assign(reply, { buyerPublicKeyHex: agreement }),
        (path, reply) => {
          if (path.includes('/orders/')) Object.assign(reply, { buyerPublicKeyHex: agreement });
          if (path.endsWith('/events') && reply.events)
            Object.assign(reply.events[0].payload.input, { buyerPublicKeyHex: agreement });
        },
        (path, reply) => path.endsWith('/events') && reply.events && Object.assign(reply, { events: [] }),
        (path, reply) => {
          if (path.includes('/orders/')) Object.assign(reply, { buyer: sellers.did });
        },
      ];
      for (lie of lies) {
        const before = sent.length;
        const delivery = ada.infoOrders.deliver(orderId, { listingId, contentKeyHex } as never);
        expect(await delivery.catch((error: Error) => error.message)).to.match(/does not show that the buyer/);
        expect(sent.slice(before)).to.deep.equal([]);
      }
      lie = () => {};
      await ada.infoOrders.deliver(orderId, { listingId, contentKeyHex } as never);
    });
  });
});
