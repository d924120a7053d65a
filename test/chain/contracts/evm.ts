/** An EVM as the tests of the contracts need one: anybody may send, and time is moved by hand. */
export interface Call {
  readonly from: string;
  /** Absent: makes a contract. */
  readonly to?: string | null;
  /** `0x` and hex. */
  readonly data: string;
  /** Gas limit; absent: plenty. */
  readonly gas?: number;
}

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface Mined {
  readonly reverted: boolean;
  /** What a revert says; empty otherwise. */
  readonly revertData: string;
  /** Of the whole transaction, refunds taken off. */
  readonly gasUsed: number;
  readonly logs: readonly Log[];
}

export interface TestEvm {
  /** Mines one transaction in a block of its own. */
  send(call: Call): Promise<Mined>;
  /** The result of a call that changes nothing. */
  read(call: Call): Promise<string>;
  /** Time of the next block, epoch seconds. */
  readonly now: number;
  advance(seconds: number): void;
  close(): Promise<void>;
}

export const startsAt = 1_900_000_000;
export const gasLimit = 16_000_000;
