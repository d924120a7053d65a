/** A correct journal that a test falsifies, audits, and restores. */
import { expect } from 'chai';
import { entryOf } from '../../src/store/entry.js';
import type { MemoryEntryRow, Tables } from '../../src/store/memory/tables.js';
import type { AuditReport } from '../../src/verify/audit.js';
import { Replay } from '../../src/verify/replay.js';
import { type Bench, network } from './bench.js';
import { life } from './history.js';

/** The violation found in a row as a reader returns it; a row that can't be read counts as one. */
function flawOfRow(replay: Replay, row: MemoryEntryRow, seq: number): string | undefined {
  try {
    const entry = entryOf(row.coreText, row.payloadText, row.entryHash);
    return replay.apply({ ...entry, seq, prevEntry: row.prevEntry, chainHash: row.chainHash });
  } catch (error) {
    return String(error);
  }
}

export type Falsify = (row: MemoryEntryRow, seq: number) => (readonly [path: string, row: MemoryEntryRow])[];

export class Falsified {
  readonly #journal: readonly MemoryEntryRow[];
  readonly #accounts;
  readonly #snapshots;

  private constructor(readonly bench: Bench) {
    this.#journal = [...this.rows];
    this.#accounts = [...this.tables.accounts];
    this.#snapshots = [...this.tables.snapshots];
  }

  static async open(): Promise<Falsified> {
    return new Falsified(await life());
  }

  get tables(): Tables {
    return this.bench.store.tables;
  }

  get rows(): MemoryEntryRow[] {
    return this.tables.journal;
  }

  /** The violation that an audit of the falsified store finds. */
  async flaw(): Promise<NonNullable<AuditReport['flaw']> | undefined> {
    return (await this.bench.audit()).flaw;
  }

  restore(): void {
    this.rows.splice(0, this.rows.length, ...this.#journal);
    this.tables.accounts.clear();
    for (const [did, account] of this.#accounts) this.tables.accounts.set(did, account);
    this.tables.snapshots.clear();
    for (const [key, text] of this.#snapshots) this.tables.snapshots.set(key, text);
  }

  /**
   * Replays the journal and tries every falsified version of each row before the correct one. Returns those that were accepted.
   */
  unnoticed(falsify: Falsify): string[] {
    const replay = new Replay(this.bench.catalogue, network);
    const found: string[] = [];
    for (const [index, row] of this.rows.entries()) {
      const seq = index + 1;
      const falsified = falsify(row, seq);
      expect(falsified.length).to.be.above(5);
      for (const [path, each] of falsified) if (!flawOfRow(replay, each, seq)) found.push(`entry ${seq}${path}`);
      expect(flawOfRow(replay, row, seq), 'the honest one').to.equal(undefined);
    }
    return found;
  }
}
