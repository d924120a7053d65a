/** Adds what this release reads by to documents that an earlier one wrote. */
import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import type { Collections } from './database.js';
import type { ResourceDocument } from './documents.js';
import type { Outage } from './outage.js';

const atOnce = 500;

/**
 * Sets members of the resources that lack them. A document that another process replaces meanwhile is skipped.
 * @param lacking selects the documents without the members; an index must serve it, as each start asks
 */
export async function backfill(
  { resources }: Pick<Collections, 'resources'>,
  lacking: Filter<ResourceDocument>,
  membersOf: (document: ResourceDocument) => Partial<ResourceDocument>,
  outage: Outage,
): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const found = await outage.read(() => resources.find(lacking).limit(atOnce).toArray());
    // The same documents again: a process of an earlier release is replacing them.
    if (found.length === 0 || found[0]!._id === last) return;
    last = found[0]!._id;
    const updates = found.map(
      (document): AnyBulkWriteOperation<ResourceDocument> => ({
        updateOne: {
          filter: { _id: document._id, version: document.version },
          update: { $set: membersOf(document) },
        },
      }),
    );
    await outage.retry(() => resources.bulkWrite(updates, { ordered: false }));
  }
}
