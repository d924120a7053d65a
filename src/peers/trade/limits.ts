/** What this node's operator lets trade with each home come to (docs/reference/remote-requests.md#limits). */
import { tradeBounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import type { Store } from '../../store/store.js';
import { Allowance } from '../allowance.js';

export interface TradeLimit {
  /** The most Tokens that may stand at risk with the home; null: any. */
  readonly mostAtRisk: number | null;
  /** The most requests of the home that are answered in a second; more wait. */
  readonly answersPerSecond: number;
}

const table = 'peer-limits';
const initial: TradeLimit = { mostAtRisk: null, answersPerSecond: tradeBounds.answersPerSecond };

type LimitStore = Pick<Store, 'listLocal' | 'getLocal' | 'putLocal'>;

/** The limits that the operator has set, by home. */
export async function keptLimits(store: Pick<Store, 'listLocal'>): Promise<(home: string) => TradeLimit> {
  const kept = new Map((await store.listLocal(table)).map(({ id, value }) => [id, value as unknown as TradeLimit]));
  return (home) => kept.get(home) ?? initial;
}

export class TradeLimits {
  readonly #changed = new Map<string, TradeLimit>();
  readonly #answers = new Map<string, Allowance>();

  private constructor(
    private readonly store: LimitStore,
    private readonly world: Pick<Environment, 'monotonic'>,
    private readonly kept: (home: string) => TradeLimit,
  ) {}

  static async open(store: LimitStore, world: Pick<Environment, 'monotonic'>): Promise<TradeLimits> {
    return new TradeLimits(store, world, await keptLimits(store));
  }

  of(home: string): TradeLimit {
    return this.#changed.get(home) ?? this.kept(home);
  }

  /** Durable when it resolves. */
  async set(home: string, change: Partial<TradeLimit>): Promise<TradeLimit> {
    const limit = { ...this.of(home), ...change };
    for (let isWritten = false; !isWritten; ) {
      const revision = (await this.store.getLocal(table, home))?.revision ?? 0;
      isWritten = await this.store.putLocal(table, home, { ...limit }, revision);
    }
    this.#changed.set(home, limit);
    this.#answers.delete(home);
    return limit;
  }

  /** Takes one answer from what the home's requests may have now. */
  takeAnswer(home: string): boolean {
    let answers = this.#answers.get(home);
    if (!answers) {
      // Two seconds' worth, so that a home that is tried again each second gets all that it may have.
      const { answersPerSecond } = this.of(home);
      answers = new Allowance(this.world, answersPerSecond, 2 * answersPerSecond);
      this.#answers.set(home, answers);
    }
    return answers.take();
  }
}
