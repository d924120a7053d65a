/**
 * The stored encrypted content of an information listing.
 */
import { sha256Hex } from '../../core/canonical.js';
import { decrypt, saltedHash } from '../../core/sealing.js';
import type { Resource } from '../kernel/resource.js';
import type { TransformerPort } from '../kernel/transformer.js';
import type { ListingContext } from '../listing/machine.js';
import type { Package } from './sealed.js';

/** Describes a listing's encrypted content; undefined if it has none. */
export async function packageOf(
  from: { resource(kind: string, id: string): Resource | undefined | Promise<Resource | undefined> },
  listingId: string,
): Promise<Package | undefined> {
  const listing = await from.resource('info-listing', listingId);
  const { own } = (listing?.context ?? { own: {} }) as unknown as Pick<ListingContext, 'own'>;
  return own.package as Package | undefined;
}

/** Decrypts the content for a party of an order; undefined if the key is wrong or the content was changed. */
export async function openPackage(
  port: Pick<TransformerPort, 'content'>,
  sold: Package,
  key: Uint8Array,
): Promise<Buffer | undefined> {
  const ciphertext = await port.content(sold.ciphertextHash);
  const content = decrypt(key, { nonce: fromHex(sold.nonceHex), ciphertext, tag: fromHex(sold.tagHex) });
  if (!content) return undefined;
  const hash = sold.hashAlgorithm === 'SHA-256-SALTED' ? saltedHash(key, content) : sha256Hex(content);
  return hash === sold.contentHash ? content : undefined;
}

const fromHex = (text: string): Buffer => Buffer.from(text, 'hex');
