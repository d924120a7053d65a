/**
 * What operators did, in the database and not in the journal (decisions.md, API keys: admin acts have a log of
 * their own). The oldest lines go when there are too many.
 */
import { bounds } from '../config.js';
import { assert } from '../machines/kernel/refusal.js';
import type { StoreReader, StoreWriter } from '../store/store.js';
import type { World } from '../world.js';

const table = 'admin-log';

export type Details = { readonly [name: string]: string | number | boolean | null };

export interface AdminAct {
  readonly id: string;
  readonly time: number;
  /** Dotted: `api-key.create`, `account.freeze`. */
  readonly act: string;
  /** Id of the API key, or where the operator sat: `cli`, an address. */
  readonly by: string;
  readonly details: Details;
}

/** Old lines are looked for once in so many new ones. */
const sweepEvery = 100;

export class AdminLog {
  #sinceSweep = sweepEvery;

  constructor(
    private readonly store: Pick<StoreReader, 'listLocal'> & Pick<StoreWriter, 'putLocal' | 'deleteLocal'>,
    private readonly world: World,
  ) {}

  /** Durable when it resolves. Nothing secret belongs into `details`. */
  async record(act: string, by: string, details: Details = {}): Promise<void> {
    const time = this.world.now();
    const id = `${String(time).padStart(15, '0')}-${Buffer.from(this.world.random(6)).toString('hex')}`;
    const written = await this.store.putLocal(table, id, { time, act, by, details }, 0);
    assert(written, 'ids of the admin log are unique');
    this.#sinceSweep += 1;
    if (this.#sinceSweep > sweepEvery) await this.#sweep();
  }

  /** Newest first. */
  async list(): Promise<readonly AdminAct[]> {
    const records = await this.store.listLocal(table);
    return records.map(({ id, value }) => ({ id, ...value }) as unknown as AdminAct).sort(newestFirst);
  }

  async #sweep(): Promise<void> {
    this.#sinceSweep = 0;
    const surplus = (await this.list()).slice(bounds.adminLogEntries);
    for (const { id } of surplus) await this.store.deleteLocal(table, id);
  }
}

const newestFirst = (a: AdminAct, b: AdminAct): number => (a.id < b.id ? 1 : -1);
