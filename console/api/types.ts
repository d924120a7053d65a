/** The API's types under the names that the console uses. `npm run generate` writes `wire.ts` from the OpenAPI document. */
import type {
  CapabilityListing,
  Contract,
  Dispute,
  Entry,
  Escrow,
  InfoListing,
  InfoOrder,
  Lease,
  MachineChart,
  MachineLayout,
  Replies,
  TaskBid,
  TaskListing,
  TaskOrder,
} from '../../packages/client/src/wire.ts';

export type {
  ActivityPoint,
  AuditRun,
  Balance,
  CapabilityListing,
  Checkpoint,
  Entry,
  Event,
  FacetCount,
  HomeWallet,
  Identity,
  InfoListing,
  Leaf,
  Lease,
  MachineChart,
  MachineLayout,
  MachineState,
  MachineStep,
  MachineSummary,
  MarketFacets,
  MarketSearchResult,
  Milestone,
  NodeStatus,
  Pagination,
  Peer,
  PeerEvidence,
  Receipt,
  Replies,
  Reputation,
  Statistics,
  Supply,
  TaskBid,
  TaskListing,
  Transaction,
} from '../../packages/client/src/wire.ts';

export type JsonObject = { readonly [name: string]: unknown };

type KindView =
  | CapabilityListing
  | Contract
  | Dispute
  | Escrow
  | InfoListing
  | InfoOrder
  | Lease
  | TaskBid
  | TaskListing
  | TaskOrder;
type NamesOf<V> = V extends unknown ? keyof V : never;
/** The view of a resource of any kind: only members that some kind has. */
export type AnyView = { readonly [Name in NamesOf<KindView>]?: unknown };

/**
 * An account (`available/<did>`, `reserved/<did>`, `escrowed/<did>`, `supply`, `fees`) and its change. The postings of an entry
 * sum to 0.
 */
export type Posting = Entry['postings'][number];
/** A new version of a resource, as an entry records it. */
export type Version = Entry['versions'][number];

export type ChartState = MachineChart['states'][number];
export type ChartTransition = MachineChart['transitions'][number];
export type ChartNode = MachineLayout['nodes'][number];
export type ChartEdge = MachineLayout['edges'][number];
export type ChartLabel = ChartEdge['labels'][number];
export type Point = ChartEdge['points'][number];

/** `home`: DID of the other home whose word it is. */
export type MachineHistory = Replies['getMachineHistory'] & { readonly home?: string };
export type PermittedActions = Replies['getPermittedActions'];
/** Whether one role may take an action now, and why not. */
export type Verdict = PermittedActions['actions'][number]['roles'][number];
