/** Members of a resource's document by which lists are sorted, computed from its body. */
import type { AnyBulkWriteOperation } from 'mongodb';
import { amountOf } from '../list-order.js';
import type { Snapshot } from '../snapshot.js';
import type { Collections } from './database.js';
import type { ResourceDocument } from './documents.js';
import type { Outage } from './outage.js';

type ListFields = Required<Pick<ResourceDocument, 'updatedAt' | 'amount'>>;

export function listFields({ body }: Pick<ResourceDocument, 'body'>): ListFields {
  const { updatedAt, context } = JSON.parse(body) as Snapshot;
  return { updatedAt, amount: amountOf(context) };
}

const atOnce = 500;

/**
 * Adds the members to documents that an earlier release wrote. An index finds those without them, so that a start costs
 * one query for each kind. A document that another process replaces meanwhile is skipped.
 */
export async function addListFields({ resources }: Pick<Collections, 'resources'>, outage: Outage): Promise<void> {
  const kinds = await outage.read(() => resources.distinct('kind'));
  for (const kind of kinds) {
    let last: string | undefined;
    for (;;) {
      const without = { kind: { $in: [kind] }, updatedAt: { $exists: false } };
      const found = await outage.read(() =>
        resources
          .find(without, { projection: { version: 1, body: 1 } })
          .limit(atOnce)
          .toArray(),
      );
      // The same documents again: a process of an earlier release is replacing them.
      if (found.length === 0 || found[0]!._id === last) break;
      last = found[0]!._id;
      const updates = found.map(
        (document): AnyBulkWriteOperation<ResourceDocument> => ({
          updateOne: {
            filter: { _id: document._id, version: document.version },
            update: { $set: listFields(document) },
          },
        }),
      );
      await outage.retry(() => resources.bulkWrite(updates, { ordered: false }));
    }
  }
}
