/**
 * Follows the feed of one home (docs/reference/feeds.md#following): connects, reads from the entry after its replica's
 * newest, adopts what the home has signed, and reconnects when the connection ends. It stops at the first violation.
 */
import { bounds, feedBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import { type Environment, pauseUnless } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { JournalHead } from '../../store/store.js';
import { type Checkpoint, isSignedCheckpoint } from '../checkpoint.js';
import type { KnownHeads } from '../known-heads.js';
import type { Adoption, FeedEntry, Replica } from '../replica/replica.js';
import { Reconnection } from '../transport/reconnection.js';
import { type LineStream, type PeerConnection, PeerError } from '../transport/transport.js';
import type { EarlyChecks } from './early-checks.js';
import { type BadLine, type FeedBatch, FeedBatches, joined } from './feed-batch.js';
import type { FeedStop } from './feed-stop.js';
import { type FeedEnd, lineOfEntry } from './line.js';

export interface FeedFollowerOptions {
  /** DID. */
  readonly home: Did;
  readonly network: string;
  readonly world: Environment;
  /** The connection for the next attempt: a home may have several addresses. */
  readonly dial: () => PeerConnection;
  /** Opens the replica, also after its store has failed. Its `verifySignatures` must be those of `checks`. */
  readonly openReplica: () => Promise<Replica>;
  readonly checks?: EarlyChecks;
  readonly heads: Pick<KnownHeads, 'receive' | 'followed' | 'adopting' | 'advanced' | 'mayFollow' | 'news'>;
  /** The chain hash that the operator has accepted, for a home that signed two journals. */
  readonly accepted?: () => { readonly seq: number; readonly chainHash: string } | undefined;
  /** False while the disk is nearly full: a failed write would end the node. */
  readonly hasRoom?: () => boolean;
  /** The entry at which an earlier run has stopped, and why. */
  readonly stop?: FeedStop | undefined;
  /** Called when the home has signed the end of a batch, before the batch is adopted. Must not throw. */
  readonly onEnd?: (end: FeedEnd) => void;
  /** Called when entries are adopted, durable and readable. Must not throw. */
  readonly onAdopted?: (entries: readonly FeedEntry[]) => void;
  /** Called at a violation or an unknown version. Must not throw. */
  readonly onStop?: (stop: FeedStop) => void;
  readonly log: (message: string, detail: object) => void;
}

export type FollowStatus =
  /** No connection; it is tried again. */
  | 'unreachable'
  /** Connected, and still reading older entries. */
  | 'behind'
  /** Every entry that the home has announced is adopted, or was some seconds ago. */
  | 'current'
  /** The home has sent an entry that is not valid. */
  | 'stopped'
  /** The home has sent an entry of a later release than this program. */
  | 'outdated'
  /** The home has signed two journals. */
  | 'forked';

/** How far a feed is followed. Entries are given by number, times in epoch milliseconds. */
export interface FollowState {
  readonly status: FollowStatus;
  readonly adopted: number;
  /** The newest entry that the home has announced. */
  readonly head: number;
  readonly connectedAt: number | undefined;
  /** Entries whose payload the home has withheld. */
  readonly withheld: number;
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
  #replica: Replica | undefined;
  #stop: FeedStop | undefined;
  #head = 0;
  #connectedAt: number | undefined;
  /** When the replica was last complete, monotonic ms. */
  #currentAt = Number.NEGATIVE_INFINITY;
  #error: string | undefined;

  constructor(private readonly options: FeedFollowerOptions) {
    this.#reconnection = new Reconnection(options.world);
    this.#stop = options.stop;
  }

  get home(): Did {
    return this.options.home;
  }

  get state(): FollowState {
    const adopted = this.#replica?.head.seq ?? 0;
    return {
      ...{ status: this.#status(), adopted, head: Math.max(this.#head, adopted) },
      ...{ connectedAt: this.#connectedAt, withheld: this.#replica?.withheld ?? 0 },
      ...{ stop: this.#stop, error: this.#error },
    };
  }

  #status(): FollowStatus {
    const { heads, home, world } = this.options;
    if (!heads.mayFollow(home)) return 'forked';
    if (this.#stop) return this.#stop.cause === 'violation' ? 'stopped' : 'outdated';
    if (this.#connectedAt === undefined) return 'unreachable';
    return world.monotonic() - this.#currentAt < feedBounds.currentMs ? 'current' : 'behind';
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

  /** Resolves when the last write has ended and the replica is closed; its store stays open. */
  async close(): Promise<void> {
    this.#over.abort();
    this.#session?.abort();
    this.#wake?.();
    await this.#running;
    await this.#replica?.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      if (!(await this.#opened())) await this.#pause(feedBounds.storeRetryMs);
      else if (this.#stop || !this.options.heads.mayFollow(this.home)) await this.#resumed();
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

  async #opened(): Promise<Replica | undefined> {
    try {
      this.#replica ??= await this.options.openReplica();
      return this.#replica;
    } catch (error) {
      this.#note('the copy of a feed cannot be opened', messageOf(error));
      return undefined;
    }
  }

  async #attempt(): Promise<void> {
    this.#session = new AbortController();
    const { signal } = this.#session;
    let stream: LineStream | undefined;
    try {
      const replica = this.#replica!;
      if (this.#over.signal.aborted) return;
      stream = await this.options.dial().open(`/feed?after=${replica.head.seq}`, { signal });
      this.#connectedAt = this.options.world.now();
      this.#reconnection.connected();
      this.#error = undefined;
      await this.#read(replica, stream);
      this.#error ??= 'the home has ended the stream';
    } catch (error) {
      // When this side ended the session, the reason is already logged.
      if (!signal.aborted) this.#note('a feed is not read', messageOf(error));
      // The home has lost entries that the replica has. It must be notified even if it doesn't ask.
      if (error instanceof PeerError && error.status === 409) this.options.heads.news.resend(this.home);
    } finally {
      this.#connectedAt = undefined;
      stream?.close();
    }
  }

  /** Reads until the stream ends or fails. The next lines are parsed while a batch is adopted. */
  async #read(replica: Replica, stream: LineStream): Promise<void> {
    const { checks } = this.options;
    const batches = new FeedBatches(replica.head, ({ entry }) => checks?.add(entry));
    let adopting: Promise<void> = Promise.resolve();
    try {
      for (let lines = await stream.take(); lines; lines = await stream.take()) {
        const taken: (FeedBatch | BadLine)[] = [];
        for (const line of lines) {
          const batch = batches.take(line);
          if (batch) taken.push(batch);
          if (batch && 'flaw' in batch) break;
        }
        checks?.begin();
        await adopting;
        if (this.#session!.signal.aborted) return;
        adopting = this.#adoptAll(replica, joined(taken));
        adopting.catch(() => {});
      }
    } finally {
      await adopting;
    }
  }

  async #adoptAll(replica: Replica, taken: readonly (FeedBatch | BadLine)[]): Promise<void> {
    const { signal } = this.#session!;
    for (const each of taken) {
      if (signal.aborted) return;
      if ('flaw' in each) this.#stopAt({ seq: each.seq, what: each.flaw, cause: 'violation', line: each.line });
      else await this.#adopt(replica, each);
    }
  }

  async #adopt(replica: Replica, { end, entries, last, line }: FeedBatch): Promise<void> {
    const { heads, home, onEnd, accepted } = this.options;
    const { checkpoint } = end;
    const flaw = this.#violationOfEnd(checkpoint, entries.length > 0 ? last : undefined);
    if (flaw !== undefined) return this.#stopAt({ seq: last.seq, what: flaw, cause: 'violation', line });
    if (checkpoint.time > this.options.world.now() + bounds.clockSkewMs) {
      return this.#end(`the clock of the home is more than ${bounds.clockSkewMs / 60_000} minutes ahead`);
    }
    if (!heads.mayFollow(home)) return this.#end('the home has signed two journals');
    this.#head = end.head;
    onEnd?.(end);
    if (entries.length > 0) {
      const chosen = accepted?.();
      const other = entries.find(({ entry }) => entry.seq === chosen?.seq && entry.chainHash !== chosen.chainHash);
      if (other) {
        const what = 'it belongs to the journal that was not accepted';
        return this.#stopAt({ seq: other.entry.seq, what, cause: 'violation', line: lineOfEntry(other), checkpoint });
      }
      if (!(await this.#hasRoom())) return;
      const { stop } = await this.#written(replica, entries, checkpoint);
      if (stop) {
        const { seq, what, cause, evidence } = stop;
        return this.#stopAt({ seq, what, cause, line: lineOfEntry(evidence), checkpoint });
      }
    }
    if (entries.length > 0) {
      heads.followed(checkpoint);
      await heads.advanced(home);
    } else heads.receive(checkpoint, home);
    if (!heads.mayFollow(home)) return this.#end('the home has signed two journals');
    if (entries.length > 0) this.options.onAdopted?.(entries);
    if (replica.head.seq >= end.head) this.#currentAt = this.options.world.monotonic();
  }

  async #written(replica: Replica, fed: readonly FeedEntry[], checkpoint: Checkpoint): Promise<Adoption> {
    try {
      const entryHashes = fed.map(({ entry }) => entry.entryHash);
      const next = { checkpoint, after: replica.head, entryHashes };
      return await replica.adopt(fed, () => this.options.heads.adopting(next));
    } catch (error) {
      this.#replica = undefined;
      throw error;
    }
  }

  /** @param last the last entry that the checkpoint must cover; undefined if there are no new entries */
  #violationOfEnd(checkpoint: Checkpoint, last: JournalHead | undefined): string | undefined {
    const { home, network } = this.options;
    if (checkpoint.home !== home) return 'the checkpoint after it is of another home';
    if (checkpoint.network !== network) return `the checkpoint after it is of ${checkpoint.network}`;
    if (!last) return undefined;
    const isOfLast = checkpoint.seq === last.seq && checkpoint.chainHash === last.chainHash;
    if (!isOfLast) return 'the checkpoint after it is of another journal';
    return isSignedCheckpoint(checkpoint) ? undefined : 'the checkpoint after it is not signed by the home';
  }

  async #hasRoom(): Promise<boolean> {
    const { signal } = this.#session!;
    const { hasRoom = () => true } = this.options;
    for (; !hasRoom(); await this.#pause(feedBounds.roomRetryMs)) {
      if (signal.aborted) return false;
      this.#note('nothing is adopted', 'the disk is nearly full');
    }
    return !signal.aborted;
  }

  #stopAt(found: Omit<FeedStop, 'at'>): void {
    const { home, world, onStop, log } = this.options;
    const stop = { ...found, at: world.now() };
    this.#stop = stop;
    const { seq, what, cause } = stop;
    log(
      cause === 'violation'
        ? 'a home has sent an entry that is not valid: the node no longer follows its feed'
        : 'a home has sent an entry of a later release: its feed waits for an update of this node',
      { home, seq, what },
    );
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

  #pause(delayMs: number): Promise<void> {
    return pauseUnless(this.#over.signal, this.options.world, delayMs);
  }
}
