/** Encodings and hashes of signed texts, with WebCrypto alone, so that they work in browsers as well. */
import { SigningError } from '../errors.js';

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };
export type JsonMembers = { readonly [name: string]: JsonValue | undefined };
export type Bytes = Uint8Array<ArrayBuffer>;

export const utf8 = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text));

export const hexText = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export const fromHex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (two) => Number.parseInt(two, 16));

export const base64Of = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

export const toBase64Url = (bytes: Uint8Array): string =>
  base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

export const fromBase64 = (text: string): Bytes =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

export const concatenated = (...parts: readonly Uint8Array[]): Bytes => {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

export const hashHex = async (message: string | Bytes): Promise<string> =>
  hexText(await sha256(typeof message === 'string' ? utf8(message) : message));

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function base58Of(bytes: Uint8Array): string {
  let number = 0n;
  for (const byte of bytes) number = number * 256n + BigInt(byte);
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

export function fromBase58(text: string): Bytes {
  let number = 0n;
  for (const char of text) number = number * 58n + BigInt(alphabet.indexOf(char));
  const hex = number.toString(16);
  const zeros = /^1*/.exec(text)![0].length;
  return concatenated(
    new Uint8Array(zeros),
    number === 0n ? new Uint8Array(0) : fromHex(hex.padStart(hex.length + (hex.length % 2), '0')),
  );
}

/** What a signature of an event covers. @param text its RFC 8785 form @param hash SHA-256 of that, hex */
export const eventMessageOf = (text: string, hash: string): Bytes =>
  utf8(`svc:event:v3:${utf8(text).length > longestText ? hash : text}`);

/** A longer text is signed by its hash, because key services sign short messages only. */
const longestText = 1_024;

const loneSurrogate = /\p{Surrogate}/u;

/** The RFC 8785 form: sorted names, no spaces, numbers as ECMAScript writes them. @throws SigningError if there is none */
export function canonicalText(value: JsonValue | undefined): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new SigningError('JSON has no such number');
    return JSON.stringify(value);
  }
  if (typeof value === 'string') {
    if (loneSurrogate.test(value)) throw new SigningError('a text with half a character has no canonical form');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((each: JsonValue) => canonicalText(each)).join(',')}]`;
  if (typeof value !== 'object') throw new SigningError(`JSON has no ${typeof value}`);
  const members = Object.entries(value as JsonMembers).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${canonicalText(name)}:${canonicalText(member)}`).join(',')}}`;
}
