/**
 * Flips one bit at a time in copies of a database and reports each result. Runs as a child, because a native fault would end
 * the test.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { openFrozen } from '../../../src/store/sqlite/frozen-reader.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { type PlacedCommit, StoreFault, StoreRefused } from '../../../src/store/store.js';
import { auditWithChain } from '../../../src/verify/audit-with-chain.js';
import { answersOf, type Questions, questionsFor, rowsOf } from './flip-answers.js';
import type { Fixture } from './flip-fixture.js';

export interface Flip {
  readonly offset: number;
  readonly bit: number;
}

/**
 * `audit`: the audit named it; `start`: the store refused to open; `harmless`: all answers are the same. Everything else is a
 * failure.
 */
export type Outcome = { readonly came: 'audit' | 'start' | 'harmless' | 'failure'; readonly said: string };

export type Order = { readonly fixture: Fixture } | Flip;

const dir = mkdtempSync(join(tmpdir(), 'svc-flip-'));
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));

let file = Buffer.alloc(0);
let later: readonly PlacedCommit[] = [];
let asked: Questions;
let undamaged: { readonly answers: string; readonly rows: string };

function put(bytes: Uint8Array): void {
  for (const suffix of ['-wal', '-shm']) rmSync(databaseFile(dir) + suffix, { force: true });
  writeFileSync(databaseFile(dir), bytes);
}

/** Works on a copy, because later writes are not part of the damage. */
async function prepare({ fixture }: { readonly fixture: Fixture }): Promise<void> {
  file = Buffer.from(fixture.file);
  later = fixture.later;
  put(file);
  asked = questionsFor(dir);
  undamaged = { answers: answersOf(dir, asked), rows: '' };
  await writeOn();
  undamaged = { ...undamaged, rows: rowsOf(dir) };
}

async function writeOn(): Promise<void> {
  const store = await SqliteStore.open({ dir, writer: 'inline' });
  try {
    await store.takeOver(later);
    const [{ entryHash, seq }] = [later[0]!.entry];
    await store.appendReceipts([{ entryHash, seq, status: 'confirmed', txHash: `0x${entryHash}`, blockNumber: 99 }]);
    for (const table of ['api-keys', 'written']) await store.putLocal(table, 'flipped', { table }, 0);
    await store.rankOwners(asked.dids.slice(0, 3).map((owner, index) => ({ owner, reputation: 500 + index })));
  } finally {
    await store.close();
  }
}

async function verdict(): Promise<{ ok: boolean; said: string }> {
  const journal = openFrozen(dir);
  try {
    const { flaw, note } = await auditWithChain(journal, { network: 'devnet' });
    // A note says what the audit did not check.
    if (flaw) return { ok: false, said: `${flaw.check}: ${flaw.what}` };
    return { ok: note === undefined, said: note ?? '' };
  } finally {
    await journal.close();
  }
}

const isSentence = (error: unknown): boolean => error instanceof StoreRefused || error instanceof StoreFault;

async function outcomeOf({ offset, bit }: Flip): Promise<Outcome> {
  const flipped = Buffer.from(file);
  flipped[offset]! ^= 1 << bit;
  put(flipped);
  let found = { ok: false, said: '' };
  try {
    found = await verdict();
  } catch (error) {
    if (!(error instanceof StoreRefused)) return { came: 'failure', said: `the audit threw: ${textOf(error)}` };
    found = { ok: false, said: error.message };
  }
  let answers: string;
  try {
    answers = answersOf(dir, asked);
  } catch (error) {
    answers = `the reads threw: ${textOf(error)}`;
  }
  try {
    await writeOn();
  } catch (error) {
    if (!isSentence(error)) return { came: 'failure', said: `the store threw: ${textOf(error)}` };
    return { came: found.ok ? 'start' : 'audit', said: found.said || textOf(error) };
  }
  if (!found.ok) return { came: 'audit', said: found.said };
  if (answers !== undamaged.answers) return { came: 'failure', said: `unnoticed, and the answers differ: ${answers}` };
  const rows = rowsOf(dir);
  if (rows !== undamaged.rows) return { came: 'failure', said: `unnoticed, and the rows differ: ${rows}` };
  return { came: 'harmless', said: '' };
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

process.on('message', async (order: Order) => {
  if ('fixture' in order) {
    await prepare(order);
    process.send!({ ready: true });
  } else process.send!(await outcomeOf(order));
});
process.on('disconnect', () => process.exit(0));
