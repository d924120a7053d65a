/**
 * Compares a journal with its chain, entry by entry, during an audit: the running hash of the operations, the sums and the
 * anchored entries must agree. This finds a journal that was truncated or restored from an older copy.
 */
import { foldEntry } from '../../machines/kernel/ledger.js';
import type { NumberedEntry } from '../../store/entry.js';
import { leafOf } from '../anchors/anchor.js';
import { merkleRoot } from '../anchors/merkle.js';
import { advance, type StreamPoint, streamStart } from '../settlement/stream.js';
import type { ChainFacts } from './chain-facts.js';

export interface ChainViolation {
  /** Number of the first entry that differs from the chain; 0 when the violation concerns no single entry. */
  readonly seq: number;
  readonly what: string;
}

/** Sums of the ledger after the last operation that the chain has applied. */
interface Sums {
  readonly supply: number;
  readonly fees: number;
}

export class ChainVerifier {
  #point: StreamPoint;
  readonly #system = { supply: 0, fees: 0 };
  /** The point and sums at the chain's last operation; undefined before the journal reaches it. */
  #atCursor: (StreamPoint & Sums) | undefined;
  #leaves: Buffer[] = [];
  #anchor = 0;
  #flaw: ChainViolation | undefined;

  constructor(
    private readonly facts: ChainFacts,
    network: string,
  ) {
    this.#point = streamStart(network);
    this.#stand();
  }

  observe(entry: NumberedEntry): void {
    this.#point = advance(this.#point, entry).after;
    foldEntry(entry.core, { account: () => undefined, system: this.#system });
    this.#stand();
    this.#hold(entry);
  }

  /** The first violation, after the last entry was observed; undefined when journal and chain agree. */
  violation(): ChainViolation | undefined {
    return this.#flaw ?? this.#violationOfEnd() ?? this.#violationOfStream() ?? this.#violationOfSums();
  }

  #stand(): void {
    if (this.#point.operation !== this.facts.cursor.lastSeq || this.#atCursor) return;
    this.#atCursor = { ...this.#point, supply: 0 - this.#system.supply, fees: this.#system.fees };
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

  #violationOfEnd(): ChainViolation | undefined {
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

  #violationOfStream(): ChainViolation | undefined {
    const { lastSeq, head } = this.facts.cursor;
    if (this.#atCursor?.head === head) return undefined;
    return {
      seq: 0,
      what: `the ${lastSeq} operations that the chain has settled are not those of the journal: it holds another history`,
    };
  }

  /** The vault must owe the ledger's supply, and hold that plus waiting deposits and held withdrawals. */
  #violationOfSums(): ChainViolation | undefined {
    const { owed, fees, waiting, heldBack, holdings } = this.facts.holdings;
    const { supply, fees: collected } = this.#atCursor!;
    const says = (what: string): ChainViolation => ({ seq: 0, what });
    if (owed !== supply) return says(`the vault owes ${owed} Tokens, and the ledger has ${supply} at that point`);
    if (fees !== collected) return says(`the vault has ${fees} Tokens of fees, and the ledger ${collected}`);
    const needed = owed + waiting + heldBack;
    return holdings < needed ? says(`the vault holds ${holdings} Tokens, and ${needed} are others'`) : undefined;
  }
}
