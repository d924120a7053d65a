/**
 * The tables, as a list of migrations: number n of the list brings a database from version n-1 to n.
 * A released migration is never changed; a new version is one more function at the end.
 */
import { assert } from '../../machines/kernel/refusal.js';
import type { Receipt } from '../entry.js';
import { StoreRefused } from '../store.js';
import type { Connection } from './connection.js';
import { txPrefix } from './rows.js';

/** Marks the file as ours ('svcn'), so that a stranger's database is refused instead of migrated. */
const applicationId = 0x7376636e;

type Migration = (connection: Connection) => void;

/**
 * DIDs and resources are integers inside (text keys cost half as much again for every row that names them), and one
 * table of integers leads to entries in every way in which they are looked for (leads.ts).
 * The unique keys of keysOf() live where their predecessor is: nonce and account version in `accounts`, resource
 * version in `resources`. Big columns come last, so that the small ones are read without overflow pages.
 */
const first: Migration = (connection) =>
  connection.exec(`
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
      seq INTEGER PRIMARY KEY, issuer INTEGER NOT NULL, type INTEGER NOT NULL,
      entry_hash TEXT NOT NULL, chain_hash TEXT NOT NULL, core TEXT NOT NULL, payload TEXT
    ) STRICT;
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
      alarm_at INTEGER, alarm_action TEXT, context TEXT NOT NULL, UNIQUE (kind, id)
    ) STRICT;
    CREATE INDEX resources_age ON resources (kind, created_at, id);
    CREATE INDEX resources_alarm ON resources (alarm_at, kind, id) WHERE alarm_at IS NOT NULL;
    CREATE TABLE labels (
      kind TEXT NOT NULL, label TEXT NOT NULL, created_at INTEGER NOT NULL, id TEXT NOT NULL,
      resource INTEGER NOT NULL, PRIMARY KEY (kind, label, created_at, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE census (
      kind TEXT NOT NULL, state TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (kind, state)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE receipts (
      number INTEGER PRIMARY KEY, entry_hash TEXT NOT NULL, receipt_hash TEXT NOT NULL, receipt TEXT NOT NULL
    ) STRICT;
    CREATE INDEX receipts_entry ON receipts (entry_hash);
    CREATE TABLE contents (
      content INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, entry_hash TEXT NOT NULL, bytes BLOB NOT NULL
    ) STRICT;
    CREATE INDEX contents_entry ON contents (entry_hash, hash);
    CREATE TABLE local (
      name TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name, id)
    ) STRICT, WITHOUT ROWID;
  `);

/** By what a transaction finds its receipts: see txPrefix. */
const receiptsByTransaction: Migration = (connection) => {
  connection.exec('ALTER TABLE receipts ADD COLUMN tx INTEGER');
  const set = connection.change('UPDATE receipts SET tx = ? WHERE number = ?');
  const all = connection.rows<[number, string]>('SELECT number, receipt FROM receipts')([]);
  for (const [number, text] of all) set([txPrefix((JSON.parse(text) as Receipt).txHash), number]);
  connection.exec('CREATE INDEX receipts_tx ON receipts (tx)');
};

/**
 * The search index. Words and labels (with a # in front, which no word has) are integers inside; a shelf holds the
 * documents that are alike in market, visibility and status, so that lists without a keyword are ranges of one index,
 * and their counts are known. `labels` are the integers of a document's labels between commas. A document has the number of
 * its resource.
 */
const searchIndex: Migration = (connection) =>
  connection.exec(`
    CREATE TABLE search_words (word INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE search_terms (
      word INTEGER NOT NULL, document INTEGER NOT NULL, weight INTEGER NOT NULL, PRIMARY KEY (word, document)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE search_shelves (
      shelf INTEGER PRIMARY KEY, market TEXT NOT NULL, visibility TEXT NOT NULL, status TEXT NOT NULL,
      count INTEGER NOT NULL, UNIQUE (market, visibility, status)
    ) STRICT;
    CREATE TABLE search_owners (owner INTEGER PRIMARY KEY, did TEXT NOT NULL UNIQUE, reputation REAL) STRICT;
    CREATE TABLE search_documents (
      document INTEGER PRIMARY KEY, shelf INTEGER NOT NULL, owner INTEGER NOT NULL, created_at INTEGER NOT NULL,
      expires_at INTEGER, price INTEGER, rating REAL, popularity INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
      labels TEXT NOT NULL
    ) STRICT;
    CREATE INDEX search_age ON search_documents (shelf, created_at, id, expires_at);
    CREATE INDEX search_expiry ON search_documents (shelf, expires_at) WHERE expires_at IS NOT NULL;
    CREATE INDEX search_owner ON search_documents (owner);
    CREATE TABLE search_rules (rules TEXT NOT NULL) STRICT;
  `);

/**
 * The search index in blocks (docs/decisions/0017-search-index.md): documents are numbered as they come, and those of
 * one block, with their terms, lie together. `place` is the document's within its block. `search_ages` counts, by shelf, the
 * documents from one time of creation up to the next. What was there is dropped, so that the start makes it anew; reputations
 * stay. Lists of listings are searches, so their labels have nobody who reads them.
 */
const searchInBlocks: Migration = (connection) =>
  connection.exec(`
    DROP TABLE search_terms;
    DROP TABLE search_documents;
    DROP TABLE search_shelves;
    DELETE FROM search_words;
    DELETE FROM search_rules;
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
    DELETE FROM labels WHERE kind IN ('info-listing', 'task-listing', 'capability-listing');
  `);

/** Core and payload of a long entry (packing.ts); `core` is empty then, and `payload` NULL. */
const packedEntries: Migration = (connection) => connection.exec('ALTER TABLE journal ADD COLUMN packed BLOB');

/** The entry in whose `packed` a resource's context lies; NULL where `context` has it. */
const contextsInEntries: Migration = (connection) =>
  connection.exec('ALTER TABLE resources ADD COLUMN context_at INTEGER');

/** First letters are in the index (docs/decisions/0024-short-words.md): the start makes it anew. */
const searchInitials: Migration = (connection) => connection.exec('DELETE FROM search_rules');

const migrations: readonly Migration[] = [
  first,
  receiptsByTransaction,
  searchIndex,
  searchInBlocks,
  packedEntries,
  contextsInEntries,
  searchInitials,
];

export const schemaVersion = migrations.length;

/** The version of a database that is ours; 0 for an empty file. Throws StoreRefused for any other. */
export function checkSchema(connection: Connection): number {
  const version = connection.value('PRAGMA user_version');
  const owner = connection.value('PRAGMA application_id');
  const empty = connection.value('SELECT count(*) FROM sqlite_schema') === 0;
  assert(typeof version === 'number', 'user_version is a number');
  if (empty && version === 0) return 0;
  if (owner !== applicationId) {
    throw new StoreRefused(`${connection.file} is a SQLite database of another program; choose another data directory`);
  }
  if (version > schemaVersion) {
    throw new StoreRefused(
      `${connection.file} has schema version ${version}, and this program knows ${schemaVersion}: ` +
        'it was written by a newer svc-node; install that version or restore a backup made by this one',
    );
  }
  return version;
}

/** Brings the database to the newest version; each step is one transaction with its version number. */
export function migrate(connection: Connection): void {
  for (let version = checkSchema(connection); version < schemaVersion; version++) {
    connection.exec('BEGIN IMMEDIATE');
    migrations[version]!(connection);
    connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}; COMMIT`);
  }
}
