/**
 * Workflows that every kind of a sort has a part in: they are made of what the definitions say of themselves, so that a
 * market more is a folder and its name in the catalogue.
 */
import type { AnyDefinition } from '../../machines/kernel/resource.js';
import type { Catalogue, Workflow } from '../../machines/kernel/step.js';
import { dealKindsOf } from '../../machines/reputation/deal-kinds.js';
import { bidding } from './bids.js';
import { type OrderKind, orderDisputeWorkflows } from './order-dispute.js';
import { publishing } from './publish.js';
import { disputeWorkflows } from './resolve-dispute.js';
import { reviewing } from './review.js';

/** @param definitions of listings, in the order in which they came to be (see listing-kinds.ts) */
export function sharedWorkflows(definitions: readonly AnyDefinition[]): Catalogue['workflows'] {
  const listings = definitions.flatMap((each) => (each.form === 'machine' && each.search ? [each.kind] : []));
  const deals = dealKindsOf(definitions);
  const orders = deals.filter((deal): deal is OrderKind => deal.order !== undefined);
  const workflows: { readonly [action: string]: Workflow } = {
    ...publishing(listings),
    ...bidding(listings),
    ...orderDisputeWorkflows(orders),
    ...disputeWorkflows(orders),
    'reputation.review': reviewing(deals),
  };
  const kinds = new Set(definitions.map(({ kind }) => kind));
  return Object.fromEntries(Object.entries(workflows).filter(([action]) => kinds.has(action.split('.')[0]!)));
}
