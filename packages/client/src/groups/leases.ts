/** The credentials of a lease, which only its lessor can read. */
import { pathOf, type ReadOptions } from '../http.js';
import { type ResourceClient, resourceClient } from '../kind.js';
import { leaseKind } from '../kinds/lease.js';
import type { OpenedLease } from '../wire.js';
import type { Writes } from '../writes.js';

export type Leases = ResourceClient<typeof leaseKind> & {
  /** Decrypts the lessee's credentials, for a lessor whose key is in the node's keystore. Writes nothing. */
  open(
    id: string,
    lessor: {
      /** The DID that offers the capability. */
      readonly did: string;
      /** Unlocks the DID's key in the node's keystore. */
      readonly passphrase: string;
    },
    options?: ReadOptions,
  ): Promise<OpenedLease>;
};

export const leasesOf = (writes: Writes): Leases => ({
  ...resourceClient(writes, leaseKind),
  open: (id, lessor, options) =>
    writes.plain(pathOf`/markets/capabilities/leases/${id}/actions/open`, lessor, {
      ...options,
      idempotencyKey: false,
    }),
});
