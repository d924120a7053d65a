/** Key files of nodes in tests, which derive their keys cheaply. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { cheapKdf } from '../../../packages/fake-node/src/cheap-kdf.js';
import { BadKeyFile, openSeed, parseKeyFile } from '../../../src/keys/keyfile.js';

/** The seed in a key file of a node that ran with this KDF. */
export async function seedIn(dataDir: string, address: string, passphrase: string): Promise<Uint8Array> {
  const file = parseKeyFile(JSON.parse(await readFile(join(dataDir, 'keystore', `${address}.json`), 'utf8')));
  if (file instanceof BadKeyFile) expect.fail(file.reason);
  const key = await cheapKdf.derive(passphrase, Buffer.from(file.kdf.salt, 'hex'), file.kdf);
  return openSeed(file, key) ?? expect.fail('the passphrase does not open the key file');
}
