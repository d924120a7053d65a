/** The vault's deposits as the chain tells of them. */
import type { ContractReader, WaitingDeposit } from '../contract-reader.js';
import { ChainRefused } from '../evm/evm.js';

export interface DepositMade extends WaitingDeposit {
  /** The vault's number: 1, 2, 3 … in the order of the chain. */
  readonly ref: number;
  readonly blockNumber: number;
  /** Of the transaction that made it. */
  readonly txHash: string;
}

/** All reject with ChainAway where the chain doesn't answer, and with ChainRefused where it refuses. */
export interface DepositSource {
  newestBlock(): Promise<number>;
  /** Undefined where there is no such block (any more). */
  blockHash(number: number): Promise<string | undefined>;
  /** What was deposited in these blocks, both included, in order. */
  made(fromBlock: number, toBlock: number): Promise<readonly DepositMade[]>;
  /** What waits in the vault under this number now. */
  waiting(ref: number): Promise<WaitingDeposit | undefined>;
}

export function depositsOf(reader: ContractReader): DepositSource {
  return {
    newestBlock: () => reader.evm.blockNumber(),
    blockHash: async (number) => (await reader.evm.block(number))?.hash,
    waiting: (ref) => reader.deposit(ref),
    async made(fromBlock, toBlock) {
      const events = await reader.events('LedgerVault', 'Deposited', fromBlock, toBlock);
      return events.map(({ args, log }) => ({
        ref: Number(args.ref),
        account: String(args.account).slice(2),
        amount: Number(args.amount),
        blockNumber: log.blockNumber,
        txHash: log.transactionHash,
      }));
    },
  };
}

/** Providers bound the range of a query, each as it likes. */
const widestRange = 50_000;
const firstRange = 5_000;

/** Finds out how many blocks may be asked for at once. */
export class BlockRange {
  #width = firstRange;

  get width(): number {
    return this.#width;
  }

  /** Asks for the range that begins here; for half of it where the provider refuses so much. */
  async ask<T>(
    from: number,
    last: number,
    question: (from: number, to: number) => Promise<T>,
  ): Promise<{ to: number; answer: T }> {
    for (;;) {
      const to = Math.min(last, from + this.#width - 1);
      try {
        const answer = await question(from, to);
        if (to < last) this.#width = Math.min(widestRange, this.#width * 2);
        return { to, answer };
      } catch (error) {
        if (!(error instanceof ChainRefused) || to === from) throw error;
        this.#width = Math.max(1, Math.floor((to - from + 1) / 2));
      }
    }
  }
}
