/** The state of one home that routes read: this node's own journal, or the replica of another home's. */
import { Committed } from '../../actors/in-memory-state.js';
import { noSettlement, type Settlement } from '../../chain/settlement/settlement.js';
import type { Environment } from '../../core/environment.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import type { ForeignHome } from '../../peers/reading/foreign.js';
import type { StoreReader } from '../../store/store.js';
import type { Log } from '../server/log.js';
import type { RequestQueues } from './request-queues.js';
import { ViewContext } from './view-context.js';

export interface ReadContext {
  readonly views: ViewContext;
  readonly queues: RequestQueues;
  readonly catalogue: Catalogue;
  /** Committed state of resources and accounts. */
  readonly committed: Pick<Committed, 'resource' | 'account'>;
  readonly store: StoreReader;
  readonly environment: Environment;
  readonly log: Log;
  readonly network: string;
  readonly settlement: Pick<Settlement, 'receipt' | 'status'>;
  /** Home of the journal; known after the first write. */
  home(): string;
  /** Undefined for this node's own journal. */
  readonly foreign?: ForeignHome | undefined;
}

/**
 * The context of a followed home. Feeds contain no receipts, so a resource of another home shows the hash of its event
 * in place of a transaction's.
 */
export function foreignContext(own: ReadContext, foreign: ForeignHome): ReadContext {
  const { queues, catalogue, environment, log, network } = own;
  const committed = new Committed(foreign.store);
  return {
    ...{ queues, catalogue, environment, log, network, committed, foreign },
    views: new ViewContext(catalogue, committed, noSettlement, environment, foreign),
    store: foreign.store,
    settlement: noSettlement,
    home: () => foreign.home,
  };
}
