/** `svc-node/client`: everything that a program needs to talk to a node. */
export { Client, type ClientOptions } from './client.js';
export type { Environment } from './environment.js';
export { ApiError, type ErrorCode, type ProblemBody, UnreachableError } from './errors.js';
export type { Admin, AdminLogPage, ApiKeys, Held, NewApiKey } from './groups/admin.js';
export type { EventFilter, EventPage, Events } from './groups/events.js';
export type { Faucet } from './groups/faucet.js';
export type { Identities, IdentityUpdate, OwnKey } from './groups/identities.js';
export type { Information } from './groups/information.js';
export type {
  HistoryQuery,
  MachineChart,
  MachineHistory,
  MachineState,
  MachineStep,
  MachineSummary,
  Machines,
  MachineTransition,
  PermittedActions,
} from './groups/machines.js';
export type { Node } from './groups/node.js';
export type { NewReview, ReputationSource, Reputations, ReviewPage } from './groups/reputations.js';
export type { FacetCount, Search, SearchFilter, SearchPage } from './groups/search.js';
export type { ErrorClass, OpenApi, Readiness, System } from './groups/system.js';
export type { BalancePage, TransactionQuery, Transactions, Transfer, Wallets, Withdrawal } from './groups/wallets.js';
export type { CreatedWebhook, Delivery, NewWebhook, Webhook, WebhookFilter, Webhooks } from './groups/webhooks.js';
export type { ReadOptions } from './http.js';
export type { Kind, KindShape, KindTypes, ResourceClient, Target, TypesOf } from './kind.js';
export {
  type Contract,
  type ContractState,
  contractKind,
  type Dispute,
  disputeKind,
  type Milestone,
  type MilestoneState,
} from './kinds/contract.js';
export { type Escrow, type EscrowStatus, escrowKind } from './kinds/escrow.js';
export { type InfoOrder, type InfoOrderStatus, infoOrderKind } from './kinds/info-order.js';
export { type Lease, type LeaseStatus, leaseKind } from './kinds/lease.js';
export {
  type CapabilityListing,
  capabilityListingKind,
  type InfoListing,
  infoListingKind,
  type ListingStatus,
  type TaskListing,
  taskListingKind,
} from './kinds/listing.js';
export { type Bid, bidKind, type ShownSubmission, type TaskOrder, taskOrderKind } from './kinds/task.js';
export type { Paged } from './pages.js';
export type { StreamOptions } from './stream.js';
export { NotReachedError, type StateOf, type WaitOptions, type Wanted } from './transition.js';
export type * from './views.js';
export type { Signer, WriteOptions } from './writes.js';
