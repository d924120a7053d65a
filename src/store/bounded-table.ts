/**
 * Local records whose number is bounded across all writers: concurrent requests, and other processes on the same
 * database.
 */
import PQueue from 'p-queue';
import type { JsonObject } from '../core/canonical.js';
import { type Environment, pause } from '../core/environment.js';
import { assert, type Refusal } from '../core/refusal.js';
import type { LocalRecord, StoreReader, StoreWriter } from './store.js';

/** Returns a refusal if there is no room for one more record next to these; undefined if there is. */
export type RoomCheck = (others: readonly LocalRecord[]) => Refusal | undefined;

export interface BoundedTableOptions {
  readonly store: Pick<StoreReader, 'listLocal'> & Pick<StoreWriter, 'putLocal' | 'deleteLocal'>;
  readonly world: Environment;
  readonly table: string;
}

/** If several processes find room for one record at the same moment, all remove theirs and retry at different times. */
const attempts = 8;
const restMs = 16;

export class BoundedTable {
  /** Serialises additions: two concurrent ones in this process would both take the last place. */
  readonly #turns = new PQueue({ concurrency: 1 });

  constructor(private readonly options: BoundedTableOptions) {}

  /** Adds a record under a new id. Durable when it resolves. @returns the refusal of `room` if there is no room */
  add(id: string, value: object, room: RoomCheck): Promise<Refusal | undefined> {
    return this.#turns.add(() => this.#add(id, value as JsonObject, room)) as Promise<Refusal | undefined>;
  }

  async #add(id: string, value: JsonObject, room: RoomCheck): Promise<Refusal | undefined> {
    const { store, world, table } = this.options;
    const others = async () => (await store.listLocal(table)).filter((each) => each.id !== id);
    for (let attempt = 1; ; attempt++) {
      const full = room(await others());
      if (full) return full;
      const written = await store.putLocal(table, id, value, 0);
      assert(written, `ids of ${table} are unique`);
      // A concurrent writer's record either appears in this check, or its writer sees this record in its own check.
      const crowded = room(await others());
      if (!crowded) return undefined;
      await store.deleteLocal(table, id);
      if (attempt === attempts) return crowded;
      await pause(world, (world.random(1)[0] ?? 0) % (restMs * attempt));
    }
  }
}
