/** Labels of remote requests that are open or were given up, for documents that an earlier release wrote. */

import { backfill } from './backfill.js';
import type { Collections } from './database.js';
import type { ResourceDocument } from './documents.js';
import type { Outage } from './outage.js';

const kind = { $in: ['remote-request'] };
const open = { kind, state: { $in: ['sent'] }, labels: { $ne: 'open' } };
const givenUp = { kind, state: { $in: ['given-up', 'answered-late'] }, labels: { $not: /^given-up:/ } };

function withLabels({ state, labels }: ResourceDocument): Pick<ResourceDocument, 'labels'> {
  if (state === 'sent') return { labels: [...labels, 'open', ...labels.map((label) => `open:${label}`)] };
  const toHome = labels.filter((label) => label.startsWith('to:'));
  return { labels: [...labels, ...toHome.map((label) => `given-up:${label}`)] };
}

/** Costs two queries of an index where nothing is to be added. */
export async function addRequestLabels(collections: Pick<Collections, 'resources'>, outage: Outage): Promise<void> {
  for (const lacking of [open, givenUp]) await backfill(collections, lacking, withLabels, outage);
}
