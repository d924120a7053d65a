/**
 * Checks of an audit beyond the data itself: the secondary index, alarms, idempotency records, rows without an
 * origin, and the file.
 */

import { dayMs } from '../../core/bounds.js';
import { canonical } from '../../core/canonical.js';
import { historyTypes } from '../../machines/kernel/posting.js';
import type { EntryCore, NumberedEntry, NumberedReceipt } from '../entry.js';
import type { FoundBy, Inspection, SearchedBy, Snapshot } from '../store.js';
import type { SqliteConnection } from './connection.js';
import { violationOfFile } from './file-inspection.js';
import { keptDays, keyHash } from './journal.js';
import { type SnapshotRow, snapshotInRow, txPrefix } from './rows.js';
import { violationOfSearchTables } from './search-inspection.js';
import { eventPrefix, historyLinesOf, indexTables, ways } from './secondary-index.js';

type AlarmRow = readonly [at: number | null, action: string | null];

const accountOf = 'SELECT account FROM accounts WHERE did = ?';
const leads = indexTables.map((table) => `SELECT 1 FROM ${table} WHERE way = ? AND what = ? AND seq = ? AND move = ?`);
const leadsFound = `SELECT count(*) FROM (${leads.join(' UNION ALL ')})`;
const olderLeads = `SELECT count(*) FROM (${leads[0]})`;
/** By event, issuer and type. */
const leadsOfEach = 3;
const labelOf = `SELECT 1 FROM resources r
  JOIN labels l ON l.kind = r.kind AND l.created_at = r.created_at AND l.id = r.id AND l.resource = r.resource
  WHERE r.kind = ? AND r.id = ? AND l.label = ?`;

export class SqliteInspection implements Inspection {
  /** Number of index rows that the entries and resources checked so far should have. */
  #leadsExpected = 0;
  #firstNew: number | undefined;
  #labelsExpected = 0;
  #keysFound = 0;
  #repliesFound = 0;
  /** Whether keys of a day are kept. */
  readonly #days = new Map<number, boolean>();
  /** The newest day whose idempotency keys were deleted, and the newest day of all keys. */
  #forgottenDay = Number.NEGATIVE_INFINITY;
  #newestKeyDay = 0;

  constructor(private readonly connection: SqliteConnection) {}

  violationOfFile = (): string | undefined => violationOfFile(this.connection);

  violationOfEntry({ seq, core }: NumberedEntry, left: readonly Snapshot[]): string | undefined {
    const { event, versions } = core;
    const issuer = this.#number(accountOf, event.issuer);
    const type = this.#number('SELECT type FROM event_types WHERE name = ?', event.type);
    if (!this.#leadsTo(ways.event, eventPrefix(event.hash), seq)) return 'the store does not find it by its event hash';
    if (!this.#leadsTo(ways.issuer, issuer, seq)) return 'the store does not find it by its issuer';
    if (!this.#leadsTo(ways.type, type, seq)) return 'the store does not find it by its type';
    for (const { kind, id } of versions) {
      const resource = this.#number('SELECT resource FROM resources WHERE kind = ? AND id = ?', kind, id);
      if (!this.#leadsTo(ways.resource, resource, seq)) return `the store does not find it under ${kind}/${id}`;
    }
    for (const line of historyLinesOf(core)) {
      const account = this.#number(accountOf, line.did);
      const way = historyTypes.indexOf(line.type);
      if (!this.#leadsTo(way, account, seq, line.move)) return `the history of ${line.did} does not show it`;
    }
    return this.#violationOfKey(core, seq, left);
  }

  violationOfKnown({ seq, core }: NumberedEntry): string | undefined {
    this.#leadsExpected += leadsOfEach + core.versions.length + historyLinesOf(core).length;
    return this.#violationOfKey(core, seq);
  }

  /**
   * Checks the entry's idempotency key, without which its request could run again. Keys of past days are deleted
   * legitimately.
   * @param left absent: the reply is only counted
   */
  #violationOfKey({ idem, time, versions }: EntryCore, seq: number, left?: readonly Snapshot[]): string | undefined {
    if (!idem) return undefined;
    const day = Math.floor(time / dayMs);
    this.#newestKeyDay = Math.max(this.#newestKeyDay, day);
    const byKey = 'SELECT seq FROM idempotency WHERE day = ? AND hash = ?';
    const [leadsTo] = this.#hasKeys(day)
      ? (this.connection.row<[number]>(byKey, day, keyHash(idem.principal, idem.key)) ?? [])
      : [];
    if (leadsTo === undefined) {
      this.#forgottenDay = Math.max(this.#forgottenDay, day);
      return undefined;
    }
    if (leadsTo !== seq) return 'the store does not find it by its Idempotency-Key';
    this.#keysFound++;
    if (versions.length === 0) return undefined;
    const [kept] = this.connection.row<[string]>('SELECT snapshots FROM replies WHERE seq = ?', seq) ?? [];
    if (kept === undefined || (left && !isReply(kept, left)))
      return 'the reply kept for its Idempotency-Key is not the one given';
    this.#repliesFound++;
    return undefined;
  }

  /** Most entries are of days whose keys were deleted. */
  #hasKeys(day: number): boolean {
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const has = this.connection.row('SELECT 1 FROM idempotency WHERE day = ? LIMIT 1', day) !== undefined;
    this.#days.set(day, has);
    return has;
  }

  violationOfResource(kind: string, id: string, { alarm, labels }: FoundBy): string | undefined {
    const alarmOf = 'SELECT alarm_at, alarm_action FROM resources WHERE kind = ? AND id = ?';
    const [at, action] = this.connection.row<AlarmRow>(alarmOf, kind, id) ?? [];
    if (at !== (alarm?.at ?? null) || action !== (alarm?.action ?? null))
      return `the alarm of ${kind}/${id} is not what its state asks for`;
    const distinct = new Set(labels);
    this.#labelsExpected += distinct.size;
    for (const label of distinct) {
      if (!this.connection.row(labelOf, kind, id, label)) return `lists do not find ${kind}/${id} under ${label}`;
    }
    return undefined;
  }

  violationOfReceipt({ number, entryHash, txHash }: NumberedReceipt): string | undefined {
    const byNumber = 'SELECT entry_hash, tx FROM receipts WHERE number = ?';
    const [entry, tx] = this.connection.row<[string, number]>(byNumber, number) ?? [];
    if (entry !== entryHash) return `the store has receipt ${number} under another entry`;
    return tx === txPrefix(txHash) ? undefined : `the store has receipt ${number} under another transaction`;
  }

  async violationOfSearch(count: number, searched: SearchedBy): Promise<string | undefined> {
    return violationOfSearchTables(this.connection, count, searched);
  }

  async violationOfCounts(resources: number, accounts: number): Promise<string | undefined> {
    const count = (table: string) => this.connection.value(`SELECT count(*) FROM ${table}`) as number;
    const stored = count('resources');
    if (stored !== resources) return `the store has ${stored} resources, and the journal gives ${resources}`;
    const rows = count('accounts');
    if (rows !== accounts) return `the store has ${rows} accounts, and the journal gives ${accounts}`;
    if (count('accounts WHERE frozen NOT IN (0, 1)') > 0) return 'an account is neither frozen nor not';
    if (count('labels') !== this.#labelsExpected)
      return 'lists find resources under labels that the journal does not give';
    if (indexTables.reduce((sum, table) => sum + count(table), 0) !== this.#leadsExpected)
      return 'the store finds entries in ways that the journal does not give';
    if (this.#forgottenDay >= this.#newestKeyDay - keptDays)
      return 'an Idempotency-Key is not kept as long as it should be';
    if (count('idempotency') !== this.#keysFound || count('replies') !== this.#repliesFound)
      return 'the store keeps what the journal does not give for repeated requests';
    if (count('contents WHERE seq < 1 OR seq > (SELECT ifnull(max(seq), 0) FROM journal)') > 0)
      return 'a content is kept for an entry that there is not';
    return this.#violationOfCensus() ?? this.#violationOfTallies();
  }

  /** Checks the census. Requires valid resources. */
  #violationOfCensus(): string | undefined {
    const wrong = this.connection.value(`SELECT count(*) FROM (SELECT kind, state, count FROM census WHERE count <> 0
      EXCEPT SELECT kind, state, count(*) FROM resources GROUP BY kind, state)`);
    return wrong === 0 ? undefined : 'the census counts what the journal does not give';
  }

  /** Checks the lengths of histories, which account rows contain as well. Requires a valid secondary index. */
  #violationOfTallies(): string | undefined {
    // Counted by key, account after account: grouping all lines at once took more memory the longer the journal was.
    const lines = (way: number) =>
      indexTables.map((table) => `(SELECT count(*) FROM ${table} WHERE way = ${way} AND what = account)`).join(' + ');
    const differ = historyTypes.map((type, way) => `${type} <> ${lines(way)}`);
    const did = this.connection.value(`SELECT min(did) FROM accounts WHERE ${differ.join(' OR ')}`);
    return did === null ? undefined : `the history of ${did} is not as long as its account says`;
  }

  #leadsTo(way: number, what: number, seq: number, move = 0): boolean {
    this.#leadsExpected++;
    // The second table has nothing of most entries.
    this.#firstNew ??= this.#number('SELECT min(seq) FROM new_leads');
    if (seq < this.#firstNew) return this.#number(olderLeads, way, what, seq, move) === 1;
    return this.#number(leadsFound, way, what, seq, move, way, what, seq, move) === 1;
  }

  #number(sql: string, ...values: readonly (string | number)[]): number {
    return this.connection.row<[number]>(sql, ...values)?.[0] ?? 0;
  }
}

function isReply(kept: string, left: readonly Snapshot[]): boolean {
  try {
    return canonical((JSON.parse(kept) as SnapshotRow[]).map(snapshotInRow)) === canonical(left);
  } catch {
    return false; // damaged text
  }
}
