/**
 * Transactions of the operator's key beside the stream of operations: anchors, registrations. Whoever sends the stream
 * sends them too, between two batches, as a key has one count of transactions.
 */
import { ChainAway, ChainRefused, type EvmReceipt, type Hex } from './evm/evm.js';

export interface Errand {
  /** For the log: `anchor entries 1 to 1000`. */
  readonly what: string;
  readonly to: Hex;
  readonly data: Hex;
}

export interface Errands {
  /**
   * Resolves once it is mined, also where it reverted. Rejects with ChainAway or ChainRefused where that is not known:
   * it may be mined all the same, so ask the contract before doing it again.
   */
  send(errand: Errand): Promise<EvmReceipt>;
}

interface Waiting {
  readonly errand: Errand;
  resolve(receipt: EvmReceipt): void;
  reject(error: Error): void;
}

/** Nobody sends a hundred of them at once but by mistake. */
const mostWaiting = 100;

export class ErrandQueue implements Errands {
  #waiting: Waiting[] = [];
  /** Why none are sent now. */
  #closed: string | undefined = 'settlement has not begun';

  /** @param onErrand one came: it wants to be sent soon */
  constructor(private readonly onErrand: () => void) {}

  send(errand: Errand): Promise<EvmReceipt> {
    if (this.#closed !== undefined) return Promise.reject(new ChainAway(this.#closed));
    if (this.#waiting.length >= mostWaiting) return Promise.reject(new ChainAway('too many transactions wait'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ errand, resolve, reject });
      this.onErrand();
    });
  }

  open(): void {
    this.#closed = undefined;
  }

  /** Nothing is sent until it is opened again; who waits is told why. */
  close(why: string): void {
    this.#closed = why;
    for (const { reject } of this.#waiting.splice(0)) reject(new ChainAway(why));
  }

  /**
   * Sends the one that came first. One that the contracts refuse is its own affair; any other failure is also the
   * stream's, and is thrown on.
   * @returns whether there was one
   */
  async next(send: (errand: Errand) => Promise<EvmReceipt>): Promise<boolean> {
    const first = this.#waiting.shift();
    if (!first) return false;
    try {
      first.resolve(await send(first.errand));
    } catch (error) {
      const isKnown = error instanceof ChainAway || error instanceof ChainRefused;
      first.reject(isKnown ? error : new ChainAway(`it is not known what became of it: ${String(error)}`));
      if (!(error instanceof ChainRefused && error.reason === 'reverted')) throw error;
    }
    return true;
  }
}
