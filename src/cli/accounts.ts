/** Opens the keystore of a data directory, and parses DIDs in arguments. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseAccount } from '../core/codecs/address.js';
import type { Did } from '../core/codecs/did.js';
import { realEnvironment } from '../core/environment.js';
import type { Keystore } from '../keys/keystore.js';
import type { Config } from '../node/config/config.js';
import { CommandFailed, UsageFault } from './failure.js';
import { note } from './output.js';

/** Opens the key folder; a running node may have it open at the same time. */
export async function openKeystore(config: Config, { make = false } = {}): Promise<Keystore> {
  const dir = join(config.dataDir, 'keystore');
  if (!make && !existsSync(dir)) {
    throw new CommandFailed(`there is no keystore in ${config.dataDir}: is it the right --data?`);
  }
  const { Keystore } = await import('../keys/keystore.js');
  return Keystore.open({
    dir,
    world: realEnvironment,
    network: config.network,
    unlockSeconds: 0,
    onBadFile: (file, reason) => note(`svc-node: ${file} cannot be used: ${reason}`),
  });
}

export function parseDidArgument(text: string): Did {
  const did = parseAccount(text);
  if (did !== undefined) return did;
  throw new UsageFault([`'${text}' is neither a DID (did:svc:z…) nor an account address (svc1…).`]);
}
