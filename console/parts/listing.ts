/** Listings of any market. Texts written by sellers are shown as plain text only. */
import type { CapabilityListing, InfoListing, MarketFacets, TaskListing } from '../api/types.ts';

type EachOf<T> = T extends unknown ? keyof T : never;
type MemberOf<T, Name> = T extends { readonly [N in Name & string]?: infer Member } ? Member : never;

/** A listing of an unknown market: members that only some markets have are optional. */
type AnyOf<T> = { readonly [Name in keyof T]: T[Name] } & {
  readonly [Name in Exclude<EachOf<T>, keyof T>]?: MemberOf<T, Name>;
};

export type Listing = AnyOf<InfoListing | TaskListing | CapabilityListing>;
export type Pricing = Listing['pricing'];

export type FacetName = keyof MarketFacets;
