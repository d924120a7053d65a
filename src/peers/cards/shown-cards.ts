/**
 * Keeps the index of cards while feeds are followed: notices that its file was deleted or fails, and has every feed read
 * again then. An error of this node stops a feed only where it repeats, and is no evidence against its home.
 */
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { JournalHead } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import type { ChainLink } from '../feed/feed-batch.js';
import type { ShowOutcome } from '../feed/feed-follower.js';
import type { CardIndex } from './card-index.js';

export interface ShownCardsOptions {
  readonly index: CardIndex;
  readonly world: Environment;
  /** Has every feed read again, after `renew`. */
  readonly onLost: () => void;
  readonly log: (message: string, detail: object) => void;
}

/** How often an index that fails is begun again: once in so many ms. */
const renewalMs = 10_000;
/** Failures at one entry after which its feed is stopped. */
const mostFailures = 3;

export class ShownCards {
  readonly #renewals: Allowance;
  #isBroken = false;
  /** By home, the entry with which the last batch began that could not be kept. */
  readonly #failed = new Map<Did, { readonly seq: number; readonly times: number }>();

  constructor(private readonly options: ShownCardsOptions) {
    this.#renewals = new Allowance(options.world, 1_000 / renewalMs, 1);
  }

  cursor(home: Did): Promise<JournalHead> {
    return this.options.index.cursor(home);
  }

  async show(home: Did, links: readonly ChainLink[]): Promise<ShowOutcome> {
    const { index, log } = this.options;
    if (this.#isBroken || index.fault !== undefined || !(await index.isThere())) return this.#lost();
    try {
      const flaw = await index.take(home, links);
      this.#failed.delete(home);
      return flaw;
    } catch (error) {
      const what = messageOf(error);
      const seq = links[0]?.seq ?? 0;
      const before = this.#failed.get(home);
      const times = before?.seq === seq ? before.times + 1 : 1;
      this.#failed.set(home, { seq, times });
      log('cards could not be kept', { home, seq, error: what });
      this.#isBroken = true;
      return times < mostFailures ? this.#lost() : { seq, what: `this node cannot keep what it shows: ${what}` };
    }
  }

  /** Begins the index again: every feed must be read again. */
  async renew(): Promise<void> {
    await this.options.index.reset();
    this.#isBroken = false;
  }

  #lost(): 'again' {
    if (this.#renewals.take()) this.options.onLost();
    return 'again';
  }
}
