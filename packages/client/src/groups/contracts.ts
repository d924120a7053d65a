/** The disputes of a contract, which are listed below it. */
import { pathOf, type ReadOptions } from '../http.js';
import { type ResourceClient, resourceClient } from '../kind.js';
import { contractKind } from '../kinds/contract.js';
import { type Paged, paged } from '../pages.js';
import type { Dispute, Queries, Replies } from '../wire.js';
import type { Writes } from '../writes.js';

export type Contracts = ResourceClient<typeof contractKind> & {
  /** Disputes of a contract, newest first. */
  disputes(
    id: string,
    query?: Queries['listContractDisputes'],
    options?: ReadOptions,
  ): Paged<Replies['listContractDisputes'], Dispute>;
};

export const contractsOf = (writes: Writes): Contracts => ({
  ...resourceClient(writes, contractKind),
  disputes: (id, query, options) =>
    paged((asked) => writes.http.get(pathOf`/contracts/${id}/disputes`, asked, options), { ...query }, 'disputes'),
});
