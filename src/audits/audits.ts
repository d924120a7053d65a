/**
 * Audits of a running node, one at a time: how far the one that runs has come, and what the last one found. The last
 * result is kept in the database; it is no part of the journal.
 */
import type { AuditFlaw, AuditReport } from '../actors/audit.js';
import type { ChainFacts } from '../chain/witness/chain-facts.js';
import type { JsonObject } from '../machines/kernel/canonical.js';
import { isRefusal, type Refusal, refuse } from '../machines/kernel/refusal.js';
import type { StoreReader, StoreWriter } from '../store/store.js';
import type { World } from '../world.js';
import type { AuditJob, StartJob } from './audit-job.js';
import { contradicted } from './contradicted.js';

/** What the journal was held against. */
export interface ChainCompared {
  readonly chainId: number;
  readonly blockNumber: number;
  /** Operations that the chain has settled. */
  readonly settled: number;
  /** Entries that are anchored on it, and by how many anchors. */
  readonly anchored: number;
  readonly anchors: number;
  /** Tokens in the vault, and those of them that are the ledger's. */
  readonly holdings: number;
  readonly owed: number;
}

export interface AuditRun {
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** Entries checked, of those that there were. */
  readonly checked: number;
  readonly total: number;
  /** What the entries checked come to; null until it is finished. */
  readonly journal: Pick<AuditReport, 'resources' | 'accounts' | 'supply' | 'head'> | null;
  /** The first flaw. */
  readonly flaw: AuditFlaw | null;
  /** What could not be looked at, or why there is no verdict. */
  readonly note: string | null;
  /** Null where the journal was held against no chain. */
  readonly chain: ChainCompared | null;
}

export interface AuditsOptions {
  readonly start: StartJob;
  readonly store: Pick<StoreReader, 'getLocal' | 'head'> & Pick<StoreWriter, 'putLocal'>;
  readonly world: World;
  /** What the chain says; undefined where the node settles on none. */
  readonly chain: (() => Promise<ChainFacts | Refusal>) | undefined;
  /** Why the chain and the journal don't go together, where settlement has halted for that. */
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

  constructor(options: AuditsOptions) {
    this.#options = options;
  }

  get running(): AuditRun | undefined {
    return this.#running;
  }

  /** The newest that is finished. */
  async last(): Promise<AuditRun | undefined> {
    const record = await this.#options.store.getLocal(table, last);
    const stored = record && (record.value as unknown as AuditRun);
    const own = this.#finished;
    return stored && stored.startedAt >= (own?.startedAt ?? 0) ? stored : own;
  }

  /** CONFLICT where one runs already. */
  async start(): Promise<AuditRun | Refusal> {
    if (this.#running) return refuse('CONFLICT', 'an audit runs already: it is the one to wait for');
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
    void this.#run(run);
    return run;
  }

  /** Breaks off the one that runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#job?.stop();
  }

  async #run(begun: AuditRun): Promise<void> {
    const { start, world } = this.#options;
    let ended: Pick<AuditRun, 'status'> & Partial<AuditRun>;
    try {
      // First the chain, then the journal: what is settled meanwhile is in both.
      const facts = await this.#options.chain?.();
      const [chain, away] = facts && isRefusal(facts) ? [undefined, facts.detail] : [facts, undefined];
      if (this.#stopped) return;
      this.#job = start(chain, (checked, total) => {
        this.#running = { ...begun, checked, total };
      });
      const report = await this.#job.report;
      // Such a chain may not let itself be asked: what it was halted for is known all the same.
      const halted = chain === undefined && report.flaw === undefined ? this.#options.halted() : undefined;
      ended = concluded(halted === undefined ? report : contradicted(report, { seq: 0, what: halted }), chain, away);
    } catch (error) {
      ended = { status: 'unfinished', note: error instanceof Error ? error.message : String(error) };
    }
    if (this.#stopped) return;
    const run: AuditRun = { ...(this.#running ?? begun), ...ended, finishedAt: world.now() };
    this.#finished = run;
    // While the database is away, this process remembers it alone.
    await this.#keep(run).catch(() => {});
    this.#running = undefined;
    this.#job = undefined;
  }

  /** Where another process finishes one at the same moment, theirs is as good. */
  async #keep(run: AuditRun): Promise<void> {
    const { store } = this.#options;
    const before = await store.getLocal(table, last);
    await store.putLocal(table, last, run as unknown as JsonObject, before?.revision ?? 0);
  }
}

const fresh: AuditRun = {
  ...{ status: 'running', startedAt: 0, finishedAt: null, checked: 0, total: 0 },
  ...{ journal: null, flaw: null, note: null, chain: null },
};

function concluded(
  { ok, flaw, note, entries, ...journal }: AuditReport,
  chain: ChainFacts | undefined,
  away: string | undefined,
): Pick<AuditRun, 'status'> & Partial<AuditRun> {
  const notes = [note, away && `the journal was not held against the chain: ${away}`].filter(Boolean);
  return {
    status: ok ? 'sound' : 'flawed',
    checked: flaw?.seq ? flaw.seq - 1 : entries,
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
