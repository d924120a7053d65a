/** Whose key a node keeps acts at another home over the peers' port (docs/reference/other-homes.md#acts). */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Client } from '../../../packages/client/src/client.js';
import { keys } from '../../../packages/client/src/signing/key.js';
import { dayMs } from '../../../src/core/bounds.js';
import { parseMultiaddr } from '../../../src/core/codecs/multiaddr.js';
import { contract } from '../../../src/machines/contract/resource.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import type { PeerAddress } from '../../../src/peers/transport/transport.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { jcs, OwnKey } from '../../node/support/independent.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { signerNamed, transportOf } from '../transport/pair.js';
import { acquaint, discard, Home } from './network.js';

const api = '/api/v1';

describe('Whose key a node keeps', () => {
  let homes: readonly Home[] = [];
  let [a, b] = homes as [Home, Home];
  /** At home at b, with Tokens at a. */
  let ben: Person;
  /** At home at a. */
  let ada: Person;

  before(async () => {
    homes = [await Home.start(), await Home.start()];
    [a, b] = homes as [Home, Home];
    await acquaint(homes);
    [ada, ben] = [await a.node.rich(), await b.node.person()];
    await a.node.fund(ben, 500);
  });
  after(() => discard(homes));

  const clientOf = ({ node }: Home, { did, passphrase }: Person): Client =>
    new Client({ url: node.url, signer: { did, passphrase } });
  const there = (more: Body = {}): Body => ({ ...ben.signed, home: a.did, ...more });

  it('buys there, opens what was delivered, and is paid there', async () => {
    const [seller, buyer] = [clientOf(a, ada), await clientOf(b, ben).at(a.did)];
    const content = { format: 'text', data: 'rain at four', encoding: 'utf8' } as const;
    const weather = { title: 'Weather', description: 'When it rains.', category: 'weather', infoType: 'data' };
    const terms = { accessMethod: { type: 'download' }, license: { type: 'personal' }, pricing: { fixedPrice: 7 } };
    const listing = await seller.markets.info.create({ ...weather, ...terms, content });
    await until('its card is at b', () => b.node.client.get(`${api}/markets/info/${listing.listingId}`), {
      is: ({ status }) => status === 200,
    });
    const order = await buyer.infoOrders.create({ listingId: listing.listingId }, { most: 7 });
    const delivered = await seller.infoOrders.deliver(order, {});
    const opened = await buyer.information.open(order.orderId);
    expect(opened).to.include({ content: content.data, orderId: order.orderId });
    const confirmed = await buyer.infoOrders.confirm(delivered);
    expect(confirmed.status).to.equal('confirmed');
    expect((await b.get(`/wallets/${ben.did}~${a.did}`)).available).to.equal(493);
    expect((await b.get(`/nonce/${ben.did}~${a.did}`)).data.nextNonce).to.equal(3);
    expect((await b.get(`/wallets/${ben.did}`)).balance, 'nothing is at its own node').to.equal(0);
  });

  it('buys there without stating where, if it has accepted that home', async () => {
    const { example } = infoListing.create;
    const { listingId } = await clientOf(a, ada).markets.info.create(example as never);
    await until('its card is at b', () => b.node.client.get(`${api}/markets/info/${listingId}`), {
      is: ({ status }) => status === 200,
    });
    const eve = await b.node.person();
    await a.node.fund(eve, 100);
    const { did, passphrase } = eve;
    const accepting = new Client({ url: b.node.url, signer: { did, passphrase, homes: [a.did] } });
    const before = (await a.get(`/wallets/${did}`)).nextNonce;
    const order = (await accepting.infoOrders.create({ listingId } as never)) as Body;
    expect(order).to.include({ buyer: did, home: a.did });
    const disputed = await accepting.infoOrders.dispute(order as never, { reason: 'quality' } as never);
    expect(disputed).to.include({ home: a.did });
    expect((await a.get(`/wallets/${did}`)).nextNonce).to.equal(before + 2);
    const refused = await clientOf(b, eve)
      .infoOrders.create({ listingId } as never)
      .catch((error) => error);
    expect(refused.message).to.include(`at('${a.did}')`);
  });

  it('reads there with a key that is bound to the DID what its party sees, and what anyone sees without one', async () => {
    const { nextNonce } = await a.get(`/wallets/${ben.did}`);
    const draft = { ...contract.create.example, provider: ada.did, arbiter: undefined, terms: { scope: 'a secret' } };
    const body = there({ nonce: nextNonce, ...draft });
    const { contractId } = expectStatus(await b.node.client.post(`${api}/contracts`, body), 201);
    const path = `${api}/contracts/${contractId}~${a.did}`;
    const keyed = (did?: string) => b.node.keyed({ scope: 'read', ...(did && { did }) });
    const [bens, unbound, strangers] = [await keyed(ben.did), await keyed(), await keyed((await b.node.person()).did)];
    const seen = expectStatus(await bens.get(path));
    expect(seen.terms).to.deep.include({ scope: 'a secret' });
    expect(seen.permittedActions).to.be.an('object');
    for (const client of [b.node.client, unbound, strangers]) {
      const shown = expectStatus(await client.get(path));
      expect(JSON.stringify(shown)).not.to.contain('a secret');
      expect(shown).not.to.have.property('permittedActions');
    }
    const listed = await bens.get(`${api}/contracts?home=${a.did}&status=draft`);
    expect(expectStatus(listed)).to.include({ home: a.did, total: 1 });
    expect(listed.body.contracts[0]).to.deep.include({ contractId, terms: seen.terms });
    const { orders } = expectStatus(await bens.get(`${api}/orders?home=${a.did}&role=buyer&limit=5`));
    expect(orders.map((each: Body) => each.buyer)).to.deep.equal([ben.did]);
    expect(expectStatus(await bens.get(`${api}/orders?home=${a.did}&buyer=${ben.did}`)).orders).to.deep.equal(orders);
    expect(expectStatus(await bens.get(`${api}/orders?home=own`)).orders).to.deep.equal([]);
    expectProblem(await bens.get(`${api}/orders?home=${ben.did}`), 'INVALID_REQUEST');
    for (const client of [b.node.client, unbound, strangers])
      expectProblem(await client.get(`${api}/orders?home=${a.did}&did=${ben.did}`), 'FORBIDDEN');
    const states = await bens.get(`${api}/machines/contract/${contractId}~${a.did}/state`);
    expect(JSON.stringify(expectStatus(states))).to.contain('a secret');
    // The home takes no statement: its peer reads as anyone.
    const kept = [`readers`, `${ben.did} ${a.did}`] as const;
    const { revision, value } = (await b.node.store.getLocal(...kept))!;
    const altered = { ...value, proof: `${value.proof}`.replace(/.$/, 'z') };
    expect(await b.node.store.putLocal(...kept, altered, revision)).to.equal(true);
    const refused = expectStatus(await bens.get(path));
    expect(refused).not.to.have.property('permittedActions');
    expect(JSON.stringify(refused)).not.to.contain('a secret');
  });

  it('publishes there what is as large as it can be', async () => {
    const { nextNonce } = await a.get(`/wallets/${ben.did}`);
    const content = { format: 'text', data: 'x'.repeat(768_000), preview: '中'.repeat(9_990) };
    const listing = { ...infoListing.create.example, description: '中'.repeat(9_990), content };
    const reply = await b.node.client.post(`${api}/markets/info`, there({ nonce: nextNonce, ...listing }));
    expect(expectStatus(reply, 201).contentKeyHex).to.match(/^[0-9a-f]{64}$/);
  });

  it('is told in words what is not done from here', async () => {
    const to = ada.did;
    const pay = (body: Body) => b.node.client.post(`${api}/transfers`, { to, amount: 1, ...body });
    const stranger = expectProblem(await pay(there({ home: ada.did })), 'UNPROCESSABLE');
    expect(stranger.detail).to.contain(`home: ${ada.did} is neither`);
    const { did, passphrase } = ben;
    const lease = `${api}/markets/capabilities/leases/lse-1/actions/open`;
    expectProblem(await b.node.client.post(lease, { did, passphrase, home: ada.did }), 'UNPROCESSABLE');
    const { passphrase: _, ...open } = there();
    expectProblem(await pay({ ...open, prepare: true }), 'UNPROCESSABLE');
    expectProblem(await pay(open), 'INVALID_REQUEST');
    const local = { ...contract.create.example, nonce: 1, home: a.did };
    expect(expectProblem(await b.node.client.post(`${api}/contracts`, local), 'INVALID_REQUEST').detail).to.contain(
      'passphrase',
    );
    expectProblem(await pay(there({ passphrase: 'another passphrase' })), 'TRANSFER_NOT_ALLOWED');
    const { nextNonce } = expectProblem(await pay(there({ nonce: 99 })), 'CONFLICT');
    expect(nextNonce).to.equal((await a.get(`/wallets/${ben.did}`)).nextNonce);
    const dear = expectProblem(await pay(there({ nonce: nextNonce, amount: 10_000 })), 'INSUFFICIENT_BALANCE');
    expect(dear.detail).to.contain(`the home ${a.did} says`);
    expectStatus(await b.node.client.post(`${api}/transfers`, { to, amount: 1, ...ben.signed, home: b.did }), 402);
  });

  it('is sent to a home that was away once it is back', async () => {
    const { nextNonce } = await a.get(`/wallets/${ben.did}`);
    const body = there({ nonce: nextNonce, to: ada.did, amount: 2 });
    const { dir } = a.node;
    const before = (await a.get(`/wallets/${ada.did}`)).available;
    const url = (await a.address()).split('/p2p/')[0]!;
    await a.stop();
    expectProblem(await b.node.client.post(`${api}/transfers`, body), 'SERVICE_UNAVAILABLE');
    const again = await Home.start({ dir, variables: { SVC_LISTEN: url } });
    homes = [again, b];
    a = again;
    const reply = await until('a answers', () => b.node.client.post(`${api}/transfers`, body), {
      is: ({ status }) => status === 200,
    });
    expectStatus(reply);
    expect((await a.get(`/wallets/${ada.did}`)).available).to.equal(before + 2);
  });
});

describe('A peer that sends writes', () => {
  it('sends what is to be prepared and what is signed, no passphrase, and nothing that is no signed write', async () => {
    const home = await Home.start();
    const transport = transportOf('writer');
    try {
      const person = await home.node.rich();
      await home.operator('peers.add', { address: `/ip4/127.0.0.1/tcp/9/p2p/${transport.peerId}` });
      const connection = transport.dial(parseMultiaddr(await home.address()) as PeerAddress);
      const send = async (path: string, body: Body, more: Body = {}): Promise<Body> => {
        const reply = await connection.request('POST', '/view', { body: JSON.stringify({ path, body, ...more }) });
        expect(reply.status).to.equal(200);
        return JSON.parse(reply.body);
      };
      const transfer = { to: home.did, amount: 1 };
      const code = async (...sent: Parameters<typeof send>): Promise<string> => (await send(...sent)).body.code;
      expect(await code('/transfers', { ...person.signed, ...transfer })).to.equal('UNPROCESSABLE');
      const withPassphrase = { ...person.signed, ...transfer, prepare: true };
      expect(await code('/transfers', withPassphrase)).to.equal('INVALID_REQUEST');
      for (const path of [
        '/faucet/claims',
        '/identities',
        '/admin/api-keys',
        '/webhooks',
        '/node',
        '/events/x',
        '/audits',
      ])
        expect(await code(path, { prepare: true, did: person.did }), path).to.equal('NOT_FOUND');
      const history = `/wallets/${person.did}/transactions`;
      const view = await connection.request('GET', `/view?path=${encodeURIComponent(history)}`);
      expect(JSON.parse(view.body).body.code, 'only a DID itself reads its transactions').to.equal('NOT_FOUND');
      const prepared = await send('/transfers', { did: person.did, ...transfer, prepare: true });
      expect(prepared.status).to.equal(200);
      expect(await code('/events', { event: {}, payload: {} })).to.equal('INVALID_REQUEST');
      expect(await code('/transfers', { did: person.did, ...transfer, prepare: true }, { reader: 'v1.x.y' })).to.equal(
        'UNAUTHORIZED',
      );
      for (const text of ['', '[]', '{"path":1}', '{"path":"/events","body":[]}', '{"path":"/events","more":1}', 'x'])
        expect((await connection.request('POST', '/view', { body: text })).status, text).to.equal(400);
    } finally {
      await transport.close();
      await discard([home]);
    }
  });
});

describe('A statement that a node reads for a DID', () => {
  it('counts for that node, home and network, for 90 days, for reads alone, and as the DID has signed it', async () => {
    const home = await Home.start();
    const [named, other] = [transportOf('reading'), transportOf('another')];
    const through = signerNamed('reading').did;
    try {
      const seed = randomBytes(32);
      const owner = OwnKey.of(seed);
      const client = new Client({
        ...{ url: home.node.url, signer: { key: await keys.fromSeed(seed) } },
        environment: { now: () => home.node.world.now() },
      });
      const { listingId } = await client.markets.info.create({
        ...infoListing.create.example,
        visibility: 'private',
      } as never);
      const read = async (transport: typeof named, reader?: string, more: Body = {}): Promise<Body> => {
        const connection = transport.dial(parseMultiaddr(await home.address()) as PeerAddress);
        const body = JSON.stringify({ path: `/markets/info/${listingId}`, ...(reader && { reader }), ...more });
        return JSON.parse((await connection.request('POST', '/view', { body })).body);
      };
      for (const { peerId } of [named, other])
        await home.operator('peers.add', { address: `/ip4/127.0.0.1/tcp/9/p2p/${peerId}` });
      const now = home.node.world.now();
      const stated = { did: owner.did, exp: now + 89 * dayMs, home: home.did, network: 'devnet', through };
      const base64Url = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url');
      const proof = (change: Body = {}, key = owner): string => {
        const text = jcs(JSON.parse(JSON.stringify({ ...stated, ...change })));
        return `v1.${base64Url(text)}.${base64Url(key.sign(`svc:reader:v1:${text}`))}`;
      };
      const genuine = proof();
      expect((await read(named)).body.code).to.equal('LISTING_NOT_FOUND');
      expect((await read(named, genuine)).body).to.include({ listingId });
      expect((await read(named, genuine, { path: '/escrows' })).body).to.include({ total: 0 });
      expect((await read(named, undefined, { path: '/escrows' })).body.code).to.equal('NOT_FOUND');
      const [version, , signature] = genuine.split('.');
      const altered = base64Url(jcs({ ...stated, exp: stated.exp + 1 }));
      const refused: readonly [Body, RegExp][] = [
        [await read(other, genuine), /counts for reads by the node/],
        [await read(other, proof({ through: signerNamed('another').did }, OwnKey.fresh())), /not signed by the key/],
        [await read(named, `${version}.${altered}.${signature}`), /not signed by the key/],
        [await read(named, proof({ home: through })), /is for devnet at/],
        [await read(named, proof({ network: 'testnet' })), /is for testnet at/],
        [await read(named, proof({ exp: now - 1 })), /has expired/],
        [await read(named, proof({ exp: now + 91 * dayMs })), /ahead at most/],
        [await read(named, proof({ through: undefined })), /5 minutes ahead at most/],
        [await read(named, genuine, { path: '/transfers', body: { prepare: true } }), /counts for reads by the node/],
        [(await home.node.client.with({ 'Svc-Reader': genuine }).get(`${api}/node`)) as Body, /counts for reads by/],
      ];
      for (const [{ status, body }, why] of refused) {
        expect(status, String(why)).to.equal(401);
        expect(body.detail).to.match(why);
      }
    } finally {
      await Promise.all([named.close(), other.close()]);
      await discard([home]);
    }
  });
});
