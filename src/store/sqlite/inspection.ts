/**
 * What an audit asks beyond the data: the columns by which entries are found, alarms, rows that nothing gave rise to.
 */
import { partiesOf } from '../../machines/kernel/posting.js';
import type { NumberedEntry } from '../entry.js';
import type { Inspection } from '../store.js';
import type { Connection } from './connection.js';
import { eventPrefix } from './journal.js';

type JournalRow = readonly [prefix: number, issuer: string | null, nonce: number, type: string | null];
type AlarmRow = readonly [at: number | null, action: string | null];

export class SqliteInspection implements Inspection {
  readonly #entry: (values: readonly [number]) => JournalRow | undefined;
  readonly #written: (values: readonly [string, string, number]) => readonly [number] | undefined;
  readonly #moves: (values: readonly [string, number]) => readonly [number] | undefined;
  readonly #alarm: (values: readonly [string, string]) => AlarmRow | undefined;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#entry = connection.row<JournalRow>(`SELECT j.event_prefix, a.did, j.nonce, t.name FROM journal j
      LEFT JOIN accounts a ON a.account = j.issuer LEFT JOIN event_types t ON t.type = j.type WHERE j.seq = ?`);
    this.#written = connection.row<readonly [number]>(`SELECT 1 FROM resource_entries e
      JOIN resources r ON r.resource = e.resource WHERE r.kind = ? AND r.id = ? AND e.seq = ?`);
    this.#moves = connection.row<readonly [number]>(`SELECT count(*) FROM account_moves m
      WHERE m.account = (SELECT account FROM accounts WHERE did = ?) AND m.type IN (0, 1, 2) AND m.seq = ?`);
    this.#alarm = connection.row<AlarmRow>('SELECT alarm_at, alarm_action FROM resources WHERE kind = ? AND id = ?');
  }

  flawOfEntry({ seq, core }: NumberedEntry): string | undefined {
    const { event, versions, moves } = core;
    const [prefix, issuer, nonce, type] = this.#entry([seq]) ?? [];
    if (prefix !== eventPrefix(event.hash)) return 'the store finds it under another event hash';
    if (issuer !== event.issuer || nonce !== event.nonce) return 'the store finds it under another issuer or nonce';
    if (type !== event.type) return 'the store finds it under another type';
    for (const { kind, id } of versions) {
      if (!this.#written([kind, id, seq])) return `the store does not find it under ${kind}/${id}`;
    }
    const lines = new Map<string, Set<string>>();
    moves.forEach((move, index) => {
      for (const [did, history] of partiesOf(move)) {
        lines.set(did, (lines.get(did) ?? new Set()).add(`${history} ${index}`));
      }
    });
    for (const [did, { size }] of lines) {
      if (this.#moves([did, seq])?.[0] !== size) return `the history of ${did} does not show it`;
    }
    return undefined;
  }

  flawOfResource(kind: string, id: string, alarm: { at: number; action: string } | null): string | undefined {
    const [at, action] = this.#alarm([kind, id]) ?? [];
    return at === (alarm?.at ?? null) && action === (alarm?.action ?? null)
      ? undefined
      : `the alarm of ${kind}/${id} is not what its state asks for`;
  }

  async flawOfCounts(resources: number, accounts: number): Promise<string | undefined> {
    const stored = this.#connection.value('SELECT count(*) FROM resources');
    if (stored !== resources) return `the store has ${stored} resources, and the journal gives ${resources}`;
    const rows = this.#connection.value('SELECT count(*) FROM accounts');
    return rows === accounts ? undefined : `the store has ${rows} accounts, and the journal gives ${accounts}`;
  }
}
