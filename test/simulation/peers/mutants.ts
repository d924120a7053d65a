/** Planted bugs, each a wrapper around one part of every home. The simulation must find each. */
import type { JsonObject } from '../../../src/core/canonical.js';
import type { PeerConnection, PeerTransport } from '../../../src/peers/transport/transport.js';
import { chainHashOf } from '../../../src/store/entry.js';
import type { AppendResult, CardStore, Cards, Commit, Store } from '../../../src/store/store.js';
import type { Planted } from './home.js';
import { replaced } from './replaced.js';

/** The store answers before it has written. */
function hasty(store: Store): Store {
  let end: Promise<{ readonly seq: number; readonly chainHash: string }> | undefined;
  const append = async (commits: readonly Commit[]): Promise<readonly AppendResult[]> => {
    end ??= store.head();
    let { seq, chainHash } = await end;
    const results = commits.map(({ entry }) => {
      const prevEntry = chainHash;
      chainHash = chainHashOf(++seq, prevEntry, entry.entryHash);
      return { ok: true as const, seq, prevEntry, chainHash };
    });
    end = Promise.resolve({ seq, chainHash });
    void store.append(commits).catch(() => {});
    return results;
  };
  return replaced(store, { append });
}

/** Changes what a home asks of its peers. */
function asking(
  transport: PeerTransport,
  change: (connection: PeerConnection) => Partial<Pick<PeerConnection, 'open' | 'request'>>,
): PeerTransport {
  return replaced(transport, {
    dial: (address: Parameters<PeerTransport['dial']>[0]) => {
      const connection = transport.dial(address);
      return replaced<PeerConnection>(connection, change(connection));
    },
  });
}

/** Keeps other cards than it is given. */
const keeping =
  (change: (cards: Cards) => Cards) =>
  (store: CardStore): CardStore =>
    replaced(store, { keepCards: (cards: Cards) => store.keepCards(change(cards)) });

export const mutants: { readonly [bug: string]: () => Planted } = {
  'a home starts without asking its peers for its own head': () => ({ skipsOwnHead: true }),

  'a home acknowledges before the entry is on disk': () => ({
    store: hasty,
  }),

  'a follower does not keep how far it has followed': () => ({
    store: (store) =>
      replaced(store, {
        putLocal: async (table: string, ...rest: [id: string, value: JsonObject, revision: number]) =>
          table === 'peer-feeds' || store.putLocal(table, ...rest),
      }),
  }),

  // Without the checkpoints, from which others would find the proof themselves.
  'what proves an equivocation stays with the home that has found it': () => ({
    transport: (transport) =>
      asking(transport, (connection) => ({
        request: (method, path, options) => {
          const said = options?.body ? JSON.parse(options.body) : undefined;
          if (!said?.equivocations) return connection.request(method, path, options);
          const body = JSON.stringify({ ...said, checkpoints: [], equivocations: [] });
          return connection.request(method, path, { ...options, body });
        },
      })),
  }),

  'a silent connection counts as open': () => ({
    transport: (transport) =>
      asking(transport, (connection) => ({
        open: (path, options) => connection.open(path, { ...options, idleMs: Number.MAX_SAFE_INTEGER }),
      })),
  }),

  'an index keeps how far it has read without the cards': () => ({
    cards: keeping((cards) => ({ ...cards, snapshots: cards.snapshots.slice(1) })),
  }),

  'a withdrawn listing stays in the index': () => ({
    cards: keeping((cards) => ({
      ...cards,
      snapshots: cards.snapshots.filter(({ snapshot: { state } }) => state !== 'withdrawn'),
    })),
  }),

  'an erased text stays in the index': () => ({
    cards: keeping((cards) => (cards.forgotten.length > 0 ? { ...cards, snapshots: [] } : cards)),
  }),

  'a home does not notice that the file of the index is gone': () => ({ isBlindToLostCards: true }),
};
