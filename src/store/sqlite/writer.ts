/**
 * The only writer: a group of jobs is one transaction with one fsync. Each commit is checked before it is written, so
 * a losing commit leaves no trace. Any error ends the writer: it never continues after a failed write or fsync.
 * Synchronous; runs on the main thread or its own.
 */
import { messageOf } from '../../core/error-message.js';
import { assert } from '../../core/refusal.js';
import type { EntryCore } from '../entry.js';
import { type AppendResult, type Erasure, StoreFault } from '../store.js';
import { Accounts } from './accounts.js';
import { busyTimeoutMs, type SqliteConnection } from './connection.js';
import type { CardsJob, CommitJob, Fault, JobOutcome, WriteJob, WriteResult } from './job.js';
import { JournalWriter } from './journal.js';
import { ContentWriter, LocalRecords, Receipts } from './records.js';
import { assertWhole, Resources } from './resources.js';
import { SearchIndex } from './search-index.js';
import { newRows, SecondaryIndex } from './secondary-index.js';

export class Writer {
  readonly #connection: SqliteConnection;
  readonly #accounts: Accounts;
  readonly #journal: JournalWriter;
  readonly #resources: Resources;
  readonly #receipts: Receipts;
  readonly #contents: ContentWriter;
  readonly #local: LocalRecords;
  readonly #search: SearchIndex;
  #commits = 0;
  #logHasErased = false;
  #failed: string | undefined;
  #fault: Fault | undefined;

  /** @param newIndexRows see secondary-index.ts; tests use a small number */
  constructor(connection: SqliteConnection, newIndexRows = newRows) {
    this.#connection = connection;
    this.#accounts = new Accounts(connection);
    const index = new SecondaryIndex(connection, newIndexRows);
    this.#journal = new JournalWriter(connection, this.#accounts, index);
    this.#search = new SearchIndex(connection);
    this.#resources = new Resources(connection, index, this.#search);
    this.#receipts = new Receipts(connection);
    this.#contents = new ContentWriter(connection);
    this.#local = new LocalRecords(connection);
  }

  /**
   * Writes one transaction.
   * @returns the results in the order of the jobs, which are on disk
   * @throws StoreFault, and from then on always
   */
  write(jobs: readonly WriteJob[]): WriteResult {
    if (this.#failed !== undefined) throw new StoreFault(this.#failed);
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      const outcomes = jobs.map((job) => this.#do(job));
      this.#accounts.flush();
      this.#contents.flush();
      this.#resources.flush();
      this.#search.flush();
      this.#journal.flush();
      this.#beforeCommit();
      this.#connection.exec('COMMIT');
      if (this.#logHasErased) this.#emptyLog();
      return { outcomes, commits: ++this.#commits };
    } catch (cause) {
      this.#failed = messageOf(cause);
      this.#giveUp();
      throw new StoreFault(this.#failed, { cause });
    }
  }

  /** For tests: makes the next write fail (see Fault). */
  break(fault: Fault): void {
    this.#fault = fault;
    if (fault === 'write') this.#connection.value('PRAGMA max_page_count = 1');
  }

  /** Applies the write-ahead log, so that a stopped node's journal.db is complete without it. */
  close(): void {
    // Now, because libsql closes a connection only when its statements are collected.
    if (this.#failed === undefined) this.#emptyLog();
    this.#connection.close();
  }

  #beforeCommit(): void {
    if (this.#fault !== 'commit') return;
    this.#fault = undefined;
    throw new StoreFault('COMMIT failed, as a test asked');
  }

  #do(job: WriteJob): JobOutcome {
    switch (job.do) {
      case 'append':
        return job.commits.map((commit) => this.#append(commit));
      case 'receipts':
        for (const receipt of job.receipts) this.#receipts.add(receipt);
        return null;
      case 'put':
        return this.#local.put(job.name, job.id, job.value, job.revision);
      case 'delete':
        return this.#local.delete(job.name, job.id);
      case 'seal':
        this.#journal.seal(job.segment);
        return null;
      case 'cards':
        return this.#keepCards(job);
      default:
        this.#search.do(job);
        return null;
    }
  }

  #append(commit: CommitJob): AppendResult {
    const core = commit.core ?? (JSON.parse(commit.coreText) as EntryCore);
    const { snapshots } = commit;
    assertWhole(core.versions, snapshots);
    const taken = this.#takenKey(core);
    if (taken !== undefined) {
      assert(commit.chainHash === undefined, `an entry that another store accepted finds ${taken} taken`);
      return { ok: false, taken };
    }
    const issuer = this.#accounts.fold(core, this.#journal.next);
    const { place, held } = this.#journal.add(core, commit, { issuer: issuer.account, snapshots });
    assert((commit.chainHash ?? place.chainHash) === place.chainHash, 'an entry keeps the place that it had');
    this.#contents.add(place.seq, commit.contents ?? []);
    // The search index finds the words of the snapshots in them.
    if (snapshots.some(({ search }) => search)) this.#contents.flush();
    for (const snapshot of snapshots) {
      this.#resources.keep(snapshot, place.seq, snapshot === held ? place.seq : null);
    }
    if (commit.erases) this.#erase(commit.erases);
    return { ok: true, ...place };
  }

  /** @returns whether the cursor was where the caller had left it */
  #keepCards({ snapshots, forgotten, cursor }: CardsJob): boolean {
    for (const snapshot of snapshots) this.#resources.keep(snapshot, 0, null);
    for (const text of forgotten) this.#search.forget(text);
    this.#logHasErased ||= forgotten.length > 0;
    return this.#local.put(cursor.name, cursor.id, cursor.value, cursor.revision);
  }

  /** First what follows from the text, because it can be found only while the text is there. */
  #erase({ hash, reworded }: Erasure): void {
    this.#contents.flush();
    this.#resources.flush();
    if (reworded) this.#search.reword(reworded);
    this.#search.forget({ leaf: hash, size: 0 });
    this.#contents.erase(hash);
    this.#logHasErased = true;
  }

  /** Empties the write-ahead log, which still has what was erased. A read in progress can prevent it until a later commit. */
  #emptyLog(): void {
    this.#connection.value('PRAGMA busy_timeout = 0');
    this.#logHasErased = this.#connection.value('PRAGMA wal_checkpoint(TRUNCATE)') === 1;
    this.#connection.value(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }

  /**
   * The first taken key, in the order of keysOf(). A key also counts as taken when its predecessor is not the newest
   * version.
   */
  #takenKey(core: EntryCore): string | undefined {
    const { issuer, nonce, prev } = core.event;
    const signer = this.#accounts.of(issuer);
    if (nonce !== signer.nonce + 1 || prev !== signer.lastHash) return `nonce/${issuer}#${nonce}`;
    for (const version of core.versions) {
      if (!this.#resources.isNext(version)) return `${version.kind}/${version.id}@${version.version}`;
    }
    for (const { did, version } of core.accounts) {
      if (version !== this.#accounts.of(did).version + 1) return `account/${did}@${version}`;
    }
    return this.#journal.takenKey(core);
  }

  #giveUp(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // Ignored: SQLite has rolled back by itself, or can't. The connection writes nothing more in either case.
    }
  }
}
