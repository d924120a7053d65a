/**
 * Holds a journal against its chain while an audit goes through it, entry by entry: the same operations in the same
 * order (their running hash says so), the same sums, and the entries that were anchored. What a journal could hide by
 * being cut off or restored from an older copy, the chain tells.
 */
import type { NumberedEntry } from '../../store/entry.js';
import { leafOf } from '../anchors/anchor.js';
import { merkleRoot } from '../anchors/merkle.js';
import { advance, type StreamPoint, streamStart } from '../settlement/stream.js';
import type { ChainFacts } from './chain-facts.js';

export interface ChainFlaw {
  /** Number of the entry from which on the journal is not the one that the chain knows; 0: of none. */
  readonly seq: number;
  readonly what: string;
}

/** The ledger where the chain's last operation had been applied. */
interface Sums {
  readonly supply: number;
  readonly fees: number;
}

export class ChainWitness {
  #point: StreamPoint;
  #supply = 0;
  #fees = 0;
  /** Where the chain stands; undefined while the journal has not come so far. */
  #standing: (StreamPoint & Sums) | undefined;
  #leaves: Buffer[] = [];
  #anchor = 0;
  #flaw: ChainFlaw | undefined;

  constructor(
    private readonly facts: ChainFacts,
    network: string,
  ) {
    this.#point = streamStart(network);
    this.#stand();
  }

  /** Each entry, in order. */
  saw(entry: NumberedEntry): void {
    this.#point = advance(this.#point, entry).after;
    for (const [account, delta] of entry.core.postings) {
      if (account === 'supply') this.#supply -= delta;
      if (account === 'fees') this.#fees += delta;
    }
    this.#stand();
    this.#hold(entry);
  }

  /** After the last entry: the first thing that does not fit. */
  verdict(): ChainFlaw | undefined {
    return this.#flaw ?? this.#flawOfEnd() ?? this.#flawOfStream() ?? this.#flawOfSums();
  }

  #stand(): void {
    if (this.#point.operation !== this.facts.cursor.lastSeq || this.#standing) return;
    this.#standing = { ...this.#point, supply: this.#supply, fees: this.#fees };
  }

  #hold({ seq, chainHash }: NumberedEntry): void {
    const anchor = this.facts.anchors[this.#anchor];
    if (!anchor || seq < anchor.firstEntry || this.#flaw) return;
    this.#leaves.push(leafOf(chainHash));
    if (seq < anchor.lastEntry) return;
    const { firstEntry, root, txHash } = anchor;
    if (merkleRoot(this.#leaves).toString('hex') !== root) {
      const what = `entries ${firstEntry} to ${seq} are not those that were anchored in ${txHash}: the journal was rolled back, and went on differently`;
      this.#flaw = { seq: firstEntry, what };
    }
    this.#leaves = [];
    this.#anchor++;
  }

  #flawOfEnd(): ChainFlaw | undefined {
    const { cursor } = this.facts;
    const { entry, operation } = this.#point;
    if (cursor.anchored > entry) {
      return {
        seq: 0,
        what: `entries up to ${cursor.anchored} are anchored, and the journal ends at ${entry}: its end was cut off, or it was restored from an older copy`,
      };
    }
    if (cursor.lastSeq <= operation) return undefined;
    return {
      seq: 0,
      what: `the chain has settled ${cursor.lastSeq} operations, and the journal has ${operation}: its end was cut off, or it was restored from an older copy`,
    };
  }

  #flawOfStream(): ChainFlaw | undefined {
    const { lastSeq, head } = this.facts.cursor;
    if (this.#standing?.head === head) return undefined;
    return {
      seq: 0,
      what: `the ${lastSeq} operations that the chain has settled are not those of the journal: it holds another history`,
    };
  }

  /** Balances, escrows and fees are what the vault owes; it holds that, and what waits or is held back. */
  #flawOfSums(): ChainFlaw | undefined {
    const { owed, fees, waiting, heldBack, holdings } = this.facts.holdings;
    const { supply, fees: collected } = this.#standing!;
    const says = (what: string): ChainFlaw => ({ seq: 0, what });
    if (owed !== supply) return says(`the vault owes ${owed} Tokens, and the ledger has ${supply} at that point`);
    if (fees !== collected) return says(`the vault has ${fees} Tokens of fees, and the ledger ${collected}`);
    const needed = owed + waiting + heldBack;
    return holdings < needed ? says(`the vault holds ${holdings} Tokens, and ${needed} are others'`) : undefined;
  }
}
