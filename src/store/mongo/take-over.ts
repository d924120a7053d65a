/**
 * Copies entries of another store with their numbers. For each, the entry is inserted, then its number, then its
 * projections. A crash in between leaves entries without a number, which belong to no process and are never numbered,
 * or numbers whose projections the next start writes. Repeating the copy changes nothing.
 */
import { type PlacedCommit, StoreRefused } from '../store.js';
import type { Commands } from './commands.js';
import type { Collections } from './database.js';
import { type EntryDocument, type OrderDocument, type ResourceDocument, tagsOf, touchesOf } from './documents.js';
import { candidateOf, type Ingest } from './ingest.js';
import { entryDocument, jobOf } from './job.js';
import type { LedgerCache } from './ledger-cache.js';
import type { Outage } from './outage.js';

export interface TakeOverOptions {
  readonly collections: Collections;
  readonly commands: Commands;
  readonly ledger: LedgerCache;
  readonly ingest: Ingest;
  readonly outage: Outage;
  /** Fencing token of the lease under which the numbers are given. */
  readonly token: number;
}

/** The process and counter of copied entries. No registered process ever has this name. */
const origin = { process: 'elsewhere', nth: 0 };

export async function takeOver(commits: readonly PlacedCommit[], options: TakeOverOptions): Promise<void> {
  const { ingest, token } = options;
  const documents = await documentsOf(commits, options.ledger);
  const orders = commits.map((commit) => orderOf(commit, token));
  await insertEntries(documents, options);
  await insertOrders(orders, options);
  await ingest.take(orders, new Map(documents.map((document) => [document._id, candidateOf(document)])), true);
}

function documentsOf(commits: readonly PlacedCommit[], ledger: LedgerCache): Promise<EntryDocument[]> {
  const jobs = commits.map((commit) => jobOf(commit, { resolve() {}, reject() {} }));
  return ledger.exclusively(async () => {
    await ledger.load(jobs);
    // Resources after earlier entries of this batch, because later ones build on them.
    const left = new Map<string, ResourceDocument>();
    const heads = { head: (resource: string) => left.get(resource) ?? ledger.head(resource) };
    return jobs.map((job) => {
      const document = entryDocument(job, heads, origin);
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

/**
 * Inserts numbers in order, up to the first that is in use. Two processes that both assume the lease may insert at
 * once; if their journals differ, the later one has inserted nothing.
 */
async function insertOrders(orders: readonly OrderDocument[], options: TakeOverOptions): Promise<void> {
  const { commands, outage } = options;
  for (let rest = orders; rest.length > 0; ) {
    const open = rest;
    const [taken] = await outage.retry(() => commands.insert('order', open, true));
    if (taken === undefined) return;
    const { _id, chain } = open[taken]!;
    const found = await outage.retry(() => options.collections.order.findOne({ _id }, { projection: { chain: 1 } }));
    // Also absent if an earlier number has this entry.
    if (found?.chain !== chain) throw notOfThisJournal('order');
    rest = open.slice(taken + 1);
  }
}

/**
 * Inserts entries. A document whose `_id` exists was inserted before, by an attempt whose reply was lost or by a killed
 * process.
 */
async function insertEntries(documents: readonly EntryDocument[], options: TakeOverOptions): Promise<void> {
  const { collections, commands, outage } = options;
  const refused = await outage.retry(() => commands.insert('entries', documents, false));
  if (refused.length === 0) return;
  const query = { _id: { $in: refused.map((index) => documents[index]!._id) } };
  const there = await outage.retry(() => collections.entries.countDocuments(query));
  if (there < refused.length) throw notOfThisJournal('entries');
}

const notOfThisJournal = (what: string): StoreRefused =>
  new StoreRefused(`the database holds ${what} that are not of this journal: empty it, or name another one`);
