/** A memory store that can hold reads of one kind back after they have read, as a slow disk would. */

import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Account, Snapshot } from '../../src/store/store.js';

type Read = 'account' | 'load' | 'totals' | 'recall';

export class GatedStore extends MemoryStore {
  readonly #held = new Map<Read, (() => void)[]>();

  /** Holds these reads back from now on. Their results are as of the time of the read. */
  hold(read: Read): void {
    this.#held.set(read, []);
  }

  /** Lets the held and all later reads return. */
  letGo(read: Read): void {
    const waiting = this.#held.get(read) ?? [];
    this.#held.delete(read);
    for (const go of waiting) go();
  }

  waiting(read: Read): number {
    return this.#held.get(read)?.length ?? 0;
  }

  override async account(did: string): Promise<Account | undefined> {
    return this.#answer('account', await super.account(did));
  }

  override async load(kind: string, id: string): Promise<Snapshot | undefined> {
    return this.#answer('load', await super.load(kind, id));
  }

  override async totals(): ReturnType<MemoryStore['totals']> {
    return this.#answer('totals', await super.totals());
  }

  override async recall(...asked: Parameters<MemoryStore['recall']>): ReturnType<MemoryStore['recall']> {
    return this.#answer('recall', await super.recall(...asked));
  }

  async #answer<T>(read: Read, answer: T): Promise<T> {
    const waiting = this.#held.get(read);
    if (waiting) await new Promise<void>((go) => waiting.push(go));
    return answer;
  }
}
