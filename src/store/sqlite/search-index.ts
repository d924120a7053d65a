/** Writes the search index (schema.ts) in the transaction of the resources. */

import type { Leaf } from '../../core/leaf.js';
import { assert } from '../../core/refusal.js';
import { topState } from '../../machines/kernel/state-path.js';
import type { Rewording, SearchWrite } from '../search.js';
import type { Snapshot } from '../store.js';
import type { SqliteConnection } from './connection.js';
import type { SearchJob } from './job.js';
import { leafTextsIn } from './leaf-texts.js';
import { Numbers } from './numbers.js';
import { rowHash } from './row-hash.js';
import { SearchAges } from './search-ages.js';
import { labelsColumn, SearchTerms } from './search-terms.js';

type DocumentKey = readonly [document: number, partition: number];

type IndexedSnapshot = Pick<Snapshot, 'id' | 'state' | 'createdAt'>;

/** Leaves out ranks, which other resources' entries set. */
const put = `INSERT INTO search_documents
  (document, resource, shelf, owner, created_at, expires_at, price, popularity, id, labels)
  VALUES (?,?,?,?,?,?,?,0,?,?)
  ON CONFLICT (document) DO UPDATE SET shelf = excluded.shelf, owner = excluded.owner,
    expires_at = excluded.expires_at, price = excluded.price, labels = excluded.labels`;
const rank = 'UPDATE search_documents SET rating = ?, popularity = ? WHERE id = ?';

export class SearchIndex {
  readonly #terms: SearchTerms;
  readonly #partitions: Numbers;
  readonly #owners: Numbers;
  readonly #ages: SearchAges;
  readonly #counts = new Map<number, number>();
  #next: number;
  /** During a rebuild: the next number, counting downwards because the newest documents come first. */
  #filling: number | undefined;

  constructor(private readonly connection: SqliteConnection) {
    this.#terms = new SearchTerms(connection, leafTextsIn(connection));
    this.#partitions = new Numbers(
      connection,
      'SELECT shelf FROM search_shelves WHERE market = ? AND visibility = ? AND status = ?',
      'INSERT INTO search_shelves (market, visibility, status, count) VALUES (?,?,?,0) RETURNING shelf',
    );
    this.#owners = new Numbers(
      connection,
      'SELECT owner FROM search_owners WHERE did = ?',
      'INSERT INTO search_owners (did) VALUES (?) RETURNING owner',
    );
    this.#ages = new SearchAges(connection);
    this.#next = this.#following();
  }

  keep(resource: number, { id, state, createdAt }: IndexedSnapshot, { found, before, ranked }: SearchWrite): void {
    if (ranked) this.connection.change(rank, ranked.rating, ranked.popularity, id);
    if (!found) return;
    const { market, visibility, owner, expiresAt, price, labels } = found;
    const partition = this.#partitions.of(market, visibility, topState(state));
    const [known, old] = (before && this.#keyOf(id)) ?? [];
    const document = known ?? this.#number();
    if (old !== partition) {
      if (old !== undefined) this.#counted(old, createdAt, -1, false);
      this.#counted(partition, createdAt, 1, known === undefined);
    }
    this.#terms.keep(document, found, before);
    const text = labelsColumn(this.#terms.labelled(labels));
    const row = [document, resource, partition, this.#owners.of(owner), createdAt, expiresAt, price, id, text];
    this.connection.change(put, ...row);
  }

  /** Changes the texts by which a resource is found; it may be that of another entry. */
  reword({ id, found, before }: Rewording): void {
    const [document] = this.#keyOf(id) ?? [];
    if (document === undefined) return;
    this.#terms.keep(document, found, before);
  }

  /** Deletes the words that only this text had. Call it before the text is erased, and after no resource has it any more. */
  forget(text: string | Leaf): void {
    this.#terms.forget(text);
  }

  do(job: SearchJob): void {
    switch (job.do) {
      case 'emptySearch':
        this.#empty();
        return;
      case 'fillSearch':
        for (const { snapshot, ...write } of job.entries) {
          const numberOf = 'SELECT resource FROM resources WHERE kind = ? AND id = ?';
          const [resource] = this.connection.row<[number]>(numberOf, snapshot.kind, snapshot.id) ?? [];
          assert(resource, 'the index is made of resources that there are');
          this.keep(resource, snapshot, write);
        }
        return;
      case 'finishSearch':
        this.#filling = undefined;
        this.#next = this.#following();
        this.#ages.recount();
        this.connection.change('INSERT INTO search_rules VALUES (?)', job.rules);
        return;
      case 'rankOwners':
        for (const { owner, reputation } of job.ranks) {
          const hash = reputation === null ? null : rowHash(owner, reputation);
          const rankOwner = 'UPDATE search_owners SET reputation = ?, hash = ? WHERE owner = ?';
          this.connection.change(rankOwner, reputation, hash, this.#owners.of(owner));
        }
    }
  }

  flush(): void {
    this.#terms.flush();
    const count = 'UPDATE search_shelves SET count = count + ? WHERE shelf = ?';
    for (const [partition, change] of this.#counts) if (change !== 0) this.connection.change(count, change, partition);
    this.#counts.clear();
    this.#ages.flush();
  }

  #keyOf(id: string): DocumentKey | undefined {
    return this.connection.row('SELECT document, shelf FROM search_documents WHERE id = ?', id);
  }

  #following(): number {
    return (this.connection.value('SELECT ifnull(max(document), 0) FROM search_documents') as number) + 1;
  }

  #number(): number {
    const number = this.#filling === undefined ? this.#next++ : this.#filling--;
    assert(number > 0, 'there are as many resources as documents at least');
    return number;
  }

  #counted(partition: number, createdAt: number, change: 1 | -1, isNew: boolean): void {
    this.#counts.set(partition, (this.#counts.get(partition) ?? 0) + change);
    if (this.#filling === undefined) this.#ages.add(partition, createdAt, change, isNew);
  }

  #empty(): void {
    this.flush();
    const tables = ['rules', 'terms', 'documents', 'ages', 'shelves', 'words'];
    this.connection.exec(tables.map((table) => `DELETE FROM search_${table};`).join(''));
    this.#terms.clear();
    this.#partitions.clear();
    // The first number is the number of all resources, which is at least that of the searched ones.
    this.#filling = this.connection.value('SELECT count(*) FROM resources') as number;
  }
}
