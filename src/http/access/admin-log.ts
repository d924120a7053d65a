/**
 * The log of operators' actions, in the database and not in the journal (docs/reference/access.md#operators). A line is
 * written before the action, so that none is missing if the process crashes meanwhile. The oldest lines are deleted
 * when there are too many.
 */
import { bounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import type { Log } from '../../core/log.js';
import { assert, isRefusal, type Refusal } from '../../core/refusal.js';
import type { StoreReader, StoreWriter } from '../../store/store.js';

const table = 'admin-log';

export type Details = { readonly [name: string]: string | number | boolean | null };

/** An operator's action. `details` must not contain secrets. */
export interface Act {
  /** Dotted: `api-key.create`, `account.freeze`. */
  readonly act: string;
  /** Id of the API key, or where the operator acted from: `cli`, an address. */
  readonly by: string;
  readonly details?: Details;
}

export interface AdminAct extends Required<Act> {
  readonly id: string;
  readonly createdAt: number;
  /** `begun`: in progress, or it failed, or the process ended before the outcome was recorded. */
  readonly outcome: 'begun' | 'done';
}

/** Old lines are deleted after this many new ones. */
const sweepEvery = 100;

export class AdminLog {
  #sinceSweep = sweepEvery;

  constructor(
    private readonly store: Pick<StoreReader, 'listLocal'> & Pick<StoreWriter, 'putLocal' | 'deleteLocal'>,
    private readonly world: Environment,
    private readonly log: Log,
  ) {}

  /**
   * Runs an operator's action and writes its line before and after. A refused action leaves no line; one that throws
   * stays `begun`.
   * @param detailsOf the details that are known only afterwards; undefined if nothing was done
   */
  async around<T extends object>(
    { act, by, details = {} }: Act,
    work: () => T | Refusal | Promise<T | Refusal>,
    detailsOf: (done: T) => Details | undefined = () => ({}),
  ): Promise<T | Refusal> {
    const { store, world } = this;
    const createdAt = world.now();
    const id = `${String(createdAt).padStart(15, '0')}-${Buffer.from(world.random(6)).toString('hex')}`;
    const line = { createdAt, act, by };
    const written = await store.putLocal(table, id, { ...line, details, outcome: 'begun' }, 0);
    assert(written, 'ids of the admin log are unique');
    const done = await work();
    const more = isRefusal(done) ? undefined : detailsOf(done);
    try {
      if (more === undefined) await store.deleteLocal(table, id);
      else await store.putLocal(table, id, { ...line, details: { ...details, ...more }, outcome: 'done' }, 1);
      this.#sinceSweep += 1;
      if (this.#sinceSweep > sweepEvery) await this.#sweep();
    } catch (error) {
      // The action succeeded and the caller gets its reply; only the log line remains `begun`.
      this.log.warn({ err: error, act, by }, 'the outcome of an operator’s act was not recorded');
    }
    return done;
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
