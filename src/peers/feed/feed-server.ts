/**
 * Serves `GET /feed?after=<seq>` (docs/reference/feeds.md): streams our journal from the entry after that number, with
 * a checkpoint behind each batch, and stays open. The follower sets the pace by reading, and resumes by number.
 */
import { bounds, feedBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import { type Environment, pauseUnless } from '../../core/environment.js';
import type { Feed } from '../../core/feed.js';
import { growingCache } from '../../core/growing-cache.js';
import { assert } from '../../core/refusal.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { JournalHead, StoreReader } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import { chainHashAt } from '../known-heads.js';
import { type LineWriter, type PeerReply, type PeerRequest, problemText } from '../transport/transport.js';
import { lineOfEnd, lineOfEntry } from './line.js';
import type { OwnCheckpoints } from './own-checkpoints.js';
import { type FeedItem, RecentEntries } from './recent-entries.js';

/** What the feed says of listings and identities. */
export interface StatedCards {
  concerns(entry: Pick<NumberedEntry, 'core' | 'payload'>): boolean;
  lineOf(entry: NumberedEntry): Promise<string>;
}

export interface FeedServerOptions {
  /** Our own journal. */
  readonly store: Pick<StoreReader, 'entries'>;
  /** Notifies when the journal grows; its head is on disk. */
  readonly feed: Feed;
  readonly checkpoints: OwnCheckpoints;
  /** Absent: nothing is said of them. */
  readonly cards?: StatedCards | undefined;
  readonly world: Environment;
}

/** One stream in progress. */
interface FeedStream {
  readonly home: Did;
  readonly writer: LineWriter;
  readonly over: AbortController;
  /** Number of the newest entry that was sent. */
  sent: number;
}

/** Reads `after`; `null` if it is not the number of an entry. */
export function afterIn(query: URLSearchParams): number | null {
  const text = query.get('after') ?? '';
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : null;
}

export class FeedServer {
  /** Entries sent since the start, counted once per follower. */
  sent = 0;
  /** How often each follower may open a stream. */
  readonly #opening = growingCache<Did, Allowance>(bounds.knownPeers);
  /** The stream that each follower reads. */
  readonly #reading = new Map<Did, FeedStream>();
  readonly #recent: RecentEntries;
  /** The last time at which streams sent what was new: monotonic ms, and up to which entry. */
  #lastSending = { at: Number.NEGATIVE_INFINITY, head: 0 };

  constructor(private readonly options: FeedServerOptions) {
    this.#recent = new RecentEntries((entry) => options.cards?.concerns(entry) ?? false);
  }

  /** Whether a follower reads the feed. */
  get isRead(): boolean {
    return this.#reading.size > 0;
  }

  /** Call when an entry is on disk. */
  committed(entry: NumberedEntry): void {
    if (this.isRead) this.#recent.saw(entry);
  }

  /** Answers the request. Resolves when the stream has ended. */
  async serve({ did, query, signal }: Pick<PeerRequest, 'did' | 'query' | 'signal'>, reply: PeerReply): Promise<void> {
    const after = afterIn(query);
    if (after === null) return void (await reply.send(400, problemText('after must be the number of an entry')));
    if (!this.#mayOpen(did)) return void (await reply.send(429, problemText('the feed was asked for too often')));
    const { feed } = this.options;
    // The follower has a longer journal than this one, so no entry could continue it. The follower has to learn that.
    if (after > feed.head) return void (await reply.send(409, problemText(`the journal ends at ${feed.head}`)));
    const over = new AbortController();
    const stream: FeedStream = { home: did, writer: reply.open(), over, sent: after };
    const end = () => over.abort();
    signal.addEventListener('abort', end, { once: true });
    // A follower that has lost its connection may reconnect before this side notices the loss.
    this.#reading.get(did)?.over.abort();
    this.#reading.set(did, stream);
    try {
      await this.#stream(stream);
    } finally {
      signal.removeEventListener('abort', end);
      if (this.#reading.get(did) === stream) this.#reading.delete(did);
      if (!this.isRead) this.#recent.clear();
      stream.writer.end();
    }
  }

  #mayOpen(did: Did): boolean {
    const { streamsPerSecond, streamBurst } = feedBounds;
    const allowance = this.#opening.get(did) ?? new Allowance(this.options.world, streamsPerSecond, streamBurst);
    this.#opening.set(did, allowance);
    return allowance.take();
  }

  async #stream(stream: FeedStream): Promise<void> {
    const { feed } = this.options;
    const { signal } = stream.over;
    let end: JournalHead = { seq: stream.sent, chainHash: await this.#chainHashAt(stream.sent) };
    let isOpen = await stream.writer.write([this.#endLine(end)]);
    while (isOpen && !signal.aborted) {
      if (end.seq < feed.head) {
        await this.#gathered(end.seq, signal);
        const page = await this.#entriesAfter(end.seq);
        assert(page.length > 0, 'what the journal says it has can be read');
        const lines = await this.#linesOf(page);
        end = page[lines.length - 1]!;
        this.sent += lines.length;
        isOpen = await stream.writer.write([...lines, this.#endLine(end)]);
        stream.sent = end.seq;
      } else if (!(await this.#grown(end.seq, signal))) isOpen = await stream.writer.write([this.#endLine(end)]);
    }
  }

  /**
   * Waits until what comes after this entry may be sent: entries in quick succession share a batch, a signature and the
   * follower's write. Streams that are up to date send at the same time, so they share signature and compressed bytes.
   */
  async #gathered(seq: number, signal: AbortSignal): Promise<void> {
    const { world } = this.options;
    for (let left = this.#untilSending(seq); left > 0 && !signal.aborted; left = this.#untilSending(seq)) {
      await pauseUnless(signal, world, left);
    }
  }

  /** ms; 0: it is sent now. */
  #untilSending(seq: number): number {
    const { feed, world } = this.options;
    if (seq < this.#lastSending.head) return 0;
    const left = this.#lastSending.at + this.#gatherMs() - world.monotonic();
    if (left > 0) return left;
    this.#lastSending = { at: world.monotonic(), head: feed.head };
    return 0;
  }

  /** Longer with many followers. */
  #gatherMs(): number {
    const { gatherMs, gatherFollowers, gatherFurtherMs, gatherLongestMs } = feedBounds;
    const further = Math.max(0, this.#reading.size - gatherFollowers);
    return Math.min(gatherMs + further * gatherFurtherMs, gatherLongestMs);
  }

  /** The first lines of a page, at least one: no more than a follower takes before a checkpoint. */
  async #linesOf(page: readonly FeedItem[]): Promise<readonly string[]> {
    const { cards } = this.options;
    const lines: string[] = [];
    for (let characters = 0; lines.length < page.length && characters < feedBounds.batchCharacters; ) {
      const item = page[lines.length]!;
      const line = 'core' in item && cards ? await cards.lineOf(item) : lineOfEntry(item);
      lines.push(line);
      characters += line.length;
    }
    return lines;
  }

  async #entriesAfter(seq: number): Promise<readonly FeedItem[]> {
    const { store, feed } = this.options;
    const limit = Math.min(feedBounds.batchEntries, feed.head - seq);
    const recent = this.#recent.after(seq, limit);
    return recent.length > 0 ? recent : store.entries({ after: seq, limit, characters: feedBounds.batchCharacters });
  }

  #endLine(end: JournalHead): string {
    const { checkpoints, feed } = this.options;
    return lineOfEnd({ checkpoint: checkpoints.at(end), head: feed.head });
  }

  async #chainHashAt(seq: number): Promise<string> {
    const chainHash = await chainHashAt(this.options.store, seq);
    assert(chainHash, 'what the journal says it has can be read');
    return chainHash;
  }

  /** Resolves with true once the journal has grown, and with false when a heartbeat is due. */
  async #grown(seq: number, signal: AbortSignal): Promise<boolean> {
    const { feed, world } = this.options;
    const over = new AbortController();
    const end = () => over.abort();
    const timer = world.after(feedBounds.heartbeatMs, end);
    signal.addEventListener('abort', end, { once: true });
    await feed.beyond(seq, over.signal);
    timer.cancel();
    signal.removeEventListener('abort', end);
    return feed.head > seq;
  }
}
