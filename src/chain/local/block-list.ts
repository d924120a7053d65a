/** The newest blocks of the embedded chain with their receipts; settlement needs no older ones. */

/** The block in its JSON-RPC form. */
export interface StoredReceipt {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[] }[];
  readonly [field: string]: unknown;
}

export interface StoredBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds. */
  readonly timestamp: number;
  readonly gasUsed: number;
  readonly receipt: StoredReceipt | null;
}

const kept = 20_000;

export class BlockList {
  readonly #blocks = new Map<number, StoredBlock>();
  readonly #receipts = new Map<string, StoredReceipt>();
  #newest: StoredBlock;

  constructor(genesis: StoredBlock, others: Iterable<StoredBlock> = []) {
    this.#newest = genesis;
    this.add(genesis);
    for (const block of others) this.add(block);
  }

  get newest(): StoredBlock {
    return this.#newest;
  }

  get oldest(): number {
    return Math.max(0, this.#newest.number - kept + 1);
  }

  add(block: StoredBlock): void {
    this.#newest = block;
    this.#blocks.set(block.number, block);
    if (block.receipt) this.#receipts.set(block.receipt.transactionHash, block.receipt);
    const old = this.#blocks.get(block.number - kept);
    if (!old) return;
    this.#blocks.delete(old.number);
    if (old.receipt) this.#receipts.delete(old.receipt.transactionHash);
  }

  get(number: number): StoredBlock | undefined {
    return this.#blocks.get(number);
  }

  receipt(transactionHash: string): StoredReceipt | undefined {
    return this.#receipts.get(transactionHash);
  }

  /** Both inclusive. */
  *between(first: number, last: number): Generator<StoredBlock> {
    const from = Math.max(first, this.oldest);
    for (let number = from; number <= Math.min(last, this.#newest.number); number++) {
      const block = this.#blocks.get(number);
      if (block) yield block;
    }
  }
}
