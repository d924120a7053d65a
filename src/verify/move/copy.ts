/** Copies the entries of a journal into another store, page by page after they were verified. */

import { writeOf } from '../../actors/build-entry.js';
import { erasureOf } from '../../actors/erasing.js';
import { canonical, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { leavesIn } from '../../core/leaf.js';
import { assert } from '../../core/refusal.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import type { Resource } from '../../machines/kernel/resource.js';
import type { NumberedEntry } from '../../store/entry.js';
import { type Content, type PlacedCommit, type Store, type StoreReader, StoreRefused } from '../../store/store.js';
import type { Companion } from '../audit.js';
import type { Replay } from '../replay.js';

export class JournalCopy implements Companion {
  #page: PlacedCommit[] = [];
  /** The context of every resource, from which the labels that a new version adds and removes are computed. */
  readonly #contexts = new Map<string, JsonObject>();

  /** @param from entries up to this number are already in the target */
  constructor(
    private readonly source: Pick<StoreReader, 'content' | 'contentsOf'>,
    private readonly target: Pick<Store, 'takeOver'>,
    private readonly catalogue: Catalogue,
    private readonly from: number,
  ) {}

  saw(entry: NumberedEntry, after: Replay): void {
    const snapshots = entry.core.versions.map(({ kind, id }) => {
      const resource: Resource | undefined = after.resource(kind, id);
      assert(resource, 'an entry that was replayed left its resources');
      const name = `${kind}/${id}`;
      // Uses the canonical text, as a node does, so that views have their members in the same order.
      const text = canonical(resource.context);
      const write = writeOf(this.catalogue, resource, this.#contexts.get(name), text);
      this.#contexts.set(name, resource.context);
      return write;
    });
    // The target may have the text, if it was erased after an earlier move or a part of this one.
    const erases = erasureOf(this.catalogue, entry.payload, (kind, id) => after.resource(kind, id));
    if (entry.seq > this.from) this.#page.push({ entry, snapshots, erases });
  }

  async pause(): Promise<void> {
    const page = this.#page;
    this.#page = [];
    if (page.length === 0) return;
    const brought = new Map<string, string[]>();
    for (const { entry, hash } of await this.source.contentsOf(page.map(({ entry }) => entry))) {
      brought.set(entry, [...(brought.get(entry) ?? []), hash]);
    }
    // Entries with contents are written one at a time, so that only one entry's contents are in memory.
    let plain: PlacedCommit[] = [];
    for (const commit of page) {
      const hashes = brought.get(commit.entry.entryHash);
      if (!hashes) {
        plain.push(commit);
        continue;
      }
      if (plain.length > 0) await this.target.takeOver(plain);
      const contents = await Promise.all(hashes.map((hash) => this.#load(hash, leavesIn(commit.entry.payload.input))));
      await this.target.takeOver([{ ...commit, contents: contents.filter((content) => content !== undefined) }]);
      plain = [];
    }
    if (plain.length > 0) await this.target.takeOver(plain);
  }

  /** @returns undefined for a text that was erased; an audit checks that an entry says so */
  async #load(hash: string, texts: ReadonlySet<string>): Promise<Content | undefined> {
    const bytes = await this.source.content(hash);
    if (!bytes && texts.has(hash)) return undefined;
    if (!bytes || sha256Hex(bytes) !== hash) throw new StoreRefused(`content ${hash} of the source is damaged`);
    return { hash, bytes };
  }
}
