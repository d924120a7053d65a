/**
 * What an audit asks beyond the data: what leads to entries, alarms, keys of repeated requests, rows that nothing gave
 * rise to.
 */
import { dayMs, type EntryCore, type NumberedEntry } from '../entry.js';
import type { FoundBy, Inspection } from '../store.js';
import type { Connection } from './connection.js';
import { keyHash } from './journal.js';
import { eventPrefix, historyTypes, leadTables, linesOf, ways } from './leads.js';

type JournalRow = readonly [issuer: number, did: string | null, type: number, name: string | null];
type AlarmRow = readonly [at: number | null, action: string | null];

export class SqliteInspection implements Inspection {
  readonly #entry: (values: readonly [number]) => JournalRow | undefined;
  readonly #leads: (values: readonly number[]) => readonly [number] | undefined;
  readonly #resource: (values: readonly [string, string]) => readonly [number] | undefined;
  readonly #account: (values: readonly [string]) => readonly [number] | undefined;
  readonly #alarm: (values: readonly [string, string]) => AlarmRow | undefined;
  readonly #label: (values: readonly [string, string, string]) => readonly [number] | undefined;
  readonly #key: (values: readonly [number, Uint8Array]) => readonly [number] | undefined;
  readonly #newestKeyDay: () => number | null;
  readonly #connection: Connection;
  /** What the entries and resources looked at so far give rise to. */
  #leadsExpected = 0;
  #labelsExpected = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#entry = connection.row<JournalRow>(`SELECT j.issuer, a.did, j.type, t.name FROM journal j
      LEFT JOIN accounts a ON a.account = j.issuer LEFT JOIN event_types t ON t.type = j.type WHERE j.seq = ?`);
    const found = leadTables.map(
      (table) => `SELECT 1 FROM ${table} WHERE way = ? AND what = ? AND seq = ? AND move = ?`,
    );
    this.#leads = connection.row<readonly [number]>(`SELECT count(*) FROM (${found.join(' UNION ALL ')})`);
    this.#resource = connection.row<readonly [number]>('SELECT resource FROM resources WHERE kind = ? AND id = ?');
    this.#account = connection.row<readonly [number]>('SELECT account FROM accounts WHERE did = ?');
    this.#alarm = connection.row<AlarmRow>('SELECT alarm_at, alarm_action FROM resources WHERE kind = ? AND id = ?');
    this.#label = connection.row<readonly [number]>(`SELECT 1 FROM resources r
      JOIN labels l ON l.kind = r.kind AND l.created_at = r.created_at AND l.id = r.id AND l.resource = r.resource
      WHERE r.kind = ? AND r.id = ? AND l.label = ?`);
    this.#key = connection.row<readonly [number]>('SELECT seq FROM idempotency WHERE day = ? AND hash = ?');
    this.#newestKeyDay = () => connection.value('SELECT max(day) FROM idempotency') as number | null;
  }

  flawOfEntry({ seq, core }: NumberedEntry): string | undefined {
    const { event, versions } = core;
    const [issuer = 0, did, type = 0, name] = this.#entry([seq]) ?? [];
    if (did !== event.issuer) return 'the store has it under another issuer';
    if (name !== event.type) return 'the store has it under another type';
    if (!this.#leadsTo(ways.event, eventPrefix(event.hash), seq)) return 'the store does not find it by its event hash';
    if (!this.#leadsTo(ways.issuer, issuer, seq)) return 'the store does not find it by its issuer';
    if (!this.#leadsTo(ways.type, type, seq)) return 'the store does not find it by its type';
    for (const { kind, id } of versions) {
      const [resource = 0] = this.#resource([kind, id]) ?? [];
      if (!this.#leadsTo(ways.resource, resource, seq)) return `the store does not find it under ${kind}/${id}`;
    }
    for (const line of linesOf(core)) {
      const [account = 0] = this.#account([line.did]) ?? [];
      const way = historyTypes.indexOf(line.type);
      if (!this.#leadsTo(way, account, seq, line.move)) return `the history of ${line.did} does not show it`;
    }
    return this.#flawOfKey(core, seq);
  }

  /** A key that is not kept any more lets its request be carried out again; those of days long past are forgotten. */
  #flawOfKey({ idem, time }: EntryCore, seq: number): string | undefined {
    if (!idem) return undefined;
    const day = Math.floor(time / dayMs);
    const [leadsTo] = this.#key([day, keyHash(idem.principal, idem.key)]) ?? [];
    if (leadsTo === seq || (leadsTo === undefined && day < (this.#newestKeyDay() ?? day) - 1)) return undefined;
    return 'the store does not find it by its Idempotency-Key';
  }

  flawOfResource(kind: string, id: string, { alarm, labels }: FoundBy): string | undefined {
    const [at, action] = this.#alarm([kind, id]) ?? [];
    if (at !== (alarm?.at ?? null) || action !== (alarm?.action ?? null))
      return `the alarm of ${kind}/${id} is not what its state asks for`;
    const distinct = new Set(labels);
    this.#labelsExpected += distinct.size;
    for (const label of distinct) {
      if (!this.#label([kind, id, label])) return `lists do not find ${kind}/${id} under ${label}`;
    }
    return undefined;
  }

  async flawOfCounts(resources: number, accounts: number): Promise<string | undefined> {
    const stored = this.#connection.value('SELECT count(*) FROM resources');
    if (stored !== resources) return `the store has ${stored} resources, and the journal gives ${resources}`;
    const rows = this.#connection.value('SELECT count(*) FROM accounts');
    if (rows !== accounts) return `the store has ${rows} accounts, and the journal gives ${accounts}`;
    if (this.#connection.value('SELECT count(*) FROM labels') !== this.#labelsExpected)
      return 'lists find resources under labels that the journal does not give';
    const leads = leadTables.map((table) => `(SELECT count(*) FROM ${table})`);
    if (this.#connection.value(`SELECT ${leads.join(' + ')}`) !== this.#leadsExpected)
      return 'the store finds entries in ways that the journal does not give';
    return this.#flawOfTallies();
  }

  /** The leads are sound; how long each history is stands in its account's row as well. */
  #flawOfTallies(): string | undefined {
    const lines = leadTables.map((table) => `SELECT way, what FROM ${table} WHERE way < ${historyTypes.length}`);
    const counted = historyTypes.map((type, way) => `count(*) FILTER (WHERE way = ${way}) AS ${type}`);
    const differ = historyTypes.map((type) => `a.${type} <> ifnull(l.${type}, 0)`);
    const did = this.#connection.value(`SELECT min(a.did) FROM accounts a LEFT JOIN
      (SELECT what, ${counted.join(', ')} FROM (${lines.join(' UNION ALL ')}) GROUP BY what) l ON l.what = a.account
      WHERE ${differ.join(' OR ')}`);
    return did === null ? undefined : `the history of ${did} is not as long as its account says`;
  }

  #leadsTo(way: number, what: number, seq: number, move = 0): boolean {
    this.#leadsExpected++;
    return this.#leads([way, what, seq, move, way, what, seq, move])?.[0] === 1;
  }
}
