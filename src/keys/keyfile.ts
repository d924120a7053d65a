/**
 * Key files: one Ed25519 seed under a passphrase each (docs/reference/identities.md#keystore), in a folder, `<address>.json`,
 * 0600, replaced atomically. Nothing is cached, so that files of other processes are seen at once.
 *
 * AES-256-GCM under the derived key; the header, that is everything but ciphertext and tag, is its associated
 * data in RFC 8785 form, so that no member can be changed without the passphrase.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as s from 'superstruct';
import { canonical } from '../core/canonical.js';
import { addressOf, parseAddress } from '../core/codecs/address.js';
import { type Did, parseDid } from '../core/codecs/did.js';
import { seedBytes } from '../core/codecs/ed25519.js';
import { isMissing, makeFolder, syncFolder, writeFileDurably } from '../core/durable-file.js';
import { type KdfParams, kdfBounds } from './kdf.js';

/** All members of a key file except the encrypted seed. Bytes are lower-case hex. */
export interface KeyFileHeader {
  readonly v: 1;
  readonly did: Did;
  readonly address: string;
  /** The network for which it was created, for information only: a signature's network is that in the event. */
  readonly network?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly kdf: KdfParams & { readonly salt: string };
  readonly cipher: 'aes-256-gcm';
  readonly nonce: string;
}

export interface KeyFile extends KeyFileHeader {
  readonly ciphertext: string;
  readonly tag: string;
}

/** The reason why a file is unusable. It names members, never their values. */
export class BadKeyFile {
  constructor(readonly reason: string) {}
}

export const nonceBytes = 12;
const tagBytes = 16;

const hex = (least: number, most = least) => s.size(s.pattern(s.string(), /^(?:[0-9a-f]{2})*$/), 2 * least, 2 * most);
const within = ([least, most]: readonly [number, number]) => s.max(s.min(s.integer(), least), most);

const keyFileStruct = s.object({
  v: s.literal(1),
  did: s.string(),
  address: s.string(),
  network: s.optional(s.size(s.string(), 1, 64)),
  createdAt: s.min(s.integer(), 0),
  kdf: s.object({
    algorithm: s.literal('argon2id'),
    memoryKiB: within(kdfBounds.memoryKiB),
    passes: within(kdfBounds.passes),
    lanes: within(kdfBounds.lanes),
    salt: hex(...kdfBounds.saltBytes),
  }),
  cipher: s.literal('aes-256-gcm'),
  nonce: hex(nonceBytes),
  ciphertext: hex(seedBytes),
  tag: hex(tagBytes),
});

/** Checks everything that needs no passphrase, before the KDF allocates memory. */
export function parseKeyFile(value: unknown): KeyFile | BadKeyFile {
  const [failure, file] = s.validate(value, keyFileStruct);
  if (failure)
    return new BadKeyFile(failure.path.length === 0 ? 'no key file' : `bad member ${failure.path.join('.')}`);
  if (parseDid(file.did) !== file.did) return new BadKeyFile('bad member did');
  if (addressOf(file.did) !== file.address) return new BadKeyFile('the address is not that of the did');
  const { network, ...rest } = file;
  return { ...rest, kdf: { ...file.kdf }, ...(network === undefined ? {} : { network }) };
}

/** @param seed 32 bytes @param key 32 bytes, derived with the header's salt and parameters */
export function sealSeed(seed: Uint8Array, key: Uint8Array, header: KeyFileHeader): KeyFile {
  const cipher = createCipheriv(header.cipher, key, Buffer.from(header.nonce, 'hex'), { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(canonical(header)));
  const ciphertext = Buffer.concat([cipher.update(seed), cipher.final()]).toString('hex');
  return { ...header, ciphertext, tag: cipher.getAuthTag().toString('hex') };
}

/** The 32-byte seed, which the caller erases; undefined when the key is wrong or the file was modified. */
export function openSeed(file: KeyFile, key: Uint8Array): Uint8Array | undefined {
  const { ciphertext, tag, ...header } = file;
  const cipher = createDecipheriv(file.cipher, key, Buffer.from(file.nonce, 'hex'), { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(canonical(header)));
  cipher.setAuthTag(Buffer.from(tag, 'hex'));
  const seed = cipher.update(Buffer.from(ciphertext, 'hex'));
  try {
    cipher.final();
    return seed;
  } catch {
    // node:crypto reports a wrong tag with this error: the passphrase is wrong.
    seed.fill(0);
    return undefined;
  }
}

/** Called with each unusable file. The reason contains no secret. */
export type OnBadFile = (path: string, reason: string) => void;

/** The longest key file that is read, bytes; a key file has about 600. */
const longestFileBytes = 16 * 1024;
const suffix = '.json';

export class KeyFolder {
  private constructor(
    private readonly dir: string,
    private readonly onBadFile: OnBadFile,
  ) {}

  /** Creates a missing folder with mode 0700; an existing one keeps its mode. */
  static async open(dir: string, onBadFile: OnBadFile): Promise<KeyFolder> {
    const folder = resolve(dir);
    const topmost = makeFolder(folder);
    if (topmost !== undefined) {
      for (let made = folder; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made));
    }
    return new KeyFolder(folder, onBadFile);
  }

  /** The path of a DID's key file, existing or not. */
  pathOf(did: Did): string {
    return join(this.dir, addressOf(did) + suffix);
  }

  async has(did: Did): Promise<boolean> {
    try {
      await access(this.pathOf(did));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** The key file of a DID; undefined when it is missing or, after a report, unusable. */
  async read(did: Did): Promise<KeyFile | undefined> {
    const path = this.pathOf(did);
    const file = await readKeyFile(path);
    if (file === undefined) return undefined;
    if (file instanceof BadKeyFile) return this.report(path, file.reason);
    return file.did === did ? file : this.report(path, 'the file name is not the address');
  }

  report(path: string, reason: string): undefined {
    this.onBadFile(path, reason);
  }

  /** Every readable key file, oldest first. */
  async list(): Promise<KeyFile[]> {
    const files: KeyFile[] = [];
    for (const name of await readdir(this.dir)) {
      if (!name.endsWith(suffix)) continue;
      const did = parseAddress(name.slice(0, -suffix.length));
      const file = did === undefined ? undefined : await this.read(did);
      if (file) files.push(file);
    }
    return files.sort((a, b) => a.createdAt - b.createdAt || (a.did < b.did ? -1 : 1));
  }

  /** Writes or replaces a key file atomically: a crash leaves the old file or the new one. */
  async write(file: KeyFile): Promise<void> {
    await writeFileDurably(this.pathOf(file.did), `${JSON.stringify(file, null, 2)}\n`);
  }
}

/** Undefined if there is none. */
export async function readKeyFile(path: string): Promise<KeyFile | BadKeyFile | undefined> {
  try {
    // Without O_NONBLOCK, opening a FIFO of that name would block one of libuv's threads for ever.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return new BadKeyFile('no regular file');
      if (stat.size > longestFileBytes) return new BadKeyFile('too long');
      return parseKeyFile(JSON.parse(await handle.readFile('utf8')));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    // An unusable file must look like a missing one to callers; only the operator is informed.
    return new BadKeyFile(
      error instanceof SyntaxError ? 'no JSON' : `unreadable (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
