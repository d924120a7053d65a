/** The node's own records in its database: the network that it belongs to, and the secrets that its processes share. */

import type { Environment } from '../core/environment.js';
import type { Store } from '../store/store.js';
import { whyClosed } from '../verify/move/mark.js';
import { StartRefused } from './identity.js';

/** Binds the database to one network for good. @throws StartRefused when it belongs to another, or was moved elsewhere */
export async function claimDatabase(store: Store, network: string): Promise<void> {
  const closed = await whyClosed(store);
  if (closed) throw new StartRefused(closed);
  await store.putLocal('meta', 'network', { network }, 0);
  const claimed = (await store.getLocal('meta', 'network'))?.value.network;
  if (claimed !== network) {
    throw new StartRefused(
      `This database belongs to ${String(claimed)}: start with SVC_NETWORK=${String(claimed)}, or on another data directory (SVC_DATA_DIR).`,
    );
  }
}

/** A secret of the database, generated once and shared by its processes. */
async function secretOf(store: Store, world: Environment, name: string): Promise<Uint8Array> {
  for (;;) {
    const record = await store.getLocal('secrets', name);
    if (record) return Buffer.from(String(record.value.key), 'hex');
    await store.putLocal('secrets', name, { key: Buffer.from(world.random(32)).toString('hex') }, 0);
  }
}

/** The HMAC key of request fingerprints. */
export const fingerprintKey = (store: Store, world: Environment): Promise<Uint8Array> =>
  secretOf(store, world, 'fingerprint');

/** The key that encrypts the secrets of webhooks. */
export const webhookKey = (store: Store, world: Environment): Promise<Uint8Array> => secretOf(store, world, 'webhooks');
