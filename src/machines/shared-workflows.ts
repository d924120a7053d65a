/**
 * Workflows in which several kinds take part: derived from the definitions, so that a further market is a folder and
 * its name in the catalogue.
 */

import { bidding } from './bid/workflow.js';
import { type OrderKind, orderDisputeWorkflows } from './dispute/order-dispute.js';
import { disputeWorkflows } from './dispute/resolve.js';
import type { AnyDefinition, Catalogue } from './kernel/definition.js';
import type { Workflow } from './kernel/resource.js';
import { publishing } from './listing/publish.js';
import { reviewing } from './reputation/review.js';
import { tradeKindsOf } from './reputation/trade-kinds.js';

/** @param definitions of listings, in the order of their introduction (see listing/kinds.ts) */
export function sharedWorkflows(definitions: readonly AnyDefinition[]): Catalogue['workflows'] {
  const listings = definitions.flatMap((each) => (each.form === 'machine' && each.search ? [each.kind] : []));
  const deals = tradeKindsOf(definitions);
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
