import { sha256 } from '@noble/hashes/sha2.js';

const utf8 = new TextEncoder();
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param text lower-case hex, two digits a byte */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export const sha256OfBytes = (bytes: Uint8Array): string => hex(sha256(bytes));
export const sha256Hex = (text: string): string => sha256OfBytes(utf8.encode(text));
/** SHA-256 of the bytes that a hex text stands for. */
export const sha256HexOfHex = (text: string): string => sha256OfBytes(bytesOf(text));
