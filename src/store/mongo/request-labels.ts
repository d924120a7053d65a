/** Labels of remote requests that are open or were given up, for documents that an earlier release wrote. */
import type { AnyBulkWriteOperation } from 'mongodb';
import type { Collections } from './database.js';
import type { ResourceDocument } from './documents.js';
import type { Outage } from './outage.js';

const atOnce = 500;

function labelsOf({ state, labels }: ResourceDocument): readonly string[] {
  if (state === 'sent') return ['open', ...labels.map((label) => `open:${label}`)];
  return labels.filter((label) => label.startsWith('to:')).map((label) => `given-up:${label}`);
}

/** Costs two queries of an index where nothing is to be added. A document that another process replaces meanwhile is skipped. */
export async function addRequestLabels({ resources }: Pick<Collections, 'resources'>, outage: Outage): Promise<void> {
  const open = { state: { $in: ['sent'] }, labels: { $ne: 'open' } };
  const givenUp = { state: { $in: ['given-up', 'answered-late'] }, labels: { $not: /^given-up:/ } };
  for (const without of [open, givenUp]) {
    let last: string | undefined;
    for (;;) {
      const found = await outage.read(() =>
        resources
          .find({ kind: { $in: ['remote-request'] }, ...without })
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
            update: { $set: { labels: [...document.labels, ...labelsOf(document)] } },
          },
        }),
      );
      await outage.retry(() => resources.bulkWrite(updates, { ordered: false }));
    }
  }
}
