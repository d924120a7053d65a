/** Planted bugs of acts at other homes. The simulation must find each. */
import type { Store } from '../../../src/store/store.js';
import type { Planted } from './home.js';
import { replaced } from './replaced.js';

type Acted = { readonly [name: string]: unknown };
type PutLocal = Store['putLocal'];

/** A home that reads its records of acts with these changes. What it writes replaces what is there. */
const reading =
  (change: (record: Acted, id: string, kept: ReadonlySet<string>) => object | undefined) =>
  (store: Store): Store => {
    const kept = new Set<string>();
    const putLocal: PutLocal = async (table, id, value, revision) => {
      if (table !== 'acts') return store.putLocal(table, id, value, revision);
      kept.add(id);
      return store.putLocal(table, id, value, (await store.getLocal(table, id))?.revision ?? 0);
    };
    const getLocal: Store['getLocal'] = async (table, id) => {
      const found = await store.getLocal(table, id);
      if (table !== 'acts' || !found) return found;
      const value = change(found.value as Acted, id, kept);
      return value && { ...found, value: value as typeof found.value };
    };
    return replaced(store, { putLocal, getLocal });
  };

export const visitMutants: { readonly [bug: string]: () => Planted } = {
  'an act is sent before it is kept': () => ({
    store: (store) => {
      const there = reading((record) => record)(store);
      const putLocal: PutLocal = async (table, id, value, revision) =>
        (table === 'acts' && (value as Acted).isOpen === true) || there.putLocal(table, id, value, revision);
      return replaced(there, { putLocal });
    },
  }),

  'an act without an answer is replaced': () => ({ store: reading((record) => ({ ...record, isOpen: false })) }),

  'a home that refuses is believed': () => ({ store: reading((record) => ({ ...record, refused: [] })) }),

  'what was sent is forgotten when a process ends': () => ({
    store: reading((record, id, kept) => (kept.has(id) ? record : undefined)),
  }),

  'what was done before the newest act is forgotten': () => ({ store: reading((record) => ({ ...record, done: [] })) }),

  'the nonce is what the home says': () => ({
    acts: (acts) => ({
      act: ({ options: { nonce: _, ...options }, ...act }) =>
        acts.act({ ...act, options: options as typeof options & { nonce: number } }),
    }),
  }),
};
