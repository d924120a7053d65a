/**
 * The home of the journal that this process writes (docs/reference/events-and-entries.md#home): all signed texts name it.
 */
import { assert } from '../core/refusal.js';
import { homeOf } from '../store/entry.js';
import type { Store } from '../store/store.js';

export class JournalHome {
  #did: string | undefined;

  constructor(
    private readonly store: Pick<Store, 'entries' | 'shared'>,
    private readonly node: string,
  ) {}

  /** Undefined until it was looked up; it never changes. */
  get did(): string | undefined {
    return this.#did;
  }

  /** The home of a node that has started, which looks it up. */
  get known(): string {
    assert(this.#did !== undefined, 'the home of the journal was looked up');
    return this.#did;
  }

  /** Looks it up: what the first entry names. A journal without entries becomes this node's own, if no other was faster. */
  async find(): Promise<string> {
    const [first] = await this.store.entries({ after: 0, limit: 1 });
    this.#did = first ? homeOf(first.core) : ((await this.store.shared?.claimHome(this.node)) ?? this.node);
    return this.#did;
  }
}
