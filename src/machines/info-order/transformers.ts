/**
 * Request transformers of information orders (docs/reference/markets.md#content): a purchase stores the key that the
 * seller will wrap for, a delivery wraps the content's key for the buyer. No secret enters a payload in the clear.
 */

import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { isAgreeable, x25519PublicKey } from '../../core/codecs/x25519.js';
import { assert, invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { hex, hexBytes, unwrap, type Wrapped, wrap } from '../../core/sealing.js';
import { looksBlank } from '../deliverable/blank.js';
import { type EnvelopeInput, wholeDigestOf } from '../deliverable/envelope.js';
import { signedEnvelope } from '../deliverable/signed-envelope.js';
import type { Resource } from '../kernel/resource.js';
import type { DefaultId, RequestTransformer, TransformerPort } from '../kernel/transformer.js';
import { openPackage, packageOf } from './content.js';
import type { InfoOrder } from './machine.js';
import type { Sealed } from './sealed.js';

/** Stores the buyer's key that the seller will wrap for. */
export const purchaseInfo: RequestTransformer = ({ input }, port) => {
  const buyer = port.signer();
  if (isRefusal(buyer)) return buyer;
  const { buyerPublicKeyHex: given } = input as { buyerPublicKeyHex?: string };
  const buyerPublicKeyHex = given ?? hex(x25519PublicKey(buyer));
  // The key of a DID is never of small order.
  const isUsable = given === undefined || isAgreeable(hexBytes(given));
  const breaks = isUsable ? undefined : refuse('UNPROCESSABLE', 'buyerPublicKeyHex: nothing can be wrapped for it');
  return { input: { ...input, buyerPublicKeyHex }, prechecked: breaks };
};

export const saysNothingDelivered = 'nothing is delivered: give contentKeyHex, accessToken, accessUrl or deliveryData';

/** Checks that the key decrypts the content, wraps the delivered secrets for the buyer, and signs the envelope. */
export const deliverInfo: RequestTransformer = async ({ id, input, secrets }, port) => {
  const found = await port.resource('info-order', id);
  if (!found) return refuse('ORDER_NOT_FOUND', `no order ${id} on this network`);
  const order = found.context as unknown as InfoOrder;
  const did = port.signer();
  if (isRefusal(did)) return did;
  // A request that will be refused or replayed needs no key.
  if (found.state !== 'paid' || order.seller !== did) return { input };
  const sealed = (input.sealed as Sealed | undefined) ?? (await sealedFor(order, secrets, port));
  if (isRefusal(sealed)) return { input, prechecked: sealed };
  if (order.hasPackage && !sealed.keyEnvelope) return { input, prechecked: lacksKey };
  const prepared = { ...input, sealed: sealed as JsonObject };
  const delivered = input.deliveryData as JsonObject | undefined;
  if (Object.keys(sealed).length === 0 && looksBlank(delivered)) {
    return { input, prechecked: refuse('UNPROCESSABLE', saysNothingDelivered) };
  }
  if (delivered?.envelope === undefined) return { input: prepared };
  const given = delivered.envelope as unknown as EnvelopeInput;
  const signer = given.signature === undefined ? await port.openKey() : undefined;
  if (isRefusal(signer)) return signer;
  const envelope = signedEnvelope(given, { producer: did, contextId: id, port, signer });
  if (isRefusal(envelope)) return { input: prepared, prechecked: envelope };
  const deliveryData = { ...delivered, envelope, envelopeDigest: wholeDigestOf(envelope) };
  return { input: { ...prepared, deliveryData } };
};

const lacksKey = refuse('UNPROCESSABLE', 'sealed.keyEnvelope: the key of the content is missing');

async function sealedFor(order: InfoOrder, secrets: JsonObject, port: TransformerPort): Promise<Sealed | Refusal> {
  const { contentKeyHex, accessToken, accessUrl } = secrets as { [name: string]: string | undefined };
  const key = contentKeyHex === undefined ? undefined : hexBytes(contentKeyHex);
  const opened = order.hasPackage ? await keyOfContent(order, key, port) : key;
  if (isRefusal(opened)) return opened;
  const wrapped = (secret: Uint8Array | undefined): Wrapped | undefined =>
    secret && wrap(secret, hexBytes(order.buyerPublicKeyHex), port.random);
  const utf8 = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text, 'utf8'));
  const made: Sealed = {
    keyEnvelope: wrapped(opened),
    accessTokenEnvelope: wrapped(utf8(accessToken)),
    accessUrlEnvelope: wrapped(utf8(accessUrl)),
  };
  return Object.fromEntries(Object.entries(made).filter(([, envelope]) => envelope !== undefined));
}

/** The key of the listing's content: from the request, or stored for the seller. */
async function keyOfContent(
  order: InfoOrder,
  given: Uint8Array | undefined,
  port: TransformerPort,
): Promise<Uint8Array | Refusal> {
  const sold = await packageOf(port, order.listingId);
  assert(sold, 'a package stays with its listing');
  const signer = given ? undefined : await port.openKey();
  if (isRefusal(signer)) return signer;
  const key = given ?? unwrap(sold.keptKey, signer!.agreementKey());
  const content = key && (await openPackage(port, sold, key));
  return key && content
    ? key
    : refuse('UNPROCESSABLE', 'contentKeyHex: the key does not open the content of the listing');
}

const unclear = (why: string): Refusal => invalid('orderId', `is required: ${why}`);

type InfoOrderParty = 'buyer' | 'seller';

/** The states in which an order waits for an action, by action and party. */
const waiting: { readonly [action: string]: { readonly [role in InfoOrderParty]?: readonly string[] } } = {
  deliver: { seller: ['paid'] },
  confirm: { buyer: ['delivered'] },
  // After the buyer's review, the order no longer waits for the buyer.
  review: { buyer: ['confirmed'], seller: ['confirmed', 'reviewed'] },
};

function waits({ context }: Resource, role: InfoOrderParty, action: string, listing: string): boolean {
  const { listingId, reviews } = context as unknown as InfoOrder;
  return listingId === listing && (action !== 'review' || reviews[role] === undefined);
}

/** The signer's only order on the listing that waits for the action (docs/reference/requests.md#unknown-members). */
export const orderOfInformation: DefaultId = {
  says: 'The order. Default: the signer’s only order on the listing that is waiting for this action.',
  async find(action, { listingId = '' }, port) {
    const signer = port.signer();
    if (isRefusal(signer)) return signer;
    const found: string[] = [];
    let seen = 0;
    for (const [role, states] of Object.entries(waiting[action] ?? {})) {
      for await (const orders of port.labelled('info-order', `${role}:${signer}`, states)) {
        if (isRefusal(orders)) return orders;
        found.push(
          ...orders.items
            .filter((order) => waits(order, role as InfoOrderParty, action, listingId))
            .map(({ id }) => id),
        );
        if (found.length > 1) return unclear(`you have more than one order on this listing to ${action}`);
        seen += orders.items.length;
        if (orders.hasMore && seen >= bounds.defaultOrders) return unclear(`you have too many orders to ${action}`);
      }
    }
    if (found[0] !== undefined) return found[0];
    return (await port.unknownListing(listingId)) ?? unclear(`you have no order on this listing to ${action}`);
  },
};
