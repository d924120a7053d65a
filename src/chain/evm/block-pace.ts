/** Detects that a chain has stopped making blocks, by comparison with its usual block times. */

interface ObservedBlock {
  readonly number: number;
  /** Chain time, seconds. */
  readonly timestamp: number;
}

export interface BlockGap {
  readonly ms: number;
  /** The longest time between recent blocks. */
  readonly usualMs: number;
}

const remembered = 64;
/** A gap up to this long is never reported. */
const leastMs = 10_000;
const tooLong = 3;

export class BlockPace {
  readonly #pausesMs: number[] = [];
  #newest: ObservedBlock | undefined;
  #since = 0;

  /**
   * @param at current monotonic time, ms
   * @param sent own transactions since the last call; blocks that only they caused are ignored
   */
  saw(block: ObservedBlock, at: number, sent: number): void {
    const before = this.#newest;
    if (before?.number === block.number) return;
    this.#newest = { number: block.number, timestamp: block.timestamp };
    this.#since = at;
    const blocks = before ? block.number - before.number : 0;
    if (!before || blocks <= sent) return;
    this.#pausesMs.push((Math.max(0, block.timestamp - before.timestamp) * 1_000) / blocks);
    if (this.#pausesMs.length > remembered) this.#pausesMs.shift();
  }

  /** Time of the newest block, epoch ms; undefined before the first. */
  get newestMs(): number | undefined {
    return this.#newest && this.#newest.timestamp * 1_000;
  }

  /** The current gap; undefined while blocks come as usual, or too few are known. */
  silence(at: number): BlockGap | undefined {
    if (this.#pausesMs.length === 0) return undefined;
    const usualMs = Math.max(...this.#pausesMs);
    const ms = at - this.#since;
    return ms > Math.max(leastMs, tooLong * usualMs) ? { ms, usualMs } : undefined;
  }
}
