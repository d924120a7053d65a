/** Writes the search index (schema.ts) in the transaction of the resources. */

import type { Leaf } from '../../core/leaf.js';
import { assert } from '../../core/refusal.js';
import { topStateOf } from '../../machines/kernel/stepper.js';
import type { Rewording, SearchWrite } from '../search/search.js';
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

export class SearchIndex {
  readonly #terms: SearchTerms;
  readonly #partitions: Numbers;
  readonly #owners: Numbers;
  readonly #find;
  readonly #put;
  readonly #rank;
  readonly #count;
  readonly #resource;
  readonly #reputation;
  readonly #setRules;
  readonly #connection: SqliteConnection;
  readonly #ages: SearchAges;
  /** Count changes of this transaction, by partition. */
  readonly #counts = new Map<number, number>();
  /** The number of the next document. */
  #next: number;
  /** During a rebuild: the next number, counting downwards because the newest documents come first. */
  #filling: number | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    const row = (sql: string) => connection.row<readonly [number]>(sql);
    this.#terms = new SearchTerms(connection, leafTextsIn(connection));
    this.#partitions = new Numbers(
      row('SELECT shelf FROM search_shelves WHERE market = ? AND visibility = ? AND status = ?'),
      row('INSERT INTO search_shelves (market, visibility, status, count) VALUES (?,?,?,0) RETURNING shelf'),
    );
    this.#owners = new Numbers(
      row('SELECT owner FROM search_owners WHERE did = ?'),
      row('INSERT INTO search_owners (did) VALUES (?) RETURNING owner'),
    );
    this.#ages = new SearchAges(connection);
    this.#find = connection.row<DocumentKey>('SELECT document, shelf FROM search_documents WHERE id = ?');
    // Leaves out ranks, which other resources' entries set.
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
    this.#reputation = connection.change('UPDATE search_owners SET reputation = ?, hash = ? WHERE owner = ?');
    this.#setRules = connection.change('INSERT INTO search_rules VALUES (?)');
    this.#next = this.#following();
  }

  /** @param resource number of the resource */
  keep(resource: number, { id, state, createdAt }: IndexedSnapshot, { found, before, ranked }: SearchWrite): void {
    if (ranked) this.#rank([ranked.rating, ranked.popularity, id]);
    if (!found) return;
    const { market, visibility, owner, expiresAt, price, labels } = found;
    const partition = this.#partitions.of(market, visibility, topStateOf(state));
    const [known, old] = this.#find([id]) ?? [];
    const document = known ?? this.#number();
    if (old !== partition) {
      if (old !== undefined) this.#counted(old, createdAt, -1, false);
      this.#counted(partition, createdAt, 1, known === undefined);
    }
    this.#terms.keep(document, found, before);
    const text = labelsColumn(this.#terms.labelled(labels));
    this.#put([document, resource, partition, this.#owners.of(owner), createdAt, expiresAt, price, id, text]);
  }

  /** Changes the texts by which a resource is found; it may be that of another entry. */
  reword({ id, found, before }: Rewording): void {
    const [document] = this.#find([id]) ?? [];
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
        for (const { owner, reputation } of job.ranks) {
          const hash = reputation === null ? null : rowHash(owner, reputation);
          this.#reputation([reputation, hash, this.#owners.of(owner)]);
        }
    }
  }

  /** Writes what changed. */
  flush(): void {
    this.#terms.flush();
    for (const [partition, change] of this.#counts) if (change !== 0) this.#count([change, partition]);
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

  #counted(partition: number, createdAt: number, change: 1 | -1, isNew: boolean): void {
    this.#counts.set(partition, (this.#counts.get(partition) ?? 0) + change);
    if (this.#filling === undefined) this.#ages.add(partition, createdAt, change, isNew);
  }

  #empty(): void {
    this.flush();
    const tables = ['rules', 'terms', 'documents', 'ages', 'shelves', 'words'];
    this.#connection.exec(tables.map((table) => `DELETE FROM search_${table};`).join(''));
    this.#terms.clear();
    this.#partitions.clear();
    // The first number is the number of all resources, which is at least that of the searched ones.
    this.#filling = this.#connection.value('SELECT count(*) FROM resources') as number;
  }
}
