/** Leases of capabilities, as the client knows them (interface, Markets: capabilities and leases). */
import type { LastCall, LeaseContext } from '../../machines/lease/machine.js';
import type { lease } from '../../machines/lease/resource.js';
import type { PlanType } from '../../machines/lease/terms.js';
import type { Kind, TypesOf } from '../kind.js';
import type { Permitted } from '../views.js';

export type LeaseStatus = 'active' | 'paused' | 'exhausted' | 'expired' | 'terminated';

type Same =
  | 'listingId'
  | 'lessee'
  | 'lessor'
  | 'escrowId'
  | 'price'
  | 'unit'
  | 'meteredBy'
  | 'amount'
  | 'startedAt'
  | 'endsAt';

export interface Lease extends Pick<LeaseContext, Same>, Permitted {
  readonly leaseId: string;
  readonly id: string;
  readonly status: LeaseStatus;
  readonly plan: {
    readonly type: PlanType;
    /** By use: Tokens that calls may charge in all. */
    readonly budget: number | null;
    /** By time: how many were paid for. */
    readonly periods: number | null;
    readonly maxUnitsPerCall: number;
  };
  readonly quota: readonly {
    readonly maxCalls: number | null;
    readonly maxUnits: number | null;
    /** Null: over the whole lease. */
    readonly periodMs: number | null;
    readonly usedCalls: number;
    readonly usedUnits: number;
  }[];
  /** Tokens that the lessor has earned by now. */
  readonly accrued: number;
  readonly remaining: number;
  /** How its Tokens were shared when it ended. */
  readonly paid: number;
  readonly refunded: number;
  readonly usage: {
    readonly calls: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly units: number;
    readonly last: LastCall | null;
  };
  readonly stats: {
    readonly calls: number;
    /** 0..1; null before the first call. */
    readonly successRate: number | null;
    readonly p50LatencyMs: number | null;
    readonly p95LatencyMs: number | null;
    readonly cost: number;
  };
  readonly endedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resourcePrev: string;
  readonly txHash: string;
}

type Derived = TypesOf<typeof lease, Lease, 'lessee' | 'lessor'>;

/** The offer is the listing's and the escrow's id the node's: no caller states them. */
export interface LeaseTypes extends Derived {
  readonly create: Omit<Derived['create'], 'offer' | 'escrowId'>;
}

const shape = {
  kind: 'lease',
  path: '/markets/capabilities/leases',
  createPath: '/markets/capabilities/:listingId/leases',
  idField: 'leaseId',
  list: 'leases',
  actions: { invoke: 'view', pause: 'view', resume: 'view', terminate: 'view' },
} as const;

export const leaseKind: Kind<LeaseTypes, typeof shape> = shape;
