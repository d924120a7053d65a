/**
 * Anchors the journal: each full thousand of entries at once, and what is left after ten minutes. It also finds out that
 * the journal is not the one that was anchored: then somebody has cut or exchanged a part of it.
 */

import type { Store } from '../../store/store.js';
import type { World } from '../../world.js';
import type { ChainLog } from '../chain.js';
import { Rounds } from '../rounds.js';
import { type Anchor, endOfAnchor, entriesBetween, rootOf } from './anchor.js';
import type { AnchorChain } from './anchor-chain.js';
import type { AnchorRecords } from './anchor-records.js';
import type { RecentHashes } from './recent-hashes.js';

export interface AnchorerOptions {
  readonly chain: AnchorChain;
  readonly records: AnchorRecords;
  readonly store: Pick<Store, 'entries' | 'head'>;
  /** What need not be read from the store. */
  readonly recent?: Pick<RecentHashes, 'between'>;
  /** Whether this process anchors, where several share a store: the one that sends for the operator. */
  readonly mine?: () => Promise<boolean>;
  readonly world: World;
  readonly log: ChainLog;
}

const restMs = 5_000;
/** How long entries may wait for others that fill an anchor. */
const longestWaitMs = 600_000;
/** So often the chain is looked at although the journal has not grown. */
const lookAnywayMs = 60_000;

export class Anchorer {
  readonly #rounds: Rounds;
  #halted: string | undefined;
  /** What was found at the last look, and when. */
  #last = { anchored: -1, head: -1, at: Number.NEGATIVE_INFINITY };
  #trouble = '';

  constructor(private readonly options: AnchorerOptions) {
    const onFailure = (error: unknown) => this.#complain(error instanceof Error ? error.message : String(error));
    this.#rounds = new Rounds({ world: options.world, restMs, round: () => this.look(), onFailure });
  }

  /** Why nothing is anchored any more, for /readyz. */
  get halted(): string | undefined {
    return this.#halted;
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Anchors what is due. Rejects as the chain does. */
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
      this.#halted = await this.#flawOf(anchored, head);
      if (this.#halted) this.#complain(this.#halted);
    }
    while (this.#halted === undefined && (await this.#isDue(anchored, head)))
      anchored = await this.#anchor(anchored, head);
    this.#last = { anchored, head, at: now };
    if (this.#halted === undefined) this.#trouble = '';
  }

  /** Whether entries behind this one have to be anchored now. */
  async #isDue(anchored: number, head: number): Promise<boolean> {
    if (anchored < 0 || head <= anchored) return anchored < 0;
    if (head >= endOfAnchor(anchored + 1)) return true;
    const [oldest] = await this.options.store.entries({ after: anchored, limit: 1 });
    return oldest !== undefined && this.options.world.now() - oldest.core.time >= longestWaitMs;
  }

  /** @returns the last entry that is anchored then */
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

  /** Brings the records to what the chain says. @returns why the journal is not the one that was anchored */
  async #flawOf(anchored: number, head: number): Promise<string | undefined> {
    const { chain, records } = this.options;
    if (anchored > head) {
      return `the chain anchors entries up to ${anchored}, and the journal ends at ${head}: its end was cut off, or it was restored from an older backup`;
    }
    await records.dropAfter(anchored);
    const recorded = await records.covered();
    for (const anchor of recorded < anchored ? await chain.since(recorded) : []) {
      const flaw = await this.#flawOfAnchor(anchor);
      if (flaw) return flaw;
      await records.add(anchor);
    }
    const newest = anchored === 0 ? undefined : await records.covering(anchored);
    return newest && this.#flawOfAnchor(newest);
  }

  async #flawOfAnchor({ firstEntry, lastEntry, root }: Anchor): Promise<string | undefined> {
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

/** A transaction that reverted: somebody else has anchored, or the key may not. */
class AnchorRefused extends Error {
  override name = 'AnchorRefused';
}
