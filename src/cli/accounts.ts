/** What the commands share about identities: the keystore of a data directory, and how a DID is spelled. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { parseAccount } from '../keys/address.js';
import type { Did } from '../keys/did.js';
import type { Keystore } from '../keys/keystore.js';
import { realWorld } from '../world.js';
import { CommandFailed, UsageFault } from './failure.js';
import { note } from './output.js';

/** Opens the key folder, which a running node may have open as well. */
export async function openKeystore(config: Config, { make = false } = {}): Promise<Keystore> {
  const dir = join(config.dataDir, 'keystore');
  if (!make && !existsSync(dir)) {
    throw new CommandFailed(`there is no keystore in ${config.dataDir}: is it the right --data?`);
  }
  const { Keystore } = await import('../keys/keystore.js');
  return Keystore.open({
    dir,
    world: realWorld,
    network: config.network,
    unlockSeconds: 0,
    onBadFile: (file, reason) => note(`svc-node: ${file} cannot be used: ${reason}`),
  });
}

export function didOfArgument(text: string): Did {
  const did = parseAccount(text);
  if (did !== undefined) return did;
  throw new UsageFault([`'${text}' is neither a DID (did:svc:z…) nor an account address (svc1…).`]);
}
