/** Checks that each text of the journal is there and is that of its leaf, or was erased by an entry. */
import { sha256Hex } from '../core/canonical.js';
import { leavesIn } from '../core/leaf.js';
import { leafKind } from '../machines/leaf/leaf.js';
import type { NumberedEntry } from '../store/entry.js';
import type { StoreReader } from '../store/store.js';
import type { Replay } from './replay.js';

const readTogether = 16;

export class LeafAudit {
  #named: string[] = [];
  readonly #missing = new Set<string>();
  #erased = 0;

  constructor(private readonly store: Pick<StoreReader, 'content' | 'load'>) {}

  /** Texts that were erased: they can't be compared with their hashes any more. */
  get erased(): number {
    return this.#erased;
  }

  saw({ payload }: NumberedEntry): void {
    for (const hash of leavesIn(payload.input)) this.#named.push(hash);
  }

  /** Call after each page of entries. @returns a violation in a sentence */
  async violation(): Promise<string | undefined> {
    const named = this.#named;
    this.#named = [];
    for (let from = 0; from < named.length; from += readTogether) {
      const some = named.slice(from, from + readTogether);
      const contents = await Promise.all(some.map((hash) => this.store.content(hash)));
      for (const [index, bytes] of contents.entries()) {
        const hash = some[index]!;
        if (!bytes) this.#missing.add(hash);
        else if (sha256Hex(bytes) !== hash) return `the text ${hash} was changed`;
      }
    }
    return undefined;
  }

  /** Call at the end of the journal. @returns a violation in a sentence */
  async violationAtEnd(replay: Replay): Promise<string | undefined> {
    for (const hash of this.#missing) {
      // An entry that was written during the audit may have erased it.
      const isErased = replay.resource(leafKind, hash) ?? (await this.store.load(leafKind, hash));
      if (!isErased) return `the text ${hash} is gone, and no entry has erased it`;
    }
    for (const { kind, id } of replay.resources()) {
      if (kind !== leafKind) continue;
      this.#erased++;
      if (await this.store.content(id)) return `the text ${id} is still there, and an entry has erased it`;
    }
    return undefined;
  }
}
