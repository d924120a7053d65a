/**
 * Out-of-band transactions: those of the operator's key that are no part of the stream, such as anchors and registrations.
 * The settler sends them between two batches, because one key has one sequence of nonces.
 */
import { ChainAway, ChainRefused, type EvmReceipt, type Hex } from '../evm/evm.js';

export interface OutOfBandTransaction {
  /** For the log: `anchor entries 1 to 1000`. */
  readonly what: string;
  readonly to: Hex;
  readonly data: Hex;
}

export interface OutOfBandSender {
  /**
   * Resolves when the transaction is mined, even if it reverted. Rejects with ChainAway or ChainRefused when the outcome is
   * unknown: it may be mined later, so read the contract before sending it again.
   */
  send(transaction: OutOfBandTransaction): Promise<EvmReceipt>;
}

interface QueuedTransaction {
  readonly transaction: OutOfBandTransaction;
  resolve(receipt: EvmReceipt): void;
  reject(error: Error): void;
}

/** Queue limit; only a programming error sends more at once. */
const mostWaiting = 100;

export class OutOfBandQueue implements OutOfBandSender {
  #waiting: QueuedTransaction[] = [];
  /** The reason why transactions are rejected now. */
  #closed: string | undefined = 'settlement has not begun';

  /** @param onQueued called after each new transaction, to wake the settler */
  constructor(private readonly onQueued: () => void) {}

  send(transaction: OutOfBandTransaction): Promise<EvmReceipt> {
    if (this.#closed !== undefined) return Promise.reject(new ChainAway(this.#closed));
    if (this.#waiting.length >= mostWaiting) return Promise.reject(new ChainAway('too many transactions wait'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ transaction, resolve, reject });
      this.onQueued();
    });
  }

  open(): void {
    this.#closed = undefined;
  }

  /** Rejects all queued transactions, and new ones until `open`. */
  close(why: string): void {
    this.#closed = why;
    for (const { reject } of this.#waiting.splice(0)) reject(new ChainAway(why));
  }

  /**
   * Sends the oldest transaction. A revert concerns only its sender; any other failure also affects the stream, and is
   * thrown on.
   * @returns whether there was a transaction
   */
  async next(send: (transaction: OutOfBandTransaction) => Promise<EvmReceipt>): Promise<boolean> {
    const first = this.#waiting.shift();
    if (!first) return false;
    try {
      first.resolve(await send(first.transaction));
    } catch (error) {
      const isKnown = error instanceof ChainAway || error instanceof ChainRefused;
      first.reject(isKnown ? error : new ChainAway(`the outcome of the transaction is unknown: ${String(error)}`));
      if (!(error instanceof ChainRefused && error.reason === 'reverted')) throw error;
    }
    return true;
  }
}
