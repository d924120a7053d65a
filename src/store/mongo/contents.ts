/**
 * What entries bring beside their payload lies in documents of its own: inserted before the entry, so that whoever can
 * read the entry can read it too, and taken out again where the entry loses.
 */
import { Binary, type Collection } from 'mongodb';
import type { Commit } from '../store.js';
import { type Away, isDuplicate } from './away.js';
import type { ContentDocument } from './documents.js';

export class Contents {
  constructor(
    private readonly collection: Collection<ContentDocument>,
    private readonly away: Away,
  ) {}

  async put(commits: readonly Commit[]): Promise<void> {
    for (const { entry, contents = [] } of commits) {
      for (const { hash, bytes } of contents) {
        await this.#insert({ _id: hash, entry: entry.entryHash, bytes: new Binary(bytes) });
      }
    }
  }

  /** Before the outcome is told: who lost tries again with the same bytes. */
  async drop({ entry, contents = [] }: Commit): Promise<void> {
    if (contents.length === 0) return;
    const own = { _id: { $in: contents.map(({ hash }) => hash) }, entry: { $in: [entry.entryHash] } };
    await this.away.insist(() => this.collection.deleteMany(own));
  }

  async #insert(document: ContentDocument): Promise<void> {
    try {
      await this.away.insist(() => this.collection.insertOne(document));
    } catch (error) {
      // The same bytes are there, from a first try whose reply was lost or from another entry.
      if (!isDuplicate(error)) throw error;
    }
  }
}
