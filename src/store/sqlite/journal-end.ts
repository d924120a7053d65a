/**
 * Checks at each start, with a few look-ups, that the journal's end matches the projections. One transaction writes
 * both, so that no crash separates them.
 */
import { stateHashOf } from '../../machines/kernel/state-hash.js';
import type { EntryCore, Version } from '../entry.js';
import { lookedAt, violationOfNewest } from '../journal-end.js';
import { storedPayloadOf } from '../payload.js';
import { StoreDamaged } from '../store.js';
import type { SqliteConnection } from './connection.js';
import { violationOfSegments } from './entry-rows.js';
import { PointReads } from './point-reads.js';
import { entryColumns, entryRow, entryTables, type StoredEntryRow } from './rows.js';
import { indexTables, ways } from './secondary-index.js';

/** Number of the newest entry in the secondary index, which has every entry by its type. */
const led = `SELECT ifnull(max(seq), 0) FROM (${indexTables
  .map(
    (table) => `SELECT (SELECT max(seq) FROM ${table} WHERE way = ${ways.type} AND what = type) seq FROM event_types`,
  )
  .join(' UNION ALL ')})`;

/** @param most number of newest entries that are checked, with the rows that they were the last to change */
export function violationOfFileEnd(connection: SqliteConnection, most: number = lookedAt): string | undefined {
  // One transaction, because a node may be writing.
  connection.exec('BEGIN');
  try {
    return violationOfReach(connection) ?? violationOfLast(connection, most) ?? violationOfSegments(connection);
  } finally {
    connection.exec('COMMIT');
  }
}

function violationOfReach(connection: SqliteConnection): string | undefined {
  if (connection.value('SELECT count(*) FROM house') !== 1) return 'the row of the supply and the fees is gone';
  const end = connection.value('SELECT ifnull(max(seq), 0) FROM journal');
  const reach = connection.value(led);
  return end === reach ? undefined : `its last entry is ${end}, and the store has what leads to entry ${reach}`;
}

function violationOfLast(connection: SqliteConnection, most: number): string | undefined {
  const newestFirst = `SELECT ${entryColumns} FROM ${entryTables} ORDER BY j.seq DESC LIMIT ?`;
  const rows = connection.rows<StoredEntryRow>(newestFirst, most).map(entryRow).reverse();
  const newest = rows.map(([seq, entryHash, prevEntry, chainHash, coreText, payloadText]) => {
    return { seq, entryHash, prevEntry, chainHash, coreText, payloadText };
  });
  const flaw = violationOfNewest(newest);
  if (flaw !== undefined) return flaw;
  const cores = newest.map(({ seq, coreText, payloadText }) => {
    return { seq, core: JSON.parse(coreText) as EntryCore, isSalted: storedPayloadOf(payloadText).salt !== undefined };
  });
  const reads = new PointReads(connection);
  return violationOfSnapshots(reads, cores) ?? violationOfAccounts(reads, cores);
}

/** `isSalted`: the state hashes of its versions cover confidential members, which only their definitions tell apart. */
type Cores = readonly { readonly seq: number; readonly core: EntryCore; readonly isSalted: boolean }[];

function violationOfSnapshots(reads: PointReads, newest: Cores): string | undefined {
  const last = new Map(
    newest.flatMap(({ seq, core, isSalted }) =>
      core.versions.map(
        (each) => [`${each.kind}/${each.id}`, { ...each, seq, isSalted, hash: core.event.hash }] as const,
      ),
    ),
  );
  for (const [name, made] of last) {
    if (!isOf(reads, made)) return `the snapshot of ${name} is not what entry ${made.seq} made of it`;
  }
  return undefined;
}

function isOf(
  reads: PointReads,
  { kind, id, version, stateHash, hash, isSalted }: Version & { readonly hash: string; readonly isSalted: boolean },
): boolean {
  try {
    const row = reads.load(kind, id);
    if (row?.version !== version || row.lastHash !== hash) return false;
    return isSalted || stateHashOf(undefined, row, () => '') === stateHash;
  } catch (error) {
    if (error instanceof StoreDamaged) return false; // damaged text
    throw error;
  }
}

function violationOfAccounts(reads: PointReads, newest: Cores): string | undefined {
  const last = new Map(newest.map(({ seq, core: { event } }) => [event.issuer, { ...event, seq }]));
  for (const [did, { nonce, hash, seq }] of last) {
    const row = reads.account(did);
    if (row?.nonce !== nonce || row.lastHash !== hash) return `the account of ${did} is not where entry ${seq} left it`;
  }
  return undefined;
}
