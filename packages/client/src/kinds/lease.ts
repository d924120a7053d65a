/** The client's description of leases. */
import type { Kind, TypesOf } from '../kind.js';
import type { Lease } from '../wire.js';

type DerivedLeaseTypes = TypesOf<'Lease', Lease, 'listLeases'>;

export interface LeaseTypes extends DerivedLeaseTypes {
  readonly create: DerivedLeaseTypes['create'] & {
    /** Id of the listing. */
    readonly listingId: string;
  };
}

const shape = {
  kind: 'lease',
  path: '/markets/capabilities/leases',
  createPath: '/markets/capabilities/:listingId/leases',
  idField: 'leaseId',
  list: 'leases',
  actions: { invoke: null, pause: null, resume: null, terminate: null },
} as const;

export const leaseKind: Kind<LeaseTypes, typeof shape> = shape;
