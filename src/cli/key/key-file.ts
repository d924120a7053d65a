/** Key files on this machine, and the keys in them. */
import { type HeldKey, keys } from '../../../packages/client/src/signing/key.js';
import type { KeyFile } from '../../keys/keyfile.js';
import { CommandFailed, UsageFault } from '../failure.js';

/** @param stated the DID whose key it must be, if one is named */
export async function keyFileAt(path: string, stated?: unknown): Promise<KeyFile> {
  const { BadKeyFile, readKeyFile } = await import('../../keys/keyfile.js');
  const file = await readKeyFile(path);
  if (file === undefined) throw new CommandFailed(`${path}: there is no such file`);
  if (file instanceof BadKeyFile)
    throw new CommandFailed(`${path} is no key file (${file.reason}): svc-node key create makes one`);
  if (stated !== undefined && stated !== file.did)
    throw new UsageFault([`${path} is the key of ${file.did}, and ${stated} is to sign.`]);
  return file;
}

export async function openKey(file: KeyFile, passphrase: string): Promise<HeldKey> {
  const { argon2Kdf } = await import('../../keys/kdf.js');
  return keys.fromFile(file, passphrase, (text, { salt, ...cost }) =>
    argon2Kdf.derive(text, salt, { algorithm: 'argon2id', ...cost }),
  );
}
