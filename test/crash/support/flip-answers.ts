/** A store's answers to a fixed set of questions, and all its rows: equal texts mean equal behaviour. */
import { createHash } from 'node:crypto';
import { SqliteConnection } from '../../../src/store/sqlite/connection.js';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { PointReads } from '../../../src/store/sqlite/point-reads.js';
import { SlowReads } from '../../../src/store/sqlite/slow-reads.js';
import { derivedTables, type EntryName } from '../../../src/store/store.js';
import { everything as everyListing } from '../../contract/shelf.js';

const cacheKiB = 4_096;
const cut = { limit: 1_000, offset: 0 };
const far = Number.MAX_SAFE_INTEGER;

/** What to ask for, read from the undamaged database. */
export interface Questions {
  readonly resources: readonly (readonly [kind: string, id: string])[];
  readonly dids: readonly string[];
  readonly events: readonly string[];
  readonly types: readonly string[];
  readonly keys: readonly (readonly [principal: string, key: string, time: number])[];
  readonly entries: readonly EntryName[];
  readonly transactions: readonly string[];
  readonly contents: readonly string[];
  readonly labels: readonly (readonly [kind: string, label: string])[];
}

function withReads<T>(dir: string, work: (point: PointReads, slow: SlowReads, connection: SqliteConnection) => T): T {
  const connection = new SqliteConnection(databaseFile(dir), { cacheKiB, readOnly: true });
  try {
    return work(new PointReads(connection), new SlowReads(connection), connection);
  } finally {
    connection.close();
  }
}

export const questionsFor = (dir: string): Questions =>
  withReads(dir, (point, slow, connection) => {
    const texts = (sql: string) => connection.rows<[string]>(sql).map(([text]) => text);
    const entries = slow.entries({ after: 0, limit: far }).map(([seq, entryHash, , , core]) => ({
      seq,
      entryHash,
      core: JSON.parse(core),
    }));
    return {
      resources: connection.rows<[string, string]>('SELECT kind, id FROM resources'),
      dids: texts('SELECT did FROM accounts'),
      events: entries.map(({ core }) => core.event.hash),
      types: texts('SELECT name FROM event_types'),
      keys: entries.flatMap(({ core: { idem, time } }) => (idem ? [[idem.principal, idem.key, time] as const] : [])),
      entries: entries.map(({ seq, entryHash }) => ({ seq, entryHash })),
      transactions: point.receipts(0, far).map(({ txHash }) => txHash),
      contents: texts('SELECT lower(hex(hash)) FROM contents'),
      labels: connection.rows<[string, string]>('SELECT DISTINCT kind, label FROM labels'),
    };
  });

const words = [['rain'], ['snow'], ['r'], ['weather'], ['wind', 'rain'], ['uberlegung']];

export const answersOf = (dir: string, asked: Questions): string =>
  withReads(dir, (point, slow) => {
    const hash = createHash('sha256');
    const ask = (answer: () => unknown) => hash.update(`${JSON.stringify(answer())}\n`);
    for (const [kind, id] of asked.resources) ask(() => point.load(kind, id));
    for (const did of asked.dids) {
      ask(() => point.account(did));
      ask(() => slow.history(did, undefined, cut));
      ask(() => slow.entries({ after: 0, limit: far, issuer: did }).map(([seq]) => seq));
    }
    for (const type of asked.types) ask(() => slow.entries({ after: 0, limit: far, type }).map(([seq]) => seq));
    for (const event of asked.events) ask(() => point.entryByEvent(event)?.seq);
    for (const [principal, key, time] of asked.keys) ask(() => point.recall(principal, key, time));
    for (const { entryHash } of asked.entries) ask(() => point.receipt(entryHash));
    for (const transaction of asked.transactions) ask(() => point.receiptsOf(transaction));
    for (const hash of asked.contents) ask(() => Buffer.from(point.content(hash) ?? []).toString('hex'));
    for (const [kind, label] of asked.labels) ask(() => slow.find({ kind, anyLabel: [label] }, cut).rows);
    for (const kind of new Set(asked.resources.map(([each]) => each))) ask(() => slow.find({ kind }, cut));
    for (const each of words) ask(() => slow.search({ ...everyListing, words: each, facets: ['tag'] }, undefined));
    for (const sort of ['price_asc', 'rating', 'popular', 'reputation'] as const)
      ask(() => slow.search({ ...everyListing, sort }, undefined));
    ask(() => [slow.totals(), slow.census(), slow.accounts(cut), slow.entries({ after: 0, limit: far })]);
    ask(() => [point.head(), point.due(far, 1_000), point.receipts(0, far), point.contentsOf(asked.entries)]);
    for (const table of point.localTables()) if (!derivedTables.includes(table)) ask(() => point.listLocal(table));
    return hash.digest('hex');
  });

/** Rows with a count of zero don't affect answers, and counting again recreates them. */
const answering: { readonly [table: string]: string } = { census: 'WHERE count <> 0' };

/** Every row of every table, in the order of its key. */
export const rowsOf = (dir: string): string =>
  withReads(dir, (_point, _slow, connection) => {
    const hash = createHash('sha256');
    const verdict = connection.value('PRAGMA integrity_check(1)');
    if (verdict !== 'ok') return String(verdict);
    const tables = connection.rows<[string]>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`);
    for (const [table] of tables) {
      const columns = connection.rows<[string]>('SELECT name FROM pragma_table_info(?) ORDER BY cid', table);
      const quoted = columns.map(([column]) => `quote(${column})`).join(` || ',' || `);
      for (const [row] of connection.rows<[string]>(
        `SELECT ${quoted} FROM ${table} NOT INDEXED ${answering[table] ?? ''}`,
      ))
        hash.update(`${table}: ${row}\n`);
    }
    return hash.digest('hex');
  });
