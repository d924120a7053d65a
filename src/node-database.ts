/**
 * What a node asks of its database before anything else, and keeps in it.
 */
import { whyClosed } from './actors/move/mark.js';
import { StartRefused } from './node-identity.js';
import type { Store } from './store/store.js';
import type { World } from './world.js';

/** A database serves one network for its life, also one that came out of a backup. */
export async function claimDatabase(store: Store, network: string): Promise<void> {
  const closed = await whyClosed(store);
  if (closed) throw new StartRefused(closed);
  await store.putLocal('meta', 'network', { network }, 0);
  const claimed = (await store.getLocal('meta', 'network'))?.value.network;
  if (claimed !== network) {
    throw new StartRefused(
      `This database belongs to ${String(claimed)}: start with SVC_NETWORK=${String(claimed)}, or on another data directory.`,
    );
  }
}

/** Secrets of the database: made once, shared by its processes. */
async function secretOf(store: Store, world: World, name: string): Promise<Uint8Array> {
  for (;;) {
    const record = await store.getLocal('secrets', name);
    if (record) return Buffer.from(String(record.value.key), 'hex');
    await store.putLocal('secrets', name, { key: Buffer.from(world.random(32)).toString('hex') }, 0);
  }
}

/** Under which bodies are fingerprinted. */
export const fingerprintKey = (store: Store, world: World): Promise<Uint8Array> =>
  secretOf(store, world, 'fingerprint');

/** Under which the secrets of webhooks are sealed. */
export const webhookKey = (store: Store, world: World): Promise<Uint8Array> => secretOf(store, world, 'webhooks');
