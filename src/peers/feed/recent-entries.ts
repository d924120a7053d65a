/**
 * The newest entries of our journal as a feed shows them, in memory: the followers that are nearly up to date share them,
 * instead of reading each entry from the store.
 */
import type { NumberedEntry } from '../../store/entry.js';
import type { ChainLink } from './feed-batch.js';

const most = 2_000;
/** Of an entry that is kept whole. */
const mostCharacters = 16 * 1024;

/** An entry, or what a feed says of it if that is no more than its hash. */
export type FeedItem = ChainLink | NumberedEntry;

export class RecentEntries {
  /** In order, without gaps. */
  #recent: FeedItem[] = [];

  /** @param shows whether the feed may show more of an entry than its hash, so that the whole of it is kept */
  constructor(private readonly shows: (entry: NumberedEntry) => boolean = () => false) {}

  /** Keeps an entry that is on disk. After a gap, because another process has written too, only the newer ones are kept. */
  saw(entry: NumberedEntry): void {
    const { seq, entryHash, chainHash } = entry;
    const last = this.#recent.at(-1);
    if (last && last.seq + 1 !== seq) this.clear();
    const isShown = this.shows(entry);
    // A long one is read from the store, with those before it.
    if (isShown && entry.coreText.length + entry.payloadText.length > mostCharacters) this.clear();
    else this.#recent.push(isShown ? entry : { seq, entryHash, chainHash });
    if (this.#recent.length > 2 * most) this.#recent.splice(0, most);
  }

  clear(): void {
    this.#recent = [];
  }

  /** The entries after this one, at most so many; none if the next one is not kept. */
  after(seq: number, limit: number): readonly FeedItem[] {
    const at = seq + 1 - (this.#recent[0]?.seq ?? 0);
    return at < 0 ? [] : this.#recent.slice(at, at + limit);
  }
}
