/** What reading routes need. */
import type { Committed } from '../../actors/committed.js';
import type { Settlement } from '../../chain/settlement/settlement.js';
import type { Environment } from '../../core/environment.js';
import type { Log } from '../../core/log.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import type { Moderations } from '../../projections/moderations.js';
import type { StoreReader } from '../../store/store.js';
import type { RequestQueues } from './request-queues.js';
import type { ViewContext } from './view-context.js';

export interface ReadContext {
  readonly views: ViewContext;
  readonly queues: RequestQueues;
  readonly catalogue: Catalogue;
  readonly committed: Pick<Committed, 'resource' | 'account'>;
  readonly store: StoreReader;
  readonly moderations: Moderations;
  readonly environment: Environment;
  readonly log: Log;
  readonly network: string;
  readonly settlement: Pick<Settlement, 'receipt' | 'status'>;
  /** Home of the journal; known after the first write. */
  home(): string;
}
