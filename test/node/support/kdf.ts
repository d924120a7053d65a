/** A KDF for tests: one hash instead of argon2id with 19 MiB. The rest of the keystore is the real one. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Kdf } from '../../../src/keys/kdf.js';
import { BadKeyFile, openSeed, parseKeyFile } from '../../../src/keys/keyfile.js';

export const cheapKdf: Kdf = {
  derive: async (passphrase, salt) =>
    new Uint8Array(createHash('sha256').update('cheap ').update(salt).update(passphrase, 'utf8').digest()),
};

/** The seed in a key file that was written with this KDF. */
export async function seedIn(dataDir: string, address: string, passphrase: string): Promise<Uint8Array> {
  const file = parseKeyFile(JSON.parse(await readFile(join(dataDir, 'keystore', `${address}.json`), 'utf8')));
  if (file instanceof BadKeyFile) expect.fail(file.reason);
  const key = await cheapKdf.derive(passphrase, Buffer.from(file.kdf.salt, 'hex'), file.kdf);
  return openSeed(file, key) ?? expect.fail('the passphrase does not open the key file');
}
