import { expect } from 'chai';
import { newLeaf } from '../../../src/core/leaf.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Commit, PlacedCommit } from '../../../src/store/store.js';
import type { Bench } from '../fixture.js';
import { everything, searched, words } from '../shelf.js';

const salt = (byte: number) => Buffer.alloc(16, byte);

export function erasing(bench: Bench): void {
  describe('erasing a text', () => {
    const title = newLeaf('zebrafinch songs', salt(1));
    const other = newLeaf('axolotl songs', salt(2));
    const texts = (...leaves: (typeof title)[]) => leaves.map(({ leaf }, index) => [leaf, 4 - index] as const);

    /** A listing that both texts find, and the erasure of the first. */
    function life(): [listed: Commit, erased: Commit] {
      const before = { ...searched({}), texts: texts(title, other) };
      const listed = bench.builder.resource({ kind: 'listing', id: 'a', state: 'active', found: before });
      const erased = bench.builder.resource({ kind: 'leaf', id: title.leaf.leaf });
      const reworded = { id: 'a', version: 1, found: { ...before, texts: texts(other) }, before };
      return [
        { ...listed, contents: [title.content, other.content] },
        { ...erased, erases: { hash: title.leaf.leaf, reworded } },
      ];
    }

    const found = async (word: string) => (await bench.store.search({ ...everything, ...words(word) })).total;

    async function expectErased(): Promise<void> {
      const { store } = bench;
      expect(await store.content(title.leaf.leaf)).to.equal(undefined);
      expect([...(await store.texts([title.leaf.leaf, other.leaf.leaf])).keys()]).to.deep.equal([other.leaf.leaf]);
      const entries = await store.entries({ after: 0, limit: 10 });
      expect((await store.contentsOf(entries)).map(({ hash }) => hash)).to.deep.equal([other.leaf.leaf]);
      expect([await found('zebrafinch'), await found('axolotl'), await found('songs')]).to.deep.equal([0, 1, 1]);
    }

    it('deletes it and the words that only it has, and nothing else', async () => {
      const [listed, erased] = life();
      await bench.accept(listed);
      expect([await found('zebrafinch'), await found('axolotl')]).to.deep.equal([1, 1]);
      await bench.accept(erased);
      await expectErased();
      await bench.reopen();
      await expectErased();
    });

    it('in the same call as its entry', async () => {
      await bench.accept(...life());
      await expectErased();
    });

    it('is taken over from another store', async () => {
      const commits = life();
      const elsewhere = new MemoryStore();
      await elsewhere.append(commits);
      const entries = await elsewhere.entries({ after: 0, limit: 10 });
      const [listed, erased] = commits.map((commit, at): PlacedCommit => ({ ...commit, entry: entries[at]! }));
      await bench.store.takeOver([listed!]);
      expect(await found('zebrafinch')).to.equal(1);
      await bench.store.takeOver([erased!]);
      await expectErased();
    });

    it('is not done by an entry that is refused', async () => {
      const [listed, erased] = life();
      await bench.accept(listed);
      // Its keys are taken.
      await bench.refused({ ...listed, erases: erased.erases });
      expect(await bench.store.content(title.leaf.leaf)).to.not.equal(undefined);
      expect(await found('zebrafinch')).to.equal(1);
    });
  });
}
