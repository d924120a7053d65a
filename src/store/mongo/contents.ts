/**
 * What entries bring beside their payload lies in documents of its own: put there before the entry, so that whoever can
 * read the entry can read it too, and taken out again where the entry loses and no other one has brought the same. A process
 * that dies in between leaves them there, under a key that nobody has: they are not told apart from those of one that was
 * only held up, and whose entry may still come.
 */
import { Binary, type Collection } from 'mongodb';
import type { Commit, Content } from '../store.js';
import { type Away, isDuplicate } from './away.js';
import type { ContentDocument } from './documents.js';

export class Contents {
  constructor(
    private readonly collection: Collection<ContentDocument>,
    private readonly away: Away,
  ) {}

  async put(commits: readonly Commit[]): Promise<void> {
    for (const { entry, contents = [] } of commits) {
      for (const content of contents) await this.#put(entry.entryHash, content);
    }
  }

  /** Before the outcome is told: who lost tries again with the same bytes. */
  async drop({ entry, contents = [] }: Commit): Promise<void> {
    if (contents.length === 0) return;
    const { entryHash } = entry;
    const hashes = { $in: contents.map(({ hash }) => hash) };
    const own = { _id: hashes, entries: { $in: [entryHash] } };
    await this.away.insist(() => this.collection.updateMany(own, { $pull: { entries: entryHash } }));
    await this.away.insist(() => this.collection.deleteMany({ _id: hashes, entries: { $size: 0 } }));
  }

  async #put(entryHash: string, { hash, bytes }: Content): Promise<void> {
    const brought = { $setOnInsert: { bytes: new Binary(bytes) }, $addToSet: { entries: entryHash } };
    for (let placed = false; !placed; ) {
      try {
        await this.away.insist(() => this.collection.updateOne({ _id: hash }, brought, { upsert: true }));
        placed = true;
      } catch (error) {
        // Somebody has put the same bytes there at the same moment: now there is what this entry can join.
        if (!isDuplicate(error)) throw error;
      }
    }
  }
}
