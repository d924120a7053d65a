/** Signatures of a node: Ed25519 in base64url (docs/reference/journal-format.md#signatures). */
import * as noble from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { sha256Hex } from './hash.ts';

noble.hashes.sha512 = sha512;

const utf8 = new TextEncoder();
const longestText = 1_024;

/** A text that is longer than 1 KiB is signed by its hash. @param purpose `svc:<what>:v<n>` */
export const signedMessage = (purpose: string, text: string): string =>
  `${purpose}:${utf8.encode(text).length > longestText ? sha256Hex(text) : text}`;

/** The 64 bytes; undefined for any text but the one that encodes them. */
function signatureOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]{86}$/.test(text)) return undefined;
  const binary = atob(`${text.replaceAll('-', '+').replaceAll('_', '/')}==`);
  const again = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').slice(0, text.length);
  return again === text ? Uint8Array.from(binary, (byte) => byte.charCodeAt(0)) : undefined;
}

export interface Verified {
  readonly holds: boolean;
  /** What verified the signature. */
  readonly by: 'WebCrypto' | 'noble';
}

/** Verifies with WebCrypto if the browser supports Ed25519 on this page (https or localhost), otherwise in JavaScript. */
export async function verified(key: Uint8Array<ArrayBuffer>, message: string, sig: string): Promise<Verified> {
  const [signature, bytes] = [signatureOf(sig), utf8.encode(message)];
  if (!signature) return { holds: false, by: 'noble' };
  try {
    const own = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
    return { holds: await crypto.subtle.verify('Ed25519', own, signature, bytes), by: 'WebCrypto' };
  } catch {
    // WebCrypto is missing, or has no Ed25519.
    return { holds: noble.verify(signature, bytes, key, { zip215: false }), by: 'noble' };
  }
}
