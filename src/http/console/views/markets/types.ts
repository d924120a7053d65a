/** Listings and searches, as the API shows them. What sellers write is text, whatever it looks like. */
import type { JsonObject } from '../../api/types.ts';
import type { Pagination } from '../../parts/pager.tsx';

export interface Listing {
  readonly listingId: string;
  readonly marketType: 'info' | 'task' | 'capability';
  readonly seller: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly pricing: Pricing;
  readonly stock?: number;
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  readonly visibility: 'public' | 'private';
  readonly stats: {
    readonly orders: number;
    readonly completedOrders: number;
    readonly averageRating: number | null;
    readonly ratingCount: number;
  };
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
  readonly resourcePrev: string;
  readonly bidding?: {
    readonly closesAt: number | null;
    readonly maxBids: number;
    readonly bidCount: number;
    readonly open: boolean;
    readonly orderId: string | null;
  };
  readonly infoType?: string;
  readonly taskType?: string;
  readonly capabilityType?: string;
  readonly skills?: readonly string[];
  readonly content?: JsonObject;
  readonly accessMethod?: JsonObject;
  readonly license?: JsonObject;
  readonly task?: JsonObject;
  readonly timeline?: JsonObject;
  readonly capability?: JsonObject;
  readonly quota?: JsonObject;
  readonly access?: JsonObject;
}

export interface Pricing {
  readonly type?: string;
  readonly price?: number;
  readonly fixedPrice?: number;
  readonly amount?: number;
  readonly budget?: number;
  readonly priceRange?: { readonly min: number; readonly max: number };
  readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
  readonly subscriptionPrice?: { readonly period: string; readonly price: number };
  readonly negotiable?: boolean;
}

export interface FacetCount {
  readonly key: string;
  readonly count: number;
}

export type FacetName = 'markets' | 'categories' | 'tags' | 'types' | 'price';

export interface SearchPage {
  readonly listings: readonly Listing[];
  readonly total: number;
  readonly pagination: Pagination;
  readonly facets?: { readonly [name in FacetName]: readonly FacetCount[] };
}

/** Below `/api/v1/markets/`, and in the console’s addresses. */
export const marketPaths = { info: 'info', task: 'tasks', capability: 'capabilities' } as const;

export const marketTitles = { info: 'Information', task: 'Task', capability: 'Capability' } as const;
