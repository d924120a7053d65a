import { expect } from 'chai';
import { newLeaf } from '../../../src/core/leaf.js';
import type { Searched } from '../../../src/machines/kernel/searched.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Rewording } from '../../../src/store/search.js';
import type { Commit, Content, PlacedCommit } from '../../../src/store/store.js';
import { type Bench, firstPage } from '../fixture.js';
import { everything, listing, searched, words } from '../shelf.js';

const ada = 'did:svc:ada';

const leafOf = (value: string | object, salt: number) => newLeaf(value as never, new Uint8Array(16).fill(salt));
const secret = leafOf('secret words', 1);
const other = leafOf({ list: [1, null, 'ä'] }, 2);
const unknown = '0'.repeat(64);

export function erasing(bench: Bench): void {
  const bringing = (commit: Commit, ...contents: Content[]): Commit => ({ ...commit, contents });
  /** As `leaf.redacted`, which makes a resource for each erased leaf. */
  const erase = (hash: string, { id = hash, reworded }: { id?: string; reworded?: Rewording } = {}): Commit => ({
    ...bench.builder.resource({ kind: 'leaf', id }),
    erases: { hash, reworded },
  });
  const texts = async (...hashes: string[]) =>
    [...(await bench.store.texts(hashes))].map(([hash, { salt, value }]) => [
      hash,
      Buffer.from(salt).toString('hex'),
      value,
    ]);
  const isSecret = [secret.content.hash, '01'.repeat(16), 'secret words'];
  const isOther = [other.content.hash, '02'.repeat(16), { list: [1, null, 'ä'] }];
  const broughtBy = async ({ hash }: Pick<Content, 'hash'>) => (await bench.store.broughtBy(hash))?.seq;
  const both = [secret.content.hash, other.content.hash] as const;

  /** All that a store tells of a content. */
  const traces = async ({ hash }: Content) => ({
    texts: await texts(hash),
    content: await bench.store.content(hash),
    part: await bench.store.contentPart(hash, 0, 4),
    broughtBy: await broughtBy({ hash }),
  });
  const noTrace = { texts: [], content: undefined, part: undefined, broughtBy: undefined };

  describe('texts of leaves', () => {
    it('come with their entry, and are read with their salts; unknown ones are missing', async () => {
      await bench.accept(bringing(bench.builder.mint(ada, 1), secret.content, other.content));
      expect(await texts(...both, unknown)).to.have.deep.members([isSecret, isOther]);
      expect(await texts(unknown)).to.deep.equal([]);
      expect(await texts()).to.deep.equal([]);
    });

    it('name the entry that brought them first', async () => {
      await bench.accept(bench.builder.mint(ada, 1));
      const first = bringing(bench.builder.mint(ada, 1), secret.content);
      await bench.accept(first);
      await bench.accept(bringing(bench.builder.mint(ada, 1), secret.content, other.content));
      expect(await bench.store.broughtBy(secret.content.hash)).to.deep.include({
        seq: 2,
        entryHash: first.entry.entryHash,
        core: first.entry.core,
      });
      expect(await broughtBy(other.content)).to.equal(3);
      expect(await bench.store.broughtBy(unknown)).to.equal(undefined);
    });
  });

  describe('an erasure', () => {
    const bring = () => bench.accept(bringing(bench.builder.mint(ada, 1), secret.content, other.content));

    it('deletes text and salt with its entry, and nothing else', async () => {
      await bring();
      const [entry] = await bench.store.entries({ after: 0, limit: 1 });
      await bench.accept(erase(secret.content.hash));
      expect(await traces(secret.content)).to.deep.equal(noTrace);
      expect(await texts(...both)).to.deep.equal([isOther]);
      expect(await broughtBy(other.content)).to.equal(1);
      expect((await bench.store.contentsOf([entry!])).map(({ hash }) => hash)).to.deep.equal([other.content.hash]);
      expect(await bench.store.entries({ after: 0, limit: 1 })).to.deep.equal([entry]);
    });

    it('whose entry loses deletes nothing', async () => {
      await bring();
      const rival = bench.builder.fork();
      await bench.accept(bench.builder.resource({ kind: 'leaf', id: 'l1' }));
      await bench.refused({ ...rival.resource({ kind: 'leaf', id: 'l1' }), erases: { hash: secret.content.hash } });
      expect(await texts(...both)).to.have.deep.members([isSecret, isOther]);
    });

    it('may be in the same append as its text', async () => {
      await bench.accept(bringing(bench.builder.mint(ada, 1), secret.content), erase(secret.content.hash));
      expect(await traces(secret.content)).to.deep.equal(noTrace);
    });

    it('of a text that is erased already, or that no entry brought, deletes nothing', async () => {
      await bring();
      await bench.accept(erase(secret.content.hash));
      await bench.accept(erase(secret.content.hash, { id: 'again' }), erase(unknown));
      expect(await traces(secret.content)).to.deep.equal(noTrace);
      expect(await texts(...both)).to.deep.equal([isOther]);
    });

    it('does not reach the text that a later entry brings', async () => {
      await bring();
      await bench.accept(erase(secret.content.hash));
      await bench.accept(bringing(bench.builder.mint(ada, 1), secret.content));
      expect(await texts(secret.content.hash)).to.deep.equal([isSecret]);
      expect(await broughtBy(secret.content)).to.equal(3);
    });
  });

  describe('an erasure of what is searched', () => {
    const found: Searched = {
      ...searched({}),
      texts: [
        [secret.leaf, 4],
        ['plain', 1],
      ],
    };
    const publish = () => bringing(bench.builder.resource({ ...listing('a', {}), found }), secret.content);
    const reworded: Rewording = { id: 'a', version: 1, found: { ...found, texts: [['plain', 1]] }, before: found };
    const eraseIt = () => erase(secret.content.hash, { reworded });
    const ids = async (word: string) =>
      (await bench.store.search({ ...everything, ...words(word) })).items.map(({ id }) => id).join(' ');
    const allFound = async () => ({
      secret: await ids('secret'),
      plain: await ids('plain'),
      words: await ids('words'),
    });
    const withoutIt = { secret: '', plain: 'a', words: 'b' };

    let first: Commit;
    beforeEach(async () => {
      first = bench.builder.resource(listing('b', { title: 'words' }));
      await bench.accept(first);
    });

    it('takes its words from the index, of this resource alone', async () => {
      await bench.accept(publish());
      expect(await allFound()).to.deep.equal({ secret: 'a', plain: 'a', words: 'a b' });
      await bench.accept(eraseIt());
      expect(await allFound()).to.deep.equal(withoutIt);
    });

    it('keeps them out of its next version, which still names the leaf', async () => {
      await bench.accept(publish());
      await bench.accept(eraseIt());
      await bench.accept(bench.builder.resource({ ...listing('a', {}), found }));
      expect(await allFound()).to.deep.equal(withoutIt);
    });

    it('may be in the same append', async () => {
      await bench.accept(publish(), eraseIt());
      expect(await allFound()).to.deep.equal(withoutIt);
    });

    it('is taken over from another store, also in two parts', async () => {
      const elsewhere = new MemoryStore();
      const commits = [first, publish(), eraseIt()];
      await elsewhere.append(commits);
      const entries = await elsewhere.entries({ after: 0, limit: 10 });
      const placed = commits.map((commit, at): PlacedCommit => ({ ...commit, entry: entries[at]! }));
      await bench.store.takeOver(placed.slice(1, 2));
      await bench.store.takeOver(placed.slice(2));
      expect(await allFound()).to.deep.equal(withoutIt);
      expect(await traces(secret.content)).to.deep.equal(noTrace);
    });

    it('changes nothing more when it is done again after a crash', async () => {
      await bench.accept(publish(), bringing(bench.builder.mint(ada, 1), other.content));
      await bench.accept(eraseIt());
      await bench.accept(bench.builder.resource({ ...listing('a', {}), found }));
      const all = async () => ({
        found: await allFound(),
        secret: await traces(secret.content),
        other: await traces(other.content),
        listing: await bench.store.load('listing', 'a'),
        account: await bench.store.account(ada),
        totals: await bench.store.totals(),
        history: await bench.store.history(ada, undefined, firstPage),
        head: await bench.store.head(),
        census: await bench.store.census(),
      });
      const before = await all();
      expect(before).to.deep.include({ found: withoutIt, secret: noTrace });
      await bench.crash();
      expect(await all()).to.deep.equal(before);
      await bench.accept(bench.builder.mint(ada, 1));
    });
  });
}
