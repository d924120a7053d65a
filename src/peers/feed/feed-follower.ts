/**
 * Follows the feed of one home (docs/reference/feeds.md#following): connects, reads from the entry after the newest
 * followed one, checks the hash chain and the home's checkpoints, and reconnects when the connection ends. It stops at the
 * first bad line. Nothing of the other home's entries is executed; what they show of listings and identities goes to the
 * index of cards.
 */
import { bounds, feedBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import { type Environment, pauseUnless } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { JournalHead } from '../../store/store.js';
import { type Checkpoint, isSignedCheckpoint } from '../checkpoint.js';
import type { FollowedChain } from '../followed-chain.js';
import type { KnownHeads } from '../known-heads.js';
import { Reconnection } from '../transport/reconnection.js';
import { type LineStream, type PeerConnection, PeerError } from '../transport/transport.js';
import { type BadLine, type ChainLink, type FeedBatch, FeedBatches, joined } from './feed-batch.js';
import type { FeedStop } from './feed-stop.js';
import { lineOfEntry } from './line.js';

export interface FeedFollowerOptions {
  /** DID. */
  readonly home: Did;
  readonly network: string;
  readonly world: Environment;
  /** Opens streams: a home may have several addresses. */
  readonly link: Pick<PeerConnection, 'open'>;
  readonly chain: FollowedChain;
  readonly heads: Pick<KnownHeads, 'receive' | 'followed' | 'newest' | 'mayFollow' | 'news' | 'proves'>;
  /** The chain hash that the operator has accepted, for a home that signed two journals. */
  readonly accepted?: () => JournalHead | undefined;
  /** Takes what the entries show, before they count as followed; absent: it is not kept. */
  readonly show?: (links: readonly ChainLink[]) => Promise<ShowOutcome>;
  /** False while the disk is nearly full: a failed write would end the node. */
  readonly hasRoom?: () => boolean;
  /** The entry at which an earlier run has stopped, and why. */
  readonly stop?: FeedStop | undefined;
  /** Called at a bad line. Must not throw. */
  readonly onStop?: (stop: FeedStop) => void;
  readonly log: (message: string, detail: object) => void;
}

/** Undefined: taken. `again`: not now, the feed will be read again. Else the entry that shows what cannot be. */
export type ShowOutcome = undefined | 'again' | { readonly seq: number; readonly what: string };

export type FollowStatus =
  /** No connection; it is tried again. */
  | 'unreachable'
  /** Its clock is so far ahead that its checkpoints are not taken; it is tried again. */
  | 'clock-ahead'
  /** Connected, and still reading older entries. */
  | 'behind'
  /** Every entry that is known of the home is followed, or was some seconds ago. */
  | 'current'
  /** The home has sent a bad line. */
  | 'stopped'
  /** The home has signed two journals. */
  | 'forked';

/** How far a feed is followed. Entries are given by number, times in epoch milliseconds. */
export interface FollowState {
  readonly status: FollowStatus;
  readonly followed: number;
  /** The newest entry that the home has announced, or has signed a checkpoint of for another peer. */
  readonly head: number;
  /** Time of the newest checkpoint of the followed entry; undefined before the first. */
  readonly asOf: number | undefined;
  /** The home's clock minus this one at its newest checkpoint, ms; undefined before the first of this connection. */
  readonly clockAheadMs: number | undefined;
  readonly connectedAt: number | undefined;
  readonly stop: FeedStop | undefined;
  /** Why the last attempt ended. */
  readonly error: string | undefined;
}

export class FeedFollower {
  readonly #reconnection: Reconnection;
  readonly #over = new AbortController();
  #session: AbortController | undefined;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #stop: FeedStop | undefined;
  #head = 0;
  #asOf: number | undefined;
  #clockAheadMs: number | undefined;
  #connectedAt: number | undefined;
  /** When the newest known entry was followed, monotonic ms. */
  #currentAt = Number.NEGATIVE_INFINITY;
  #error: string | undefined;

  constructor(private readonly options: FeedFollowerOptions) {
    this.#reconnection = new Reconnection(options.world);
    this.#stop = options.stop;
    this.#asOf = options.chain.asOf;
  }

  get home(): Did {
    return this.options.home;
  }

  get state(): FollowState {
    const followed = this.options.chain.head.seq;
    return {
      ...{ status: this.#status(), followed, head: Math.max(this.#newest(), followed), asOf: this.#asOf },
      clockAheadMs: this.#clockAheadMs,
      ...{ connectedAt: this.#connectedAt, stop: this.#stop, error: this.#error },
    };
  }

  #status(): FollowStatus {
    const { heads, home, world } = this.options;
    if (!heads.mayFollow(home)) return 'forked';
    if (this.#stop) return 'stopped';
    if ((this.#clockAheadMs ?? 0) > bounds.clockSkewMs) return 'clock-ahead';
    if (this.#connectedAt === undefined) return 'unreachable';
    return world.monotonic() - this.#currentAt < feedBounds.currentMs ? 'current' : 'behind';
  }

  /** A home that shows this node less than others is behind. */
  #newest(): number {
    return Math.max(this.#head, this.options.heads.newest(this.home)?.seq ?? 0);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Continues after a stop or an operator's decision. Without one it does nothing. */
  resume(): void {
    this.#stop = undefined;
    this.#wake?.();
  }

  /** Connects again now, if it waits for the next attempt. */
  retry(): void {
    this.#reconnection.wake();
  }

  /** Ends the connection, for example because the home is known to have signed two journals. */
  interrupt(): void {
    this.#session?.abort();
  }

  /** Resolves when the last write has ended. */
  async close(): Promise<void> {
    this.#over.abort();
    this.#session?.abort();
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      if (this.#stop || !this.options.heads.mayFollow(this.home)) await this.#resumed();
      else {
        await this.#attempt();
        if (!this.#stop) await this.#reconnection.pause(signal);
      }
    }
  }

  #resumed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#over.signal.aborted) resolve();
    });
  }

  async #attempt(): Promise<void> {
    this.#session = new AbortController();
    const { signal } = this.#session;
    let stream: LineStream | undefined;
    try {
      if (this.#over.signal.aborted) return;
      const { head } = this.options.chain;
      stream = await this.options.link.open(`/feed?after=${head.seq}`, { signal });
      this.#connectedAt = this.options.world.now();
      this.#reconnection.connected();
      this.#error = undefined;
      await this.#read(head, stream);
      this.#error ??= 'the home has ended the stream';
    } catch (error) {
      // When this side ended the session, the reason is already logged.
      if (!signal.aborted) {
        this.#note('a feed is not read', messageOf(error));
        this.#clockAheadMs = undefined;
      }
      // The home has lost entries that were followed. It must be notified even if it doesn't ask.
      if (error instanceof PeerError && error.status === 409) this.options.heads.news.resend(this.home);
    } finally {
      this.#connectedAt = undefined;
      stream?.close();
    }
  }

  /** Reads until the stream or the session ends, or the stream fails. */
  async #read(head: JournalHead, stream: LineStream): Promise<void> {
    const { world } = this.options;
    const batches = new FeedBatches(head);
    const begun = world.monotonic();
    let heartbeats = 0;
    for (let lines = await this.#lines(stream, batches); lines; lines = await this.#lines(stream, batches)) {
      const taken: (FeedBatch | BadLine)[] = [];
      for (const line of lines) {
        const batch = batches.take(line);
        if (!batch) continue;
        if (!('flaw' in batch) && batch.links.length === 0) heartbeats++;
        // All that a home may have sent while this side could not read.
        const most = feedBounds.heartbeatBurst + ((world.monotonic() - begun) / 1_000) * feedBounds.heartbeatsPerSecond;
        const flaw = 'it is one of too many checkpoints without entries';
        taken.push(heartbeats > most ? { flaw, seq: batches.expected, line } : batch);
        if ('flaw' in taken.at(-1)!) break;
      }
      for (const each of joined(taken)) {
        if (this.#session!.signal.aborted) return;
        if ('flaw' in each) this.#stopAt({ seq: each.seq, what: each.flaw, line: each.line });
        else await this.#follow(each);
      }
    }
  }

  /** The next lines. A line that the transport has found bad stops the feed like any other. */
  async #lines(stream: LineStream, { expected }: FeedBatches): Promise<readonly string[] | undefined> {
    try {
      return await stream.take();
    } catch (error) {
      if (!(error instanceof PeerError) || !error.violation) throw error;
      this.#stopAt({ seq: expected, what: `it ${error.violation.what}`, line: error.violation.line });
      return undefined;
    }
  }

  async #follow({ end, links, last, line }: FeedBatch): Promise<void> {
    const { heads, home, chain, accepted } = this.options;
    const { checkpoint } = end;
    const flaw = this.#violationOfEnd(checkpoint, links.length > 0 ? last : undefined);
    if (flaw !== undefined) {
      const isEvidence = checkpoint.home === home && isSignedCheckpoint(checkpoint);
      return this.#stopAt({ seq: last.seq, what: flaw, line, ...(isEvidence ? { checkpoint } : {}) });
    }
    this.#clockAheadMs = checkpoint.time - this.options.world.now();
    if (this.#clockAheadMs > bounds.clockSkewMs) {
      return this.#end(`the clock of the home is more than ${bounds.clockSkewMs / 60_000} minutes ahead`);
    }
    if (!heads.mayFollow(home)) return this.#end('the home has signed two journals');
    this.#head = end.head;
    if (links.length > 0) {
      const chosen = accepted?.();
      const other = links.find(({ seq, chainHash }) => seq === chosen?.seq && chainHash !== chosen.chainHash);
      if (other) {
        const what = 'it belongs to the journal that was not accepted';
        return this.#stopAt({ seq: other.seq, what, line: lineOfEntry(other), checkpoint });
      }
      const proof = chain.contradiction(links, checkpoint);
      if (proof) {
        heads.proves(proof);
        return this.#end('the home has signed two journals');
      }
      if (!(await this.#hasRoom())) return;
    }
    const shown = await this.options.show?.(links);
    if (shown === 'again') return this.#end('the index of cards is read again');
    if (shown) {
      const link = links.find(({ seq }) => seq === shown.seq)!;
      return this.#stopAt({ ...shown, line: lineOfEntry(link), checkpoint });
    }
    if (links.length > 0) {
      await chain.extend(links, checkpoint);
      heads.followed(checkpoint);
    } else heads.receive(checkpoint, home);
    if (!heads.mayFollow(home)) return this.#end('the home has signed two journals');
    if (checkpoint.seq === chain.head.seq) this.#asOf = checkpoint.time;
    if (chain.head.seq >= this.#newest()) this.#currentAt = this.options.world.monotonic();
  }

  /** @param last the last entry that the checkpoint must cover; undefined if there are no new entries */
  #violationOfEnd(checkpoint: Checkpoint, last: JournalHead | undefined): string | undefined {
    const { home, network } = this.options;
    if (checkpoint.home !== home) return 'the checkpoint after it is of another home';
    if (checkpoint.network !== network)
      return `the checkpoint after it is of the network ${checkpoint.network}, not ${network}`;
    if (!last) return undefined;
    const isOfLast = checkpoint.seq === last.seq && checkpoint.chainHash === last.chainHash;
    if (!isOfLast) return 'the checkpoint after it is of another journal';
    return isSignedCheckpoint(checkpoint) ? undefined : 'the checkpoint after it is not signed by the home';
  }

  async #hasRoom(): Promise<boolean> {
    const { signal } = this.#session!;
    const { hasRoom = () => true } = this.options;
    for (; !hasRoom(); await pauseUnless(this.#over.signal, this.options.world, feedBounds.roomRetryMs)) {
      if (signal.aborted) return false;
      this.#note('a feed is not followed', 'the disk is nearly full');
    }
    return !signal.aborted;
  }

  #stopAt(found: Omit<FeedStop, 'at'>): void {
    const { home, world, onStop, log } = this.options;
    const stop = { ...found, at: world.now() };
    this.#stop = stop;
    const { seq, what } = stop;
    log('a home has sent a bad line: the node no longer follows its feed', { home, seq, what });
    onStop?.(stop);
    this.#session?.abort();
  }

  /** Ends this connection for a temporary reason. */
  #end(why: string): void {
    this.#note('a feed is not read', why);
    this.#session?.abort();
  }

  /** Logs a problem once, not at every attempt. */
  #note(message: string, error: string): void {
    const { home, log } = this.options;
    if (this.#error !== error) log(message, { home, error });
    this.#error = error;
  }
}
