/** What a buyer of another home gets of a content: the ciphertext from the seller's home, and nothing in the clear. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { parsePeerAddress } from '../../../src/core/codecs/multiaddr.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { signerOf } from '../../../src/keys/signing.js';
import { TlsTransport } from '../../../src/peers/transport/tls-transport.js';
import type { PeerAddress, PeerConnection } from '../../../src/peers/transport/transport.js';
import { SqliteConnection } from '../../../src/store/sqlite/connection.js';
import { copiesIn } from '../../../src/store/sqlite/replicas.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { buys, onOrder, publishes } from '../../node/support/market.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from '../nodes/network.js';

const canary = 'CANARY-OF-THE-RAIN';
/** The largest content that a listing takes. */
const rain = canary + 'r'.repeat(750 * 1024 - canary.length);

describe('Contents across homes', function () {
  this.timeout(60_000);
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  let seller: Person;
  let buyer: Person;
  let listing: Body;
  let order: Body;
  let hash: string;
  /** What a home sends that proves this key. */
  let transport: TlsTransport;
  let stranger: PeerConnection;

  before(async () => {
    homes = [await Home.start(), await Home.start(), await Home.start()];
    [a, b, c] = homes as [Home, Home, Home];
    await acquaint(homes);
    seller = await a.node.rich();
    buyer = await b.node.rich();
    expectStatus(await a.node.client.post('/api/v1/faucet', { did: b.did }));
    await b.sees(a);
    await a.sees(b);
    const signer = signerOf(randomBytes(32));
    transport = new TlsTransport({ world: realEnvironment, signer });
    const nowhere = `/ip4/127.0.0.1/tcp/1/p2p/${transport.peerId}`;
    await a.operator('peers.add', { address: nowhere });
    stranger = transport.dial(parsePeerAddress(await a.address()) as PeerAddress);
  });
  after(async () => {
    await transport?.close();
    await discard(homes);
  });

  const opens = async (who: Person, home: Home) =>
    home.node.client.post(`/api/v1/orders/${order.orderId}/actions/open`, { did: who.did, passphrase: who.passphrase });
  const contentAt = (home: Home) => home.get(`/markets/info/${listing.listingId}/content`);
  const asked = (id: string, of: string, kind = 'info-order') =>
    stranger.request('GET', `/content?${new URLSearchParams({ kind, id, hash: of })}`);

  it('reach the buyer’s home with the purchase, as they are at the seller’s', async () => {
    listing = await publishes(seller, { title: 'rain', content: { format: 'text/plain', data: rain } });
    await b.sees(a);
    await c.sees(a);
    expect(await contentAt(b), 'before it is bought').to.include({ ciphertextHex: null });
    order = await buys(buyer, listing);
    const there = await contentAt(a);
    const here = await until('the content is at the buyer’s home', () => contentAt(b), {
      is: ({ ciphertextHex }) => ciphertextHex !== null,
    });
    expect(here.ciphertextHex).to.equal(there.ciphertextHex);
    const context = (await a.node.store.load('info-listing', listing.listingId))!.context as Body;
    hash = context.own.package.ciphertextHash;
    expect(Buffer.from(here.ciphertextHex, 'hex').length).to.equal(rain.length);
  });

  it('are opened by the buyer at its own home', async () => {
    expectStatus(await onOrder(seller, order, 'deliver', {}));
    await b.sees(a);
    const opened = expectStatus(await opens(buyer, b));
    expect(opened).to.include({ content: rain, contentKeyHex: listing.contentKeyHex });
  });

  it('are for the homes of parties only, and guessing gives nothing', async () => {
    expect(await contentAt(c)).to.include({ ciphertextHex: null });
    expect(await asked(order.orderId, hash)).to.include({ status: 404 });
    const same = await asked(order.orderId, hash);
    expect(await asked('ord-1', hash)).to.deep.equal(same);
    expect(await asked(order.orderId, 'f'.repeat(64))).to.deep.equal(same);
    expect(await asked(listing.listingId, hash, 'info-listing')).to.deep.equal(same);
    expect(await asked('x', hash, 'constructor')).to.deep.equal(same);
    expect(await asked('', hash)).to.include({ status: 400 });
    expect(await asked(order.orderId, '../../etc')).to.include({ status: 400 });
  });

  it('come without plaintext and keys', async () => {
    const stream = await stranger.open('/feed?after=0');
    const lines: string[] = [];
    const { seq } = await a.node.store.head();
    while (!lines.some((line) => line.includes(`"seq":${seq},`))) lines.push(...((await stream.take()) ?? []));
    stream.close();
    // What the buyer's home has got: it keeps the texts of the entries as they came.
    const { events } = await b.get(`/events?home=${encodeURIComponent(a.did)}&limit=100`);
    const seen = [lines.join(), JSON.stringify(events), JSON.stringify(await contentAt(b))];
    const key = Buffer.from(listing.contentKeyHex, 'hex');
    for (const text of seen) {
      for (const secret of [canary, key.toString('hex'), key.toString('base64'), seller.passphrase]) {
        expect(text.includes(secret), secret).to.equal(false);
      }
      expect(text.includes(Buffer.from(canary).toString('hex'))).to.equal(false);
      expect(text.includes(Buffer.from(canary).toString('base64').slice(0, 20))).to.equal(false);
    }
    expect(lines.length).to.be.above(5);
    expect(events.length).to.be.above(5);
  });

  it('are fetched when they are read, if they are not here yet', async () => {
    const { dir } = b.node;
    const address = (await a.address()).replace(/\/p2p.*/, '');
    await b.stop();
    const copy = copiesIn(dir).find(({ home }) => home === a.did)!;
    const database = new SqliteConnection(join(copy.dir, 'journal.db'), { cacheKiB: 64 });
    database.exec('DELETE FROM contents');
    database.close();
    await a.stop();
    b = await Home.start({ dir });
    homes = [a, b, c];
    const path = `/api/v1/markets/info/${listing.listingId}/content`;
    const { detail } = expectProblem(await b.node.client.get(path), 'SERVICE_UNAVAILABLE');
    expect(detail).to.include(`the content is at its home ${a.did}`);
    a = await Home.start({ dir: a.node.dir, variables: { SVC_LISTEN: address } });
    homes = [a, b, c];
    await until('the homes are connected', () => b.peer(a), { is: ({ status }) => status === 'current' });
    const { ciphertextHex } = await contentAt(b);
    expect(createHash('sha256').update(Buffer.from(ciphertextHex, 'hex')).digest('hex')).to.equal(hash);
    await a.stop();
    expect(await contentAt(b), 'it is kept').to.include({ ciphertextHex });
  });

  it('are read while the seller’s home is away, also after a restart', async () => {
    expect(expectStatus(await opens(buyer, b))).to.include({ content: rain });
    const { dir } = b.node;
    await b.stop();
    b = await Home.start({ dir });
    homes = [a, b, c];
    expect(expectStatus(await opens(buyer, b))).to.include({ content: rain });
  });
});
