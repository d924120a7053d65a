/**
 * Encrypted content, and its deliveries (docs/reference/markets.md#content).
 */

import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { x25519PublicOf } from '../../core/codecs/x25519.js';
import { assert, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { contentSalt, unwrap, type Wrapped } from '../../core/sealing.js';
import { x25519KeyOf } from '../../keys/signing.js';
import { digestOf } from '../../machines/deliverable/envelope.js';
import { openPackage, packageOf } from '../../machines/info-order/content.js';
import type { InfoOrder } from '../../machines/info-order/machine.js';
import { envelopeSchema, type HashAlgorithm, hashAlgorithms, type Package } from '../../machines/info-order/sealed.js';
import type { ListingContext } from '../../machines/listing/machine.js';
import type { Snapshot, StoreReader } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import { signerFields } from '../context/signed-body.js';
import { taggedReply } from '../render/render.js';
import type { Route } from '../server/route.js';

const tag = 'Market: information';

export const infoContentRoutes = (api: ApiContext): Route[] =>
  api.views.definitionOf('info-order') ? [contentRoute(api), deliveryRoute(api), openRoute(api)] : [];

const hexOrNull = { type: ['string', 'null'], pattern: '^([0-9a-f]{2})*$' } as const;

const hashAlgorithm = a.described(
  { enum: [...hashAlgorithms, null] },
  'How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the ' +
    'content’s key (no salt, info `svc:content-salt:v1`), so that nobody finds the content by guessing.',
);

/** Without a package, the seller stated the hash and its algorithm. */
const hashAlgorithmOf = (sold: Package | undefined, contentHash: string | null | undefined): HashAlgorithm | null =>
  contentHash ? (sold?.hashAlgorithm ?? 'SHA-256') : null;

const contentSchema = a.named(
  'EncryptedInfoContent',
  a.object({
    listingId: a.text,
    contentHash: a.described(a.nullable(a.hash), 'Of the content, in the clear.'),
    hashAlgorithm,
    size: a.described(a.nullable(a.count), 'Bytes of the content.'),
    format: a.described(a.text, 'Media type.'),
    encoding: a.described(a.nullable(a.text), 'In what the content was given: utf8, base64 or hex.'),
    algorithm: a.described(a.nullable(a.text), 'AES-256-GCM; null where the content is not kept here.'),
    nonceHex: hexOrNull,
    ciphertextHex: hexOrNull,
    tagHex: hexOrNull,
    createdAt: a.time,
  }),
);

function contentRoute(api: ApiContext): Route {
  const { committed, store } = api;
  return {
    method: 'GET',
    path: '/api/v1/markets/info/:listingId/content',
    name: 'getInfoContent',
    tag,
    summary: 'The encrypted content of a listing: of use to who has bought its key.',
    scope: 'read',
    success: { status: 200, schema: contentSchema, description: 'the package' },
    async handle({ params, caller }) {
      const id = params.listingId ?? '';
      const listing = (await committed.resource('info-listing', id)) as Snapshot | undefined;
      const context = listing?.context as unknown as ListingContext | undefined;
      if (!listing || !context || (context.visibility === 'private' && context.seller !== caller.did)) {
        return refuse('LISTING_NOT_FOUND', `no listing ${id} on this network`);
      }
      const content = context.own.content as { format: string; encoding?: string; size?: number; hash?: string };
      const sold = await packageOf(api.committed, id);
      const body = {
        listingId: id,
        contentHash: content.hash ?? null,
        hashAlgorithm: hashAlgorithmOf(sold, content.hash),
        size: content.size ?? null,
        format: content.format,
        encoding: content.encoding ?? null,
        algorithm: sold?.algorithm ?? null,
        nonceHex: sold?.nonceHex ?? null,
        ciphertextHex: null as string | null,
        tagHex: sold?.tagHex ?? null,
        createdAt: listing.createdAt,
      };
      const first = sold && (await store.contentPart(sold.ciphertextHash, 0, bounds.contentPartBytes));
      if (!first) return { status: 200, body };
      if (first.length === sold.size) return { status: 200, body: { ...body, ciphertextHex: hex(first) } };
      return {
        status: 200,
        stream: {
          type: 'application/json; charset=utf-8',
          chunks: withCiphertext(body, hexOf(store, sold, first)),
          window: 2 * bounds.contentPartBytes,
        },
      };
    },
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The body as JSON; the text of one member is generated while it is sent. */
async function* withCiphertext(body: JsonObject, parts: AsyncIterable<string>): AsyncGenerator<string> {
  const [before, after] = JSON.stringify({ ...body, ciphertextHex: '' }).split('"ciphertextHex":""');
  yield `${before}"ciphertextHex":"`;
  yield* parts;
  yield `"${after}`;
}

/** Reads the content while sending, so that a slow reader keeps only a part in memory. */
async function* hexOf(store: StoreReader, { ciphertextHash, size }: Package, first: Uint8Array) {
  yield hex(first);
  for (let from = first.length; from < size; ) {
    const part = await store.contentPart(ciphertextHash, from, bounds.contentPartBytes);
    assert(part && part.length > 0, 'a content stays whole');
    yield hex(part);
    from += part.length;
  }
}

const wrapped = { anyOf: [envelopeSchema, { type: 'null' }] };

const deliverySchema = a.named(
  'InfoDeliveryRecord',
  a.object({
    orderId: a.text,
    listingId: a.text,
    status: a.text,
    buyer: a.did,
    seller: a.did,
    deliveredAt: a.time,
    confirmBy: a.nullable(a.time),
    expiresAt: a.described(a.nullable(a.time), 'Until when what it opens is there; null: for good.'),
    contentHash: a.nullable(a.hash),
    hashAlgorithm,
    buyerPublicKeyHex: a.described(a.text, 'X25519 key that all of it is wrapped for.'),
    keyEnvelope: a.described(wrapped, 'The content’s key.'),
    accessTokenEnvelope: a.described(wrapped, 'A token, as UTF-8.'),
    accessUrlEnvelope: a.described(wrapped, 'An address, as UTF-8.'),
    deliveryData: a.described(a.nullable(a.freeObject), 'What the seller said beside it.'),
    envelope: a.described(a.nullable(a.freeObject), 'The deliverable envelope, complete and signed.'),
    envelopeDigest: a.nullable(a.hash),
    resourcePrev: a.hash,
  }),
);

function deliveryRoute(api: ApiContext): Route {
  const { committed } = api;
  return {
    method: 'GET',
    path: '/api/v1/markets/info/orders/:orderId/delivery',
    name: 'getInfoDelivery',
    tag,
    summary: 'What was delivered; for buyer and seller, whom the API key has to be bound to.',
    scope: 'read',
    success: { status: 200, schema: deliverySchema, description: 'the delivery' },
    async handle({ params, caller }) {
      const found = (await committed.resource('info-order', params.orderId ?? '')) as Snapshot | undefined;
      if (!found) return unknownOrder(params.orderId);
      const order = found.context as unknown as InfoOrder;
      if (caller.did !== order.buyer && caller.did !== order.seller) {
        return refuse('FORBIDDEN', 'a delivery is for buyer and seller: read it with an API key that is bound to one');
      }
      if (!order.delivery) return refuse('NOT_FOUND', `order ${found.id} has not been delivered`);
      return taggedReply(await deliveryView(api, found.id, found, order), found.lastHash);
    },
  };
}

const unknownOrder = (id = ''): Refusal => refuse('ORDER_NOT_FOUND', `no order ${id} on this network`);

async function deliveryView(api: ApiContext, id: string, found: Snapshot, order: InfoOrder): Promise<JsonObject> {
  const { keyEnvelope, accessTokenEnvelope, accessUrlEnvelope, expiresAt, data } = order.delivery!;
  const envelope = (data?.envelope ?? null) as JsonObject | null;
  const sold = await packageOf(api.committed, order.listingId);
  const contentHash = sold?.contentHash ?? null;
  return {
    orderId: id,
    listingId: order.listingId,
    status: found.state,
    buyer: order.buyer,
    seller: order.seller,
    deliveredAt: order.deliveredAt,
    confirmBy: order.confirmBy,
    expiresAt,
    contentHash,
    hashAlgorithm: hashAlgorithmOf(sold, contentHash),
    buyerPublicKeyHex: order.buyerPublicKeyHex,
    keyEnvelope: keyEnvelope ?? null,
    accessTokenEnvelope: accessTokenEnvelope ?? null,
    accessUrlEnvelope: accessUrlEnvelope ?? null,
    deliveryData: data,
    envelope,
    envelopeDigest: envelope && digestOf(envelope),
    resourcePrev: found.lastHash,
  };
}

const openedSchema = a.named(
  'OpenedDelivery',
  a.object({
    orderId: a.text,
    listingId: a.text,
    contentHash: a.nullable(a.hash),
    hashAlgorithm,
    contentSaltHex: a.described(a.nullable(a.text), 'What `contentHash` is salted with; null where it is not.'),
    size: a.nullable(a.count),
    encoding: a.described(a.nullable(a.text), 'How `content` is spelled: utf8, base64 or hex.'),
    content: a.described(a.nullable(a.text), 'The content; null where it is not kept here.'),
    contentKeyHex: a.nullable(a.text),
    accessToken: a.nullable(a.text),
    accessUrl: a.nullable(a.text),
  }),
);

function openRoute(api: ApiContext): Route {
  return {
    method: 'POST',
    path: '/api/v1/orders/:orderId/actions/open',
    name: 'openOrder',
    tag,
    summary: 'Decrypt what was delivered, for a buyer whose key is in this keystore. Nothing is written.',
    scope: 'write',
    body: is.object({ did: signerFields.did, passphrase: signerFields.passphrase }),
    example: {
      did: is.did.schema.examples ? (is.did.schema.examples as string[])[0]! : '',
      passphrase: 'a good long passphrase',
    },
    success: { status: 200, schema: openedSchema, description: 'the content in the clear' },
    async handle(call) {
      const id = call.params.orderId ?? '';
      const found = (await api.committed.resource('info-order', id)) as Snapshot | undefined;
      if (!found) return unknownOrder(id);
      const did = api.writes.signerOf(call);
      if (isRefusal(did)) return did;
      const signer = await api.writes.unlock(call, did)();
      if (isRefusal(signer)) return signer;
      const order = found.context as unknown as InfoOrder;
      if (signer.did !== order.buyer) return refuse('FORBIDDEN', 'only the buyer opens what was delivered');
      if (!order.delivery) return refuse('ORDER_INVALID_STATE', `order ${id} is ${found.state}: nothing was delivered`);
      if (Buffer.from(x25519PublicOf(did)).toString('hex') !== order.buyerPublicKeyHex) {
        return refuse(
          'UNPROCESSABLE',
          'it was wrapped for a key that the buyer named at purchase: open it with that one',
        );
      }
      const key = x25519KeyOf(signer);
      const opened = (envelope: Wrapped | undefined) => (envelope ? (unwrap(envelope, key) ?? null) : null);
      const { keyEnvelope, accessTokenEnvelope, accessUrlEnvelope } = order.delivery;
      const contentKey = opened(keyEnvelope);
      const sold = await packageOf(api.committed, order.listingId);
      const hashAlgorithm = hashAlgorithmOf(sold, sold?.contentHash);
      const content = sold && contentKey && (await openPackage(api.store, sold, contentKey));
      return {
        status: 200,
        body: {
          orderId: id,
          listingId: order.listingId,
          contentHash: sold?.contentHash ?? null,
          hashAlgorithm,
          contentSaltHex:
            contentKey && hashAlgorithm === 'SHA-256-SALTED' ? contentSalt(contentKey).toString('hex') : null,
          size: sold?.size ?? null,
          encoding: sold?.encoding ?? null,
          content: content?.toString(sold?.encoding as BufferEncoding) ?? null,
          contentKeyHex: contentKey?.toString('hex') ?? null,
          accessToken: opened(accessTokenEnvelope)?.toString('utf8') ?? null,
          accessUrl: opened(accessUrlEnvelope)?.toString('utf8') ?? null,
        },
      };
    },
  };
}
