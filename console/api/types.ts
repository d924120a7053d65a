/** What the console reads: the API's types, which `npm run generate` writes from its OpenAPI document. */
import type { Entry, MachineChart, MachineLayout, Replies } from '../../packages/client/src/wire.ts';

export type {
  ActivityPoint,
  AuditRun,
  Balance,
  CapabilityListing,
  Checkpoint,
  Entry,
  Event,
  FacetCount,
  Identity,
  InfoListing,
  MachineChart,
  MachineLayout,
  MachineState,
  MachineStep,
  MachineSummary,
  MarketFacets,
  MarketSearchResult,
  NodeStatus,
  Pagination,
  Peer,
  PeerEvidence,
  Receipt,
  Replies,
  Reputation,
  Supply,
  TaskBid,
  TaskListing,
  Transaction,
} from '../../packages/client/src/wire.ts';

export type JsonObject = { readonly [name: string]: unknown };

/** `available/<did>`, `reserved/<did>`, `escrowed/<did>`, `supply`, `fees`, and the change; those of an entry sum to 0. */
export type Posting = Entry['postings'][number];
/** A resource's new version in an entry. */
export type Version = Entry['versions'][number];

export type ChartState = MachineChart['states'][number];
export type ChartTransition = MachineChart['transitions'][number];
export type ChartNode = MachineLayout['nodes'][number];
export type ChartEdge = MachineLayout['edges'][number];
export type ChartLabel = ChartEdge['labels'][number];
export type Point = ChartEdge['points'][number];

export type MachineHistory = Replies['getMachineHistory'];
export type PermittedActions = Replies['getPermittedActions'];
/** What is known of an action for one role. */
export type Verdict = PermittedActions['actions'][number]['roles'][number];
