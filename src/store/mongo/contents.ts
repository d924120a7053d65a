/**
 * Stores contents as separate documents. They are inserted before their entry, so that they exist when it can be
 * read, and deleted if the entry loses and no other entry has them. A crash in between leaves unreferenced documents.
 * These can't be distinguished from those of a delayed entry, so they are kept.
 */
import { Binary, type Collection } from 'mongodb';
import type { Commit, Content } from '../store.js';
import type { ContentDocument } from './documents.js';
import { isDuplicate, type Outage } from './outage.js';

export class Contents {
  constructor(
    private readonly collection: Collection<ContentDocument>,
    private readonly outage: Outage,
  ) {}

  async put(commits: readonly Commit[]): Promise<void> {
    for (const { entry, contents = [] } of commits) {
      for (const content of contents) await this.keep(entry.entryHash, content);
    }
  }

  /** Called before the loss is reported, because the caller retries with the same bytes. */
  async drop({ entry, contents = [] }: Commit): Promise<void> {
    if (contents.length === 0) return;
    const { entryHash } = entry;
    const hashes = { $in: contents.map(({ hash }) => hash) };
    const own = { _id: hashes, entries: { $in: [entryHash] } };
    await this.outage.retry(() => this.collection.updateMany(own, { $pull: { entries: entryHash } }));
    await this.outage.retry(() => this.collection.deleteMany({ _id: hashes, entries: { $size: 0 } }));
  }

  async keep(entryHash: string, { hash, bytes }: Content): Promise<void> {
    const brought = { $setOnInsert: { bytes: new Binary(bytes) }, $addToSet: { entries: entryHash } };
    for (let placed = false; !placed; ) {
      try {
        await this.outage.retry(() => this.collection.updateOne({ _id: hash }, brought, { upsert: true }));
        placed = true;
      } catch (error) {
        // Another process inserted the same bytes at the same moment: retries and joins that document.
        if (!isDuplicate(error)) throw error;
      }
    }
  }
}
