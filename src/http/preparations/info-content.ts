/**
 * What the market of information does with keys (decisions.md, Markets: Content). Content is encrypted when it is
 * published, its key wrapped for the seller; a delivery wraps it anew for the buyer. Neither enters a payload in the clear.
 */
import { decrypt, encrypt, keyBytes, unwrap, type Wrapped, wrap } from '../../keys/sealing.js';
import type { Signer } from '../../keys/signing.js';
import { x25519KeyOf, x25519PublicOf } from '../../keys/x25519.js';
import { digestOf, type EnvelopeInput } from '../../machines/deliverable/envelope.js';
import type { InfoOrder } from '../../machines/info-order/machine.js';
import type { Package, Sealed } from '../../machines/info-order/sealed.js';
import { type JsonObject, sha256Hex } from '../../machines/kernel/canonical.js';
import { assert, invalid, isRefusal, type Refusal, refuse } from '../../machines/kernel/refusal.js';
import { inlineBytes } from '../../machines/listing/info.js';
import type { ListingContext } from '../../machines/listing/machine.js';
import type { Desk } from '../desk.js';
import type { NewId, Prepare } from '../routes/derived.js';
import { keyOf, signedEnvelope } from './envelopes.js';

const encodings = ['utf8', 'base64', 'hex'] as const;
const spelling = {
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  hex: /^(?:[0-9a-fA-F]{2})*$/,
} as const;

interface Content {
  readonly encoding?: string;
  readonly size?: number;
  readonly hash?: string;
}

/** The bytes that `data` stands for. */
function bytesOf(data: string, { encoding = 'utf8' }: Content): Buffer | Refusal {
  const known = encodings.find((each) => each === encoding.toLowerCase().replace('utf-8', 'utf8'));
  if (!known) return invalid('content.encoding', `must be one of ${encodings.join(', ')} where data is given`);
  if (known !== 'utf8' && !spelling[known].test(data)) return invalid('content.data', `is not ${known}`);
  const bytes = Buffer.from(data, known);
  return bytes.length > inlineBytes ? invalid('content.data', `must have at most ${inlineBytes} bytes`) : bytes;
}

/** Encrypts the content under a fresh key, which is the publisher's to see, once. */
export const publishing =
  (desk: Desk): Prepare =>
  (call, { input, secrets }) => {
    const { data } = (secrets.content ?? {}) as { data?: string };
    if (data === undefined) return { input };
    const seller = desk.signerOf(call);
    if (isRefusal(seller)) return seller;
    const content = input.content as unknown as Content;
    const bytes = bytesOf(data, content);
    if (isRefusal(bytes)) return bytes;
    const contentHash = sha256Hex(bytes);
    const { random } = desk.options.actors.options.world;
    const key = random(keyBytes);
    const { nonce, ciphertext, tag } = encrypt(key, bytes, random);
    const keptKey = wrap(key, x25519PublicOf(seller), random);
    assert(keptKey, 'no DID has a key of small order');
    const encoding = content.encoding ?? 'utf8';
    const sealed: Package = {
      algorithm: 'AES-256-GCM',
      contentHash,
      size: bytes.length,
      encoding,
      nonceHex: hex(nonce),
      tagHex: hex(tag),
      ciphertextHash: sha256Hex(ciphertext),
      keptKey,
    };
    const shown = { ...content, encoding, size: bytes.length, hash: contentHash };
    const breaks =
      (content.hash ?? contentHash) !== contentHash || (content.size ?? bytes.length) !== bytes.length
        ? refuse('UNPROCESSABLE', 'content: hash or size is not that of its data')
        : undefined;
    return {
      input: { ...input, content: shown as JsonObject, package: sealed as unknown as JsonObject },
      contents: [{ hash: sealed.ciphertextHash, bytes: ciphertext }],
      once: { contentKeyHex: hex(key) },
      breaks,
    };
  };

/** Fixes the key that the seller will wrap for. */
export const purchasing =
  (desk: Desk): Prepare =>
  (call, { input }) => {
    const buyer = desk.signerOf(call);
    if (isRefusal(buyer)) return buyer;
    const { buyerPublicKeyHex = hex(x25519PublicOf(buyer)) } = input as { buyerPublicKeyHex?: string };
    const isUsable = wrap(
      new Uint8Array(keyBytes),
      fromHex(buyerPublicKeyHex),
      desk.options.actors.options.world.random,
    );
    const breaks = isUsable ? undefined : refuse('UNPROCESSABLE', 'buyerPublicKeyHex: nothing can be wrapped for it');
    return { input: { ...input, buyerPublicKeyHex }, breaks };
  };

/** Wraps what is delivered for the buyer, once the key is seen to open the content; signs the envelope. */
export const delivering =
  (desk: Desk, newId: NewId): Prepare =>
  async (call, { id, input, secrets }) => {
    const found = await desk.options.actors.committed.resource('info-order', id);
    if (!found) return refuse('ORDER_NOT_FOUND', `no order ${id} on this network`);
    const order = found.context as unknown as InfoOrder;
    const did = desk.signerOf(call);
    if (isRefusal(did)) return did;
    // Whatever is refused, or given again, is not in need of keys.
    if (found.state !== 'paid' || order.seller !== did) return { input };
    const signer = await keyOf(call, desk);
    if (isRefusal(signer)) return signer;
    const sealed = await sealedFor(order, secrets, { signer, desk });
    if (isRefusal(sealed)) return { input, breaks: sealed };
    const prepared = { ...input, sealed: sealed as JsonObject };
    const delivered = input.deliveryData as JsonObject | undefined;
    if (delivered?.envelope === undefined) return { input: prepared };
    const given = delivered.envelope as unknown as EnvelopeInput;
    const envelope = signedEnvelope(given, { signer, contextId: id, desk, newId });
    if (isRefusal(envelope)) return { input: prepared, breaks: envelope };
    const deliveryData = { ...delivered, envelope, envelopeDigest: digestOf(envelope) };
    return { input: { ...prepared, deliveryData } };
  };

interface Hands {
  readonly signer: Signer;
  readonly desk: Desk;
}

async function sealedFor(order: InfoOrder, secrets: JsonObject, { signer, desk }: Hands): Promise<Sealed | Refusal> {
  const { contentKeyHex, accessToken, accessUrl } = secrets as { [name: string]: string | undefined };
  const key = contentKeyHex === undefined ? undefined : fromHex(contentKeyHex);
  const opened = order.hasPackage ? await keyOfContent(order, key, { signer, desk }) : key;
  if (isRefusal(opened)) return opened;
  const wrapped = (secret: Uint8Array | undefined): Wrapped | undefined =>
    secret && wrap(secret, fromHex(order.buyerPublicKeyHex), desk.options.actors.options.world.random);
  const utf8 = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text, 'utf8'));
  const made: Sealed = {
    keyEnvelope: wrapped(opened),
    accessTokenEnvelope: wrapped(utf8(accessToken)),
    accessUrlEnvelope: wrapped(utf8(accessUrl)),
  };
  return Object.fromEntries(Object.entries(made).filter(([, envelope]) => envelope !== undefined));
}

/** The key that opens the listing's package: the seller's word, or the one that was kept. */
async function keyOfContent(
  order: InfoOrder,
  given: Uint8Array | undefined,
  { signer, desk }: Hands,
): Promise<Uint8Array | Refusal> {
  const sold = await packageOf(desk, order.listingId);
  assert(sold, 'a package stays with its listing');
  const key = given ?? unwrap(sold.keptKey, x25519KeyOf(signer));
  const content = key && (await openPackage(desk, sold, key));
  return key && content
    ? key
    : refuse('UNPROCESSABLE', 'contentKeyHex: the key does not open the content of the listing');
}

/** What a listing's encrypted content is like; undefined where it has none. */
export async function packageOf(desk: Desk, listingId: string): Promise<Package | undefined> {
  const listing = await desk.options.actors.committed.resource('info-listing', listingId);
  const { own } = (listing?.context ?? { own: {} }) as unknown as Pick<ListingContext, 'own'>;
  return own.package as Package | undefined;
}

/** The content, if this is its key and it is whole. */
export async function openPackage(desk: Desk, sold: Package, key: Uint8Array): Promise<Buffer | undefined> {
  const ciphertext = await desk.options.actors.options.store.content(sold.ciphertextHash);
  assert(ciphertext, 'what an entry names by hash is there before the entry');
  const content = decrypt(key, { nonce: fromHex(sold.nonceHex), ciphertext, tag: fromHex(sold.tagHex) });
  return content && sha256Hex(content) === sold.contentHash ? content : undefined;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Buffer => Buffer.from(text, 'hex');
