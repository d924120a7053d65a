/**
 * A node: configuration in, a running node out. What it needs is loaded while it waits: the parts behind the API while the
 * store opens, the API while the node's key is unlocked.
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Config } from './config.js';
import { SharedCounts } from './counts.js';
import { Keystore } from './keys/keystore.js';
import { claimDatabase } from './node-database.js';
import { apiFileOf, type Ground, type NodeOptions, type RunningNode } from './node-ground.js';
import { openIdentity, StartRefused } from './node-identity.js';
import type { Store } from './store/store.js';
import { openStore } from './store-choice.js';

export async function openNode(options: NodeOptions): Promise<RunningNode> {
  const { config, log } = options;
  refuseWhatIsNotThere(config);
  refuseBadCertificate(config);
  const opening = options.store ?? openStore(options);
  const [store, { openWorks }] = await Promise.all([opening, import('./node-works.js')]);
  try {
    return await openOn(options, store, openWorks);
  } catch (error) {
    await store.close();
    log.debug({ error: String(error) }, 'start failed');
    throw error;
  }
}

function refuseWhatIsNotThere(config: Config): void {
  if (config.listen.length > 0 || config.peers.length > 0) {
    throw new StartRefused('SVC_LISTEN, SVC_PEERS: this release speaks to no peers yet; leave them out.');
  }
}

/** Before anything is made: what the two files hold is used only when the node listens. */
function refuseBadCertificate({ tls }: Config): void {
  if (!tls) return;
  try {
    createSecureContext({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) });
  } catch (error) {
    throw new StartRefused(
      `SVC_TLS_CERT and SVC_TLS_KEY must name a certificate and its private key, both PEM: ${(error as Error).message}.`,
    );
  }
}

type OpenWorks = typeof import('./node-works.js').openWorks;

async function openOn(options: NodeOptions, store: Store, openWorks: OpenWorks): Promise<RunningNode> {
  const { config, world, log, newIdentity = false } = options;
  await claimDatabase(store, config.network);
  // What a killed process has left there would send its readers to nobody, or to somebody else.
  await rm(apiFileOf(config), { force: true });
  const counts = store.shared && new SharedCounts(store.shared, world);
  const keystore = await Keystore.open({
    dir: join(config.dataDir, 'keystore'),
    world,
    network: config.network,
    unlockSeconds: config.unlockSeconds,
    ...(options.kdf ? { kdf: options.kdf } : {}),
    onBadFile: (file, reason) => log.warn({ file, reason }, 'a key file cannot be used'),
    elsewhere: counts?.tally('guesses'),
  });
  try {
    const unlocking = openIdentity({ config, store, keystore, world, newIdentity });
    const [identity, { serve }] = await Promise.all([unlocking, import('./node-serving.js')]);
    const ground: Ground = { store, keystore, identity, counts };
    return await serve(options, ground, await openWorks(options, ground));
  } catch (error) {
    keystore.close();
    throw error;
  }
}
