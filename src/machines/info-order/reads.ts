/**
 * Encrypted content, and its deliveries (docs/reference/markets.md#content).
 */
import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { x25519PublicKey } from '../../core/codecs/x25519.js';
import { assert, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import { contentSalt, hex, unwrap, type Wrapped } from '../../core/sealing.js';
import type { Resource } from '../kernel/resource.js';
import type { ExtraRead, ReadPort } from '../kernel/transformer.js';
import type { ListingContext } from '../listing/machine.js';
import { openPackage, packageOf } from './content.js';
import type { Delivery, InfoOrder } from './machine.js';
import { envelopeSchema, type HashAlgorithm, hashAlgorithms, type Package } from './sealed.js';
import { confirmByField } from './view.js';

const hexOrNull = { type: ['string', 'null'], pattern: '^([0-9a-f]{2})*$' } as const;

const storedHash = a.nullable(
  a.hash,
  'Hash of the content, made as `hashAlgorithm` says; null if this node does not store the content.',
);
const hashAlgorithm = a.described(
  { enum: [...hashAlgorithms, null] },
  'How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the ' +
    'content’s key (no salt, info `svc:content-salt:v1`), so that the content cannot be found by guessing.',
);

/** The algorithm of the content's hash. Without a package, the seller stated both. */
const hashAlgorithmOf = (sold: Package | undefined, contentHash: string | null | undefined): HashAlgorithm | null =>
  contentHash ? (sold?.hashAlgorithm ?? 'SHA-256') : null;

interface Offered {
  readonly format: string;
  readonly encoding?: string;
  readonly size?: number;
  readonly hash?: string;
}

interface ContentOf {
  readonly listing: Resource;
  readonly content: Offered;
  readonly sold: Package | undefined;
}

const contentForm = publicForm<ContentOf>({
  listingId: [a.described(a.text, 'Id of the listing.'), ({ listing }) => listing.id],
  contentHash: [a.nullable(a.hash, 'Hash of the unencrypted content.'), ({ content }) => content.hash ?? null],
  hashAlgorithm: [hashAlgorithm, ({ content, sold }) => hashAlgorithmOf(sold, content.hash)],
  size: [a.nullable(a.count, 'Bytes of the content.'), ({ content }) => content.size ?? null],
  format: [a.described(a.text, 'Media type.'), ({ content }) => content.format],
  encoding: [
    a.nullable(a.text, 'The encoding in which the content was given: utf8, base64 or hex.'),
    ({ content }) => content.encoding ?? null,
  ],
  algorithm: [
    a.nullable(a.text, 'AES-256-GCM; null if this node does not store the content.'),
    ({ sold }) => sold?.algorithm ?? null,
  ],
  nonceHex: [
    a.described(hexOrNull, 'Nonce of AES-256-GCM, 12 bytes; null if this node does not store the content.'),
    ({ sold }) => sold?.nonceHex ?? null,
  ],
  // Read from the store in parts, while it is sent.
  ciphertextHex: [a.described(hexOrNull, 'The content, encrypted; null if this node does not store it.'), () => null],
  tagHex: [
    a.described(hexOrNull, 'Tag of AES-256-GCM, 16 bytes; null if this node does not store the content.'),
    ({ sold }) => sold?.tagHex ?? null,
  ],
  createdAt: [
    a.described(a.time, 'When the listing was published; epoch milliseconds.'),
    ({ listing }) => listing.createdAt,
  ],
});

const contentRead: ExtraRead = {
  path: '/markets/info/:listingId/content',
  name: 'getInfoContent',
  mayRefuse: ['LISTING_NOT_FOUND'],
  summary: 'Get the encrypted content of a listing. Buyers get the key.',
  schema: a.named('EncryptedInfoContent', contentForm.schema),
  description: 'the package',
  async read({ listingId = '' }, port) {
    const listing = await port.resource('info-listing', listingId);
    const context = listing?.context as unknown as ListingContext | undefined;
    if (!listing || !context || (context.visibility === 'private' && context.seller !== port.caller.reader)) {
      return refuse('LISTING_NOT_FOUND', `no listing ${listingId} on this network`);
    }
    const sold = await packageOf(port, listingId);
    const body = contentForm.view({ listing, content: context.own.content as unknown as Offered, sold });
    const first = sold && (await port.contentPart(sold.ciphertextHash, 0, bounds.contentPartBytes));
    if (!first) return { body };
    if (first.length === sold.size) return { body: { ...body, ciphertextHex: hex(first) } };
    return { chunks: withCiphertext(body, hexOf(port, sold, first)), window: 2 * bounds.contentPartBytes };
  },
};

/** The body as JSON; the text of one member is generated while it is sent. */
async function* withCiphertext(body: JsonObject, parts: AsyncIterable<string>): AsyncGenerator<string> {
  const [before, after] = JSON.stringify({ ...body, ciphertextHex: '' }).split('"ciphertextHex":""');
  yield `${before}"ciphertextHex":"`;
  yield* parts;
  yield `"${after}`;
}

/** Reads the content while sending, so that a slow reader keeps only a part in memory. */
async function* hexOf(port: ReadPort, { ciphertextHash, size }: Package, first: Uint8Array) {
  yield hex(first);
  for (let from = first.length; from < size; ) {
    const part = await port.contentPart(ciphertextHash, from, bounds.contentPartBytes);
    assert(part && part.length > 0, 'a content stays whole');
    yield hex(part);
    from += part.length;
  }
}

interface DeliveryOf {
  readonly found: Resource<InfoOrder>;
  readonly delivery: Delivery;
  readonly sold: Package | undefined;
}

const envelopeOf = ({ delivery }: DeliveryOf): JsonObject | null =>
  (delivery.data?.envelope as JsonObject | undefined) ?? null;
const wrapped = { anyOf: [envelopeSchema, { type: 'null' }] };

const deliveryForm = publicForm<DeliveryOf>({
  orderId: [a.described(a.text, 'Id of the order.'), ({ found }) => found.id],
  listingId: [a.described(a.text, 'Id of the listing.'), ({ found }) => found.context.listingId],
  status: [a.described(a.text, 'State of the order.'), ({ found }) => found.state],
  buyer: [a.described(a.did, 'DID that buys.'), ({ found }) => found.context.buyer],
  seller: [a.described(a.did, 'DID that sells.'), ({ found }) => found.context.seller],
  deliveredAt: [
    a.described(a.time, 'When it was delivered; epoch milliseconds.'),
    ({ found }) => found.context.deliveredAt,
  ],
  confirmBy: [confirmByField[0], ({ found }) => confirmByField[1](found)],
  expiresAt: [
    a.nullable(a.time, 'Until when the access is valid; null: permanently.'),
    ({ delivery }) => delivery.expiresAt,
  ],
  contentHash: [storedHash, ({ sold }) => sold?.contentHash ?? null],
  hashAlgorithm: [hashAlgorithm, ({ sold }) => hashAlgorithmOf(sold, sold?.contentHash)],
  buyerPublicKeyHex: [
    a.described(a.text, 'X25519 key that everything is encrypted for.'),
    ({ found }) => found.context.buyerPublicKeyHex,
  ],
  keyEnvelope: [a.described(wrapped, 'The content’s key.'), ({ delivery }) => delivery.keyEnvelope ?? null],
  accessTokenEnvelope: [
    a.described(wrapped, 'A token, as UTF-8.'),
    ({ delivery }) => delivery.accessTokenEnvelope ?? null,
  ],
  accessUrlEnvelope: [
    a.described(wrapped, 'An address, as UTF-8.'),
    ({ delivery }) => delivery.accessUrlEnvelope ?? null,
  ],
  deliveryData: [a.nullable(a.freeObject, 'Further details from the seller.'), ({ delivery }) => delivery.data],
  envelope: [a.nullable(a.freeObject, 'The deliverable envelope, complete and signed.'), envelopeOf],
  envelopeDigest: [
    a.nullable(a.hash, 'SHA-256 of the RFC 8785 form of the envelope; null without one.'),
    ({ delivery }) => delivery.data?.envelopeDigest ?? null,
  ],
  resourcePrev: [
    a.described(a.hash, 'Hash of the order’s last event: send it as `resourcePrev` with your next write.'),
    ({ found }) => found.lastHash,
  ],
});

/** Orders of other homes and markets are read at `/orders/{orderId}`, too, so their deliveries are looked for here. */
async function unknownOrder(port: ReadPort, id: string): Promise<Refusal> {
  if (id.includes('~')) return refuse('ORDER_NOT_FOUND', `${id} belongs to another home: read its delivery there`);
  const isOfTask = (await port.resource('task-order', id)) !== undefined;
  return refuse(
    'ORDER_NOT_FOUND',
    isOfTask ? `${id} is a task’s: its deliveries are \`submissions\` of the order` : `no order ${id} on this network`,
  );
}
const orderOf = async (port: ReadPort, id: string): Promise<Resource<InfoOrder> | undefined> =>
  (await port.resource('info-order', id)) as Resource<InfoOrder> | undefined;

const deliveryRead: ExtraRead = {
  path: '/markets/info/orders/:orderId/delivery',
  name: 'getInfoDelivery',
  mayRefuse: ['ORDER_NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND'],
  summary: 'What was delivered; for buyer and seller, whom the API key has to be bound to, except from this machine.',
  schema: a.named('InfoDeliveryRecord', deliveryForm.schema),
  description: 'the delivery',
  tagged: true,
  async read({ orderId = '' }, port) {
    const found = await orderOf(port, orderId);
    if (!found) return unknownOrder(port, orderId);
    const { buyer, seller, delivery, listingId } = found.context;
    const { reader, loopback } = port.caller;
    // A local caller without a key may read it as well: secrets are wrapped for the buyer's key.
    if (reader !== buyer && reader !== seller && !loopback) {
      return refuse(
        'FORBIDDEN',
        'a delivery is for buyer and seller: read it with an API key that is bound to one, or with Svc-Reader',
      );
    }
    if (!delivery) return refuse('NOT_FOUND', `order ${orderId} has not been delivered`);
    const sold = await packageOf(port, listingId);
    return { body: deliveryForm.view({ found, delivery, sold }) };
  },
};

interface Opened extends DeliveryOf {
  readonly contentKey: Uint8Array | null;
  readonly content: Buffer | undefined;
  readonly accessToken: Buffer | null;
  readonly accessUrl: Buffer | null;
}

const openedForm = publicForm<Opened>({
  orderId: [a.described(a.text, 'Id of the order.'), ({ found }) => found.id],
  listingId: [a.described(a.text, 'Id of the listing.'), ({ found }) => found.context.listingId],
  contentHash: [storedHash, ({ sold }) => sold?.contentHash ?? null],
  hashAlgorithm: [hashAlgorithm, ({ sold }) => hashAlgorithmOf(sold, sold?.contentHash)],
  contentSaltHex: [
    a.nullable(a.text, 'The salt of `contentHash`; null if it has none.'),
    ({ sold, contentKey }) =>
      contentKey && hashAlgorithmOf(sold, sold?.contentHash) === 'SHA-256-SALTED'
        ? contentSalt(contentKey).toString('hex')
        : null,
  ],
  size: [
    a.nullable(a.count, 'Bytes of the content; null if this node does not store it.'),
    ({ sold }) => sold?.size ?? null,
  ],
  encoding: [a.nullable(a.text, 'Encoding of `content`: utf8, base64 or hex.'), ({ sold }) => sold?.encoding ?? null],
  content: [
    a.nullable(a.text, 'The content; null if this node does not store it.'),
    ({ sold, content }) => content?.toString(sold?.encoding as BufferEncoding) ?? null,
  ],
  contentKeyHex: [
    a.nullable(a.text, 'Key of the content, 32 bytes in hex; null if none was delivered.'),
    ({ contentKey }) => contentKey && hex(contentKey),
  ],
  accessToken: [
    a.nullable(a.text, 'The token that was delivered; null: none.'),
    ({ accessToken }) => accessToken?.toString('utf8') ?? null,
  ],
  accessUrl: [
    a.nullable(a.text, 'The address that was delivered; null: none.'),
    ({ accessUrl }) => accessUrl?.toString('utf8') ?? null,
  ],
});

const openRead: ExtraRead = {
  path: '/orders/:orderId/actions/open',
  name: 'openOrder',
  mayRefuse: ['ORDER_NOT_FOUND', 'FORBIDDEN', 'ORDER_INVALID_STATE', 'UNPROCESSABLE'],
  summary: 'Decrypt the delivered content, for a buyer whose key is in this keystore. Writes nothing.',
  schema: a.named('OpenedDelivery', openedForm.schema),
  description: 'the decrypted content',
  opensKey: true,
  async read({ orderId = '' }, port) {
    const found = await orderOf(port, orderId);
    if (!found) return unknownOrder(port, orderId);
    const signer = await port.openKey();
    if (isRefusal(signer)) return signer;
    const { buyer, buyerPublicKeyHex, delivery, listingId } = found.context;
    if (signer.did !== buyer) return refuse('FORBIDDEN', 'only the buyer can open the delivered content');
    if (!delivery) return refuse('ORDER_INVALID_STATE', `order ${orderId} is ${found.state}: nothing was delivered`);
    if (hex(x25519PublicKey(signer.did)) !== buyerPublicKeyHex) {
      return refuse(
        'UNPROCESSABLE',
        'it was wrapped for a key that the buyer named at purchase: open it with that one',
      );
    }
    const key = signer.agreementKey();
    const opened = (envelope: Wrapped | undefined) => (envelope ? (unwrap(envelope, key) ?? null) : null);
    const contentKey = opened(delivery.keyEnvelope);
    const sold = await packageOf(port, listingId);
    const content = sold && contentKey ? await openPackage(port, sold, contentKey) : undefined;
    const [accessToken, accessUrl] = [opened(delivery.accessTokenEnvelope), opened(delivery.accessUrlEnvelope)];
    return { body: openedForm.view({ found, delivery, sold, contentKey, content, accessToken, accessUrl }) };
  },
};

export const infoReads: readonly ExtraRead[] = [contentRead, deliveryRead, openRead];
