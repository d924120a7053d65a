/**
 * Runs audits of a running node, one at a time, and reports progress and the last result. The last result is kept in
 * the database as a local record.
 */

import type { ChainFacts } from '../chain/verifier/chain-facts.js';
import type { JsonObject } from '../core/canonical.js';
import type { Environment } from '../core/environment.js';
import { messageOf } from '../core/error-message.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import type { StoreReader, StoreWriter } from '../store/store.js';
import type { AuditReport } from './audit.js';
import { AuditRecords, type AuditRun, type ChainCompared, type ReportSigner, signReport } from './audit-report.js';
import { contradicted } from './audit-with-chain.js';

export interface AuditJob {
  /** Rejects if the audit reached no verdict. */
  readonly report: Promise<AuditReport>;
  stop(): Promise<void>;
}

export interface AuditOrder {
  readonly chain: ChainFacts | undefined;
  /** Whether what earlier audits have verified is verified again. */
  readonly isFull: boolean;
  readonly progress: (checked: number, total: number) => void;
}

export type StartJob = (order: AuditOrder) => AuditJob;

export interface AuditsOptions {
  readonly start: StartJob;
  readonly store: Pick<StoreReader, 'getLocal' | 'listLocal' | 'head'> & Pick<StoreWriter, 'putLocal' | 'deleteLocal'>;
  readonly network: string;
  readonly signer: ReportSigner;
  readonly world: Environment;
  /** Reads the chain's state; undefined if the node does not settle. */
  readonly chain: (() => Promise<ChainFacts | Refusal>) | undefined;
  /** Why settlement has halted, if chain and journal disagree. */
  readonly halted: () => string | undefined;
}

const table = 'audits';
const last = 'last';

export class Audits {
  readonly #options: AuditsOptions;
  #running: AuditRun | undefined;
  #job: AuditJob | undefined;
  #finished: AuditRun | undefined;
  #stopped = false;
  readonly reports: AuditRecords;

  constructor(options: AuditsOptions) {
    this.#options = options;
    this.reports = new AuditRecords(options.store);
  }

  get running(): AuditRun | undefined {
    return this.#running;
  }

  /** The violation that the last audit of this process found; undefined if there was none. */
  get problem(): string | undefined {
    const flaw = this.#finished?.flaw;
    return flaw ? `the last audit found the journal not sound: ${flaw.what}` : undefined;
  }

  async last(): Promise<AuditRun | undefined> {
    const record = await this.#options.store.getLocal(table, last);
    const stored = record && (record.value as unknown as AuditRun);
    const own = this.#finished;
    return stored && stored.startedAt >= (own?.startedAt ?? 0) ? stored : own;
  }

  /**
   * Starts an audit.
   * @param isFull whether it verifies also what an earlier one has verified
   * @returns CONFLICT if one is running
   */
  async start(isFull = false): Promise<AuditRun | Refusal> {
    if (this.#running) return refuse('CONFLICT', 'an audit is already running: wait for it');
    const startedAt = this.#options.world.now();
    this.#running = { ...fresh, startedAt };
    try {
      const { seq } = await this.#options.store.head();
      this.#running = { ...this.#running, total: seq };
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
    const run = this.#running;
    void this.#run(run, isFull);
    return run;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#job?.stop();
  }

  async #run(begun: AuditRun, isFull: boolean): Promise<void> {
    const { start, world } = this.#options;
    let ended: Pick<AuditRun, 'status'> & Partial<AuditRun>;
    try {
      // The chain is read before the journal, so that everything that it has settled is in the journal.
      const facts = await this.#options.chain?.();
      const [chain, away] = facts && isRefusal(facts) ? [undefined, facts.detail] : [facts, undefined];
      if (this.#stopped) return;
      const progress = (checked: number, total: number) => {
        this.#running = { ...begun, checked, total };
      };
      this.#job = start({ chain, isFull, progress });
      const report = await this.#job.report;
      // The chain may be unreachable, but the reason of the halt is known.
      const halted = chain === undefined && report.flaw === undefined ? this.#options.halted() : undefined;
      ended = concluded(halted === undefined ? report : contradicted(report, { seq: 0, what: halted }), chain, away);
    } catch (error) {
      ended = { status: 'unfinished', note: messageOf(error) };
    }
    if (this.#stopped) return;
    const run: AuditRun = { ...(this.#running ?? begun), ...ended, finishedAt: world.now() };
    this.#finished = run;
    // If the database does not answer, only this process has the result.
    await this.#keep(run).catch(() => {});
    await this.#report(run).catch(() => {});
    this.#running = undefined;
    this.#job = undefined;
  }

  async #report(run: AuditRun): Promise<void> {
    const { network, signer } = this.#options;
    await this.reports.keep(signReport(run, network, signer));
  }

  /** Stores the result, unless another process stores one at the same moment. */
  async #keep(run: AuditRun): Promise<void> {
    const { store } = this.#options;
    const before = await store.getLocal(table, last);
    await store.putLocal(table, last, run as unknown as JsonObject, before?.revision ?? 0);
  }
}

const fresh: AuditRun = {
  ...{ status: 'running', startedAt: 0, finishedAt: null, checked: 0, known: 0, total: 0 },
  ...{ journal: null, flaw: null, note: null, chain: null },
};

function concluded(
  { ok, flaw, note, entries, known, ...journal }: AuditReport,
  chain: ChainFacts | undefined,
  away: string | undefined,
): Pick<AuditRun, 'status'> & Partial<AuditRun> {
  const notes = [note, away && `the journal was not compared with the chain: ${away}`].filter(Boolean);
  return {
    status: ok ? 'sound' : 'flawed',
    checked: flaw?.seq ? flaw.seq - 1 : entries,
    known,
    journal,
    flaw: flaw ?? null,
    note: notes.length > 0 ? notes.join('; ') : null,
    chain: chain ? comparedWith(chain) : null,
  };
}

const comparedWith = ({ chainId, blockNumber, cursor, anchors, holdings }: ChainFacts): ChainCompared => ({
  chainId,
  blockNumber,
  settled: cursor.lastSeq,
  anchored: cursor.anchored,
  anchors: anchors.length,
  holdings: holdings.holdings,
  owed: holdings.owed,
});
