/** Listings of the three markets, as the client knows them (interface, Markets). */
import type { capabilityListing } from '../../machines/listing/capability.js';
import type { infoListing } from '../../machines/listing/info.js';
import type { ListingContext } from '../../machines/listing/machine.js';
import type { taskListing } from '../../machines/listing/task.js';
import type { Kind, TypesOf } from '../kind.js';
import type { Permitted } from '../views.js';

export type ListingStatus = 'active' | 'paused' | 'expired' | 'removed';

type Shared = Omit<ListingContext, 'own' | 'bidding' | 'stock'>;
type Published = 'title' | 'description' | 'category' | 'tags' | 'pricing' | 'stock' | 'visibility' | 'expiresAt';
/** A market's own members: as they were published. */
type Own<D extends { readonly types?: { readonly create: object } }> = Omit<
  NonNullable<D['types']>['create'],
  Published | 'bidding'
>;

interface Listed extends Shared, Permitted {
  readonly listingId: string;
  readonly id: string;
  readonly status: ListingStatus;
  /** Units left; absent: unlimited. */
  readonly stock?: number;
  readonly stats: {
    readonly orders: number;
    readonly completedOrders: number;
    readonly averageRating: number | null;
    readonly ratingCount: number;
  };
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resourcePrev: string;
  readonly txHash: string;
}

export type InfoListing = Listed & Own<typeof infoListing>;
export type CapabilityListing = Listed & Own<typeof capabilityListing>;
export type TaskListing = Listed &
  Own<typeof taskListing> & {
    readonly bidding: {
      /** Null: never. */
      readonly closesAt: number | null;
      readonly maxBids: number;
      readonly bidCount: number;
      readonly open: boolean;
      /** The order that an accepted bid has made. */
      readonly orderId: string | null;
    };
  };

const shared = {
  idField: 'listingId',
  list: 'listings',
  actions: { pause: 'view', resume: 'view', update: 'view', remove: 'view' },
} as const;

const info = { ...shared, kind: 'info-listing', path: '/markets/info' } as const;
const task = { ...shared, kind: 'task-listing', path: '/markets/tasks' } as const;
const capability = { ...shared, kind: 'capability-listing', path: '/markets/capabilities' } as const;

export type InfoListingTypes = TypesOf<typeof infoListing, InfoListing, 'seller'>;
export type TaskListingTypes = TypesOf<typeof taskListing, TaskListing, 'seller'>;
export type CapabilityListingTypes = TypesOf<typeof capabilityListing, CapabilityListing, 'seller'>;

export const infoListingKind: Kind<InfoListingTypes, typeof info> = info;
export const taskListingKind: Kind<TaskListingTypes, typeof task> = task;
export const capabilityListingKind: Kind<CapabilityListingTypes, typeof capability> = capability;
