/**
 * Writes the projections of numbered entries: snapshots by version, ledger rows by number, and last the document with
 * the number up to which everything is projected. Each write is absolute and conditional on being newer, so it may be
 * repeated, by two processes, and after any crash.
 */
import { type SearchEntry, searchedLeaves } from '../search.js';
import type { Erasure } from '../store.js';
import { batches, type Commands } from './commands.js';
import type { Contents } from './contents.js';
import {
  type AccountDocument,
  type EntryWrite,
  listFields,
  type ResourceDocument,
  type SystemDocument,
} from './documents.js';
import type { Outage } from './outage.js';
import { rewordingOf, type Update, updatesOf } from './search-documents.js';

const largestIndexBatch = 250;

interface StoredDocument {
  readonly _id: string;
  readonly body?: string;
}

export class Projection {
  constructor(
    private readonly commands: Commands,
    private readonly outage: Outage,
    private readonly contents: Contents,
  ) {}

  /** Resolves when all writes are durable. */
  async write(
    { writes, erasures }: { readonly writes: Iterable<EntryWrite>; readonly erasures: readonly Erasure[] },
    rows: readonly AccountDocument[],
    system: SystemDocument,
  ): Promise<void> {
    const newer = [...newest(writes)];
    for (const batch of batches(newer.map(resourceOf))) await this.#replace('resources', 'version', batch);
    // Before the index is written, so that it has no word of them.
    for (const erasure of erasures) await this.#erase(erasure);
    await this.index(newer.flatMap((write) => (write.search ? [{ ...write.search, snapshot: write }] : [])));
    // The position document covers the rows before it, so it is the last one of the last command.
    for (const batch of batches([...rows, system])) await this.#replace('accounts', 'seq', batch);
  }

  async #erase({ hash, reworded }: Erasure): Promise<void> {
    if (reworded) {
      const texts = await this.contents.texts(searchedLeaves([reworded.found]));
      await this.#update('search', [rewordingOf(reworded, (leaf) => texts.get(leaf))]);
    }
    await this.contents.erase(hash);
  }

  /** Updates these resources in the search index. @param rules of a rebuild */
  async index(entries: readonly SearchEntry[], rules?: string): Promise<void> {
    const updates = [...entries.filter(({ found }) => found), ...entries.filter(({ found }) => !found)];
    for (let from = 0; from < updates.length; from += largestIndexBatch) {
      const batch = updates.slice(from, from + largestIndexBatch);
      const texts = await this.contents.texts(searchedLeaves(batch.map(({ found }) => found)));
      await this.#update(
        'search',
        batch.flatMap((entry) => updatesOf(entry, (hash) => texts.get(hash), rules)),
      );
    }
  }

  async #replace<T extends StoredDocument>(collection: string, by: keyof T, documents: readonly T[]): Promise<void> {
    await this.#update(
      collection,
      documents.map((u) => ({ q: { _id: u._id, [by]: { $lt: u[by] } }, u, upsert: true })),
    );
  }

  /**
   * An upsert fails on its `_id` if the stored document is newer, or if another process inserted an older one at the
   * same moment. Repeated without the upsert, it replaces only the older one.
   */
  async #update(collection: string, updates: readonly Update[]): Promise<void> {
    let rest = updates;
    while (rest.length > 0) {
      const command = { update: collection, updates: rest, ordered: true };
      const failed = await this.outage.retry(() => this.commands.write(command));
      if (failed.length === 0) return;
      // A server that continues after an error has written the rest already; writing it again changes nothing.
      const [first, ...others] = rest.slice(Math.min(...failed));
      rest = [{ ...first!, upsert: false }, ...others];
    }
  }
}

function newest(writes: Iterable<EntryWrite>): Iterable<EntryWrite> {
  const byId = new Map<string, EntryWrite>();
  for (const write of writes) if ((byId.get(write._id)?.version ?? 0) < write.version) byId.set(write._id, write);
  return byId.values();
}

const resourceOf = ({ search: _, ...resource }: EntryWrite): ResourceDocument => ({
  ...resource,
  ...listFields(resource),
});
