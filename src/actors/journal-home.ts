/**
 * The home of the journal that this process writes (docs/reference/events-and-entries.md#home), which all signed texts
 * contain.
 */
import { type Environment, pause } from '../core/environment.js';
import { assert } from '../core/refusal.js';
import { type Store, StoreRefused } from '../store/store.js';

/**
 * How long a process waits for the first entry of the process that has claimed the home, and the interval of its
 * checks.
 */
const patience = { waitMs: 60_000, pauseMs: 50 };

export class JournalHome {
  #did: string | undefined;

  constructor(
    private readonly store: Pick<Store, 'entries' | 'shared'>,
    private readonly node: string,
    private readonly world: Environment,
  ) {}

  /** Undefined until it was looked up; it never changes. */
  get did(): string | undefined {
    return this.#did;
  }

  /** The home; asserts that the node has started, which looks it up. */
  get known(): string {
    assert(this.#did !== undefined, 'the home of the journal was looked up');
    return this.#did;
  }

  /**
   * Determines the home from the first entry. A journal without entries becomes this node's own; if another process has
   * claimed it, this one waits for its first entry.
   * @throws StoreRefused if that entry does not come
   */
  async find(): Promise<string> {
    const { shared } = this.store;
    const from = this.world.monotonic();
    for (;;) {
      const [first] = await this.store.entries({ after: 0, limit: 1 });
      if (first) this.#did = first.core.event.home;
      else if (!shared) this.#did = this.node;
      if (this.#did !== undefined) return this.#did;
      const claimed = await shared!.claimHome(this.node);
      // Not cached before the first entry has a number, because a process that was silent may lose its claim.
      if (claimed === this.node) return claimed;
      if (this.world.monotonic() - from > patience.waitMs)
        throw new StoreRefused(
          `${claimed} has claimed this journal and writes nothing: stop that process, or start it again`,
        );
      await pause(this.world, patience.pauseMs);
    }
  }
}
