/** Stores of followed journals in memory: the reference for the contract suite, also used by simulations of several homes. */
import { assert } from '../../src/core/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Replicas } from '../../src/store/replicas.js';
import type { Store } from '../../src/store/store.js';

class MemoryReplica extends MemoryStore {
  isOpen = true;

  /** Alarms of another home's resources are that home's task. */
  override async due() {
    return [];
  }

  override async close(): Promise<void> {
    this.isOpen = false;
    await super.close();
  }
}

export class MemoryReplicas implements Replicas {
  readonly #stores = new Map<string, MemoryReplica>();

  async homes(): Promise<readonly string[]> {
    return [...this.#stores.keys()].sort();
  }

  async open(home: string, _mode: 'read' | 'write'): Promise<Store> {
    const known = this.#stores.get(home);
    if (known?.isOpen) return known;
    const store = new MemoryReplica(known ? { tables: known.tables } : {});
    this.#stores.set(home, store);
    return store;
  }

  async forget(home: string): Promise<void> {
    assert(!this.#stores.get(home)?.isOpen, 'a replica is closed before it is forgotten');
    this.#stores.delete(home);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#stores.values()].map((store) => store.close()));
  }

  /** The same data as a restarted process would find it. */
  survivor(): MemoryReplicas {
    const next = new MemoryReplicas();
    for (const [home, { tables }] of this.#stores) {
      const store = new MemoryReplica({ tables });
      store.isOpen = false;
      next.#stores.set(home, store);
    }
    return next;
  }
}
