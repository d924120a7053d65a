/** Decrypts deliveries and credentials with the caller's own key (docs/reference/markets.md#content): the node sees no secret. */
import { SigningError } from '../errors.js';
import { type Http, pathOf, type ReadOptions } from '../http.js';
import type { EncryptedInfoContent, InfoDeliveryRecord, Lease, OpenedDelivery, OpenedLease } from '../wire.js';
import { base64Of, concatenated, fromHex, hashHex, hexText } from './bytes.js';
import type { HeldKey } from './key.js';
import { decrypted, saltOf, unwrapped } from './sealing.js';

/** @throws SigningError if the key does not open it, or opens another content than the listing states */
export async function openedDelivery(
  http: Http,
  { agreement }: HeldKey,
  orderId: string,
  options?: ReadOptions,
): Promise<OpenedDelivery> {
  if (!agreement) throw new SigningError(opensNothing);
  const record = await http.get<InfoDeliveryRecord>(
    pathOf`/markets/info/orders/${orderId}/delivery`,
    undefined,
    options,
  );
  const { listingId, contentHash, hashAlgorithm } = record;
  const opened = async (envelope: InfoDeliveryRecord['keyEnvelope']) =>
    envelope && unwrapped(envelope, agreement).catch(() => refuse('it was encrypted for another key'));
  const contentKey = await opened(record.keyEnvelope);
  const [token, url] = [await opened(record.accessTokenEnvelope), await opened(record.accessUrlEnvelope)];
  const isSalted = contentKey && hashAlgorithm === 'SHA-256-SALTED';
  const salt = isSalted ? await saltOf(contentKey) : undefined;
  let sold: EncryptedInfoContent | undefined;
  let content: Uint8Array<ArrayBuffer> | undefined;
  if (contentKey && contentHash !== null) {
    sold = await http.get<EncryptedInfoContent>(pathOf`/markets/info/${listingId}/content`, undefined, options);
    const sealed = sold.ciphertextHex && fromHex(sold.ciphertextHex + sold.tagHex!);
    if (sealed) content = await decrypted(contentKey, fromHex(sold.nonceHex!), sealed).catch(() => refuse(anotherKey));
    if (content && (await hashHex(salt ? concatenated(salt, content) : content)) !== contentHash) refuse(anotherKey);
  }
  const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);
  return {
    ...{ orderId, listingId, contentHash, hashAlgorithm, contentSaltHex: salt ? hexText(salt) : null },
    ...{ size: sold?.size ?? null, encoding: sold?.encoding ?? null },
    content: content ? textOf(content, sold?.encoding) : null,
    contentKeyHex: contentKey && hexText(contentKey),
    ...{ accessToken: text(token), accessUrl: text(url) },
  };
}

/** The credentials of a lease, for its lessor. @throws SigningError if the key does not open them, or there are none */
export async function openedLease(
  http: Http,
  { agreement }: HeldKey,
  leaseId: string,
  options?: ReadOptions,
): Promise<OpenedLease> {
  if (!agreement) throw new SigningError(opensNothing);
  const path = pathOf`/markets/capabilities/leases/${leaseId}`;
  const { credentialsEnvelope } = await http.get<Lease>(path, undefined, options);
  if (!credentialsEnvelope) throw new SigningError(`lease ${leaseId} shows this key no credentials`);
  const opened = await unwrapped(credentialsEnvelope, agreement).catch(() => {
    throw new SigningError('the credentials were encrypted for another key');
  });
  return { leaseId, credentials: JSON.parse(new TextDecoder().decode(opened)) };
}

const opensNothing = 'this key has no agreement: it opens nothing';
const anotherKey = 'the delivered key does not open the content of the listing';

function refuse(why: string): never {
  throw new SigningError(`${why}: the order can be disputed`);
}

const textOf = (content: Uint8Array, encoding: string | null | undefined): string =>
  encoding === 'base64' ? base64Of(content) : encoding === 'hex' ? hexText(content) : new TextDecoder().decode(content);
