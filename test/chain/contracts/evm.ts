/** An EVM for tests of the contracts: any address may send, and the test sets the time. */
export interface Call {
  readonly from: string;
  /** Absent: creates a contract. */
  readonly to?: string | null;
  /** Hex with `0x`. */
  readonly data: string;
  /** Gas limit; absent: a large one. */
  readonly gas?: number;
}

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface Mined {
  readonly reverted: boolean;
  /** Data of the revert; empty if there was none. */
  readonly revertData: string;
  /** Gas of the whole transaction, after refunds. */
  readonly gasUsed: number;
  readonly logs: readonly Log[];
}

export interface TestEvm {
  /** Mines one transaction in its own block. */
  send(call: Call): Promise<Mined>;
  /** The result of a call without a transaction. */
  read(call: Call): Promise<string>;
  /** Time of the next block, epoch seconds. */
  readonly now: number;
  advance(seconds: number): void;
  close(): Promise<void>;
}

export const startsAt = 1_900_000_000;
export const gasLimit = 16_000_000;
