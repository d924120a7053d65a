/** What the contract suite needs from an adapter, and helpers for its parts. */
import { expect } from 'chai';
import type { AppendResult, Commit, PageRequest, Store } from '../../src/store/store.js';
import { EntryBuilder } from './entries.js';

export interface Fixture {
  readonly store: Store;
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<Store>;
  /** Opens it as after a crash before anything was recorded as projected. Absent: entry and projection are one write. */
  crash?(): Promise<Store>;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
}

export type MakeStore = () => Promise<Fixture>;

/** A fresh store for each test. `store` is an accessor because reopening replaces it. */
export class Bench {
  #fixture: Fixture | undefined;
  #store: Store | undefined;
  builder = new EntryBuilder();

  constructor(make: MakeStore) {
    beforeEach(async () => {
      this.#fixture = await make();
      this.#store = this.#fixture.store;
      this.builder = new EntryBuilder();
    });
    afterEach(async () => {
      await this.#fixture?.dispose();
    });
  }

  get store(): Store {
    return this.#store!;
  }

  async reopen(): Promise<Store> {
    this.#store = await this.#fixture!.reopen();
    return this.#store;
  }

  async crash(): Promise<Store> {
    const fixture = this.#fixture!;
    this.#store = await (fixture.crash?.() ?? fixture.reopen());
    return this.#store;
  }

  /** Appends commits that must all be accepted. */
  async accept(...commits: readonly Commit[]): Promise<readonly Extract<AppendResult, { ok: true }>[]> {
    const results = await this.store.append(commits);
    return results.map((result) => {
      expect(result).to.have.property('ok', true);
      return result as Extract<AppendResult, { ok: true }>;
    });
  }

  /** Appends one commit that must be refused, and returns the unique key that was taken. */
  async refused(commit: Commit): Promise<string> {
    const [result] = await this.store.append([commit]);
    expect(result).to.have.property('ok', false);
    return (result as Extract<AppendResult, { ok: false }>).taken;
  }
}

export const firstPage: PageRequest = { limit: 100, offset: 0 };

/** The error that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  return expect.fail('the promise was to reject');
}
