/**
 * The one writer: a group of jobs is one transaction and one fsync. Every commit is checked before anything of it
 * is written, so a commit that loses leaves no trace and the others don't notice. Whatever throws ends the writer:
 * a failed write or fsync is never carried on from. Synchronous; runs on the main thread or in its own.
 */
import { assert } from '../../machines/kernel/refusal.js';
import type { EntryCore } from '../entry.js';
import { type AppendResult, StoreFault } from '../store.js';
import { Accounts } from './accounts.js';
import { type Connection, messageOf } from './connection.js';
import { type CommitJob, type Fault, type Job, type Outcome, snapshotJob, type Written } from './job.js';
import { Journal } from './journal.js';
import { fewLeads, Leads } from './leads.js';
import { Contents, LocalRecords, Receipts } from './records.js';
import { assertWhole, Resources } from './resources.js';
import { SearchIndex } from './search-index.js';

export class Writer {
  readonly #connection: Connection;
  readonly #accounts: Accounts;
  readonly #journal: Journal;
  readonly #resources: Resources;
  readonly #receipts: Receipts;
  readonly #contents: Contents;
  readonly #local: LocalRecords;
  readonly #search: SearchIndex;
  #commits = 0;
  #failed: string | undefined;
  #fault: Fault | undefined;

  /** @param newLeads see leads.ts; a test has fewer */
  constructor(connection: Connection, newLeads = fewLeads) {
    this.#connection = connection;
    this.#accounts = new Accounts(connection);
    const leads = new Leads(connection, newLeads);
    this.#journal = new Journal(connection, this.#accounts, leads);
    this.#search = new SearchIndex(connection);
    this.#resources = new Resources(connection, leads, this.#search);
    this.#receipts = new Receipts(connection);
    this.#contents = new Contents(connection);
    this.#local = new LocalRecords(connection);
  }

  /** One transaction; the outcomes, in the order of the jobs, are on disk. Throws StoreFault, and from then on always. */
  write(jobs: readonly Job[]): Written {
    if (this.#failed !== undefined) throw new StoreFault(this.#failed);
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      const outcomes = jobs.map((job) => this.#do(job));
      this.#accounts.flush();
      this.#resources.flush();
      this.#search.flush();
      this.#journal.flush();
      this.#beforeCommit();
      this.#connection.exec('COMMIT');
      return { outcomes, commits: ++this.#commits };
    } catch (cause) {
      this.#failed = messageOf(cause);
      this.#giveUp();
      throw new StoreFault(this.#failed, { cause });
    }
  }

  /** For tests: what goes wrong with the next write (see Fault). */
  break(fault: Fault): void {
    this.#fault = fault;
    if (fault === 'write') this.#connection.value('PRAGMA max_page_count = 1');
  }

  /** Moves the write-ahead log into the database, so that a stopped node's journal.db is whole by itself. */
  close(): void {
    // libsql keeps a closed connection until its statements are collected: SQLite would not do this by itself in time.
    if (this.#failed === undefined) this.#connection.value('PRAGMA busy_timeout = 0');
    if (this.#failed === undefined) this.#connection.value('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#connection.close();
  }

  #beforeCommit(): void {
    if (this.#fault !== 'commit') return;
    this.#fault = undefined;
    throw new StoreFault('COMMIT failed, as a test asked');
  }

  #do(job: Job): Outcome {
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
      default:
        this.#search.do(job);
        return null;
    }
  }

  #append(commit: CommitJob): AppendResult {
    const core = commit.core ?? (JSON.parse(commit.coreText) as EntryCore);
    const snapshots = commit.snapshots.map(snapshotJob);
    assertWhole(core.versions, snapshots);
    const taken = this.#takenKey(core);
    if (taken !== undefined) {
      assert(commit.chainHash === undefined, `an entry that another store accepted finds ${taken} taken`);
      return { ok: false, taken };
    }
    const issuer = this.#accounts.fold(core, this.#journal.next);
    const { place, held } = this.#journal.add(core, commit, { issuer: issuer.account, snapshots });
    assert((commit.chainHash ?? place.chainHash) === place.chainHash, 'an entry keeps the place that it had');
    for (const snapshot of snapshots) {
      this.#resources.keep(snapshot, place.seq, snapshot === held ? place.seq : null);
    }
    this.#contents.add(commit.entryHash, commit.contents ?? []);
    return { ok: true, ...place };
  }

  /** In the order of keysOf(). A key counts as taken too when its predecessor is not the newest. */
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
      // SQLite rolled back by itself, or can't; the connection writes nothing more either way.
    }
  }
}
