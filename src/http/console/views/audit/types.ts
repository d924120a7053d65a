/** An audit of the whole journal by the node, as the API shows it. */
export interface AuditRun {
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly checked: number;
  readonly total: number;
  readonly journal: {
    readonly resources: number;
    readonly accounts: number;
    readonly supply: number;
    readonly head: string;
  } | null;
  readonly flaw: {
    /** 0: of no entry. */
    readonly seq: number;
    readonly eventHash: string | null;
    readonly check: string;
    readonly what: string;
  } | null;
  readonly note: string | null;
  readonly chain: {
    readonly chainId: number;
    readonly blockNumber: number;
    readonly settled: number;
    readonly anchored: number;
    readonly anchors: number;
    readonly holdings: number;
    readonly owed: number;
  } | null;
}

export interface Audits {
  readonly running: AuditRun | null;
  readonly last: AuditRun | null;
}
