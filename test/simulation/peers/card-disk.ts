/**
 * The file of a home's index of cards: separate from its store, and lost now and then. A process may die before or after each
 * write.
 */
import { pause } from '../../../src/core/environment.js';
import type { CardFile } from '../../../src/peers/cards/card-index.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { Tables } from '../../../src/store/memory/tables.js';
import { type CardStore, type Cards, type Snapshot, StoreFault } from '../../../src/store/store.js';
import type { Draws } from './draws.js';
import type { Planted } from './home.js';
import { never, type SimulatedProcess } from './simulated-process.js';

class MemoryCards extends MemoryStore implements CardStore {
  constructor(
    tables: Tables,
    private readonly beforeWrite: () => Promise<void>,
    private readonly afterWrite: () => Promise<void>,
  ) {
    super({ tables });
  }

  async loadAll(kinds: readonly string[], ids: readonly string[]): Promise<readonly Snapshot[]> {
    return kinds.flatMap((kind) => ids.flatMap((id) => this.tables.snapshot(kind, id) ?? []));
  }

  async keepCards({ snapshots, cursor }: Cards): Promise<void> {
    await this.beforeWrite();
    for (const { snapshot, search } of snapshots) {
      this.tables.snapshots.set(`${snapshot.kind}/${snapshot.id}`, JSON.stringify(snapshot));
      if (search) this.tables.search.keep({ ...search, snapshot });
    }
    const { table, id, value, revision } = cursor;
    if (!(await this.putLocal(table, id, value, revision))) throw new StoreFault('another process has kept cards');
    await this.afterWrite();
  }
}

export class CardDisk {
  /** Undefined while there is no file. */
  tables: Tables | undefined;
  /** Fault of the next write. */
  fails = false;

  constructor(private readonly draws: Draws) {}

  file(process: SimulatedProcess, planted: Planted): CardFile {
    let opened: Tables | undefined;
    return {
      open: async () => {
        this.tables ??= new Tables();
        opened = this.tables;
        const store = this.#mount(process, opened);
        return planted.cards?.(store) ?? store;
      },
      isThere: async () => planted.isBlindToLostCards || (opened !== undefined && this.tables === opened),
      delete: async () => {
        this.tables = undefined;
      },
    };
  }

  #mount(process: SimulatedProcess, tables: Tables): CardStore {
    const before = async (): Promise<void> => {
      if (process.reaches('before', 'keepCards')) return never();
      await pause(process, this.draws.between(0, 4));
      if (!this.fails) return;
      this.fails = false;
      throw new StoreFault('the disk of the cards failed, as the simulation asked');
    };
    const after = async (): Promise<void> => (process.reaches('after', 'keepCards') ? never() : undefined);
    return new MemoryCards(tables, before, after);
  }
}
