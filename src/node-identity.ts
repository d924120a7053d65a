/**
 * The node's own key: made on first start, unlocked on every start (issue of its passphrase: decisions.md,
 * Configuration). Which key it is stands in `<data>/node.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.js';
import { writeFileDurably } from './durable-file.js';
import type { Keystore } from './keys/keystore.js';
import type { Signer } from './keys/signing.js';
import { isRefusal } from './machines/kernel/refusal.js';
import type { Store } from './store/store.js';
import type { World } from './world.js';

/** The node cannot start; the message tells a person why and what to do. */
export class StartRefused extends Error {
  override name = 'StartRefused';
}

export interface NodeIdentity {
  readonly signer: Signer;
  /** Made by this start. */
  readonly isNew: boolean;
  /** Where a passphrase was generated into, on devnet. */
  readonly passphraseFile: string | undefined;
}

const nameFile = (config: Config): string => join(config.dataDir, 'node.json');
const generatedFile = (config: Config): string => join(config.dataDir, 'passphrase');

/** Whose data directory this is; undefined before its first start. */
function nameOf(config: Config): { readonly did: string; readonly network: string } | undefined {
  try {
    return JSON.parse(readFileSync(nameFile(config), 'utf8'));
  } catch {
    return undefined; // no first start yet
  }
}

/** DID of the node whose data directory this is; undefined before its first start. */
export const nodeDidOf = (config: Config): string | undefined => nameOf(config)?.did;

export interface IdentityOptions {
  readonly config: Config;
  readonly store: Store;
  readonly keystore: Keystore;
  readonly world: World;
  /** Go on under a new DID where the keys of all of them are lost. */
  readonly newIdentity: boolean;
}

/** @throws StartRefused without a passphrase or key, with the wrong one, or in a directory of another network */
export async function openIdentity(options: IdentityOptions): Promise<NodeIdentity> {
  const { config, keystore, world } = options;
  const network = nameOf(config)?.network ?? config.network;
  if (network !== config.network) {
    throw new StartRefused(
      `${config.dataDir} belongs to ${network}, and nothing of it may resolve on ${config.network}: give each network a data directory of its own (SVC_DATA_DIR).`,
    );
  }
  let did = await ownDid(options);
  const isNew = did === undefined;
  const [passphrase, passphraseFile] = await passphraseOf(config, world, isNew);
  if (did === undefined) {
    const made = await keystore.create(passphrase);
    if (isRefusal(made)) throw new StartRefused(`The node's key could not be made: ${made.detail}.`);
    did = made.did;
  }
  if (did !== nodeDidOf(config)) {
    await writeFileDurably(nameFile(config), `${JSON.stringify({ did, network: config.network })}\n`);
  }
  if (!(await keystore.isUsable(did))) {
    throw new StartRefused(
      `The node's own key ${did} is missing in ${join(config.dataDir, 'keystore')}, or its file there cannot be used: put that back from a copy.`,
    );
  }
  const refusal = await keystore.hold(did, passphrase, 'node');
  const signer = keystore.held(did);
  if (refusal || !signer) {
    throw new StartRefused(
      `The passphrase does not unlock the node's key ${did} in ${config.dataDir}: set SVC_PASSPHRASE or SVC_PASSPHRASE_FILE to the one it was made with.`,
    );
  }
  return { signer, isNew, passphraseFile };
}

/**
 * Who this node is; undefined where it has to become somebody. A database that came out of a backup, and the keys that
 * did not come with it, must not make another node of it unasked: what it is the home of would have no key any more.
 */
async function ownDid({ config, store, keystore, newIdentity }: IdentityOptions): Promise<string | undefined> {
  const named = nodeDidOf(config);
  if (!store.exclusive && named === undefined && existsSync(nameFile(config))) {
    // On a database of its own the journal tells who it is; on a shared one it would become somebody else.
    throw new StartRefused(
      `${nameFile(config)} says which node this is, and cannot be read or is damaged: mend it or put it back from a copy; remove it, and the next start makes another node.`,
    );
  }
  // Each node appoints a system key in the journal; many nodes may write a shared database.
  if (!store.exclusive || (named !== undefined && (await store.load('node', named)))) return named;
  const writers = (await store.find({ kind: 'node', page: { limit: 100, offset: 0 } })).items.map(({ id }) => id);
  for (const did of writers) if (await keystore.has(did)) return did;
  if (newIdentity || writers.length === 0) return named;
  throw new StartRefused(
    `The database in ${config.dataDir} was written by node ${writers[0]}, whose key is not in ${join(config.dataDir, 'keystore')}: put the keystore and node.json of that node there, or go on as another node with start --new-identity.`,
  );
}

async function passphraseOf(
  config: Config,
  world: World,
  isNew: boolean,
): Promise<[passphrase: string, generatedInto: string | undefined]> {
  if (config.passphrase !== undefined) return [config.passphrase, undefined];
  const file = generatedFile(config);
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartRefused(`The passphrase of the node's key cannot be read from ${file} (${error.code}).`);
  });
  if (found !== undefined) return [found.trim(), file];
  if (config.network !== 'devnet' || !isNew) {
    throw new StartRefused(
      `The node's key needs a passphrase${config.network === 'devnet' ? '' : ` on ${config.network}`}: set SVC_PASSPHRASE, or SVC_PASSPHRASE_FILE to a file whose first line is it.`,
    );
  }
  const passphrase = Buffer.from(world.random(24)).toString('base64url');
  await writeFileDurably(file, `${passphrase}\n`);
  return [passphrase, file];
}
