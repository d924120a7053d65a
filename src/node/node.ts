/**
 * Starts a node, in this order: the store, the keystore, the node's identity, the components (components.ts), the HTTP API
 * and the listener (serving.ts). Modules load while the start waits for something else: the components while the store opens,
 * the API while the KDF unlocks the node's key.
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { strangersIn } from '../core/durable-file.js';
import { SharedCounters } from '../core/shared-counter.js';
import { Keystore } from '../keys/keystore.js';
import type { Store } from '../store/store.js';
import type { Config } from './config/config.js';
import { claimStore, refuseHalfRestored } from './database.js';
import { apiFileOf, type NodeOptions, type NodePeers, type RunningNode } from './dependencies.js';
import { type NodeIdentity, openIdentity, StartRefused } from './identity.js';
import { openWhenAvailable } from './outage-policy.js';
import { openStore } from './store-choice.js';

export async function openNode(options: NodeOptions): Promise<RunningNode> {
  const { config } = options;
  refuseReadableByOthers(config);
  refuseBadCertificate(config);
  if (options.store || config.store === 'embedded') return openOnce(options);
  return openWhenAvailable(options, (releasePort) => openOnce(options, releasePort));
}

async function openOnce(options: NodeOptions, releasePort?: () => Promise<void>): Promise<RunningNode> {
  const { log } = options;
  const opening = options.store ?? openStore(options);
  const [store, { openComponents }] = await Promise.all([opening, import('./components.js')]);
  try {
    return await openOnStore(options, store, openComponents, releasePort);
  } catch (error) {
    await store.close();
    log.debug({ error: String(error) }, 'the start failed');
    throw error;
  }
}

function refuseReadableByOthers({ dataDir }: Config): void {
  const problem = strangersIn(dataDir);
  if (problem !== undefined) throw new StartRefused(`SVC_DATA_DIR: ${problem}.`);
}

/** Checked before anything is created, because the files are used only once the node listens. */
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

const hasPeers = ({ listen, peers }: Config): boolean => listen.length > 0 || peers.length > 0;

/** Loads the code of peers only for a node that has some. */
async function openNodePeers(
  options: NodeOptions,
  store: Store,
  identity: NodeIdentity,
): Promise<NodePeers | undefined> {
  if (hasPeers(options.config)) return (await import('./peering.js')).openPeers(options, store, identity);
  await refuseHalfRestored(store);
  return undefined;
}

type OpenComponents = typeof import('./components.js').openComponents;

async function openOnStore(
  options: NodeOptions,
  store: Store,
  openComponents: OpenComponents,
  releasePort?: () => Promise<void>,
): Promise<RunningNode> {
  const { config, world, log, newIdentity = false } = options;
  await claimStore(store, config.network);
  // A killed process leaves its URL there, and another program may have taken the port since.
  await rm(apiFileOf(config), { force: true });
  const sharedCounts = store.shared && new SharedCounters(store.shared, world);
  const keystore = await Keystore.open({
    dir: join(config.dataDir, 'keystore'),
    world,
    network: config.network,
    unlockSeconds: config.unlockSeconds,
    ...(options.kdf ? { kdf: options.kdf } : {}),
    onBadFile: (file, reason) => log.warn({ file, reason }, 'a key file cannot be used'),
    elsewhere: sharedCounts?.tally('guesses'),
  });
  try {
    const unlocking = openIdentity({ config, store, keystore, world, newIdentity });
    const [identity, { serve }] = await Promise.all([unlocking, import('./serving.js')]);
    const peers = await openNodePeers(options, store, identity);
    try {
      const dependencies = { store, keystore, identity, sharedCounts, releasePort, peers };
      return await serve(options, dependencies, await openComponents(options, dependencies));
    } catch (error) {
      await peers?.close();
      throw error;
    }
  } catch (error) {
    keystore.close();
    throw error;
  }
}
