/** The cost in the writer's search index when an update replaces all words of a listing. */
import { join } from 'node:path';
import { expect } from 'chai';
import { SqliteConnection } from '../../../src/store/sqlite/connection.js';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { SearchTerms } from '../../../src/store/sqlite/search-terms.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { scratch, tidy } from '../../support/scratch.js';

/** Texts of the longest permitted length, with other words for each number. */
const texts: { readonly [name: string]: (number: number) => string } = {
  English: (number) => repeated(500, (index) => `${String.fromCodePoint(97 + (index % 26))}${number}word${index}`),
  Thai: (number) => repeated(300, (index) => `ภาษาไทยเขียนติดกันทั้งหมด ${number}x${index}`),
  Chinese: (number) =>
    repeated(3_000, (index) => String.fromCodePoint(0x4e00 + (((number * 3_000 + index) * 7) % 20_000))),
};
const repeated = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => each(index)).join(' ');

const listing = (text: string) => ({
  texts: [
    [text.slice(0, 200), 4],
    [text.slice(200, 2_248), 3],
    [text.slice(2_248, 12_248), 1],
  ] as const,
  labels: ['tag:one', 'tag:two'],
});

const bare = { market: 'info', visibility: 'public' as const, owner: 'did:svc:ada', expiresAt: null, price: 1 };

/** An empty database whose search terms are written outside of the store's own transactions. */
async function withTerms(use: (terms: SearchTerms, connection: SqliteConnection, dir: string) => void): Promise<void> {
  const dir = join(scratch(), 'data');
  await (await SqliteStore.open({ dir })).close();
  const connection = new SqliteConnection(databaseFile(dir), { cacheKiB: 8_192 });
  try {
    use(new SearchTerms(connection, () => undefined), connection, dir);
  } finally {
    connection.close();
  }
}

describe('sqlite: the words of an updated listing', () => {
  after(tidy);

  for (const [name, text] of Object.entries(texts)) {
    it(`change few rows, and none of the old ones is found: ${name}`, async () => {
      await withTerms((terms, connection, dir) => {
        const changes = () => Number(connection.value('SELECT total_changes()'));
        const put = (document: number, number: number, before?: number) => {
          const found = { ...bare, ...listing(text(number)) };
          const was = before === undefined ? undefined : { ...bare, ...listing(text(before)) };
          connection.exec('BEGIN');
          const began = changes();
          terms.keep(document, found, was);
          terms.flush();
          const changed = changes() - began;
          connection.exec('COMMIT');
          return changed;
        };
        const costs = Array.from({ length: 12 }, (_, index) => {
          put(index + 1, 2 * index);
          return put(index + 1, 2 * index + 1, 2 * index);
        });
        const anew = new SqliteConnection(databaseFile(dir), { cacheKiB: 8_192 });
        const stale = anew.value(`SELECT count(*) FROM search_terms t JOIN search_words w USING (word)
          WHERE t.place = 1 AND t.block = 0 AND w.text LIKE 'a0word%'`);
        anew.close();
        expect(stale).to.equal(0);
        expect(connection.value('SELECT count(*) FROM search_terms WHERE place = 1')).to.be.within(100, 600);
        // 765, 441 and 1,536 rows, which take 1.5, 4.5 and 3.7 ms of CPU on an idle machine.
        expect(Math.max(...costs), 'rows changed').to.be.within(100, 1_700);
      });
    });
  }

  it('have the weight of the last update, also where a transaction has several', async () => {
    await withTerms((terms, connection) => {
      const found = (weight: number) => ({ ...bare, texts: [['maps', weight]] as const, labels: [] });
      connection.exec('BEGIN');
      terms.keep(1, found(4), undefined);
      terms.keep(1, found(1), found(4));
      terms.flush();
      connection.exec('COMMIT');
      const weight = `SELECT t.weight FROM search_terms t JOIN search_words w USING (word) WHERE w.text = 'maps'`;
      expect(connection.value(weight)).to.equal(1);
    });
  });
});
