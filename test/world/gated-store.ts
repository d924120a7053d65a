/** A memory store that can hold calls of one kind back after they have read or written, as a slow disk would. */

import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Account, Snapshot } from '../../src/store/store.js';

type Call = 'account' | 'load' | 'totals' | 'recall' | 'append';

export class GatedStore extends MemoryStore {
  readonly #held = new Map<Call, (() => void)[]>();

  /** Holds these calls back from now on. Their results are as of the time of the call. */
  hold(call: Call): void {
    this.#held.set(call, []);
  }

  /** Lets the held and all later calls return. */
  letGo(call: Call): void {
    const waiting = this.#held.get(call) ?? [];
    this.#held.delete(call);
    for (const go of waiting) go();
  }

  waiting(call: Call): number {
    return this.#held.get(call)?.length ?? 0;
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

  override async append(...[commits]: Parameters<MemoryStore['append']>): ReturnType<MemoryStore['append']> {
    return this.#answer('append', await super.append(commits));
  }

  async #answer<T>(call: Call, answer: T): Promise<T> {
    const waiting = this.#held.get(call);
    if (waiting) await new Promise<void>((go) => waiting.push(go));
    return answer;
  }
}
