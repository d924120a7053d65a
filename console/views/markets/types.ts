/** Listings of any market. What sellers write is text, whatever it looks like. */
import type { CapabilityListing, InfoListing, MarketFacets, TaskListing } from '../../api/types.ts';

type EachOf<T> = T extends unknown ? keyof T : never;
type MemberOf<T, Name> = T extends { readonly [N in Name & string]?: infer Member } ? Member : never;

/** A listing whose market is not known: members that only some markets have may be absent. */
type AnyOf<T> = { readonly [Name in keyof T]: T[Name] } & {
  readonly [Name in Exclude<EachOf<T>, keyof T>]?: MemberOf<T, Name>;
};

export type Listing = AnyOf<InfoListing | TaskListing | CapabilityListing>;
export type Pricing = Listing['pricing'];

export type FacetName = keyof MarketFacets;

interface ByMarket {
  readonly [market: string]: string;
}

/** Below `/api/v1/markets/`, and in the console’s addresses. */
export const marketPaths: ByMarket = { info: 'info', task: 'tasks', capability: 'capabilities' };

export const marketTitles: ByMarket = { info: 'Information', task: 'Task', capability: 'Capability' };
