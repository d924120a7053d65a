import { expect } from 'chai';
import { chainHashOf, noHash } from '../../../src/store/entry.js';
import { forged } from '../entries.js';
import type { Bench } from '../fixture.js';

const ada = 'did:svc:ada';
const bob = 'did:svc:bob';

export function appending(bench: Bench): void {
  describe('append', () => {
    it('numbers entries from 1 and chains them', async () => {
      const commits = [bench.builder.mint(ada, 5), bench.builder.mint(bob, 5)];
      const [first, second] = await bench.accept(...commits);
      const firstHash = chainHashOf(1, noHash, commits[0]!.entry.entryHash);
      expect(first).to.deep.equal({ ok: true, seq: 1, prevEntry: noHash, chainHash: firstHash });
      const secondHash = chainHashOf(2, firstHash, commits[1]!.entry.entryHash);
      expect(second).to.deep.equal({ ok: true, seq: 2, prevEntry: firstHash, chainHash: secondHash });
      expect(await bench.store.head()).to.deep.equal({ seq: 2, chainHash: secondHash });
    });

    it('has an empty head, and answers an empty call', async () => {
      expect(await bench.store.head()).to.deep.equal({ seq: 0, chainHash: noHash });
      expect(await bench.store.append([])).to.deep.equal([]);
    });

    it('gives an entry back as it was written', async () => {
      const { entry } = bench.builder.mint(ada, 5);
      const [place] = await bench.accept({ entry, snapshots: [] });
      const { seq, prevEntry, chainHash } = place!;
      const numbered = { ...entry, seq, prevEntry, chainHash };
      expect(await bench.store.entryByEvent(entry.core.event.hash)).to.deep.equal(numbered);
      expect(await bench.store.entries({ after: 0, limit: 10 })).to.deep.equal([numbered]);
    });

    it('finds no entry by the hash of an unknown event', async () => {
      const { entry } = bench.builder.mint(ada, 5);
      await bench.accept({ entry, snapshots: [] });
      const { hash } = entry.core.event;
      // Another hash with the same first 48 bits: an index on a prefix must compare the rest.
      expect(await bench.store.entryByEvent(hash.slice(0, 12) + hash.slice(0, 52))).to.equal(undefined);
      expect(await bench.store.entryByEvent('nonsense')).to.equal(undefined);
    });

    it('accepts a later commit of a call that builds on an earlier one', async () => {
      const { builder } = bench;
      await bench.accept(
        builder.mint(ada, 10),
        builder.transfer(ada, bob, 4),
        builder.transfer(ada, bob, 4),
        builder.transfer(bob, ada, 8),
        builder.resource({ kind: 'order', id: 'o1' }),
        builder.resource({ kind: 'order', id: 'o1', state: 'paid' }),
      );
      expect(await bench.store.account(ada)).to.include({ available: 10, version: 2, nonce: 2 });
      expect(await bench.store.load('order', 'o1')).to.include({ version: 2, state: 'paid' });
    });

    it('refuses a nonce that was used', async () => {
      const other = bench.builder.fork();
      await bench.accept(bench.builder.mint(ada, 1));
      expect(await bench.refused(other.mint(bob, 2))).to.equal('nonce/did:svc:faucet#1');
    });

    it('refuses a nonce whose predecessor is missing', async () => {
      bench.builder.mint(ada, 1);
      expect(await bench.refused(bench.builder.mint(ada, 1))).to.equal('nonce/did:svc:faucet#2');
    });

    it('refuses the right nonce after a stranger to its chain', async () => {
      const other = bench.builder.fork();
      await bench.accept(bench.builder.mint(ada, 1));
      other.mint(ada, 2);
      expect(await bench.refused(other.mint(ada, 1))).to.equal('nonce/did:svc:faucet#2');
    });

    it('refuses a version of a resource that is taken, missing its predecessor, or built on another', async () => {
      const { builder } = bench;
      const create = (from: typeof builder, issuer: string) => from.resource({ kind: 'order', id: 'o1' }, { issuer });
      const late = builder.fork();
      const ahead = builder.fork();
      await bench.accept(create(builder, ada));
      expect(await bench.refused(create(late, bob))).to.equal('order/o1@1');
      expect(await bench.refused(late.resource({ kind: 'order', id: 'o1' }, { issuer: 'did:svc:eve' }))).to.equal(
        'order/o1@2',
      );
      ahead.resource({ kind: 'order', id: 'o2' });
      expect(await bench.refused(ahead.resource({ kind: 'order', id: 'o2' }, { issuer: bob }))).to.equal('order/o2@2');
    });

    it('refuses a nonce or a version that skips one, though it names the right predecessor', async () => {
      const { builder } = bench;
      const order = { kind: 'order', id: 'o1' };
      await bench.accept(builder.mint(ada, 1), builder.resource(order, { issuer: ada }));
      const next = builder.fork().mint(ada, 1);
      const skipping = forged(next, { event: { ...next.entry.core.event, nonce: 3 } });
      expect(await bench.refused(skipping)).to.equal('nonce/did:svc:faucet#3');
      const { entry, snapshots } = builder.fork().resource(order, { issuer: ada });
      const [{ snapshot }, [version]] = [snapshots[0]!, entry.core.versions];
      const late = [{ ...snapshots[0]!, snapshot: { ...snapshot, version: 3 } }];
      const gap = forged({ entry, snapshots: late }, { versions: [{ ...version!, version: 3 }] });
      expect(await bench.refused(gap)).to.equal('order/o1@3');
    });

    it('refuses a debit of an account version that is taken or missing its predecessor', async () => {
      const { builder } = bench;
      await bench.accept(builder.mint(ada, 10));
      const late = builder.fork();
      await bench.accept(builder.transfer(ada, bob, 1));
      const move = { op: 'transfer', from: ada, to: bob, amount: 1, fee: 0 } as const;
      const ofOther = { issuer: 'did:svc:eve', moves: [move] };
      expect(await bench.refused(late.commit(ofOther))).to.equal(`account/${ada}@1`);
      const ahead = builder.fork();
      ahead.transfer(ada, bob, 1);
      expect(await bench.refused(ahead.commit(ofOther))).to.equal(`account/${ada}@3`);
    });

    it('leaves no trace of a refused commit, and none on its neighbours', async () => {
      const { builder } = bench;
      await bench.accept(builder.mint(ada, 10), builder.resource({ kind: 'order', id: 'o1', add: ['kept'] }));
      const late = builder.fork();
      await bench.accept(builder.resource({ kind: 'order', id: 'o1', state: 'paid' }));
      const before = await bench.store.account(ada);
      const loser = late.commit({
        issuer: ada,
        moves: [{ op: 'transfer', from: ada, to: 'did:svc:nobody', amount: 3, fee: 1 }],
        resources: [
          { kind: 'order', id: 'fresh', add: ['kept'], alarm: { at: 1, action: 'expire' } },
          { kind: 'order', id: 'o1', state: 'lost', drop: ['kept'] },
        ],
        idem: { principal: ada, key: 'k' },
      });
      const results = await bench.store.append([builder.mint(bob, 1), loser, builder.mint(bob, 2)]);
      expect(results.map((result) => (result.ok ? result.seq : result.taken))).to.deep.equal([4, 'order/o1@2', 5]);
      expect(await bench.store.account(ada)).to.deep.equal(before);
      expect(await bench.store.account('did:svc:nobody')).to.equal(undefined);
      expect(await bench.store.load('order', 'fresh')).to.equal(undefined);
      expect(await bench.store.load('order', 'o1')).to.include({ version: 2, state: 'paid' });
      expect(await bench.store.due(Number.MAX_SAFE_INTEGER, 1)).to.deep.equal([]);
      expect(await bench.store.recall(ada, 'k', builder.time)).to.equal(undefined);
      expect(await bench.store.census()).to.deep.equal([{ kind: 'order', state: 'paid', count: 1 }]);
      expect((await bench.store.totals()).available).to.equal(13);
      // The refused entry used no nonce.
      await bench.accept(builder.transfer(ada, bob, 3));
    });

    it('answers many calls at once, each in its order', async () => {
      const { builder } = bench;
      await bench.accept(builder.mint(ada, 100));
      const calls = Array.from({ length: 50 }, () => bench.store.append([builder.transfer(ada, bob, 1)]));
      const seqs = (await Promise.all(calls)).map(([result]) => (result?.ok ? result.seq : 0));
      expect(seqs).to.deep.equal(Array.from({ length: 50 }, (_, i) => i + 2));
      expect(await bench.store.account(bob)).to.include({ available: 50 });
    });
  });
}
