/** Two memory stores and a move between them, which a test can interrupt at any write. */

import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { type Store, StoreFault } from '../../../src/store/store.js';
import { type MoveResult, move, type Side } from '../../../src/verify/move/move.js';
import { firstPage } from '../../contract/fixture.js';
import { type Bench, network } from '../../world/bench.js';
import { ada, ben } from '../../world/people.js';

const writes = ['putLocal', 'deleteLocal', 'takeOver', 'appendReceipts', 'append'];

/** Where a process is killed: at which write, and before or after it took effect. */
export interface Kill {
  at: number;
  readonly after: boolean;
}

/** A store as seen by a process that will be killed. */
function doomed(store: MemoryStore, kill: Kill | undefined): MemoryStore {
  if (!kill) return store;
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = member.bind(target);
      if (!writes.includes(String(name))) return call;
      return async (...given: unknown[]) => {
        kill.at--;
        if (kill.at < 0 || (kill.at === 0 && !kill.after)) throw new StoreFault('killed');
        const result = await call(...given);
        if (kill.at === 0) throw new StoreFault('killed');
        return result;
      };
    },
  });
}

export class Removal {
  constructor(
    readonly bench: Bench,
    readonly from: MemoryStore = bench.store,
    readonly to: MemoryStore = new MemoryStore(),
  ) {}

  #ids = 0;

  side(store: Store, place: string): Side {
    return { store, place, beAlone: async () => {}, read: (work) => work(store) };
  }

  move(kill?: Kill, more: { network?: string } = {}): Promise<MoveResult> {
    return move({
      source: this.side(doomed(this.from, kill), 'here'),
      target: this.side(doomed(this.to, kill), 'there'),
      catalogue: this.bench.catalogue,
      network,
      id: `move-${++this.#ids}`,
      ...more,
    });
  }

  back(): Removal {
    return new Removal(this.bench, this.to, this.from);
  }
}

async function contentsIn(store: Store): Promise<unknown> {
  const entries = await store.entries({ after: 0, limit: 1_000 });
  const brought = await store.contentsOf(entries);
  return Promise.all(
    brought.map(async ({ entry, hash }) => [entry, Buffer.from((await store.content(hash))!).toString('hex')]),
  );
}

/** Everything that can be read from a store, except its own mark. */
export async function everything(store: Store): Promise<unknown> {
  const local: Record<string, unknown> = {};
  for (const table of await store.localTables()) {
    const records = await store.listLocal(table);
    local[table] = records
      .filter(({ id }) => !(table === 'meta' && id === 'move'))
      .map(({ id, value }) => ({ id, value }));
  }
  return {
    head: await store.head(),
    entries: await store.entries({ after: 0, limit: 1_000 }),
    totals: await store.totals(),
    census: await store.census(),
    accounts: [await store.account(ada), await store.account(ben)],
    histories: [await store.history(ada, undefined, firstPage), await store.history(ben, 'received', firstPage)],
    escrows: await store.find({ kind: 'escrow', anyLabel: [`depositor:${ada}`], page: firstPage }),
    due: await store.due(Number.MAX_SAFE_INTEGER, 100),
    receipts: await store.receipts(0, 100),
    contents: await contentsIn(store),
    local,
  };
}
