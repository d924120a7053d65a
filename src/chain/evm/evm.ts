/**
 * The port of an EVM chain: what settlement needs of one, and no more. Three adapters keep it: an RPC URL, an anvil
 * that the node runs, an EVM inside the process. One contract suite runs on all of them (test/chain).
 *
 * Every method rejects with `ChainAway` when no answer came (the outcome of a `send` is then unknown), and with
 * `ChainRefused` when the chain's node answered with an error.
 */

/** `0x` and hex digits, lower case as this port gives them. */
export type Hex = `0x${string}`;

export type EvmKind = 'rpc' | 'anvil' | 'embedded';

export interface EvmBlock {
  readonly number: number;
  readonly hash: Hex;
  /** Seconds. */
  readonly timestamp: number;
  /** Wei; 0 on a chain without. */
  readonly baseFeePerGas: bigint;
}

export interface EvmLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}

export interface EvmReceipt {
  readonly transactionHash: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** False where the transaction was mined and reverted. */
  readonly succeeded: boolean;
  readonly gasUsed: number;
  readonly contractAddress: Hex | null;
  readonly logs: readonly EvmLog[];
}

export interface EvmCall {
  readonly to: Hex;
  readonly data: Hex;
  readonly from?: Hex;
}

export interface LogQuery {
  readonly address: Hex;
  /** First topic: one of these. */
  readonly topics: readonly Hex[];
  /** Both inclusive. */
  readonly fromBlock: number;
  readonly toBlock: number;
}

export interface Fees {
  /** Wei per gas. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface Sent {
  readonly hash: Hex;
  /** Where the chain mines at once, the receipt comes with the answer. */
  readonly receipt?: EvmReceipt;
}

export interface EvmHealth {
  /** Whether the last question was answered. */
  readonly connected: boolean;
  /** The newest block that was heard of; null before the first answer. */
  readonly blockNumber: number | null;
  /** Why it is not connected. */
  readonly reason?: string;
}

export interface Evm {
  readonly kind: EvmKind;
  readonly chainId: number;
  /** Known without asking. */
  health(): EvmHealth;
  blockNumber(): Promise<number>;
  /** Undefined where there is no such block (yet). */
  block(which: number | 'latest'): Promise<EvmBlock | undefined>;
  /** `0x` where no contract is. */
  code(address: Hex): Promise<Hex>;
  balance(address: Hex): Promise<bigint>;
  /** The nonce of the account's next transaction: mined ones only, or with those that wait. */
  transactionCount(address: Hex, at: 'latest' | 'pending'): Promise<number>;
  /** At the newest block. Rejects with ChainRefused, `data` of the revert in it. */
  call(call: EvmCall): Promise<Hex>;
  estimateGas(transaction: { readonly from: Hex; readonly to?: Hex; readonly data: Hex }): Promise<number>;
  /**
   * Hands a signed transaction over, once: no retry. One that the chain has already is no error.
   * @param hash its hash, where the caller knows it
   */
  send(raw: Hex, hash?: Hex): Promise<Sent>;
  receipt(transactionHash: Hex): Promise<EvmReceipt | undefined>;
  receipts(transactionHashes: readonly Hex[]): Promise<readonly (EvmReceipt | undefined)[]>;
  logs(query: LogQuery): Promise<readonly EvmLog[]>;
  /** What a transaction should offer now. */
  fees(): Promise<Fees>;
  /** Gives Ether from nothing; only on a chain that the node runs itself. */
  readonly fund?: (address: Hex, wei: bigint) => Promise<void>;
  /** The next block's time, epoch ms, from which its clock goes on; only on a chain that the node runs itself. */
  readonly putForward?: (timeMs: number) => Promise<void>;
  /** Adds an empty block; only on a chain that the node runs itself, which makes none while nothing happens. */
  readonly mine?: () => Promise<void>;
}

/** No answer, or one that makes no sense: nothing is known of the outcome. */
export class ChainAway extends Error {
  override name = 'ChainAway';
}

/** Why a chain's node refused, as far as its words tell. */
export type RefusalReason = 'nonce too low' | 'underpriced' | 'no funds' | 'reverted' | 'other';

/** The chain's node answered, with an error. */
export class ChainRefused extends Error {
  override name = 'ChainRefused';
  constructor(
    message: string,
    readonly reason: RefusalReason,
    /** What a revert returned. */
    readonly data?: Hex,
  ) {
    super(message);
  }
}
