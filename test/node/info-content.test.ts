/**
 * Encrypted content (docs/reference/markets.md#content). The buyer in this test uses the API and node:crypto, and none of the
 * node's code.
 */
import {
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { signerOf } from '../../src/keys/signing.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { seedIn } from './support/kdf.js';
import { buys, dataset, infoPath, onListing, onOrder, publishes } from './support/market.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const sha = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
/** The hash in docs/information.md, salted with a value derived from the content's key. */
const salted = (key: Buffer, bytes: Buffer | string) =>
  sha(Buffer.concat([Buffer.from(hkdfSync('sha256', key, '', 'svc:content-salt:v1', 32)), Buffer.from(bytes)]));
const hex = (text: string) => Buffer.from(text, 'hex');

function opened(key: Buffer, { nonceHex, ciphertextHex, tagHex }: Body): Buffer {
  const aes = createDecipheriv('aes-256-gcm', key, hex(nonceHex));
  aes.setAuthTag(hex(tagHex));
  return Buffer.concat([aes.update(hex(ciphertextHex)), aes.final()]);
}

const publicKey = (raw: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: raw.toString('base64url') }, format: 'jwk' });

function unwrapped(privateKey: KeyObject, envelope: Body): Buffer {
  expect(envelope.algorithm).to.equal('X25519-HKDF-SHA256-AES-256-GCM');
  const secret = diffieHellman({ privateKey, publicKey: publicKey(hex(envelope.senderPublicKeyHex)) });
  return opened(Buffer.from(hkdfSync('sha256', secret, '', 'svc:key-envelope:v1', 32)), envelope);
}

/** The X25519 key of an Ed25519 seed: the first half of its SHA-512. */
function x25519Of(seed: Uint8Array): KeyObject {
  const half = createHash('sha512').update(seed).digest().subarray(0, 32);
  const der = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), half]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

const rawPublic = (key: KeyObject): string =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url').toString('hex');

describe('content of the market of information', () => {
  const plaintext = 'station,hour,mm\nAlpha,1990-01-01T00,0.4-a-line-that-nothing-else-has\n';
  let node: TestNode;
  let seller: Person;
  let buyer: Person;
  let other: Person;

  before(async () => {
    node = await TestNode.start();
    [seller, buyer, other] = [await node.rich(), await node.rich(), await node.rich()];
  });
  after(() => node?.stop());

  const content = (more: Body = {}) => ({ format: 'text/csv', data: plaintext, ...more });
  const as = (who: Person) => node.keyed({ scope: 'read', did: who.did });
  const packageOf = async ({ listingId }: Body) =>
    expectStatus(await node.client.get(`${infoPath}/${listingId}/content`));
  const deliveryOf = async ({ orderId }: Body, who = buyer) =>
    expectStatus(await (await as(who)).get(`${infoPath}/orders/${orderId}/delivery`));
  const keyOf = async (who: Person) => x25519Of(await seedIn(node.dir, who.address, who.passphrase));
  const open = ({ orderId }: Body, who: Person) =>
    node.client.post(`/api/v1/orders/${orderId}/actions/open`, { did: who.did, passphrase: who.passphrase });

  it('is encrypted when it is published; the publisher gets its key once', async () => {
    const path = infoPath;
    const key = { 'Idempotency-Key': 'a-dataset' };
    const body = { ...seller.signed, ...dataset({ content: content() }) };
    const published = expectStatus(await node.client.post(path, body, key), 201);
    seller.nonce += 1;
    expect(published.contentKeyHex).to.match(/^[0-9a-f]{64}$/);
    expect(published.content).to.deep.equal({
      format: 'text/csv',
      encoding: 'utf8',
      size: plaintext.length,
      hash: salted(hex(published.contentKeyHex), plaintext),
    });
    const again = expectStatus(await node.client.post(path, body, key), 201);
    expect(again).to.deep.equal({ ...published, contentKeyHex: null });
    expect(expectStatus(await node.client.get(`${infoPath}/${published.listingId}`))).not.to.have.property(
      'contentKeyHex',
    );
    const sealed = await packageOf(published);
    expect(sealed).to.include({ algorithm: 'AES-256-GCM', hashAlgorithm: 'SHA-256-SALTED', size: plaintext.length });
    expect(sealed.contentHash).to.equal(published.content.hash);
    expect(opened(hex(published.contentKeyHex), sealed).toString()).to.equal(plaintext);
  });

  it('of the largest size is sent in parts, whole', async () => {
    const data = `${'rain, '.repeat(125_000)}end`;
    const listing = await publishes(seller, { content: content({ data }) });
    const response = await fetch(`${node.url}${infoPath}/${listing.listingId}/content`);
    expect(response.headers.get('content-length'), 'it is not made at once').to.equal(null);
    const sealed = (await response.json()) as Body;
    const contentHash = salted(hex(listing.contentKeyHex), data);
    expect(sealed).to.include({ size: data.length, listingId: listing.listingId, contentHash });
    expect(sealed.ciphertextHex).to.have.length(2 * data.length);
    expect(opened(hex(listing.contentKeyHex), sealed).toString()).to.equal(data);
  });

  it('is decrypted by who has bought it, with node:crypto alone', async () => {
    const listing = await publishes(seller, { content: content() });
    const made = await buys(buyer, listing);
    const access = { accessToken: 'a token', accessUrl: 'https://example.org/rain' };
    expectStatus(await onOrder(seller, made, 'deliver', access));
    const delivery = await deliveryOf(made);
    const key = await keyOf(buyer);
    expect(delivery.buyerPublicKeyHex).to.equal(rawPublic(key));
    const contentKey = unwrapped(key, delivery.keyEnvelope);
    const bytes = opened(contentKey, await packageOf(listing));
    expect(bytes.toString()).to.equal(plaintext);
    expect(delivery).to.include({ contentHash: salted(contentKey, bytes), hashAlgorithm: 'SHA-256-SALTED' });
    expect(unwrapped(key, delivery.accessTokenEnvelope).toString()).to.equal('a token');
    expect(unwrapped(key, delivery.accessUrlEnvelope).toString()).to.equal('https://example.org/rain');
    for (const stranger of [seller, other]) {
      const theirs = await keyOf(stranger);
      expect(() => unwrapped(theirs, delivery.keyEnvelope)).to.throw();
    }
  });

  it('is wrapped for the key that the buyer has fixed at purchase', async () => {
    const { privateKey } = generateKeyPairSync('x25519');
    const buyerPublicKeyHex = rawPublic(privateKey);
    const listing = await publishes(seller, { content: content() });
    const made = await buys(buyer, listing, { buyerPublicKeyHex });
    const another = { buyerPublicKeyHex: rawPublic(await keyOf(buyer)) };
    expectProblem(await onOrder(seller, made, 'deliver', another), 'UNPROCESSABLE');
    expectStatus(await onOrder(seller, made, 'deliver', { buyerPublicKeyHex }));
    const { keyEnvelope } = await deliveryOf(made);
    expect(opened(unwrapped(privateKey, keyEnvelope), await packageOf(listing)).toString()).to.equal(plaintext);
    expectProblem(await open(made, buyer), 'UNPROCESSABLE');
  });

  it('is not sold to a key for which nothing can be wrapped', async () => {
    const listing = await publishes(seller, { content: content() });
    for (const buyerPublicKeyHex of ['00'.repeat(32), `01${'00'.repeat(31)}`]) {
      expectProblem(await onListing(buyer, listing, 'purchase', { buyerPublicKeyHex }), 'UNPROCESSABLE');
    }
    expectInvalid(await onListing(buyer, listing, 'purchase', { buyerPublicKeyHex: 'xy' }), 'buyerPublicKeyHex');
  });

  it('is not delivered with a key that does not open it', async () => {
    const listing = await publishes(seller, { content: content() });
    const made = await buys(buyer, listing);
    expectProblem(await onOrder(seller, made, 'deliver', { contentKeyHex: 'ab'.repeat(32) }), 'UNPROCESSABLE');
    expectInvalid(await onOrder(seller, made, 'deliver', { contentKeyHex: 'ab' }), 'contentKeyHex');
    const { contentKeyHex } = listing;
    expectStatus(await onOrder(seller, made, 'deliver', { contentKeyHex }));
    const { keyEnvelope } = await deliveryOf(made);
    expect(unwrapped(await keyOf(buyer), keyEnvelope).toString('hex')).to.equal(contentKeyHex);
  });

  it('that is kept elsewhere is delivered by what opens it there', async () => {
    const listing = await publishes(seller);
    expect(await packageOf(listing)).to.include({
      contentHash: null,
      hashAlgorithm: null,
      algorithm: null,
      ciphertextHex: null,
    });
    const made = await buys(buyer, listing);
    const expiresAt = node.world.now() + 60_000;
    expectStatus(await onOrder(seller, made, 'deliver', { accessUrl: 'https://example.org/x', expiresAt }));
    const delivery = await deliveryOf(made, seller);
    expect(delivery).to.include({ keyEnvelope: null, accessTokenEnvelope: null, expiresAt });
    expect(unwrapped(await keyOf(buyer), delivery.accessUrlEnvelope).toString()).to.equal('https://example.org/x');
  });

  it('is shown, once delivered, to buyer and seller only', async () => {
    const made = await buys(buyer, await publishes(seller, { content: content() }));
    const path = `${infoPath}/orders/${made.orderId}/delivery`;
    expectProblem(await (await as(buyer)).get(path), 'NOT_FOUND');
    expectStatus(await onOrder(seller, made, 'deliver'));
    const stranger = await node.keyed({ scope: 'read' });
    for (const client of [stranger, await as(other)]) expectProblem(await client.get(path), 'FORBIDDEN');
    for (const who of [buyer, seller]) expectStatus(await (await as(who)).get(path));
    expectStatus(await node.client.get(path));
    expectProblem(await (await as(buyer)).get(path.replace(made.orderId, 'ord-none')), 'ORDER_NOT_FOUND');
  });

  it('is opened by the node for a buyer whose key it keeps', async () => {
    const data = Buffer.from([0, 1, 2, 255]).toString('base64');
    const binary = await publishes(seller, {
      content: { format: 'application/octet-stream', encoding: 'base64', data },
    });
    const made = await buys(buyer, binary);
    expectProblem(await open(made, buyer), 'ORDER_INVALID_STATE');
    expectStatus(await onOrder(seller, made, 'deliver', { accessToken: 'a token' }));
    expect(expectStatus(await open(made, buyer))).to.deep.include({
      orderId: made.orderId,
      content: data,
      encoding: 'base64',
      size: 4,
      contentKeyHex: binary.contentKeyHex,
      accessToken: 'a token',
      accessUrl: null,
    });
    const { contentHash, contentSaltHex } = expectStatus(await open(made, buyer));
    expect(sha(Buffer.concat([hex(contentSaltHex), Buffer.from([0, 1, 2, 255])]))).to.equal(contentHash);
    for (const who of [seller, other]) expectProblem(await open(made, who), 'FORBIDDEN');
    const wrong = { did: buyer.did, passphrase: 'a wrong passphrase' };
    expectProblem(await node.client.post(`/api/v1/orders/${made.orderId}/actions/open`, wrong), 'TRANSFER_NOT_ALLOWED');
    expectProblem(await open({ orderId: 'ord-none' }, buyer), 'ORDER_NOT_FOUND');
  });

  it('is not found by guessing: its plain hash is nowhere, and the same content has another hash each time', async () => {
    const stated = { data: 'yes', hash: sha('yes'), size: 3 };
    const [one, two] = [
      await publishes(seller, { content: content(stated) }),
      await publishes(seller, { content: content(stated) }),
    ];
    expect(one.content.hash).not.to.equal(two.content.hash);
    const made = await buys(buyer, one);
    expectStatus(await onOrder(seller, made, 'deliver'));
    for (const path of [
      `${infoPath}/${one.listingId}`,
      `${infoPath}/${one.listingId}/content`,
      `/api/v1/orders/${made.orderId}`,
      `/api/v1/markets/search?seller=${seller.did}`,
      `/api/v1/events?limit=100&issuer=${seller.did}`,
      `/api/v1/machines/info-listing/${one.listingId}/state`,
    ]) {
      const { text } = await node.client.get(path);
      for (const guess of [sha('yes'), Buffer.from(sha('yes'), 'hex').toString('base64')]) {
        expect(text, path).not.to.contain(guess);
      }
    }
  });

  it('of a listing from before hashes were salted is still delivered and opened', async () => {
    const listing = await publishes(seller, { content: content() });
    const { actors } = node.running;
    const found = await actors.committed.resource('info-listing', listing.listingId);
    const own = (found!.context as Body).own;
    const { hashAlgorithm: _, ...rest } = own.package;
    const was = {
      ...dataset({ content: { ...own.content, hash: sha(plaintext) } }),
      package: { ...rest, contentHash: sha(plaintext) },
    };
    const signer = signerOf(await seedIn(node.dir, seller.address, seller.passphrase));
    const id = 'lst-before-salts';
    await actors.execute({
      kind: 'info-listing',
      id,
      action: 'create',
      input: was,
      signer: seller.did,
      unlock: () => signer,
    });
    seller.nonce += 1;
    expect(await packageOf({ listingId: id })).to.include({ contentHash: sha(plaintext), hashAlgorithm: 'SHA-256' });
    const made = await buys(buyer, { listingId: id });
    expectStatus(await onOrder(seller, made, 'deliver'));
    const plain = { content: plaintext, contentHash: sha(plaintext), hashAlgorithm: 'SHA-256', contentSaltHex: null };
    expect(expectStatus(await open(made, buyer))).to.include(plain);
  });

  it('is what it says it is', async () => {
    const offer = (more: Body) => seller.write(infoPath, dataset({ content: content(more) }));
    expectProblem(await offer({ hash: 'ab'.repeat(32) }), 'UNPROCESSABLE');
    expectProblem(await offer({ size: 3 }), 'UNPROCESSABLE');
    expectStatus(await offer({ hash: sha(plaintext), size: plaintext.length }), 201);
    expectInvalid(await offer({ encoding: 'base64' }), 'content.data');
    expectInvalid(await offer({ encoding: 'gzip' }), 'content.encoding');
    expectInvalid(await offer({ data: 'x'.repeat(750 * 1024 + 1) }), 'content.data');
    expectStatus(await offer({ data: 'x'.repeat(750 * 1024) }), 201);
  });

  it('comes with an envelope that the seller has signed, if it is sent', async () => {
    const made = await buys(buyer, await publishes(seller, { content: content() }));
    const envelope = { type: 'data', format: 'text/csv', name: 'rain.csv', contentHash: sha(plaintext) };
    const foreign = { deliveryData: { envelope: { ...envelope, producer: other.did } } };
    expectProblem(await onOrder(seller, made, 'deliver', foreign), 'UNPROCESSABLE');
    expectInvalid(
      await onOrder(seller, made, 'deliver', { deliveryData: { envelope: {} } }),
      'deliveryData.envelope.type',
    );
    const delivered = expectStatus(
      await onOrder(seller, made, 'deliver', { deliveryData: { envelope, note: 'enjoy' } }),
    );
    const delivery = await deliveryOf(made);
    expect(delivery.envelope).to.deep.include({ ...envelope, producer: seller.did, contextId: made.orderId });
    expect(delivery.envelope.id).to.match(/^dlv-/);
    expect(delivery.envelopeDigest).to.equal(delivered.envelopeDigest);
    expect(delivery.deliveryData.note).to.equal('enjoy');
  });

  it('is nowhere in the clear, and neither is its key: journal, files, stream, answers', async () => {
    const listing = await publishes(seller, { content: content({ preview: 'station,hour' }) });
    const made = await buys(buyer, listing);
    const token = 'token-that-nothing-else-has';
    expectStatus(await onOrder(seller, made, 'deliver', { accessToken: token }));
    const { contentKeyHex } = listing;
    const raw = hex(contentKeyHex);
    const needles = [
      Buffer.from('a-line-that-nothing-else-has'),
      Buffer.from(contentKeyHex),
      raw,
      Buffer.from(token),
    ].flatMap((bytes) => [bytes, Buffer.from(bytes.toString('base64')), Buffer.from(bytes.toString('hex'))]);
    const holds = (where: string, bytes: Buffer | string) => {
      for (const needle of needles) expect(Buffer.from(bytes).includes(needle), `${where}: ${needle}`).to.equal(false);
    };
    for (const client of [node.client, await as(other), await as(buyer), await as(seller)]) {
      for (const path of [
        `${infoPath}/${listing.listingId}`,
        `${infoPath}/${listing.listingId}/content`,
        `/api/v1/orders/${made.orderId}`,
        `${infoPath}/orders/${made.orderId}/delivery`,
        '/api/v1/events?limit=100',
        `/api/v1/events?resource=info-order/${made.orderId}`,
        `/api/v1/events?resource=info-listing/${listing.listingId}`,
      ]) {
        holds(path, (await client.get(path)).text);
      }
    }
    for (const entry of await node.store.entries({ after: 0, limit: 1_000 }))
      holds('the journal', JSON.stringify(entry));
    expect(await filesOf(node.dir)).to.satisfy((files: string[]) => files.length > 2);
    for (const file of await filesOf(node.dir)) holds(file, await readFile(file));
    expect((await node.audit()).flaw?.what).to.equal(undefined);
  });

  it('payloads of deliveries are shown to their parties', async () => {
    const made = await buys(buyer, await publishes(seller, { content: content() }));
    const { eventHash } = expectStatus(await onOrder(seller, made, 'deliver'));
    const payload = async (client = node.client) =>
      expectStatus(await client.get(`/api/v1/events/${eventHash}`)).payload;
    for (const reader of [node.client, await as(other)]) expect((await payload(reader)).input).to.deep.equal({});
    expect((await payload(await as(buyer))).input.sealed.keyEnvelope).to.be.an('object');
  });
});

async function filesOf(dir: string): Promise<string[]> {
  const names = await readdir(dir, { recursive: true });
  const files: string[] = [];
  for (const name of names) if ((await stat(join(dir, name))).isFile()) files.push(join(dir, name));
  return files;
}
