/** A KDF for tests: one hash instead of 19 MiB of argon2id. Nothing else of the keystore changes. */
import { createHash } from 'node:crypto';
import type { Kdf } from '../../../src/keys/kdf.js';

export const cheapKdf: Kdf = {
  derive: async (passphrase, salt) =>
    new Uint8Array(createHash('sha256').update('cheap ').update(salt).update(passphrase, 'utf8').digest()),
};
