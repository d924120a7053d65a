/**
 * Every kind that this node knows. A new market is one folder and one line here.
 */

import { bidWorkflows } from '../actors/workflows/bids.js';
import { contractWorkflows } from '../actors/workflows/contract.js';
import { depositing } from '../actors/workflows/deposit.js';
import { infoOrderWorkflows } from '../actors/workflows/info-order.js';
import { leaseWorkflows } from '../actors/workflows/lease.js';
import { sharedWorkflows } from '../actors/workflows/shared.js';
import { taskOrderWorkflows } from '../actors/workflows/task-orders.js';
import { account } from './account/account.js';
import { deposit } from './account/deposit.js';
import { bid } from './bid/resource.js';
import { contract } from './contract/resource.js';
import { dispute } from './dispute/resource.js';
import { escrow } from './escrow/resource.js';
import { identity, node } from './identity/identity.js';
import { infoOrder } from './info-order/resource.js';
import type { AnyDefinition, AnyResource } from './kernel/resource.js';
import type { Catalogue } from './kernel/step.js';
import { lease } from './lease/resource.js';
import { capabilityListing } from './listing/capability.js';
import { infoListing } from './listing/info.js';
import { listingStats } from './listing/stats.js';
import { taskListing } from './listing/task.js';
import { reputation } from './reputation/record.js';
import { taskOrder } from './task-order/resource.js';

const kinds: readonly AnyDefinition[] = [
  account,
  deposit,
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

/** @param workflows of single kinds; those that all of a sort have a part in follow from the definitions */
export const catalogueOf = (
  definitions: readonly AnyDefinition[],
  workflows: Catalogue['workflows'] = {},
): Catalogue => ({
  definitions: Object.fromEntries(definitions.map((definition) => [definition.kind, definition])),
  workflows: { ...workflows, ...sharedWorkflows(definitions) },
});

export const catalogue: Catalogue = catalogueOf(kinds, {
  'account.deposit': depositing,
  ...leaseWorkflows,
  ...infoOrderWorkflows,
  ...contractWorkflows,
  ...bidWorkflows,
  ...taskOrderWorkflows,
});

/** The kinds with a machine: those that have derived routes, charts and a conformance walk. */
export const machinesOf = (from: Catalogue): AnyResource[] =>
  Object.values(from.definitions).filter((definition): definition is AnyResource => definition.form === 'machine');
