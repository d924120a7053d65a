/**
 * The node's own key, created on the first start and unlocked on every start
 * (docs/reference/configuration.md#the-nodes-own-key). `<data>/node.json` contains its DID.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, writeFileDurably } from '../core/durable-file.js';
import type { Environment } from '../core/environment.js';
import { isRefusal } from '../core/refusal.js';
import type { Keystore } from '../keys/keystore.js';
import type { Signer } from '../keys/signing.js';
import type { Store } from '../store/store.js';
import type { Config } from './config/config.js';

/** The node cannot start; the message tells the operator why, and what to do. */
export class StartRefused extends Error {
  override name = 'StartRefused';
}

export interface NodeIdentity {
  readonly signer: Signer;
  /** Whether this start created the key. */
  readonly isNew: boolean;
  /** The file that holds the generated passphrase, on devnet. */
  readonly passphraseFile: string | undefined;
}

const nameFile = (config: Config): string => join(config.dataDir, 'node.json');
const generatedFile = (config: Config): string => join(config.dataDir, 'passphrase');

/** The content of node.json; undefined before the first start. */
function storedIdentity(config: Config): { readonly did: string; readonly network: string } | undefined {
  try {
    return JSON.parse(readFileSync(nameFile(config), 'utf8'));
  } catch {
    return undefined; // no first start yet
  }
}

/** DID of the node that owns the data directory; undefined before its first start. */
export const readNodeDid = (config: Config): string | undefined => storedIdentity(config)?.did;

export interface IdentityOptions {
  readonly config: Config;
  readonly store: Store;
  readonly keystore: Keystore;
  readonly world: Environment;
  /** Continue under a new DID when the keys of all earlier ones are lost. */
  readonly newIdentity: boolean;
}

/** Creates or unlocks the key. Rejects with StartRefused without a passphrase or key, with a wrong one, or on another network. */
export async function openIdentity(options: IdentityOptions): Promise<NodeIdentity> {
  const { config, keystore, world } = options;
  const network = storedIdentity(config)?.network ?? config.network;
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
    if (isRefusal(made))
      throw new StartRefused(
        `The node's key could not be made with the passphrase of SVC_PASSPHRASE or SVC_PASSPHRASE_FILE: ${made.detail}.`,
      );
    did = made.did;
  }
  if (did !== readNodeDid(config)) {
    await writeFileDurably(nameFile(config), `${JSON.stringify({ did, network: config.network })}\n`);
  }
  if (!(await keystore.isUsable(did))) {
    throw new StartRefused(
      `The node's own key ${did} is missing in ${join(config.dataDir, 'keystore')}, or its file there cannot be used: put that back from a copy, or set SVC_DATA_DIR to where it is.`,
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
 * The DID of this node; undefined when it needs a new one. A database that was restored without its keys is refused
 * unless `newIdentity` is set, because the key of the home of its resources would be lost.
 */
async function ownDid({ config, store, keystore, newIdentity }: IdentityOptions): Promise<string | undefined> {
  const named = readNodeDid(config);
  if (!store.exclusive && named === undefined && existsSync(nameFile(config))) {
    // The journal of an exclusive database names its node; on a shared one the node would start as another.
    throw new StartRefused(
      `${nameFile(config)} (SVC_DATA_DIR) names this node's DID, and it cannot be read or is damaged: repair it or restore it from a copy. If you remove it, the next start creates another node.`,
    );
  }
  // On an exclusive database the journal names its nodes; many nodes may write a shared one.
  if (!store.exclusive || (named !== undefined && (await store.load('node', named)))) return named;
  const writers = (await store.find({ kind: 'node', page: { limit: 100, offset: 0 } })).items.map(({ id }) => id);
  for (const did of writers) if (await keystore.has(did)) return did;
  if (newIdentity || writers.length === 0) return named;
  throw new StartRefused(
    `The database in ${config.dataDir} (SVC_DATA_DIR) was written by node ${writers[0]}, whose key is not in ${join(config.dataDir, 'keystore')}: put the keystore and node.json of that node there, or continue as another node with start --new-identity.`,
  );
}

async function passphraseOf(
  config: Config,
  world: Environment,
  isNew: boolean,
): Promise<[passphrase: string, generatedInto: string | undefined]> {
  if (config.passphrase !== undefined) return [config.passphrase, undefined];
  const file = generatedFile(config);
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error)) return undefined;
    throw new StartRefused(
      `The passphrase of the node's key cannot be read from ${file} (${error.code}): make it readable, or set SVC_PASSPHRASE_FILE.`,
    );
  });
  if (found !== undefined) return [found.trim(), file];
  if (config.network !== 'devnet' || !isNew) {
    throw new StartRefused(
      `The node's key needs a passphrase${config.network === 'devnet' ? '' : ` on ${config.network}`}: set SVC_PASSPHRASE, or SVC_PASSPHRASE_FILE to a file whose first line is the passphrase.`,
    );
  }
  const passphrase = Buffer.from(world.random(24)).toString('base64url');
  await writeFileDurably(file, `${passphrase}\n`);
  return [passphrase, file];
}
