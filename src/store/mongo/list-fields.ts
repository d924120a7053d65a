/** Members of a resource's document by which lists are sorted, computed from its body. */
import { amountOf } from '../list-order.js';
import type { Snapshot } from '../snapshot.js';
import type { ResourceDocument } from './documents.js';

type ListFields = Required<Pick<ResourceDocument, 'updatedAt' | 'amount'>>;

export function listFields({ body }: Pick<ResourceDocument, 'body'>): ListFields {
  const { updatedAt, context } = JSON.parse(body) as Snapshot;
  return { updatedAt, amount: amountOf(context) };
}
