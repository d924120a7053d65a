/** Everything derived from the journal is rebuilt to the same rows, however it was damaged. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { catalogue } from '../../src/machines/catalogue.js';
import { databaseFile } from '../../src/store/sqlite/durable.js';
import { type RebuiltFile, rebuildFile } from '../../src/store/sqlite/rebuild.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { derivedTables, StoreRefused } from '../../src/store/store.js';
import { rebuild } from '../../src/verify/move/rebuild.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { answersOf, type Questions, questionsFor } from './support/flip-answers.js';
import { makeFixture } from './support/flip-fixture.js';
import { auditOf } from './support/process.js';

const index = 'SELECT * FROM (SELECT * FROM leads UNION ALL SELECT * FROM new_leads) ORDER BY way, what, seq, move';

/**
 * Differences that don't count: in which of its two tables an index row is, and counters of zero, depend on how writes were
 * grouped.
 */
const alike: { readonly [table: string]: string } = {
  leads: index,
  new_leads: index,
  census: 'SELECT * FROM census WHERE count <> 0',
  // The others are derived again when a node starts.
  local: `SELECT * FROM local WHERE name NOT IN (${derivedTables.map((name) => `'${name}'`).join()})`,
};

function rowsOf(dir: string): { readonly [table: string]: readonly unknown[] } {
  const database = new Database(databaseFile(dir));
  const all = (sql: string) => database.prepare(sql).raw().all();
  const tables = (all(`SELECT name FROM sqlite_schema WHERE type = 'table'`) as [string][]).map(([name]) => name);
  const selects = tables.map((table) => [table, alike[table] ?? `SELECT * FROM ${table}`] as const);
  const rows = Object.fromEntries(selects.map(([table, sql]) => [table, all(sql).map((row) => JSON.stringify(row))]));
  database.close();
  return rows;
}

function expectSame(now: ReturnType<typeof rowsOf>, then: ReturnType<typeof rowsOf>): void {
  const differ = Object.keys(then).flatMap((table) => {
    const rows = now[table] ?? [];
    const first = then[table]!.findIndex((row, index) => row !== rows[index]);
    if (first < 0 && rows.length === then[table]!.length) return [];
    return [`${table} (${rows.length} rows, not ${then[table]!.length}): ${rows[first]}, not ${then[table]![first]}`];
  });
  expect(differ, differ.join('\n')).to.deep.equal([]);
}

/** Damages to every table that holds derived data. */
const scrambled = [
  'UPDATE accounts SET available = available + 7, nonce = nonce + 1, sent = 0',
  'DELETE FROM accounts WHERE account % 3 = 0',
  'UPDATE house SET supply = 1, fees = 99',
  `UPDATE event_types SET name = name || 'x'`,
  'DELETE FROM leads WHERE seq % 2 = 0',
  'UPDATE new_leads SET what = what + 1',
  'DELETE FROM idempotency',
  `UPDATE replies SET snapshots = '[]'`,
  `UPDATE resources SET state = 'lost', context = '{}', context_at = NULL, alarm_at = 1, created_at = 5`,
  'DELETE FROM resources WHERE resource % 4 = 1',
  `UPDATE labels SET resource = resource + 1 WHERE resource % 2 = 1`,
  'DELETE FROM census',
  `UPDATE receipts SET entry_hash = 'other', tx = 0`,
  'UPDATE contents SET seq = seq + 1000, hash = randomblob(32)',
  `UPDATE search_words SET text = text || 'x'`,
  'DELETE FROM search_terms WHERE place % 2 = 0',
  `UPDATE search_shelves SET count = 1, market = market || 'x'`,
  'DELETE FROM search_ages',
  'UPDATE search_documents SET price = 1, popularity = 77, owner = 1',
  `UPDATE search_rules SET rules = ''`,
];

type Progress = (done: number, total: number) => void;

describe('a rebuild', () => {
  let original: string;
  let asked: Questions;
  before(async () => {
    const { file } = await makeFixture();
    original = scratch();
    writeFileSync(databaseFile(original), file);
    asked = questionsFor(original);
  });
  after(tidy);

  function copyWith(...statements: string[]): string {
    const dir = join(scratch(), 'copy');
    cpSync(original, dir, { recursive: true });
    const database = new Database(databaseFile(dir));
    for (const sql of statements) database.exec(sql);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    return dir;
  }

  async function rebuilt(
    dir: string,
    { dropDamaged = false, progress = () => {} }: { dropDamaged?: boolean; progress?: Progress } = {},
  ): Promise<RebuiltFile> {
    return rebuildFile({
      file: databaseFile(dir),
      fill: (source, target) => rebuild({ source, target, catalogue, network: 'devnet', progress }),
      check: async (made) => expect((await auditOf(made)).flaw?.what).to.equal(undefined) && undefined,
      dropDamaged,
    });
  }

  it('of scrambled tables gives every row and every answer of before', async () => {
    const dir = copyWith(...scrambled);
    expect((await auditOf(dir)).ok).to.equal(false);
    const { before, dropped } = await rebuilt(dir);
    expect(dropped).to.deep.equal([]);
    expect(existsSync(before)).to.equal(true);
    expectSame(rowsOf(dir), rowsOf(original));
    expect(answersOf(dir, asked)).to.equal(answersOf(original, asked));
  });

  it('of a database with segments reads them, and writes rows that are sealed later', async () => {
    const dir = copyWith();
    const store = await SqliteStore.open({ dir, segmentEntries: 8 });
    await until('entries are sealed', () => rowsOf(dir).segments!.length > 2);
    await store.close();
    expect(answersOf(dir, asked)).to.equal(answersOf(original, asked));
    expect(await auditOf(dir)).to.include({ ok: true });
    await rebuilt(dir);
    expectSame(rowsOf(dir), rowsOf(original));
    expect(answersOf(dir, asked)).to.equal(answersOf(original, asked));
  });

  it('reports how many of the entries are done, to the last one', async () => {
    const reports: (readonly [done: number, total: number])[] = [];
    await rebuilt(copyWith(), { progress: (...report) => reports.push(report) });
    const total = asked.events.length;
    expect(reports.at(-1)).to.deep.equal([total, total]);
    expect(reports.map(([done]) => done)).to.deep.equal(reports.map(([done]) => done).sort((a, b) => a - b));
  });

  it('of pages that are overwritten gives a whole file', async () => {
    const dir = copyWith();
    const pages = new Database(databaseFile(dir));
    const names = ['resources_age', 'leads', 'search_terms', 'labels', 'receipts_tx', 'sqlite_autoindex_accounts_1'];
    const roots = names.map(
      (name) => pages.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').raw().get([name]) as [number],
    );
    pages.close();
    const bytes = readFileSync(databaseFile(dir));
    for (const [root] of roots) bytes.fill(0xa5, (root - 1) * 4_096, root * 4_096);
    writeFileSync(databaseFile(dir), bytes);
    expect((await auditOf(dir)).flaw).to.include({ check: 'file' });
    await rebuilt(dir);
    expectSame(rowsOf(dir), rowsOf(original));
  });

  const refused = async (dir: string): Promise<string> => {
    const bytes = readFileSync(databaseFile(dir));
    const error = await rebuilt(dir).catch((thrown: Error) => thrown);
    expect(error).to.be.instanceOf(StoreRefused);
    expect(readFileSync(databaseFile(dir)).equals(bytes), 'nothing was changed').to.equal(true);
    expect(existsSync(`${databaseFile(dir)}.rebuilding`)).to.equal(false);
    return (error as Error).message;
  };

  it('is refused where the journal itself is damaged, and changes nothing', async () => {
    const entry = copyWith(`UPDATE journal SET core = replace(core, 'devnet', 'devnot') WHERE seq = 4`);
    expect(await refused(entry)).to.match(/^entry 4 is damaged: .* restore a backup from before the damage$/);
    const content = copyWith(`UPDATE contents SET bytes = CAST('other' AS BLOB) WHERE content = 1`);
    expect(await refused(content)).to.match(/^content [0-9a-f]{64} of the source is damaged$/);
    const receipt = copyWith(
      `UPDATE receipts SET receipt = replace(receipt, 'confirmed', 'reverted') WHERE number = 3`,
    );
    expect(await refused(receipt)).to.match(/^receipt 3 was changed\. .* restore a backup/);
  });

  it('leaves out a damaged record only when it is asked to', async () => {
    const dir = copyWith(`UPDATE local SET value = replace(value, 'read', 'admin') WHERE name = 'api-keys'`);
    expect(await refused(dir)).to.match(/^the record api-keys\/.* is not what was written.*--drop-damaged$/);
    const { dropped } = await rebuilt(dir, { dropDamaged: true });
    expect(dropped.join()).to.match(/^the record api-keys\/\S+ is not what was written$/);
    expect((await auditOf(dir)).flaw).to.equal(undefined);
  });
});
