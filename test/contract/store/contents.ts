import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Commit, Content } from '../../../src/store/store.js';
import type { Bench } from '../fixture.js';

const ada = 'did:svc:ada';

function content(bytes: Uint8Array): Content {
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes };
}

const some = (...bytes: number[]): Content => content(new Uint8Array(bytes));
/** All byte values, and the largest content of one entry. */
const large = content(new Uint8Array(750 * 1024).map((_, index) => index % 251));

export function contents(bench: Bench): void {
  const bringing = (commit: Commit, ...brought: Content[]): Commit => ({ ...commit, contents: brought });
  const read = async (hash: string) => {
    const bytes = await bench.store.content(hash);
    return bytes && Buffer.from(bytes).toString('base64');
  };
  const text = ({ bytes }: Content) => Buffer.from(bytes).toString('base64');

  describe('contents', () => {
    it('are there with their entry, by their hash, byte for byte', async () => {
      const [one, none] = [some(0, 255, 128, 10, 13), some()];
      await bench.accept(bringing(bench.builder.mint(ada, 10), one, large), bringing(bench.builder.mint(ada, 1), none));
      for (const each of [one, large, none]) expect(await read(each.hash)).to.equal(text(each));
      expect(await bench.store.content('0'.repeat(64))).to.equal(undefined);
    });

    it('are given in parts, too', async () => {
      await bench.accept(bringing(bench.builder.mint(ada, 10), large));
      const part = async (from: number, length: number) => {
        const bytes = await bench.store.contentPart(large.hash, from, length);
        return bytes && Buffer.from(bytes);
      };
      const whole = Buffer.from(large.bytes);
      expect(await part(0, 1_000)).to.deep.equal(whole.subarray(0, 1_000));
      expect(await part(131_072, 131_072)).to.deep.equal(whole.subarray(131_072, 262_144));
      expect(await part(whole.length - 5, 1_000)).to.deep.equal(whole.subarray(-5));
      expect(await part(whole.length, 1_000)).to.deep.equal(Buffer.alloc(0));
      expect(await bench.store.contentPart('0'.repeat(64), 0, 10)).to.equal(undefined);
    });

    it('are named by entry', async () => {
      const commits = [1, 2, 3].map((byte) => bringing(bench.builder.mint(ada, 10), some(byte), some(byte, byte)));
      await bench.accept(...commits, bench.builder.mint(ada, 1));
      const wanted = [commits[0]!, commits[2]!];
      const named = wanted.flatMap(({ entry, contents: brought }) =>
        brought!.map(({ hash }) => ({ entry: entry.entryHash, hash })),
      );
      named.sort((a, b) => (a.hash < b.hash ? -1 : 1));
      const found = await bench.store.contentsOf(
        [1, 3].map((seq) => ({ seq, entryHash: commits[seq - 1]!.entry.entryHash })),
      );
      expect(found).to.deep.equal(named);
      expect(await bench.store.contentsOf([{ seq: 5, entryHash: '0'.repeat(64) }])).to.deep.equal([]);
    });

    it('of an entry that loses are not there; of the one that comes after it they are', async () => {
      const rival = bench.builder.fork();
      await bench.accept(bench.builder.resource({ kind: 'order', id: 'o1' }));
      const [lost, kept] = [some(7), some(8)];
      await bench.refused(bringing(rival.resource({ kind: 'order', id: 'o1', state: 'other' }), lost, kept));
      expect(await read(lost.hash)).to.equal(undefined);
      await bench.accept(bringing(bench.builder.resource({ kind: 'order', id: 'o1', state: 'paid' }), kept));
      expect(await read(kept.hash)).to.equal(text(kept));
    });

    it('that are there already stay as they are', async () => {
      const same = some(1, 2, 3);
      await bench.accept(bringing(bench.builder.mint(ada, 10), same));
      await bench.accept(bringing(bench.builder.mint(ada, 10), same));
      expect(await read(same.hash)).to.equal(text(same));
    });

    it('survive reopening', async () => {
      await bench.accept(bringing(bench.builder.mint(ada, 10), large));
      await bench.reopen();
      expect(await read(large.hash)).to.equal(text(large));
    });

    it('come along when entries are taken over', async () => {
      const commit = bringing(bench.builder.mint(ada, 10), large);
      const elsewhere = new MemoryStore();
      await elsewhere.append([commit]);
      const [entry] = await elsewhere.entries({ after: 0, limit: 1 });
      await bench.store.takeOver([{ ...commit, entry: entry! }]);
      expect(await read(large.hash)).to.equal(text(large));
      expect(await bench.store.contentsOf([entry!])).to.have.length(1);
    });
  });
}
