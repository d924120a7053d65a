import type { ContractReader, WaitingDeposit } from '../contracts/contract-reader.js';
import { ChainRefused } from '../evm/evm.js';

export interface DepositMade extends WaitingDeposit {
  /** The vault's number of the deposit: 1, 2, 3 … in the order of the chain. */
  readonly ref: number;
  readonly blockNumber: number;
  readonly txHash: string;
}

/** Every method rejects with ChainAway when the chain does not answer, and with ChainRefused when it answers with an error. */
export interface DepositSource {
  newestBlock(): Promise<number>;
  /** Undefined when the block does not exist, or no longer does. */
  blockHash(number: number): Promise<string | undefined>;
  /** The deposits of these blocks, both included, in order. */
  made(fromBlock: number, toBlock: number): Promise<readonly DepositMade[]>;
  /** The deposit that waits in the vault under this number. */
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

/** The longest range of blocks in a query; each provider has its own limit. */
const widestRange = 50_000;
const firstRange = 5_000;

/** Adapts the range of a query to the provider's limit. */
export class BlockRange {
  #width = firstRange;

  /** Queries the range that begins here; halves it each time the provider rejects it as too long. */
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
