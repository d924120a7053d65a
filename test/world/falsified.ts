/** An honest life that a test falsifies, has audited, and puts back. */
import { expect } from 'chai';
import { entryOf } from '../../src/store/entry.js';
import type { AuditReport } from '../../src/verify/audit.js';
import { Replay } from '../../src/verify/replay.js';
import type { JournalRow, Tables } from '../doubles/memory-store/tables.js';
import { type Bench, network } from './bench.js';
import { life } from './history.js';

/** A row as a reader gives it; one that cannot even be read is noticed. */
function flawOfRow(replay: Replay, row: JournalRow, seq: number): string | undefined {
  try {
    const entry = entryOf(row.coreText, row.payloadText, row.entryHash);
    return replay.apply({ ...entry, seq, prevEntry: row.prevEntry, chainHash: row.chainHash });
  } catch (error) {
    return String(error);
  }
}

export type Falsify = (row: JournalRow, seq: number) => (readonly [path: string, row: JournalRow])[];

export class Falsified {
  readonly #journal: readonly JournalRow[];
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

  get rows(): JournalRow[] {
    return this.tables.journal;
  }

  /** The verdict on the falsified store. */
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

  /** Plays the journal, and before each honest row every falsified one: gives those that would fit as well. */
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
