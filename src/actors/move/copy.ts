/** The entries of a journal on their way into another store: each page that was found sound is taken over there. */
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { assert } from '../../machines/kernel/refusal.js';
import type { Resource } from '../../machines/kernel/resource.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { PlacedCommit, Store } from '../../store/store.js';
import type { Companion } from '../audit.js';
import type { Replay } from '../replay.js';
import { writeOf } from '../seal.js';

export class JournalCopy implements Companion {
  #page: PlacedCommit[] = [];
  /** Of every resource, so that a new version's labels can be told from the old one's. */
  readonly #contexts = new Map<string, JsonObject>();

  /** @param from entries up to this number are in the target */
  constructor(
    private readonly target: Pick<Store, 'takeOver'>,
    private readonly catalogue: Catalogue,
    private readonly from: number,
  ) {}

  saw(entry: NumberedEntry, after: Replay): void {
    const snapshots = entry.core.versions.map(({ kind, id }) => {
      const resource: Resource | undefined = after.resource(kind, id);
      assert(resource, 'an entry that was replayed left its resources');
      const name = `${kind}/${id}`;
      const write = writeOf(this.catalogue, resource, this.#contexts.get(name));
      this.#contexts.set(name, resource.context);
      return write;
    });
    if (entry.seq > this.from) this.#page.push({ entry, snapshots });
  }

  async pause(): Promise<void> {
    const page = this.#page;
    this.#page = [];
    if (page.length > 0) await this.target.takeOver(page);
  }
}
