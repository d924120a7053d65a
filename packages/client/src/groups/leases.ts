/** The credentials of a lease, which only its lessor can read. */
import { pathOf, type ReadOptions } from '../http.js';
import { type ResourceClient, resourceClient } from '../kind.js';
import { leaseKind } from '../kinds/lease.js';
import { openedLease } from '../signing/opening.js';
import type { OpenedLease } from '../wire.js';
import type { SignerCredentials, Writes } from '../writes.js';

export type Leases = ResourceClient<typeof leaseKind> & {
  /**
   * Decrypts the lessee's credentials for the lessor, who is the signer unless stated: at the node if it keeps the lessor's key,
   * otherwise here. Writes nothing. An id that names a home which the signer accepts is opened there.
   */
  open(id: string, lessor?: SignerCredentials, options?: ReadOptions): Promise<OpenedLease>;
};

export const leasesOf = (writes: Writes): Leases => ({
  ...resourceClient(writes, leaseKind),
  open: (leaseId, lessor, options) => {
    const path = (id: string) => pathOf`/markets/capabilities/leases/${id}/actions/open`;
    return writes.opened(leaseId, { path, here: openedLease, owner: lessor, options });
  },
});
