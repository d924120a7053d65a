/** The copies of our journal that followers have signed for (docs/reference/feeds.md#copies). */
import { bounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import type { StoreReader } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import { copyForm, isSignedCopy, parseForm } from '../checkpoint.js';
import { chainHashAt } from '../covers.js';

export interface CopiesOptions {
  readonly own: Did;
  /** Our own journal. */
  readonly store: Pick<StoreReader, 'entries' | 'head'>;
  readonly world: Environment;
  /** How many followers must have an entry before its write is answered. */
  readonly wanted: number;
}

export type CopyOutcome = 'taken' | 'known' | 'too many' | 'malformed' | 'forged';

interface WaitingWrite {
  readonly seq: number;
  readonly resolve: (isReached: boolean) => void;
}

export class Copies {
  /** Number of the newest entry that each follower has signed for. */
  readonly #upTo = new Map<Did, number>();
  readonly #allowances = new Map<Did, Allowance>();
  readonly #waiting = new Set<WaitingWrite>();

  constructor(private readonly options: CopiesOptions) {}

  /** Takes a copy as a follower has sent it. */
  async receive(value: unknown, from: Did): Promise<CopyOutcome> {
    const { own, store } = this.options;
    const copy = parseForm(copyForm, value);
    if (typeof copy === 'string') return 'malformed';
    if (copy.home !== own || copy.by !== from) return 'malformed';
    if (copy.seq <= (this.#upTo.get(from) ?? 0)) return 'known';
    if (!this.#allowanceOf(from).take()) return 'too many';
    if (!isSignedCopy(copy)) return 'forged';
    if ((await chainHashAt(store, await store.head(), copy.seq)) !== copy.chainHash) return 'forged';
    this.#upTo.set(from, Math.max(copy.seq, this.#upTo.get(from) ?? 0));
    this.#look();
    return 'taken';
  }

  /** Call when the peer is no longer a member: its copies don't count. */
  forget(did: Did): void {
    this.#upTo.delete(did);
    this.#allowances.delete(did);
  }

  /** Resolves with true when the wanted number of followers have the entry, and with false after a timeout. */
  reached(seq: number): Promise<boolean> {
    if (this.#has(seq)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (isReached: boolean) => {
        timer.cancel();
        this.#waiting.delete(waiting);
        resolve(isReached);
      };
      const timer = this.options.world.after(bounds.copiesWaitMs, () => end(false));
      const waiting: WaitingWrite = { seq, resolve: end };
      this.#waiting.add(waiting);
    });
  }

  #has(seq: number): boolean {
    const { wanted } = this.options;
    if (wanted === 0) return true;
    let count = 0;
    for (const upTo of this.#upTo.values()) if (upTo >= seq) count++;
    return count >= wanted;
  }

  #look(): void {
    for (const waiting of [...this.#waiting]) if (this.#has(waiting.seq)) waiting.resolve(true);
  }

  #allowanceOf(did: Did): Allowance {
    const known = this.#allowances.get(did);
    if (known) return known;
    const made = new Allowance(this.options.world, bounds.checkpointChecksPerSecond);
    this.#allowances.set(did, made);
    return made;
  }
}
