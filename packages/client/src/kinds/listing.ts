/** The client's description of the listings of the three markets. */
import type { Kind, TypesOf } from '../kind.js';
import type { CapabilityListing, InfoListing, TaskListing } from '../wire.js';

const shared = {
  idField: 'listingId',
  list: 'listings',
  actions: { pause: null, resume: null, update: null, remove: null },
} as const;

const info = { ...shared, kind: 'info-listing', path: '/markets/info' } as const;
const task = { ...shared, kind: 'task-listing', path: '/markets/tasks' } as const;
const capability = { ...shared, kind: 'capability-listing', path: '/markets/capabilities' } as const;

export interface InfoListingTypes extends TypesOf<'InfoListing', InfoListing, 'listInfoListings'> {}
export interface TaskListingTypes extends TypesOf<'TaskListing', TaskListing, 'listTaskListings'> {}
export interface CapabilityListingTypes
  extends TypesOf<'CapabilityListing', CapabilityListing, 'listCapabilityListings'> {}

export const infoListingKind: Kind<InfoListingTypes, typeof info> = info;
export const taskListingKind: Kind<TaskListingTypes, typeof task> = task;
export const capabilityListingKind: Kind<CapabilityListingTypes, typeof capability> = capability;
