/** What routes read of one home: this node's own journal, or the copy of another's. */
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
  /** Home of the journal; known once anything was written. */
  home(): string;
  /** Undefined for this node's own. */
  readonly foreign?: ForeignHome | undefined;
}

/** Feeds carry no receipts: a resource of another home shows the hash of its event as that of its transaction. */
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
