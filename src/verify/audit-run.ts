/** The result of an audit of a running node, or its progress. */
import type { AuditFlaw, AuditReport } from './audit.js';

/** The chain that the journal was compared with. */
export interface ChainCompared {
  readonly chainId: number;
  readonly blockNumber: number;
  /** Operations that the chain has settled. */
  readonly settled: number;
  /** Entries covered by anchors on the chain, and the number of anchors. */
  readonly anchored: number;
  readonly anchors: number;
  /** Tokens in the vault, and how many of them belong to the ledger. */
  readonly holdings: number;
  readonly owed: number;
}

export interface AuditRun {
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** Entries checked, and entries in total. */
  readonly checked: number;
  readonly total: number;
  /** Totals of the checked entries; null until the audit is finished. */
  readonly journal: Pick<AuditReport, 'resources' | 'accounts' | 'supply' | 'head' | 'erased'> | null;
  /** The first violation. */
  readonly flaw: AuditFlaw | null;
  /** What was not checked, or why there is no verdict. */
  readonly note: string | null;
  /** Null if there was no chain to compare with. */
  readonly chain: ChainCompared | null;
}
