/** Members of a resource's document by which lists are sorted, computed from its body. */
import { amountOf } from '../list-order.js';
import type { Snapshot } from '../snapshot.js';
import { backfill } from './backfill.js';
import type { Collections } from './database.js';
import type { ResourceDocument } from './documents.js';
import type { Outage } from './outage.js';

type ListFields = Required<Pick<ResourceDocument, 'updatedAt' | 'amount'>>;

export function listFields({ body }: Pick<ResourceDocument, 'body'>): ListFields {
  const { updatedAt, context } = JSON.parse(body) as Snapshot;
  return { updatedAt, amount: amountOf(context) };
}

/** Adds the members to documents without them. An index finds these, so that a start costs one query for each kind. */
export async function addListFields(collections: Pick<Collections, 'resources'>, outage: Outage): Promise<void> {
  const kinds = await outage.read(() => collections.resources.distinct('kind'));
  for (const kind of kinds) {
    await backfill(collections, { kind: { $in: [kind] }, updatedAt: { $exists: false } }, listFields, outage);
  }
}
