import type { Resource } from '../machines/kernel/resource.js';

/** A resource as the store keeps it. */
export type Snapshot = Resource;
