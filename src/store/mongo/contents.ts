/**
 * Stores contents as separate documents. They are inserted before their entry, so that they exist when it can be
 * read, and deleted if the entry loses and no other entry has them. A crash in between leaves unreferenced documents.
 * These can't be distinguished from those of a delayed entry, so they are kept.
 */
import { Binary, type Collection } from 'mongodb';
import { type LeafText, leafText } from '../../core/leaf.js';
import type { Commit } from '../store.js';
import type { ContentDocument } from './documents.js';
import { isDuplicate, type Outage } from './outage.js';

export async function storedTexts(
  collection: Collection<ContentDocument>,
  hashes: readonly string[],
  ask: <T>(read: () => Promise<T>) => Promise<T>,
): Promise<Map<string, LeafText>> {
  if (hashes.length === 0) return new Map();
  const query = { _id: { $in: [...hashes] } };
  const found = await ask(() => collection.find(query, { projection: { bytes: 1 } }).toArray());
  return new Map(found.map(({ _id, bytes }) => [_id, leafText(bytes.value())]));
}

export class Contents {
  constructor(
    private readonly collection: Collection<ContentDocument>,
    private readonly outage: Outage,
  ) {}

  async put(commits: readonly Commit[]): Promise<void> {
    const brought = commits.flatMap(({ entry, contents = [] }) =>
      contents.map(({ hash, bytes }) => ({
        updateOne: {
          filter: { _id: hash },
          update: { $setOnInsert: { bytes: new Binary(bytes) }, $addToSet: { entries: entry.entryHash } },
          upsert: true,
        },
      })),
    );
    for (let placed = brought.length === 0; !placed; ) {
      try {
        await this.outage.retry(() => this.collection.bulkWrite(brought, { ordered: false }));
        placed = true;
      } catch (error) {
        // Another process inserted the same bytes at the same moment: retries and joins that document.
        if (!isDuplicate(error)) throw error;
      }
    }
  }

  texts(hashes: readonly string[]): Promise<Map<string, LeafText>> {
    return storedTexts(this.collection, hashes, (read) => this.outage.retry(read));
  }

  async erase(hash: string): Promise<void> {
    await this.outage.retry(() => this.collection.deleteOne({ _id: hash }));
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
}
