/**
 * What a follower keeps of a home's journal: the newest checkpoint up to which it has followed the hash chain, on disk,
 * and the newest links of that chain, in memory. With them it proves that another checkpoint is of a second journal.
 */
import { bounds } from '../core/bounds.js';
import type { Did } from '../core/codecs/did.js';
import { assert } from '../core/refusal.js';
import { noHash } from '../store/entry.js';
import { putNewest } from '../store/local-record.js';
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

type Records = Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>;

const table = 'peer-feeds';
const beginning: JournalHead = { seq: 0, chainHash: noHash };

export class FollowedChain {
  /** The newest checkpoint up to which the feed was ever followed, as on disk. */
  #kept: Checkpoint | undefined;
  /** That of `head`; undefined where the feed is read again, and nothing was read yet. */
  #followed: Checkpoint | undefined;
  /** The newest links, without gaps, up to the head. */
  #links: readonly ChainLink[] = [];
  /** What the first link follows. */
  #start: JournalHead;

  private constructor(
    private readonly store: Records,
    readonly home: Did,
    kept: Checkpoint | undefined,
    from: JournalHead | undefined,
  ) {
    this.#kept = kept;
    const head = kept ? { seq: kept.seq, chainHash: kept.chainHash } : beginning;
    this.#start = from ?? head;
    if (this.#start.seq === head.seq && this.#start.chainHash === head.chainHash) this.#followed = kept;
  }

  /**
   * Continues where an earlier run has stopped; a record of another network, or a damaged one, counts for nothing.
   * @param from the entry after which the feed is read; absent: the newest that was ever followed
   */
  static async open(store: Records, home: Did, network: string, from?: JournalHead): Promise<FollowedChain> {
    const checkpoint = parseForm(checkpointForm, (await store.getLocal(table, home))?.value);
    const isOurs = typeof checkpoint !== 'string' && checkpoint.home === home && checkpoint.network === network;
    return new FollowedChain(store, home, isOurs ? checkpoint : undefined, from);
  }

  /** The newest checkpoint whose entries were all followed, also if they are read again now. */
  get checkpoint(): Checkpoint | undefined {
    return this.#kept;
  }

  /** Time of the newest checkpoint up to which the feed was read; undefined before the first. */
  get asOf(): number | undefined {
    return this.#followed?.time;
  }

  /** The newest entry that was read. */
  get head(): JournalHead {
    const { seq, chainHash } = this.#links.at(-1) ?? this.#start;
    return { seq, chainHash };
  }

  /** Reads the feed again from its first entry. What was followed before is remembered. */
  readAgain(): void {
    this.#followed = undefined;
    this.#links = [];
    this.#start = beginning;
  }

  /**
   * Takes the next links. Durable when it resolves.
   * @param checkpoint verified, and of the last of them
   */
  async extend(links: readonly ChainLink[], checkpoint: Checkpoint): Promise<void> {
    if (checkpoint.seq >= (this.#kept?.seq ?? 0)) {
      await putNewest(this.store, table, this.home, { ...checkpoint });
      this.#kept = checkpoint;
    }
    this.#followed = checkpoint;
    const all = [...this.#links, ...links.map(({ seq, entryHash, chainHash }) => ({ seq, entryHash, chainHash }))];
    const forgotten = Math.max(0, all.length - bounds.equivocationLinks);
    this.#start = all[forgotten - 1] ?? this.#start;
    this.#links = all.slice(forgotten);
  }

  /**
   * Where the feed is read again, it must come to what it has shown before.
   * @param checkpoint verified, and of the last of the links
   * @returns the proof that the next links are of another journal
   */
  contradiction(links: readonly ChainLink[], checkpoint: Checkpoint): EquivocationProof | undefined {
    const kept = this.#kept;
    const at = links.findIndex(({ seq }) => seq === kept?.seq);
    const link = links[at];
    if (!kept || !link || link.chainHash === kept.chainHash) return undefined;
    return proofOf(kept, checkpoint, { chainHash: link.chainHash, after: links.slice(at + 1) });
  }

  /** The chain hash of a followed entry; undefined beyond the newest, and for one that is too old to be remembered. */
  chainHashAt(seq: number): string | undefined {
    if (seq === 0) return noHash;
    if (!this.#followed) return undefined;
    return seq === this.#start.seq ? this.#start.chainHash : this.#links[seq - this.#start.seq - 1]?.chainHash;
  }

  /** @param other a verified checkpoint with another chain hash than `chainHashAt` */
  proofAgainst(other: Checkpoint): EquivocationProof {
    const checkpoint = this.#followed;
    const chainHash = this.chainHashAt(other.seq);
    assert(checkpoint && chainHash !== undefined, 'only a remembered entry is compared');
    return proofOf(other, checkpoint, { chainHash, after: this.#links.slice(other.seq - this.#start.seq) });
  }

  /** Forgets everything: the feed is followed from its first entry. */
  async forget(): Promise<void> {
    await forgetChain(this.store, this.home);
    this.#kept = undefined;
    this.readAgain();
  }
}

/** @returns false if nothing is known of the home's journal */
export const forgetChain = (store: Pick<Store, 'deleteLocal'>, home: Did): Promise<boolean> =>
  store.deleteLocal(table, home);

/** @param linked the chain hash at the number of the earlier checkpoint, and the links from there to the later one */
function proofOf(
  earlier: Checkpoint,
  later: Checkpoint,
  linked: { readonly chainHash: string; readonly after: readonly ChainLink[] },
): EquivocationProof {
  if (contradicts(earlier, later)) return proofOfEquivocation(earlier, later);
  const entryHashes = linked.after.map(({ entryHash }) => entryHash);
  return { first: earlier, second: later, links: { chainHash: linked.chainHash, entryHashes } };
}
