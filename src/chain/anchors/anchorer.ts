/**
 * Anchors the journal: each full thousand of entries at once, the rest after ten minutes. It also detects a journal that
 * differs from the anchored one, because a part of it was removed or replaced.
 */

import { Background } from '../../core/background.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { Store } from '../../store/store.js';
import type { RecentHashes } from '../settlement/recent-hashes.js';
import type { ChainLog } from '../settlement/settlement.js';
import { type Anchor, endOfAnchor, entriesBetween, rootOf } from './anchor.js';
import type { AnchorChain } from './anchor-chain.js';
import type { AnchorRecords } from './anchor-records.js';

export interface AnchorerOptions {
  readonly chain: AnchorChain;
  readonly records: AnchorRecords;
  readonly store: Pick<Store, 'entries' | 'head'>;
  /** The newest chain hashes, which need no read from the store. */
  readonly recent?: Pick<RecentHashes, 'between'>;
  /** Whether this process holds the lease to send for the operator; absent when it owns its store alone. */
  readonly mine?: () => Promise<boolean>;
  readonly world: Environment;
  readonly log: ChainLog;
}

const restMs = 5_000;
/** The longest time that entries wait for others to fill an anchor. */
const longestWaitMs = 600_000;
/** Interval of the checks while the journal does not grow. */
const lookAnywayMs = 60_000;

export class Anchorer {
  readonly #rounds: Background;
  #halted: string | undefined;
  /** Result and time of the last check. */
  #last = { anchored: -1, head: -1, at: Number.NEGATIVE_INFINITY };
  #trouble = '';

  constructor(private readonly options: AnchorerOptions) {
    const onFailure = (error: unknown) => this.#complain(messageOf(error));
    const round = () => this.look().then(() => restMs);
    this.#rounds = new Background({ world: options.world, round, onFailure });
  }

  /** The reason why anchoring has halted, for /readyz; undefined while it runs. */
  get halted(): string | undefined {
    return this.#halted;
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Anchors the entries that are due. Rejects as the chain does. */
  async look(): Promise<void> {
    const { store, chain, world, mine } = this.options;
    if (mine && !(await mine())) {
      this.#last = { ...this.#last, at: Number.NEGATIVE_INFINITY };
      return;
    }
    const head = (await store.head()).seq;
    const now = world.monotonic();
    const isLong = now - this.#last.at >= lookAnywayMs;
    if (!isLong && (this.#halted !== undefined || !(await this.#isDue(this.#last.anchored, head)))) return;
    let anchored = await chain.anchored();
    if (anchored !== this.#last.anchored) {
      this.#halted = await this.#violationOf(anchored, head);
      if (this.#halted) this.#complain(this.#halted);
    }
    while (this.#halted === undefined && (await this.#isDue(anchored, head)))
      anchored = await this.#anchor(anchored, head);
    this.#last = { anchored, head, at: now };
    if (this.#halted === undefined) this.#trouble = '';
  }

  async #isDue(anchored: number, head: number): Promise<boolean> {
    if (anchored < 0 || head <= anchored) return anchored < 0;
    if (head >= endOfAnchor(anchored + 1)) return true;
    const [oldest] = await this.options.store.entries({ after: anchored, limit: 1 });
    return oldest !== undefined && this.options.world.now() - oldest.core.time >= longestWaitMs;
  }

  /** @returns the number of the last anchored entry */
  async #anchor(anchored: number, head: number): Promise<number> {
    const { chain, records, store, recent, log } = this.options;
    const firstEntry = anchored + 1;
    const lastEntry = Math.min(head, endOfAnchor(firstEntry));
    const fresh = recent?.between(firstEntry, lastEntry);
    const root = rootOf(fresh ?? (await entriesBetween(store, firstEntry, lastEntry)));
    const { succeeded, transactionHash: txHash, blockNumber } = await chain.send({ firstEntry, lastEntry, root });
    if (!succeeded) throw new AnchorRefused(`the anchor of entries ${firstEntry} to ${lastEntry} was refused on chain`);
    await records.add({ firstEntry, lastEntry, root, txHash, blockNumber });
    log('entries were anchored', { firstEntry, lastEntry, txHash }, 'debug');
    return lastEntry;
  }

  /** Updates the records from the chain. @returns the reason why the journal differs from the anchored one, if it does */
  async #violationOf(anchored: number, head: number): Promise<string | undefined> {
    const { chain, records } = this.options;
    if (anchored > head) {
      return `the chain anchors entries up to ${anchored}, and the journal ends at ${head}: its end was cut off, or it was restored from an older backup`;
    }
    await records.dropAfter(anchored);
    const recorded = await records.covered();
    for (const anchor of recorded < anchored ? await chain.since(recorded) : []) {
      const flaw = await this.#violationOfAnchor(anchor);
      if (flaw) return flaw;
      await records.add(anchor);
    }
    const newest = anchored === 0 ? undefined : await records.covering(anchored);
    return newest && this.#violationOfAnchor(newest);
  }

  async #violationOfAnchor({ firstEntry, lastEntry, root }: Anchor): Promise<string | undefined> {
    const entries = await entriesBetween(this.options.store, firstEntry, lastEntry);
    return rootOf(entries) === root
      ? undefined
      : `entries ${firstEntry} to ${lastEntry} are not those that were anchored: the journal was rolled back and went on differently`;
  }

  #complain(trouble: string): void {
    if (trouble !== this.#trouble) this.options.log('the journal is not anchored', { trouble });
    this.#trouble = trouble;
  }
}

/** A reverted anchor: another sender has anchored, or the key lacks the role. */
class AnchorRefused extends Error {
  override name = 'AnchorRefused';
}
