/** All kinds of this node. A new market is one folder and one line here. */
import { ownNames } from '../core/own-names.js';
import { account } from './account/account.js';
import { deposit } from './account/deposit.js';
import { onward, transferring } from './account/onward.js';
import { depositing } from './account/workflow.js';
import { bid } from './bid/resource.js';
import { bidding, bidWorkflows } from './bid/workflow.js';
import { contractEnding } from './contract/records.js';
import { contract } from './contract/resource.js';
import { contractWorkflows } from './contract/workflow.js';
import { type OrderKind, orderDisputeWorkflows } from './dispute/order-dispute.js';
import { disputeWorkflows } from './dispute/resolve.js';
import { dispute } from './dispute/resource.js';
import { escrow } from './escrow/resource.js';
import { identity, node } from './identity/identity.js';
import { infoListing } from './info-order/listing.js';
import { infoOrder } from './info-order/resource.js';
import { infoOrderWorkflows } from './info-order/workflow.js';
import type { AnyDefinition, AnyResource, Catalogue } from './kernel/definition.js';
import type { Workflow } from './kernel/resource.js';
import { leaf, redacting } from './leaf/leaf.js';
import { capabilityListing } from './lease/listing.js';
import { lease } from './lease/resource.js';
import { leaseWorkflows } from './lease/workflow.js';
import { publishing } from './listing/publish.js';
import { listingStats } from './listing/stats.js';
import { moderation } from './moderation/moderation.js';
import { reputation } from './reputation/record.js';
import { reviewing } from './reputation/review.js';
import { tradeKindsOf } from './reputation/trade-kinds.js';
import { taskListing } from './task-order/listing.js';
import { taskOrder } from './task-order/resource.js';
import { taskOrderWorkflows } from './task-order/workflow.js';

const kinds: readonly AnyDefinition[] = [
  account,
  deposit,
  onward,
  leaf,
  moderation,
  identity,
  node,
  escrow,
  infoListing,
  taskListing,
  capabilityListing,
  listingStats,
  lease,
  infoOrder,
  contract,
  dispute,
  bid,
  taskOrder,
  reputation,
];

/** Workflows in which several kinds take part. @param definitions of listings in the order of their introduction */
function sharedWorkflows(definitions: readonly AnyDefinition[]): Catalogue['workflows'] {
  const listings = definitions.flatMap((each) => (each.form === 'machine' && each.search ? [each.kind] : []));
  const deals = tradeKindsOf(definitions);
  const orders = deals.filter((deal): deal is OrderKind => deal.order !== undefined);
  const workflows: { readonly [action: string]: Workflow } = {
    ...publishing(listings),
    ...bidding(listings),
    ...orderDisputeWorkflows(orders),
    ...disputeWorkflows(contractEnding, orders),
    'reputation.review': reviewing(deals),
  };
  const kinds = new Set(definitions.map(({ kind }) => kind));
  return Object.fromEntries(Object.entries(workflows).filter(([action]) => kinds.has(action.split('.')[0]!)));
}

/** @param workflows of single kinds; those shared by several kinds are derived from the definitions */
export const catalogueOf = (
  definitions: readonly AnyDefinition[],
  workflows: Catalogue['workflows'] = {},
): Catalogue => ({
  definitions: ownNames(Object.fromEntries(definitions.map((definition) => [definition.kind, definition]))),
  workflows: ownNames({ ...workflows, ...sharedWorkflows(definitions) }),
});

export const catalogue: Catalogue = catalogueOf(kinds, {
  'account.deposit': depositing,
  'account.transfer': transferring,
  'leaf.redact': redacting,
  ...leaseWorkflows,
  ...infoOrderWorkflows,
  ...contractWorkflows,
  ...bidWorkflows,
  ...taskOrderWorkflows,
});

/** The kinds with a machine, which have derived routes, charts and a conformance walk. */
export const machinesOf = (from: Catalogue): AnyResource[] =>
  Object.values(from.definitions).filter((definition): definition is AnyResource => definition.form === 'machine');

export const searchedOf = (from: Catalogue): AnyResource[] => machinesOf(from).filter(({ search }) => search);

/** Those of them that callers create or act on. Only the node itself writes the others. */
export const requestedOf = (from: Catalogue): AnyResource[] =>
  machinesOf(from).filter(
    ({ create, actions }) => !create.internal || Object.values(actions).some(({ internal }) => !internal),
  );
