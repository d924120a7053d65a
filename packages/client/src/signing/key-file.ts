/** Key files: seeds that are encrypted under a passphrase (docs/reference/identities.md#keystore). */
import { SigningError } from '../errors.js';
import { type Bytes, canonicalText, concatenated, fromHex, type JsonMembers, utf8 } from './bytes.js';

/** What `svc-node key create` and `identity export` write, as JSON. */
export interface KeyFileMembers {
  readonly v: number;
  readonly did: string;
  readonly address: string;
  /** The network that it was made for. */
  readonly network?: string;
  readonly createdAt: number;
  readonly kdf: {
    readonly algorithm: string;
    readonly memoryKiB: number;
    readonly passes: number;
    readonly lanes: number;
    readonly salt: string;
  };
  readonly cipher: string;
  readonly nonce: string;
  readonly ciphertext: string;
  readonly tag: string;
}

/** The 32 bytes of Argon2id, by a library of yours, because the web's own cryptography has none. */
export type Argon2id = (
  passphrase: string,
  how: {
    readonly salt: Uint8Array;
    /** Memory, KiB. */
    readonly memoryKiB: number;
    /** Iterations. */
    readonly passes: number;
    /** Parallelism. */
    readonly lanes: number;
  },
) => Uint8Array | Promise<Uint8Array>;

/** Cost of opening a file, [least, most]. */
const bounds = { memoryKiB: [19_456, 262_144], passes: [2, 10], lanes: [1, 4] } as const;

/** The seed, which the caller erases. @throws SigningError for a wrong passphrase, and for what is no such file */
export async function seedIn(file: KeyFileMembers, passphrase: string, argon2id: Argon2id): Promise<Bytes> {
  const { ciphertext, tag, ...header } = checked(file);
  const { salt, memoryKiB, passes, lanes } = header.kdf;
  const derived = await argon2id(passphrase.normalize('NFKC'), { salt: fromHex(salt), memoryKiB, passes, lanes });
  const key = await crypto.subtle.importKey('raw', derived as Bytes, 'AES-GCM', false, ['decrypt']);
  derived.fill(0);
  const additionalData = utf8(canonicalText(header as unknown as JsonMembers));
  const how = { name: 'AES-GCM', iv: fromHex(header.nonce), additionalData };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(how, key, concatenated(fromHex(ciphertext), fromHex(tag))));
  } catch {
    throw new SigningError(`the passphrase does not open the key file of ${file.did}`); // or the file was changed
  }
}

function checked(file: KeyFileMembers): KeyFileMembers {
  const kdf = file?.kdf;
  const hex = (text: unknown, least: number, most = least) =>
    typeof text === 'string' && /^(?:[0-9a-f]{2})*$/.test(text) && text.length >= 2 * least && text.length <= 2 * most;
  const isOne =
    file?.v === 1 &&
    file.cipher === 'aes-256-gcm' &&
    kdf?.algorithm === 'argon2id' &&
    Object.entries(bounds).every(([name, [least, most]]) => {
      const value = kdf[name as keyof typeof bounds];
      return Number.isInteger(value) && value >= least && value <= most;
    }) &&
    hex(kdf.salt, 16, 64) &&
    hex(file.nonce, 12) &&
    hex(file.ciphertext, 32) &&
    hex(file.tag, 16);
  if (!isOne) throw new SigningError('it is no key file of svc-node, or one of another version');
  return file;
}
