/** The node's own records in its database: the network that it belongs to, and the secrets that its processes share. */

import type { Environment } from '../core/environment.js';
import type { JournalHead, Store } from '../store/store.js';
import { restoreMarkOf, whyClosed } from '../verify/move/mark.js';
import { StartRefused } from './identity.js';

/** Binds the database to one network for good. @throws StartRefused when it belongs to another, or was moved elsewhere */
export async function claimStore(store: Store, network: string): Promise<void> {
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

/** Why a node may not write behind the entries that a restore has taken so far. */
export const halfRestored = ({ seq }: JournalHead): string =>
  `a restore of this journal from its mirrors up to entry ${seq} has not ended`;

/** For a node without peers. Rejects with StartRefused. */
export async function refuseHalfRestored(store: Store): Promise<void> {
  const begun = await restoreMarkOf(store);
  if (begun) throw new StartRefused(`The node does not start: ${halfRestored(begun)}. Set SVC_LISTEN and SVC_PEERS.`);
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
