/**
 * The dependencies of the API's routes.
 */

import type { Command } from '../../actors/command.js';
import type { Committed } from '../../actors/committed.js';
import type { ChainAccess } from '../../chain/follower/chain-follower.js';
import type { Settlement } from '../../chain/settlement/settlement.js';
import type { Log } from '../../core/log.js';
import type { Keystore } from '../../keys/keystore.js';
import type { ForeignCards } from '../../peers/cards/foreign-cards.js';
import type { OwnCheckpoints } from '../../peers/feed/own-checkpoints.js';
import type { ForeignViews } from '../../peers/views/foreign-views.js';
import type { Moderations } from '../../projections/moderations.js';
import type { Store } from '../../store/store.js';
import type { KdfQuota } from '../access/quotas.js';
import { Acts } from './acts.js';
import { CardReader } from './card-reader.js';
import { OnwardPayer, type PayerOptions } from './onward.js';
import type { ReadContext } from './read-context.js';
import { RequestQueues } from './request-queues.js';
import { ViewContext } from './view-context.js';
import { WriteGateway, type WriteGatewayOptions } from './write-gateway.js';

export interface ApiContext extends ReadContext {
  readonly writes: WriteGateway;
  readonly cards: CardReader;
  /** Other homes' views; undefined without peers. */
  readonly elsewhere: ForeignViews | undefined;
  /** Acts at other homes; undefined without peers. */
  readonly acts: Acts | undefined;
  /** Pays onward what this node was sent for that; undefined without peers. */
  readonly onward: OnwardPayer | undefined;
  readonly committed: Committed;
  readonly store: Store;
  readonly nodeDid: string;
  readonly checkpoints: OwnCheckpoints;
  readonly keystore: Keystore;
  readonly kdfQuota: KdfQuota;
  readonly settlement: Settlement;
  /** Undefined if the node settles on no chain. */
  readonly onChain: ChainAccess | undefined;
  /** Creates an id: prefix + ULID. */
  readonly newId: (prefix: string) => string;
  /** DID of the network's arbiter, if there is one: it decides disputes. */
  readonly networkArbiter: string | undefined;
  /** True after the store has failed; the process is about to end. */
  readonly hasFailed: () => boolean;
}

export interface ApiContextOptions extends WriteGatewayOptions {
  readonly settlement: Settlement;
  readonly onChain: ChainAccess | undefined;
  readonly log: Log;
  readonly newId: ApiContext['newId'];
  readonly networkArbiter: string | undefined;
  readonly cards: ForeignCards;
  readonly moderations: Moderations;
  readonly checkpoints: OwnCheckpoints;
  readonly elsewhere: ForeignViews | undefined;
  /** Of a node with peers. */
  readonly payer: Pick<PayerOptions, 'signer' | 'limits'> | undefined;
}

/** The same without other homes: what this node answers them. */
export const ownOnly = (api: ApiContext): ApiContext => ({
  ...api,
  cards: api.cards.ownOnly,
  elsewhere: undefined,
  acts: undefined,
});

export function createApiContext(options: ApiContextOptions): ApiContext {
  const { actors, keystore, settlement, onChain, nodeDid, kdfQuota, log, moderations } = options;
  const { committed } = actors;
  const { catalogue, store, world: environment, network } = actors.options;
  const home = () => actors.journal.known;
  const { networkArbiter, checkpoints, elsewhere: views, payer } = options;
  const acts = views && new Acts({ store, network, nodeDid, networkArbiter, views, log, world: environment });
  const payerOptions = acts && {
    ...{ store, committed, world: environment, log, acts },
    execute: (command: Command) => actors.execute(command),
    isFollowed: (other: string) => views.followed(other) !== undefined,
  };
  return {
    views: new ViewContext(catalogue, committed, settlement, environment, actors.clock, moderations),
    queues: new RequestQueues(store.exclusive),
    ...{ catalogue, committed, store, environment, network, settlement, log, moderations },
    home,
    writes: new WriteGateway(options),
    cards: new CardReader({ ...{ store, home, log }, cards: options.cards, now: () => environment.now() }),
    ...{ nodeDid, checkpoints, keystore, kdfQuota, onChain },
    ...{ newId: options.newId, elsewhere: views, networkArbiter },
    acts,
    onward: payerOptions && payer && new OnwardPayer({ ...payerOptions, ...payer }),
    hasFailed: () => actors.committer.failed,
  };
}
