import type { JsonObject } from '../core/canonical.js';

/** A resource after its newest version. */
export interface Snapshot {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  /** The machine's state value; `current` for kinds without a machine (reducers). */
  readonly state: string;
  /** Plain JSON. */
  readonly context: JsonObject;
  /** Hash of the resource's last event: what callers send as `resourcePrev`. */
  readonly lastHash: string;
  /** Version of the definition that wrote it. */
  readonly machine: string;
  /** Entry times of the first and the newest version, epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
}
