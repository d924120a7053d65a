import { sha256 } from '@noble/hashes/sha2.js';

const utf8 = new TextEncoder();
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const sha256Hex = (text: string): string => hex(sha256(utf8.encode(text)));
