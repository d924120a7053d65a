/**
 * The dependencies of the API's routes.
 */
import type { Actors } from '../../actors/actor.js';
import type { Committed } from '../../actors/in-memory-state.js';
import type { ChainAccess } from '../../chain/follower/chain-follower.js';
import type { Settlement } from '../../chain/settlement/settlement.js';
import type { Keystore } from '../../keys/keystore.js';
import type { ContentFetcher } from '../../peers/contents/content-fetcher.js';
import type { ForeignHomes } from '../../peers/reading/foreign.js';
import type { RemoteTrading } from '../../peers/trade/trade.js';
import type { Store } from '../../store/store.js';
import type { KdfQuota, StoreQuota } from '../access/quotas.js';
import type { Log } from '../server/log.js';
import { HomeReader } from './home-reader.js';
import type { ReadContext } from './read-context.js';
import { RequestQueues } from './request-queues.js';
import { ViewContext } from './view-context.js';
import { type PeerCopies, WriteGateway } from './write-gateway.js';

/** Sends requests to other homes, and waits for their answers (docs/reference/remote-requests.md). */
export interface RemoteTrade
  extends Pick<RemoteTrading, 'sending' | 'moneyFor' | 'closed' | 'refusalOfSigner' | 'movesOf'> {
  /** How long a request waits for its answer, ms. */
  readonly waitMs: number;
}

export type ForeignContents = Pick<ContentFetcher, 'get'>;

/** Reads this node's own journal through its ReadContext members. */
export interface ApiContext extends ReadContext {
  readonly writes: WriteGateway;
  readonly committed: Committed;
  readonly store: Store;
  /** Reads this node's journal and the replicas of followed homes. */
  readonly reading: HomeReader;
  readonly nodeDid: string;
  readonly keystore: Keystore;
  readonly kdfQuota: KdfQuota;
  readonly settlement: Settlement;
  /** Undefined if the node settles on no chain. */
  readonly onChain: ChainAccess | undefined;
  /** Creates an id: prefix + ULID. */
  readonly newId: (prefix: string) => string;
  /** DID of the network's arbiter, if there is one: it decides disputes. */
  readonly networkArbiter: string | undefined;
  /** Undefined if this node has no peers. */
  readonly trade: RemoteTrade | undefined;
  /** Reads contents of other homes' resources; undefined if this process has no peers. */
  readonly contents: ForeignContents | undefined;
  /** True after the store has failed; the process is about to end. */
  readonly hasFailed: () => boolean;
}

export interface ApiContextOptions {
  readonly actors: Actors;
  readonly keystore: Keystore;
  readonly settlement: Settlement;
  readonly onChain: ChainAccess | undefined;
  readonly nodeDid: string;
  /** Secret of the database that keys the fingerprints. */
  readonly fingerprintKey: Uint8Array;
  readonly kdfQuota: KdfQuota;
  readonly storeQuota: StoreQuota;
  readonly log: Log;
  readonly newId: ApiContext['newId'];
  readonly networkArbiter: string | undefined;
  readonly foreignHomes: ForeignHomes;
  readonly trade?: RemoteTrade | undefined;
  readonly contents?: ForeignContents | undefined;
  /** Undefined if a write is answered as soon as it is durable on this node. */
  readonly copies?: PeerCopies | undefined;
}

export function createApiContext(options: ApiContextOptions): ApiContext {
  const { actors, keystore, settlement, onChain, nodeDid, kdfQuota, log } = options;
  const { committed } = actors;
  const { catalogue, store, world: environment, network } = actors.options;
  const own = {
    views: new ViewContext(catalogue, committed, settlement, environment),
    queues: new RequestQueues(store.exclusive),
    ...{ catalogue, committed, store, environment, network, settlement, log },
    home: () => actors.journal.known,
  };
  return {
    ...own,
    writes: new WriteGateway({ ...options, refusalOfSigner: options.trade?.refusalOfSigner }),
    reading: new HomeReader(own, options.foreignHomes),
    ...{ nodeDid, keystore, kdfQuota, onChain },
    newId: options.newId,
    ...{ networkArbiter: options.networkArbiter, trade: options.trade, contents: options.contents },
    hasFailed: () => actors.committer.failed,
  };
}
