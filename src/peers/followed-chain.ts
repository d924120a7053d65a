/**
 * What a follower keeps of a home's journal: the newest checkpoint up to which it has followed the hash chain, on disk,
 * and the newest links of that chain, in memory. With them it proves that another checkpoint is of a second journal.
 */
import { bounds } from '../core/bounds.js';
import type { Did } from '../core/codecs/did.js';
import { assert } from '../core/refusal.js';
import { noHash } from '../store/entry.js';
import type { JournalHead, Store } from '../store/store.js';
import {
  type Checkpoint,
  checkpointForm,
  contradicts,
  type EquivocationProof,
  parseForm,
  proofOfEquivocation,
} from './checkpoint.js';
import type { ChainLink } from './feed/feed-batch.js';
import { putNewest } from './local-record.js';

type Records = Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>;

const table = 'peer-feeds';

export class FollowedChain {
  #checkpoint: Checkpoint | undefined;
  /** The newest links, without gaps, up to the checkpoint. */
  #links: readonly ChainLink[] = [];
  /** What the first link follows. */
  #start: JournalHead;

  private constructor(
    private readonly store: Records,
    readonly home: Did,
    checkpoint: Checkpoint | undefined,
  ) {
    this.#checkpoint = checkpoint;
    this.#start = this.head;
  }

  /** Continues where an earlier run has stopped; a record of another network, or a damaged one, counts for nothing. */
  static async open(store: Records, home: Did, network: string): Promise<FollowedChain> {
    const checkpoint = parseForm(checkpointForm, (await store.getLocal(table, home))?.value);
    const isOurs = typeof checkpoint !== 'string' && checkpoint.home === home && checkpoint.network === network;
    return new FollowedChain(store, home, isOurs ? checkpoint : undefined);
  }

  /** The newest checkpoint whose entries were all followed. */
  get checkpoint(): Checkpoint | undefined {
    return this.#checkpoint;
  }

  /** The newest followed entry. */
  get head(): JournalHead {
    const { seq, chainHash } = this.#checkpoint ?? { seq: 0, chainHash: noHash };
    return { seq, chainHash };
  }

  /**
   * Takes the next links. Durable when it resolves.
   * @param checkpoint verified, and of the last of them
   */
  async extend(links: readonly ChainLink[], checkpoint: Checkpoint): Promise<void> {
    await putNewest(this.store, table, this.home, { ...checkpoint });
    this.#checkpoint = checkpoint;
    const all = [...this.#links, ...links];
    const forgotten = Math.max(0, all.length - bounds.equivocationLinks);
    this.#start = all[forgotten - 1] ?? this.#start;
    this.#links = all.slice(forgotten);
  }

  /** The chain hash of a followed entry; undefined beyond the newest, and for one that is too old to be remembered. */
  chainHashAt(seq: number): string | undefined {
    if (seq === 0) return noHash;
    return seq === this.#start.seq ? this.#start.chainHash : this.#links[seq - this.#start.seq - 1]?.chainHash;
  }

  /** @param other a verified checkpoint with another chain hash than `chainHashAt` */
  proofAgainst(other: Checkpoint): EquivocationProof {
    const checkpoint = this.#checkpoint;
    const chainHash = this.chainHashAt(other.seq);
    assert(checkpoint && chainHash !== undefined, 'only a remembered entry is compared');
    if (contradicts(checkpoint, other)) return proofOfEquivocation(checkpoint, other);
    const entryHashes = this.#links.slice(other.seq - this.#start.seq).map(({ entryHash }) => entryHash);
    return { first: other, second: checkpoint, links: { chainHash, entryHashes } };
  }

  /** Forgets everything: the feed is followed from its first entry. */
  async forget(): Promise<void> {
    await forgetChain(this.store, this.home);
    this.#checkpoint = undefined;
    this.#links = [];
    this.#start = this.head;
  }
}

/** @returns false if nothing is known of the home's journal */
export const forgetChain = (store: Pick<Store, 'deleteLocal'>, home: Did): Promise<boolean> =>
  store.deleteLocal(table, home);
