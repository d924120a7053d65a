/**
 * Encrypted content, and what was delivered of it (interface, Markets: information; decisions.md, Markets: Content).
 */
import { unwrap, type Wrapped } from '../../keys/sealing.js';
import { x25519KeyOf, x25519PublicOf } from '../../keys/x25519.js';
import { digestOf } from '../../machines/deliverable/envelope.js';
import type { InfoOrder } from '../../machines/info-order/machine.js';
import { envelopeSchema } from '../../machines/info-order/sealed.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../machines/kernel/refusal.js';
import * as is from '../../machines/kernel/scalar.js';
import * as a from '../../machines/kernel/shape.js';
import type { ListingContext } from '../../machines/listing/machine.js';
import type { Snapshot } from '../../store/store.js';
import { type Desk, signerFields } from '../desk.js';
import { openPackage, packageOf } from '../preparations/info-content.js';
import { taggedReply } from '../render.js';
import type { Route } from '../route.js';

const tag = 'Market: information';

export const infoContentRoutes = (desk: Desk): Route[] =>
  desk.definitionOf('info-order') ? [contentRoute(desk), deliveryRoute(desk), openRoute(desk)] : [];

const hexOrNull = { type: ['string', 'null'], pattern: '^([0-9a-f]{2})*$' } as const;

const contentSchema = a.named(
  'EncryptedInfoContent',
  a.object({
    listingId: a.text,
    contentHash: a.described(a.nullable(a.hash), 'SHA-256 of the content, in the clear.'),
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

function contentRoute(desk: Desk): Route {
  const { committed, options } = desk.options.actors;
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
      const sold = await packageOf(desk, id);
      const ciphertext = sold && (await options.store.content(sold.ciphertextHash));
      return {
        status: 200,
        body: {
          listingId: id,
          contentHash: content.hash ?? null,
          size: content.size ?? null,
          format: content.format,
          encoding: content.encoding ?? null,
          algorithm: sold?.algorithm ?? null,
          nonceHex: sold?.nonceHex ?? null,
          ciphertextHex: ciphertext ? Buffer.from(ciphertext).toString('hex') : null,
          tagHex: sold?.tagHex ?? null,
          createdAt: listing.createdAt,
        },
      };
    },
  };
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

function deliveryRoute(desk: Desk): Route {
  const { committed } = desk.options.actors;
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
      return taggedReply(await deliveryView(desk, found.id, found, order), found.lastHash);
    },
  };
}

const unknownOrder = (id = ''): Refusal => refuse('ORDER_NOT_FOUND', `no order ${id} on this network`);

async function deliveryView(desk: Desk, id: string, found: Snapshot, order: InfoOrder): Promise<JsonObject> {
  const { keyEnvelope, accessTokenEnvelope, accessUrlEnvelope, expiresAt, data } = order.delivery!;
  const envelope = (data?.envelope ?? null) as JsonObject | null;
  return {
    orderId: id,
    listingId: order.listingId,
    status: found.state,
    buyer: order.buyer,
    seller: order.seller,
    deliveredAt: order.deliveredAt,
    confirmBy: order.confirmBy,
    expiresAt,
    contentHash: (await packageOf(desk, order.listingId))?.contentHash ?? null,
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
    size: a.nullable(a.count),
    encoding: a.described(a.nullable(a.text), 'How `content` is spelled: utf8, base64 or hex.'),
    content: a.described(a.nullable(a.text), 'The content; null where it is not kept here.'),
    contentKeyHex: a.nullable(a.text),
    accessToken: a.nullable(a.text),
    accessUrl: a.nullable(a.text),
  }),
);

function openRoute(desk: Desk): Route {
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
      const found = (await desk.options.actors.committed.resource('info-order', id)) as Snapshot | undefined;
      if (!found) return unknownOrder(id);
      const did = desk.signerOf(call);
      if (isRefusal(did)) return did;
      const signer = await desk.unlock(call, did)();
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
      const sold = await packageOf(desk, order.listingId);
      const content = sold && contentKey && (await openPackage(desk, sold, contentKey));
      return {
        status: 200,
        body: {
          orderId: id,
          listingId: order.listingId,
          contentHash: sold?.contentHash ?? null,
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
