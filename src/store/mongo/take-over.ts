/**
 * Copies entries of another store with their numbers. For each, the entry is inserted, then its number, then its
 * projections. A crash in between leaves entries without a number, which belong to no process and are never numbered,
 * or numbers whose projections the next start writes. Repeating the copy changes nothing.
 */
import { type Collection, MongoBulkWriteError } from 'mongodb';
import { type PlacedCommit, StoreRefused } from '../store.js';
import type { Collections } from './database.js';
import { type EntryDocument, type OrderDocument, type ResourceDocument, tagsOf, touchesOf } from './documents.js';
import { candidateOf, type Ingest } from './ingest.js';
import { documentOf, jobOf } from './job.js';
import type { LedgerCache } from './ledger-cache.js';
import { duplicateKey, type Outage } from './outage.js';

export interface TakeOverOptions {
  readonly collections: Collections;
  readonly ledger: LedgerCache;
  readonly ingest: Ingest;
  readonly outage: Outage;
  /** Fencing token of the lease under which the numbers are given. */
  readonly token: number;
}

/** No registered process ever has this name. */
const origin = { process: 'elsewhere', nth: 0 };

export async function takeOver(commits: readonly PlacedCommit[], options: TakeOverOptions): Promise<void> {
  const { collections, ingest, token } = options;
  const documents = await documentsOf(commits, options.ledger);
  const orders = commits.map((commit) => orderOf(commit, token));
  await insertAll(collections.entries, documents, options.outage);
  await insertAll(collections.order, orders, options.outage);
  await ingest.take(orders, new Map(documents.map((document) => [document._id, candidateOf(document)])), true);
}

function documentsOf(commits: readonly PlacedCommit[], ledger: LedgerCache): Promise<EntryDocument[]> {
  const jobs = commits.map((commit) => jobOf(commit, { resolve() {}, reject() {} }));
  return ledger.exclusively(async () => {
    await ledger.load(jobs);
    // Resources as earlier entries of this batch leave them, because later ones build on them.
    const left = new Map<string, ResourceDocument>();
    const heads = { head: (resource: string) => left.get(resource) ?? ledger.head(resource) };
    return jobs.map((job) => {
      const document = documentOf(job, heads, origin);
      for (const write of document.writes) left.set(write._id, write);
      return document;
    });
  });
}

export function orderOf({ entry }: PlacedCommit, token: number): OrderDocument {
  const { seq, prevEntry, chainHash, entryHash, core } = entry;
  const touches = touchesOf(core.moves);
  const place = { _id: seq, entry: entryHash, event: core.event.hash, prev: prevEntry, chain: chainHash, token };
  return { ...place, tags: tagsOf(core, touches), touches };
}

/** A document whose `_id` exists was inserted before, by a try whose reply was lost or by a killed process. */
async function insertAll<T extends { readonly _id: string | number }>(
  collection: Collection<T>,
  documents: readonly T[],
  outage: Outage,
): Promise<void> {
  const refused = await outage.retry(async () => {
    try {
      await collection.insertMany(documents as never, { ordered: false });
      return [];
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
      const errors = [error.writeErrors].flat();
      if (errors.length === 0 || errors.some(({ code }) => code !== duplicateKey)) throw error;
      return errors.map(({ index }) => documents[index]!._id);
    }
  });
  const query = { _id: { $in: refused } } as never;
  const there = refused.length === 0 ? 0 : await outage.retry(() => collection.countDocuments(query));
  if (there === refused.length) return;
  throw new StoreRefused(
    `the database holds ${collection.collectionName} that are not of this journal: empty it, or name another one`,
  );
}
