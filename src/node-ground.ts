/**
 * What a node is made of, and what it stands on before anything of it works.
 */
import { join } from 'node:path';
import type { Actors } from './actors/actor.js';
import type { Settlement } from './chain/chain.js';
import type { OnChain } from './chain/on-chain.js';
import type { ChainSettlement } from './chain/settlement/chain-settlement.js';
import type { Config } from './config.js';
import type { SharedCounts } from './counts.js';
import type { Log } from './http/log.js';
import type { Route } from './http/route.js';
import type { Kdf } from './keys/kdf.js';
import type { Keystore } from './keys/keystore.js';
import type { Catalogue } from './machines/kernel/step.js';
import type { NodeIdentity } from './node-identity.js';
import type { WebhookOverrides } from './node-webhooks.js';
import type { Store } from './store/store.js';
import type { World } from './world.js';

export interface NodeOptions {
  readonly config: Config;
  readonly world: World;
  readonly log: Log;
  /** For tests: other kinds, another store, a cheaper KDF, another chain. */
  readonly catalogue?: Catalogue;
  readonly store?: Store;
  readonly kdf?: Kdf;
  readonly settlement?: Settlement;
  readonly onChain?: OnChain;
  readonly webhooks?: WebhookOverrides;
  /** Go on as another node where the database was written by one whose key is lost. */
  readonly newIdentity?: boolean;
  /** Durability is in doubt: the process must end, non-zero. */
  readonly onFault: (fault: unknown) => void;
}

export interface RunningNode {
  readonly url: string;
  readonly did: string;
  /** Where a passphrase was generated into, on the first start of a devnet node. */
  readonly passphraseFile: string | undefined;
  readonly isNew: boolean;
  readonly actors: Actors;
  readonly store: Store;
  /** Where it settles; undefined without a chain. */
  readonly chain: ChainSettlement | undefined;
  /** All that it serves, in and outside of /api. */
  readonly routes: readonly Route[];
  /** Stops accepting, finishes what is in flight, flushes, closes: within the bound of config.ts. */
  close(): Promise<void>;
}

/** Where this directory's node says how it is reached. */
export const apiFileOf = ({ dataDir }: Config): string => join(dataDir, 'api.json');

/** What stands there. A certificate is for the public name, so commands ask under that one where there is TLS. */
export const apiFile = ({ tls, publicUrl }: Config, url: string): string =>
  `${JSON.stringify({ url, pid: process.pid, ...(tls && publicUrl !== undefined ? { publicUrl } : {}) })}\n`;

/** What a node stands on. */
export interface Ground {
  readonly store: Store;
  readonly keystore: Keystore;
  readonly identity: NodeIdentity;
  /** What other processes on the store count as well. */
  readonly counts: SharedCounts | undefined;
}
