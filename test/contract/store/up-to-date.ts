import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Commit, Store, StoreReader } from '../../../src/store/store.js';
import type { EntryBuilder } from '../entries.js';
import { type Bench, firstPage } from '../fixture.js';
import { everything, listing, words } from '../shelf.js';

const ada = 'did:svc:ada';
const bob = 'did:svc:bob';
const rounds = 10;

/** The entries that a listing shows of those from this number on. */
type Listing = (store: StoreReader, seq: number, commit: Commit) => Promise<readonly unknown[]>;

export const listings: { readonly [name: string]: Listing } = {
  'the oldest first': (store, seq) => store.entries({ after: seq - 1, limit: 1 }),
  'the newest first': (store, seq) => store.entries({ after: seq - 1, before: seq + 1, limit: 1 }),
  'of one resource': (store, seq) => store.entries({ after: seq - 1, limit: 1, resource: 'listing/l1' }),
  'by its event': async (store, _, { entry }) => {
    const found = await store.entryByEvent(entry.core.event.hash);
    return found ? [found] : [];
  },
};

/** Moves one Token from Ada to Bob, and writes this version of a listing, with its number as a label and a word. */
function turn(builder: EntryBuilder, version: number): Commit {
  const change = {
    ...listing('l1', { title: `turn${version}` }),
    add: [`turn:${version}`],
    drop: [`turn:${version - 1}`],
  };
  const move = { op: 'transfer', from: ada, to: bob, amount: 1, fee: 0 } as const;
  return builder.commit({ issuer: ada, moves: [move], resources: [change] });
}

/** Reads as soon as each entry is listed, before its append is answered. */
export async function expectUpToDate(writer: Store, reader: StoreReader, list: Listing, builder: EntryBuilder) {
  await writer.append([builder.mint(ada, rounds)]);
  for (let n = 1; n <= rounds; n++) {
    const seq = n + 1;
    const commit = turn(builder, n);
    const appended = writer.append([commit]);
    while ((await list(reader, seq, commit)).length === 0) await nextTurn();
    const [payer, payee, loaded, found, matching, history, wallets, head] = await Promise.all([
      reader.account(ada),
      reader.account(bob),
      reader.load('listing', 'l1'),
      reader.find({ kind: 'listing', anyLabel: [`turn:${n}`], page: firstPage }),
      reader.search({ ...everything, ...words(`turn${n}`) }),
      reader.history(bob, undefined, firstPage),
      reader.accounts(firstPage),
      reader.head(),
    ]);
    expect(payer).to.include({ available: rounds - n, nonce: n });
    expect(payee).to.include({ available: n });
    expect(loaded).to.include({ version: n });
    expect(found.items.map(({ version }) => version)).to.deep.equal([n]);
    expect(matching.items.map(({ version }) => version)).to.deep.equal([n]);
    expect(history.items[0]?.entry.seq).to.equal(seq);
    expect(wallets.items.find(({ did }) => did === bob)).to.include({ available: n });
    expect(head.seq).to.equal(seq);
    expect((await appended)[0]).to.include({ ok: true, seq });
  }
}

export function upToDate(bench: Bench): void {
  describe('reads after an entry was listed', () => {
    for (const [name, list] of Object.entries(listings)) {
      it(`include it: ${name}`, () => expectUpToDate(bench.store, bench.store, list, bench.builder));
    }
  });
}
