/** The file format of a history: one line for its outcome, and one line for each entry with the exact stored texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Replay } from '../../src/verify/replay.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { isSystemAccount } from '../../src/machines/kernel/ledger.js';
import { canonical, type JsonObject, sha256Hex } from '../../src/core/canonical.js';
import { entryOf, type NumberedEntry } from '../../src/store/entry.js';
import { type Account, unseenAccount } from '../../src/store/store.js';
import type { MemoryEntryRow } from '../../src/store/memory/tables.js';

/** The result of all entries. */
export interface Outcome {
  readonly entries: number;
  readonly head: string;
  readonly supply: number;
  readonly fees: number;
  /** SHA-256 of the RFC 8785 form of all resources and accounts, sorted by name. */
  readonly state: string;
}

export interface Recording {
  readonly network: string;
  readonly outcome: Outcome;
  readonly entries: readonly NumberedEntry[];
}

const folder = 'test/histories';

export const recordings = (): string[] => readdirSync(folder).filter((file) => file.endsWith('.jsonl'));

export function readRecording(file: string): Recording {
  const [first, ...lines] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
  const { network, outcome } = JSON.parse(first!) as Omit<Recording, 'entries'>;
  const entries = lines.map((line, index) => {
    const { coreText, payloadText, entryHash, prevEntry, chainHash } = JSON.parse(line) as MemoryEntryRow;
    return { seq: index + 1, prevEntry, chainHash, ...entryOf(coreText, payloadText, entryHash) };
  });
  return { network, outcome, entries };
}

/** Replays the entries under this program's catalogue. @returns the outcome, or the violation of the entry where it stopped */
export function replayed({ network, entries }: Omit<Recording, 'outcome'>): Outcome | string {
  const replay = new Replay(catalogue, network);
  for (const entry of entries) {
    const flaw = replay.apply(entry);
    if (flaw) return `entry ${entry.seq}, ${entry.core.event.type}: ${flaw}`;
  }
  const byName = (name: (each: never) => string) => (a: unknown, b: unknown) =>
    name(a as never) < name(b as never) ? -1 : 1;
  const resources = [...replay.resources()].sort(byName(({ kind, id }: { kind: string; id: string }) => `${kind}/${id}`));
  const rows = [...replay.accounts()].filter(({ did }) => !isSystemAccount(did));
  const accounts = [...rows, ...systemAccounts(replay, entries)].sort(byName(({ did }: { did: string }) => did));
  const state = sha256Hex(canonical({ resources, accounts } as unknown as JsonObject));
  return { entries: entries.length, head: replay.head.chainHash, ...replay.totals, state };
}

/**
 * The recorded state contains these accounts with their balances as of the last entry that changed them; the ledger keeps them
 * separately.
 */
function systemAccounts(replay: Replay, entries: readonly NumberedEntry[]): Account[] {
  const { supply, fees } = replay.totals;
  return Object.entries({ supply: -supply, fees }).map(([did, available]) => {
    const touched = entries.findLast(({ core }) => core.postings.some(([account]) => account === did))!;
    return { ...(replay.row(did) ?? unseenAccount(did)), available, seq: touched.seq };
  });
}
