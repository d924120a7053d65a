/**
 * The tables. The schema's version counts the steps that made it: the first creates all tables, each later one changes
 * them. A released step never changes; a change is one more step at the end.
 */
import { assert } from '../../core/refusal.js';
import { earlierFormat, StoreRefused } from '../store.js';
import { SqliteConnection } from './connection.js';

/** Marks the file as a database of this program ('svc1'), so that a foreign one is refused. */
const applicationId = 0x73766331;
/** The mark of databases from before 0.1.0, whose schema had versions up to `unreleased`. */
const earlierId = 0x7376636e;
const unreleased = 10;

/** Brings the schema from one version to the next, in one transaction. */
export interface SqliteStep {
  /** A name for the change: `receipts-by-transaction`. */
  readonly name: string;
  readonly change: (connection: SqliteConnection) => void;
}

/**
 * The SQL equivalent of amountOf(). NULL for a damaged context, which is reported when it is read.
 * @param table name of the row of `resources`
 */
export const amountColumn = (table?: string): string => {
  const context = table === undefined ? 'context' : `${table}.context`;
  const member = (name: string) =>
    `CASE json_type(${context}, '$.${name}') WHEN 'integer' THEN json_extract(${context}, '$.${name}') END`;
  return `CASE WHEN json_valid(${context}) THEN ifnull(ifnull(${member('amount')}, ${member('price')}), -1) ELSE -1 END`;
};

/**
 * DIDs and resources are stored as integers, because text keys cost half as much again per row. One table of integers
 * is the secondary index of entries (secondary-index.ts). The unique keys of keysOf() are checked where their
 * predecessor is stored: nonce and account version in `accounts`, resource version in `resources`. Large columns come
 * last, so that small ones are read without overflow pages.
 *
 * `journal` has the newest entries; those before them are in the files that `segments` names (segment.ts).
 * `journal.packed` has core and payload of a compressed entry (packing.ts); then `core` is empty and `payload` NULL.
 * `resources.context_at` is the number of the entry whose `packed` has the context; NULL where `context` has it.
 * `receipts.tx` indexes receipts by transaction (txPrefix). Rows that are not derived from entries have a `hash`
 * (row-hash.ts).
 */
const journalTables = `
    CREATE TABLE accounts (
      account INTEGER PRIMARY KEY, did TEXT NOT NULL UNIQUE,
      available INTEGER NOT NULL, reserved INTEGER NOT NULL, escrowed INTEGER NOT NULL,
      version INTEGER NOT NULL, frozen INTEGER NOT NULL, nonce INTEGER NOT NULL, last_hash TEXT, seq INTEGER NOT NULL,
      sent INTEGER NOT NULL, received INTEGER NOT NULL, escrow INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE house (supply INTEGER NOT NULL, fees INTEGER NOT NULL) STRICT;
    INSERT INTO house VALUES (0, 0);

    CREATE TABLE event_types (type INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE journal (
      seq INTEGER PRIMARY KEY, entry_hash TEXT NOT NULL, chain_hash TEXT NOT NULL, core TEXT NOT NULL,
      payload TEXT, packed BLOB
    ) STRICT;
    CREATE TABLE segments (last INTEGER PRIMARY KEY, chain_hash TEXT NOT NULL, sha256 TEXT NOT NULL) STRICT;
    CREATE TABLE leads (
      way INTEGER NOT NULL, what INTEGER NOT NULL, seq INTEGER NOT NULL, move INTEGER NOT NULL,
      PRIMARY KEY (way, what, seq, move)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE new_leads (
      way INTEGER NOT NULL, what INTEGER NOT NULL, seq INTEGER NOT NULL, move INTEGER NOT NULL,
      PRIMARY KEY (way, what, seq, move)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE idempotency (
      day INTEGER NOT NULL, hash BLOB NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (day, hash)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE replies (seq INTEGER PRIMARY KEY, snapshots TEXT NOT NULL) STRICT;

    CREATE TABLE resources (
      resource INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
      state TEXT NOT NULL, last_hash TEXT NOT NULL, machine TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      alarm_at INTEGER, alarm_action TEXT, context TEXT NOT NULL, context_at INTEGER, UNIQUE (kind, id)
    ) STRICT;
    CREATE INDEX resources_age ON resources (kind, created_at, id);
    CREATE INDEX resources_changed ON resources (kind, updated_at, id);
    CREATE INDEX resources_amount ON resources (kind, ${amountColumn()}, id);
    CREATE INDEX resources_listed ON resources (resource, state, updated_at, ${amountColumn()});
    CREATE INDEX resources_alarm ON resources (alarm_at, kind, id) WHERE alarm_at IS NOT NULL;
    CREATE TABLE labels (
      kind TEXT NOT NULL, label TEXT NOT NULL, created_at INTEGER NOT NULL, id TEXT NOT NULL,
      resource INTEGER NOT NULL, PRIMARY KEY (kind, label, created_at, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE census (
      kind TEXT NOT NULL, state TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (kind, state)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE receipts (
      number INTEGER PRIMARY KEY, entry_hash TEXT NOT NULL, receipt_hash TEXT NOT NULL, receipt TEXT NOT NULL,
      tx INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX receipts_entry ON receipts (entry_hash);
    CREATE INDEX receipts_tx ON receipts (tx);
    CREATE TABLE contents (
      content INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, seq INTEGER NOT NULL, bytes BLOB NOT NULL
    ) STRICT;
    CREATE INDEX contents_seq ON contents (seq);
    CREATE TABLE local (
      name TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, value TEXT NOT NULL,
      hash BLOB NOT NULL, PRIMARY KEY (name, id)
    ) STRICT, WITHOUT ROWID;
`;

/**
 * The search index (docs/decisions/0017). Words and labels (prefixed with #, which no word contains) are integers. A
 * shelf is an index partition: the documents of equal market, visibility and status, so that lists without a keyword
 * are index ranges with known counts. Documents are numbered in the order of their creation, and the terms of a block
 * are stored together; `place` is the document's position in its block. `search_ages` counts the documents of each shelf
 * between two creation times. `labels` has the integers of a document's labels, separated by commas.
 */
const searchTables = `
    CREATE TABLE search_words (word INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE search_terms (
      block INTEGER NOT NULL, word INTEGER NOT NULL, place INTEGER NOT NULL, weight INTEGER NOT NULL,
      PRIMARY KEY (block, word, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE search_shelves (
      shelf INTEGER PRIMARY KEY, market TEXT NOT NULL, visibility TEXT NOT NULL, status TEXT NOT NULL,
      count INTEGER NOT NULL, UNIQUE (market, visibility, status)
    ) STRICT;
    CREATE TABLE search_ages (
      since INTEGER NOT NULL, shelf INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (since, shelf)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE search_documents (
      document INTEGER PRIMARY KEY, resource INTEGER NOT NULL, shelf INTEGER NOT NULL, owner INTEGER NOT NULL,
      created_at INTEGER NOT NULL, expires_at INTEGER, price INTEGER, rating REAL, popularity INTEGER NOT NULL,
      id TEXT NOT NULL UNIQUE, labels TEXT NOT NULL
    ) STRICT;
    CREATE INDEX search_age ON search_documents (shelf, created_at, id, expires_at);
    CREATE INDEX search_expiry ON search_documents (shelf, expires_at) WHERE expires_at IS NOT NULL;
    CREATE INDEX search_owner ON search_documents (owner);
    CREATE TABLE search_owners (
      owner INTEGER PRIMARY KEY, did TEXT NOT NULL UNIQUE, reputation REAL, hash BLOB
    ) STRICT;
    CREATE TABLE search_rules (rules TEXT NOT NULL) STRICT;
  `;

export const schemaSteps: readonly SqliteStep[] = [
  { name: 'first', change: (connection) => connection.exec(journalTables + searchTables) },
];

const versionAfter = (steps: readonly SqliteStep[]): number => unreleased + steps.length;

export const schemaVersion = versionAfter(schemaSteps);

/**
 * The schema version of this program's database; 0 for an empty file.
 * @throws StoreRefused for any other file
 */
export function checkSchema(connection: SqliteConnection, steps = schemaSteps): number {
  const version = connection.value('PRAGMA user_version');
  const owner = connection.value('PRAGMA application_id');
  const empty = connection.value('SELECT count(*) FROM sqlite_schema') === 0;
  assert(typeof version === 'number', 'user_version is a number');
  if (empty && version === 0) return 0;
  if (owner === earlierId) {
    const anew =
      'start in a new data directory (SVC_DATA_DIR), into which you may copy keystore, node.json and passphrase of this one';
    throw earlierFormat(connection.file, anew);
  }
  if (owner !== applicationId) {
    throw new StoreRefused(
      `${connection.file} is a SQLite database of another program; choose another data directory (SVC_DATA_DIR)`,
    );
  }
  if (version <= unreleased)
    throw new StoreRefused(`${connection.file} is damaged: it has tables, and schema version ${version}`);
  const newest = versionAfter(steps);
  if (version > newest) {
    throw new StoreRefused(
      `${connection.file} has schema version ${version}, and this program knows ${newest}: ` +
        'it was written by a newer svc-node; install that version or restore a backup made by this one',
    );
  }
  return version;
}

/**
 * @throws StoreRefused if checkSchema() refuses the database, or it is of an older version, which a reader doesn't
 * migrate
 */
export function mustBeCurrent(connection: SqliteConnection, steps = schemaSteps): void {
  const version = checkSchema(connection, steps);
  if (version === versionAfter(steps)) return;
  throw new StoreRefused(`${connection.file} has schema version ${version}: start the node once to upgrade it`);
}

/** Migrates the database to the newest version, one transaction per step. */
export function migrateSchema(connection: SqliteConnection, steps = schemaSteps): void {
  const found = checkSchema(connection, steps);
  const flaw = violationOfLayout(connection, found, steps);
  if (flaw !== undefined) throw new StoreRefused(`${connection.file} is damaged: ${flaw}`);
  for (let version = Math.max(found, unreleased); version < versionAfter(steps); version++) {
    connection.exec('BEGIN IMMEDIATE');
    steps[version - unreleased]!.change(connection);
    connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}; COMMIT`);
  }
}

/** The schema as SQLite stores it. Additional tables of an operator are ignored. */
type SchemaLayout = ReadonlyMap<string, string>;

function layoutOf(connection: SqliteConnection): SchemaLayout {
  const rows = connection.rows<(string | null)[]>('SELECT type, name, tbl_name, sql FROM sqlite_schema');
  return new Map(rows.map(([type, name, table, sql]) => [`${type} ${name}`, `${table}: ${sql?.replace(/\s+/g, ' ')}`]));
}

/**
 * Compares the schema with the expected one, because a flipped bit in it makes SQLite misread data.
 * @param version schema version of the database
 */
export function violationOfLayout(
  connection: SqliteConnection,
  version: number,
  steps = schemaSteps,
): string | undefined {
  if (version === 0) return undefined;
  const found = layoutOf(connection);
  for (const [name, sql] of freshLayout(steps.slice(0, version - unreleased))) {
    if (found.get(name) !== sql) return `the ${name} is not that of schema version ${version}`;
  }
  return undefined;
}

/** Expected schemas by their last step, built on demand. */
const layouts = new WeakMap<SqliteStep, SchemaLayout>();

function freshLayout(steps: readonly SqliteStep[]): SchemaLayout {
  const last = steps.at(-1)!;
  const known = layouts.get(last);
  if (known) return known;
  const fresh = new SqliteConnection(':memory:', { cacheKiB: 1_024 });
  try {
    migrateSchema(fresh, steps);
    const layout = layoutOf(fresh);
    layouts.set(last, layout);
    return layout;
  } finally {
    fresh.close();
  }
}
