/**
 * Encrypts the content of an information listing before anything is stored, and wraps its key for the seller
 * (docs/reference/markets.md#content). Neither enters a payload unencrypted.
 */
import { type JsonObject, sha256Hex } from '../../core/canonical.js';
import { x25519PublicKey } from '../../core/codecs/x25519.js';
import { assert, invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { encrypt, keyBytes, saltedHash, wrap } from '../../core/sealing.js';
import type { RequestTransformer } from '../kernel/transformer.js';
import { inlineBytes, type Package } from './sealed.js';

const encodings = ['utf8', 'base64', 'hex'] as const;
const spelling = {
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  hex: /^(?:[0-9a-fA-F]{2})*$/,
} as const;

interface PublishedContent {
  readonly encoding?: string;
  readonly size?: number;
  readonly hash?: string;
}

function bytesOf(data: string, { encoding = 'utf8' }: PublishedContent): Buffer | Refusal {
  const known = encodings.find((each) => each === encoding.toLowerCase().replace('utf-8', 'utf8'));
  if (!known) return invalid('content.encoding', `must be one of ${encodings.join(', ')} where data is given`);
  if (known !== 'utf8' && !spelling[known].test(data)) return invalid('content.data', `is not ${known}`);
  const bytes = Buffer.from(data, known);
  return bytes.length > inlineBytes ? invalid('content.data', `must have at most ${inlineBytes} bytes`) : bytes;
}

/** Encrypts the content under a new key, which only the reply to the publisher shows, once. */
export const publishContent: RequestTransformer = ({ input, secrets }, port) => {
  const { data } = (secrets.content ?? {}) as { data?: string };
  if (data === undefined) return { input, prechecked: contradiction(input) };
  const seller = port.signer();
  if (isRefusal(seller)) return seller;
  const content = input.content as unknown as PublishedContent;
  const bytes = bytesOf(data, content);
  if (isRefusal(bytes)) return bytes;
  const { random } = port;
  const key = random(keyBytes);
  const contentHash = saltedHash(key, bytes);
  const { nonce, ciphertext, tag } = encrypt(key, bytes, random);
  const keptKey = wrap(key, x25519PublicKey(seller), random);
  assert(keptKey, 'no DID has a key of small order');
  const encoding = content.encoding ?? 'utf8';
  const sealed: Package = {
    algorithm: 'AES-256-GCM',
    contentHash,
    hashAlgorithm: 'SHA-256-SALTED',
    size: bytes.length,
    encoding,
    nonceHex: hex(nonce),
    tagHex: hex(tag),
    ciphertextHash: sha256Hex(ciphertext),
    keptKey,
  };
  const shown = { ...content, encoding, size: bytes.length, hash: contentHash };
  const breaks =
    (content.hash !== undefined && content.hash !== sha256Hex(bytes)) || (content.size ?? bytes.length) !== bytes.length
      ? refuse('UNPROCESSABLE', 'content: hash or size is not that of its data')
      : undefined;
  return {
    input: { ...input, content: shown as JsonObject, package: sealed as unknown as JsonObject },
    contents: [{ hash: sealed.ciphertextHash, bytes: ciphertext }],
    once: { contentKeyHex: hex(key) },
    prechecked: breaks,
  };
};

/** The content as the seller has encrypted it, beside what the listing says of it. */
function contradiction({ content, package: sealed }: JsonObject): Refusal | undefined {
  if (sealed === undefined) return undefined;
  const { contentHash, size, encoding } = sealed as Package;
  const said = content as unknown as PublishedContent;
  return said.hash === contentHash && said.size === size && said.encoding === encoding
    ? undefined
    : refuse('UNPROCESSABLE', 'content: hash, size or encoding is not that of the package');
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
