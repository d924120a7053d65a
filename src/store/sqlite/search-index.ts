/** The writer's side of the search index (schema.ts), with the transaction that writes the resources. */

import { assert } from '../../machines/kernel/refusal.js';
import type { Searched } from '../../machines/kernel/searched.js';
import type { SearchWrite } from '../search/search.js';
import { weighedWords } from '../search/words.js';
import type { Snapshot } from '../store.js';
import { Bulk } from './bulk.js';
import type { Connection } from './connection.js';
import type { SearchJob } from './job.js';
import { SearchAges } from './search-ages.js';

/** Integers of words, shelves and owners kept in memory; all are forgotten when there are more. */
const kept = 50_000;

/**
 * Documents of a block, as a power of two. The terms of a block that is being filled are to stay in memory, as each document
 * adds to most of their pages; a search looks for each of its words once a block.
 */
const blockBits = 11;
export const block = {
  size: 2 ** blockBits,
  /** As SQL: the block and the place of a document, and back. */
  of: (document: string): string => `${document} >> ${blockBits}`,
  place: (document: string): string => `${document} & ${2 ** blockBits - 1}`,
  document: (number: string, place: string): string => `(${number} << ${blockBits} | ${place})`,
} as const;

type Term = readonly [block: number, word: number, place: number, weight: number];
type DocumentRow = readonly [document: number, shelf: number];

/** How a label stands among the words. */
export const labelText = (label: string): string => `#${label}`;

/** How the first letter of words stands among them: a term of its own, as thousands of words may begin with it. */
export const initialText = (letter: string): string => `^${letter}`;

type Found = Pick<Snapshot, 'id' | 'state' | 'createdAt'>;

/** A table of texts, each with its integer. */
class Numbers {
  readonly #known = new Map<string, number>();

  constructor(
    private readonly find: (values: readonly string[]) => readonly [number] | undefined,
    private readonly insert: (values: readonly string[]) => readonly [number] | undefined,
  ) {}

  of(...texts: readonly string[]): number {
    const key = texts.join('\n');
    let number = this.#known.get(key);
    if (number === undefined) {
      number = (this.find(texts) ?? this.insert(texts))?.[0];
      assert(number !== undefined, 'what was inserted has a number');
      if (this.#known.size >= kept) this.#known.clear();
      this.#known.set(key, number);
    }
    return number;
  }

  clear(): void {
    this.#known.clear();
  }
}

export class SearchIndex {
  readonly #words: Numbers;
  readonly #shelves: Numbers;
  readonly #owners: Numbers;
  readonly #add: Bulk;
  readonly #drop;
  readonly #find;
  readonly #put;
  readonly #rank;
  readonly #count;
  readonly #resource;
  readonly #reputation;
  readonly #setRules;
  readonly #connection: Connection;
  readonly #ages: SearchAges;
  /** Terms of this transaction. Put in in their order, each page of the table is looked for once. */
  #terms: Term[] = [];
  /** Of this transaction, by shelf. */
  readonly #counts = new Map<number, number>();
  /** The number of the next document. */
  #next: number;
  /** While the index is made anew: the next one's as well, downwards, since the newest come first. */
  #filling: number | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    const row = (sql: string) => connection.row<readonly [number]>(sql);
    this.#words = new Numbers(
      row('SELECT word FROM search_words WHERE text = ?'),
      row('INSERT INTO search_words (text) VALUES (?) RETURNING word'),
    );
    this.#shelves = new Numbers(
      row('SELECT shelf FROM search_shelves WHERE market = ? AND visibility = ? AND status = ?'),
      row('INSERT INTO search_shelves (market, visibility, status, count) VALUES (?,?,?,0) RETURNING shelf'),
    );
    this.#owners = new Numbers(
      row('SELECT owner FROM search_owners WHERE did = ?'),
      row('INSERT INTO search_owners (did) VALUES (?) RETURNING owner'),
    );
    this.#ages = new SearchAges(connection);
    this.#add = new Bulk(connection, { insert: 'INSERT OR REPLACE INTO search_terms', columns: 4 });
    this.#drop = connection.change('DELETE FROM search_terms WHERE block = ? AND word = ? AND place = ?');
    this.#find = connection.row<DocumentRow>('SELECT document, shelf FROM search_documents WHERE id = ?');
    // Not what is ranked: that is another resource's to say.
    this.#put = connection.change(`INSERT INTO search_documents
      (document, resource, shelf, owner, created_at, expires_at, price, popularity, id, labels)
      VALUES (?,?,?,?,?,?,?,0,?,?)
      ON CONFLICT (document) DO UPDATE SET shelf = excluded.shelf, owner = excluded.owner,
        expires_at = excluded.expires_at, price = excluded.price, labels = excluded.labels`);
    this.#rank = connection.change('UPDATE search_documents SET rating = ?, popularity = ? WHERE id = ?');
    this.#count = connection.change('UPDATE search_shelves SET count = count + ? WHERE shelf = ?');
    this.#resource = row('SELECT resource FROM resources WHERE kind = ? AND id = ?') as unknown as (
      values: readonly [string, string],
    ) => readonly [number] | undefined;
    this.#reputation = connection.change('UPDATE search_owners SET reputation = ? WHERE owner = ?');
    this.#setRules = connection.change('INSERT INTO search_rules VALUES (?)');
    this.#next = this.#following();
  }

  /** @param resource its number */
  keep(resource: number, { id, state, createdAt }: Found, { found, before, ranked }: SearchWrite): void {
    if (ranked) this.#rank([ranked.rating, ranked.popularity, id]);
    if (!found) return;
    const { market, visibility, owner, expiresAt, price, labels } = found;
    const shelf = this.#shelves.of(market, visibility, state);
    const [known, old] = this.#find([id]) ?? [];
    const document = known ?? this.#number();
    if (old !== shelf) {
      if (old !== undefined) this.#counted(old, createdAt, -1, false);
      this.#counted(shelf, createdAt, 1, known === undefined);
    }
    this.#keepTerms(document, found, before);
    const numbers = [...new Set(labels)].map((label) => this.#words.of(labelText(label)));
    const text = numbers.length > 0 ? `,${numbers.join(',')},` : '';
    this.#put([document, resource, shelf, this.#owners.of(owner), createdAt, expiresAt, price, id, text]);
  }

  do(job: SearchJob): void {
    switch (job.do) {
      case 'emptySearch':
        this.#empty();
        return;
      case 'fillSearch':
        for (const { snapshot, ...write } of job.entries) {
          const [resource] = this.#resource([snapshot.kind, snapshot.id]) ?? [];
          assert(resource, 'the index is made of resources that there are');
          this.keep(resource, snapshot, write);
        }
        return;
      case 'finishSearch':
        this.#filling = undefined;
        this.#next = this.#following();
        this.#ages.recount();
        this.#setRules([job.rules]);
        return;
      case 'rankOwners':
        for (const { owner, reputation } of job.ranks) this.#reputation([reputation, this.#owners.of(owner)]);
    }
  }

  /** Writes what changed. */
  flush(): void {
    this.#flushTerms();
    for (const [shelf, change] of this.#counts) if (change !== 0) this.#count([change, shelf]);
    this.#counts.clear();
    this.#ages.flush();
  }

  #following(): number {
    return (this.#connection.value('SELECT ifnull(max(document), 0) FROM search_documents') as number) + 1;
  }

  #number(): number {
    const number = this.#filling === undefined ? this.#next++ : this.#filling--;
    assert(number > 0, 'there are as many resources as documents at least');
    return number;
  }

  #keepTerms(document: number, found: Searched, before: Searched | undefined): void {
    const textsOf = ({ texts, labels }: Searched): string => JSON.stringify([texts, labels]);
    if (before && textsOf(before) === textsOf(found)) return;
    const old = before ? termsOf(before) : new Map<string, number>();
    const terms = termsOf(found);
    const gone = [...old.keys()].filter((text) => !terms.has(text));
    // What this transaction has added may be among them.
    if (gone.length > 0) this.#flushTerms();
    const number = Math.floor(document / block.size);
    const place = document % block.size;
    for (const text of gone) this.#drop([number, this.#words.of(text), place]);
    for (const [text, weight] of terms) {
      if (old.get(text) !== weight) this.#terms.push([number, this.#words.of(text), place, weight]);
    }
  }

  #flushTerms(): void {
    const terms = this.#terms.sort(([a, b, c], [d, e, f]) => a - d || b - e || c - f);
    this.#terms = [];
    for (const term of terms) this.#add.add(...term);
    this.#add.flush();
  }

  #counted(shelf: number, createdAt: number, change: 1 | -1, isNew: boolean): void {
    this.#counts.set(shelf, (this.#counts.get(shelf) ?? 0) + change);
    if (this.#filling === undefined) this.#ages.add(shelf, createdAt, change, isNew);
  }

  #empty(): void {
    this.flush();
    const tables = ['rules', 'terms', 'documents', 'ages', 'shelves', 'words'];
    this.#connection.exec(tables.map((table) => `DELETE FROM search_${table};`).join(''));
    this.#words.clear();
    this.#shelves.clear();
    // As many as there can be.
    this.#filling = this.#connection.value('SELECT count(*) FROM resources') as number;
  }
}

/** Words with their weights, first letters with the sum of these, and labels with none. */
function termsOf({ texts, labels }: Searched): Map<string, number> {
  const terms = weighedWords(texts);
  for (const [word, weight] of [...terms]) {
    const initial = initialText(String.fromCodePoint(word.codePointAt(0)!));
    terms.set(initial, (terms.get(initial) ?? 0) + weight);
  }
  for (const label of labels) terms.set(labelText(label), 0);
  return terms;
}
