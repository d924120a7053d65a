/** The options of a node, its handle, and the dependencies that its components are built on. */
import { join } from 'node:path';
import type { SystemWriter } from '../actors/system.js';
import type { WritePath } from '../actors/write-path.js';
import type { ChainAccess } from '../chain/follower/chain-follower.js';
import type { ChainSettlement } from '../chain/settlement/chain-settlement.js';
import type { Settlement } from '../chain/settlement/settlement.js';
import type { Environment } from '../core/environment.js';
import type { Log } from '../core/log.js';
import type { SharedCounters } from '../core/shared-counter.js';
import type { PeerActParts } from '../http/access/peer-acts.js';
import type { Route } from '../http/server/route.js';
import type { Kdf } from '../keys/kdf.js';
import type { Keystore } from '../keys/keystore.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import type { ForeignCards } from '../peers/cards/foreign-cards.js';
import type { Peering } from '../peers/peering/peering.js';
import type { Store } from '../store/store.js';
import type { Config } from './config/config.js';
import type { NodeIdentity } from './identity.js';
import type { WebhookOverrides } from './webhooks.js';

export interface NodeOptions {
  readonly config: Config;
  readonly world: Environment;
  readonly log: Log;
  /** Replacements for tests: other kinds, another store, a cheaper KDF, another chain. */
  readonly catalogue?: Catalogue;
  readonly store?: Store;
  readonly kdf?: Kdf;
  readonly settlement?: Settlement;
  readonly onChain?: ChainAccess;
  readonly webhooks?: WebhookOverrides;
  readonly cards?: ForeignCards;
  readonly peerActs?: PeerActParts['peering'];
  /** Continue under a new DID when the key of the node that wrote the database is lost. */
  readonly newIdentity?: boolean;
  /** Called when the start waits for its database; the URL already answers 503. */
  readonly onWaiting?: (why: string, url: string) => void;
  /** The name of a thread that has stopped answering; undefined while all answer. */
  readonly silent?: () => string | undefined;
  /** Called when durability is in doubt: the process must exit with a code other than 0. */
  readonly onFault: (fault: unknown) => void;
}

export interface RunningNode {
  readonly url: string;
  readonly did: string;
  /** The file that holds the generated passphrase, on devnet. */
  readonly passphraseFile: string | undefined;
  readonly isNew: boolean;
  readonly actors: WritePath;
  /** Writes the node's own entries. */
  readonly system: SystemWriter;
  readonly store: Store;
  /** Undefined when the node settles on no chain. */
  readonly chain: ChainSettlement | undefined;
  /** All routes, in and outside of /api. */
  readonly routes: readonly Route[];
  readonly peering: Peering | undefined;
  /** Stops accepting, finishes requests in flight, flushes and closes, within `bounds.shutdownMs`. */
  close(): Promise<void>;
}

/** The file in which a running node publishes its URL for commands on this machine. */
export const apiFileOf = ({ dataDir }: Config): string => join(dataDir, 'api.json');

/** The content of that file. With TLS it holds the public URL too, because the certificate is issued for that name. */
export const apiFile = ({ tls, publicUrl }: Config, url: string): string =>
  `${JSON.stringify({ url, pid: process.pid, ...(tls && publicUrl !== undefined ? { publicUrl } : {}) })}\n`;

export interface NodePeers {
  readonly peering: Peering;
  /** The clocks of the peers that answered at the start, minus this one, ms. */
  readonly clocks: readonly number[];
  /** From now on no feed is followed while the disk is nearly full. */
  watchDisk(freeBytes: () => number | undefined): void;
  close(): Promise<void>;
}

/** Opened before the components, in this order. */
export interface Dependencies {
  readonly store: Store;
  readonly keystore: Keystore;
  readonly identity: NodeIdentity;
  /** Counters shared with other processes on the same store. */
  readonly sharedCounts: SharedCounters | undefined;
  /** Closes the server that answers 503 on the port while the node starts. */
  readonly releasePort?: (() => Promise<void>) | undefined;
  readonly peers?: NodePeers | undefined;
}
