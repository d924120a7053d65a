/** The writer's side of the search index (schema.ts), with the transaction that writes the resources. */

import { assert } from '../../machines/kernel/refusal.js';
import type { Searched } from '../../machines/kernel/searched.js';
import type { SearchWrite } from '../search/search.js';
import { weighedWords } from '../search/words.js';
import type { Snapshot } from '../store.js';
import { Bulk } from './bulk.js';
import type { Connection } from './connection.js';
import type { SearchJob } from './job.js';

/** Integers of words, shelves and owners kept in memory; all are forgotten when there are more. */
const kept = 50_000;

/** How a label stands among the words. */
export const labelText = (label: string): string => `#${label}`;

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
  readonly #place;
  readonly #put;
  readonly #rank;
  readonly #count;
  readonly #resource;
  readonly #reputation;
  readonly #setRules;
  readonly #connection: Connection;
  /** Terms of this transaction. Put in in their order, each page of the table is looked for once. */
  #terms: (readonly [word: number, document: number, weight: number])[] = [];
  /** Of this transaction, by shelf. */
  readonly #counts = new Map<number, number>();

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
    this.#add = new Bulk(connection, { insert: 'INSERT OR REPLACE INTO search_terms', columns: 3 });
    this.#drop = connection.change('DELETE FROM search_terms WHERE word = ? AND document = ?');
    this.#place = connection.row<readonly [number]>('SELECT shelf FROM search_documents WHERE document = ?');
    // Not what is ranked: that is another resource's to say.
    this.#put = connection.change(`INSERT INTO search_documents
      (document, shelf, owner, created_at, expires_at, price, popularity, id, labels) VALUES (?,?,?,?,?,?,0,?,?)
      ON CONFLICT (document) DO UPDATE SET shelf = excluded.shelf, owner = excluded.owner,
        expires_at = excluded.expires_at, price = excluded.price, labels = excluded.labels`);
    this.#rank = connection.change('UPDATE search_documents SET rating = ?, popularity = ? WHERE id = ?');
    this.#count = connection.change('UPDATE search_shelves SET count = count + ? WHERE shelf = ?');
    this.#resource = row('SELECT resource FROM resources WHERE kind = ? AND id = ?') as unknown as (
      values: readonly [string, string],
    ) => readonly [number] | undefined;
    this.#reputation = connection.change('UPDATE search_owners SET reputation = ? WHERE owner = ?');
    this.#setRules = connection.change('INSERT INTO search_rules VALUES (?)');
  }

  /** @param document number of the resource */
  keep(document: number, { id, state, createdAt }: Found, { found, before, ranked }: SearchWrite): void {
    if (ranked) this.#rank([ranked.rating, ranked.popularity, id]);
    if (!found) return;
    this.#keepTerms(document, found, before);
    const { market, visibility, owner, expiresAt, price, labels } = found;
    const shelf = this.#shelves.of(market, visibility, state);
    const place = this.#place([document])?.[0];
    if (place !== shelf) {
      if (place !== undefined) this.#counted(place, -1);
      this.#counted(shelf, 1);
    }
    const numbers = [...new Set(labels)].map((label) => this.#words.of(labelText(label)));
    const text = numbers.length > 0 ? `,${numbers.join(',')},` : '';
    this.#put([document, shelf, this.#owners.of(owner), createdAt, expiresAt, price, id, text]);
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
  }

  #keepTerms(document: number, found: Searched, before: Searched | undefined): void {
    const textsOf = ({ texts, labels }: Searched): string => JSON.stringify([texts, labels]);
    if (before && textsOf(before) === textsOf(found)) return;
    const old = before ? termsOf(before) : new Map<string, number>();
    const terms = termsOf(found);
    const gone = [...old.keys()].filter((text) => !terms.has(text));
    // What this transaction has added may be among them.
    if (gone.length > 0) this.#flushTerms();
    for (const text of gone) this.#drop([this.#words.of(text), document]);
    for (const [text, weight] of terms) {
      if (old.get(text) !== weight) this.#terms.push([this.#words.of(text), document, weight]);
    }
  }

  #flushTerms(): void {
    const terms = this.#terms.sort(([a, b], [c, d]) => a - c || b - d);
    this.#terms = [];
    for (const term of terms) this.#add.add(...term);
    this.#add.flush();
  }

  #counted(shelf: number, change: number): void {
    this.#counts.set(shelf, (this.#counts.get(shelf) ?? 0) + change);
  }

  #empty(): void {
    this.flush();
    this.#connection.exec(
      'DELETE FROM search_rules; DELETE FROM search_terms; DELETE FROM search_documents; DELETE FROM search_shelves; DELETE FROM search_words',
    );
    this.#words.clear();
    this.#shelves.clear();
  }
}

/** Words with their weights, and labels with none. */
function termsOf({ texts, labels }: Searched): Map<string, number> {
  const terms = weighedWords(texts);
  for (const label of labels) terms.set(labelText(label), 0);
  return terms;
}
