/** A dataset: published encrypted, bought, decrypted by the buyer with the buyer's own key, and reviewed. */
import {
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { Client, InfoOrder, KeyEnvelope } from '../../packages/client/src/index.js';
import { Person, refused } from './people.js';
import { check, short, shortName, step, waitFor } from './stage.js';

const rain = 'station,hour,mm\nAlpha,2020-01-01T00,0.4\nBravo,2020-01-01T00,1.2\n';

/**
 * @param ben a later buyer, who has Tokens already
 * @param url of the node, for a client with the buyer's API key
 */
export async function informationStory(client: Client, ben: Person, url: string): Promise<void> {
  step('A dataset, sold and decrypted by its buyer');
  const ivy = await Person.join(client, 'Ivy');
  const fay = await Person.join(client, 'Fay');
  await fay.claims();
  const { listingId } = await published(ivy);
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const bought = await fay.client.infoOrders.create({
    listingId,
    expectedPrice: 40,
    buyerPublicKeyHex: rawOf(publicKey),
  });
  checkOrder('Fay buys it', bought, { status: 'paid', price: 40 });
  await fay.has(60, 0, 40);
  await refused('Fay delivers to herself', fay.client.infoOrders.deliver(bought), 403, 'FORBIDDEN');
  const delivered = await ivy.client.infoOrders.deliver(bought);
  checkOrder('Ivy delivers', delivered, { status: 'delivered' });
  const jan = await Person.join(client, 'Jan');
  const stranger = await jan.reader(url);
  await refused('Jan reads the delivery', stranger.information.delivery(bought.id), 403, 'FORBIDDEN');
  const reader = await fay.reader(url);
  const { keyEnvelope, contentHash } = await reader.information.delivery(bought.id);
  const key = unwrapped(privateKey, keyEnvelope!);
  const content = opened(key, await client.information.content(listingId));
  check('Fay decrypts it, with a key that the node has never seen', content.toString(), rain, {
    as: `${content.length} bytes`,
  });
  check('its salted hash is the one that was offered', salted(key, content), contentHash, {
    as: short(contentHash ?? ''),
  });
  const confirmed = await fay.client.infoOrders.confirm(delivered);
  checkOrder('she confirms', confirmed, { status: 'confirmed' });
  await ivy.has(40);
  await fay.has(60);
  const reviewed = await fay.client.infoOrders.review(confirmed, { rating: 5, comment: 'as promised' });
  checkOrder('and reviews it', reviewed, { status: 'reviewed' });
  const { stats } = await client.markets.info.get(listingId);
  check(
    'the listing shows it',
    stats,
    { orders: 1, completedOrders: 1, averageRating: 5, ratingCount: 1 },
    {
      as: `${stats.averageRating} stars`,
    },
  );
  step('Word gets round, and the market has a price');
  await jan.claims();
  for (const buyer of [jan, ben]) {
    const order = await buyer.client.infoOrders.create({ listingId, expectedPrice: 40 });
    await ivy.client.infoOrders.deliver(order);
    const { content: read } = await buyer.opens(order.id);
    check(`${buyer.name} buys it too, and lets the node decrypt it`, read, rain, {
      as: shortName(order.id),
    });
  }
  await jan.has(60, 0, 40);
  const { prices } = await waitFor(
    () => client.node.statistics(),
    (seen) => seen.prices.some(({ category }) => category === 'weather'),
    'the price of weather',
  );
  const price = prices.find(({ category }) => category === 'weather')!;
  check('three buyers make the price of a category public', price.average, 40, { as: `${price.average} Tokens` });
}

async function published(ivy: Person) {
  const listing = await ivy.client.markets.info.create({
    title: 'Rainfall',
    description: 'Hourly rainfall of two stations.',
    category: 'weather',
    tags: ['rain', 'hourly'],
    pricing: { price: 40 },
    infoType: 'dataset',
    content: { format: 'text/csv', data: rain, preview: 'station,hour,mm' },
    accessMethod: { type: 'download' },
    license: { type: 'CC-BY-4.0' },
  });
  check('Ivy publishes a dataset', listing.content.size, rain.length, {
    as: shortName(listing.id),
    aside: `${listing.content.size} bytes, encrypted`,
  });
  return listing;
}

const derived = (secret: Buffer, info: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', info, 32));
const salted = (key: Buffer, content: Buffer): string =>
  createHash('sha256').update(derived(key, 'svc:content-salt:v1')).update(content).digest('hex');
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const rawOf = (key: KeyObject): string => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('hex');

/** Follows docs/information.md: key agreement with the sender's key, derivation, unwrapping of the content key. */
function unwrapped(privateKey: KeyObject, envelope: KeyEnvelope): Buffer {
  const x = hex(envelope.senderPublicKeyHex).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  const secret = diffieHellman({ privateKey, publicKey });
  return opened(derived(secret, 'svc:key-envelope:v1'), envelope);
}

interface Sealed {
  readonly nonceHex: string | null;
  readonly ciphertextHex: string | null;
  readonly tagHex: string | null;
}

function opened(key: Buffer, { nonceHex, ciphertextHex, tagHex }: Sealed): Buffer {
  const aes = createDecipheriv('aes-256-gcm', key, hex(nonceHex ?? ''));
  aes.setAuthTag(hex(tagHex ?? ''));
  return Buffer.concat([aes.update(hex(ciphertextHex ?? '')), aes.final()]);
}

function checkOrder(what: string, order: InfoOrder, expected: Partial<InfoOrder>): void {
  const names = Object.keys(expected) as (keyof InfoOrder)[];
  const actual = Object.fromEntries(names.map((name) => [name, order[name]]));
  check(what, actual, expected, { as: order.status, aside: shortName(order.id) });
}
