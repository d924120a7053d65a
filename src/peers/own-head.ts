/**
 * Asks the peers for the newest checkpoint of this node's own journal before the node writes. A restored backup would
 * otherwise start a second journal beside entries that others have seen.
 */
import { setMaxListeners } from 'node:events';
import { type Environment, pause } from '../core/environment.js';
import { messageOf } from '../core/error-message.js';
import type { JournalHead, Store } from '../store/store.js';
import { checkpointForm, isSignedCheckpoint, parseForm } from './checkpoint.js';
import { chainHashAt } from './known-heads.js';

/** The end of a journal, and when it was written, epoch ms. */
export interface TimedEnd extends JournalHead {
  readonly time: number;
}

export interface OwnHeadPeer {
  readonly did: string;
  /**
   * The newest checkpoint of our home that the peer knows, and the one up to which it follows our journal; neither is
   * checked yet. If our key has signed two journals, the two may differ. Rejects if the peer is out of reach.
   */
  end(signal: AbortSignal): Promise<readonly unknown[]>;
  /** Whether the operator has named it as a mirror; others may be mirrors that a backup does not know. */
  readonly isMirror: boolean;
  /** What it has of our journal as a mirror. Rejects if the peer is out of reach. */
  mirrored(): Promise<MirroredEnd>;
}

export interface MirroredEnd {
  /** The newest entry, authenticated; undefined if it has none. */
  readonly end: TimedEnd | undefined;
  /** What it names beyond our journal and does not show; undefined if it shows all. */
  readonly unread: string | undefined;
}

export interface OwnHeadOptions {
  /** The home of this node's key. */
  readonly home: string;
  readonly network: string;
  /** The own store, before anything is written to it. */
  readonly store: Pick<Store, 'head' | 'entries'>;
  readonly peers: readonly OwnHeadPeer[];
  /** How many mirrors must answer, so that one of them has whatever was acknowledged. */
  readonly mustAnswer: number;
  /** Whether entries of this time belong to a journal against which the operator has decided. Epoch ms. */
  readonly isDecided: (time: number) => boolean;
  readonly world: Environment;
  /** How long to wait if no peer answers, ms. */
  readonly aloneMs: number;
  readonly log: (message: string, detail: object) => void;
}

export type OwnHeadOutcome =
  /** No peer answered within `aloneMs`. */
  | { readonly outcome: 'alone' }
  /** The journal is as long as the longest that a reachable peer knows. */
  | { readonly outcome: 'level' }
  /** Writing would start a second journal. The sentence says what to do. */
  | { readonly outcome: 'refused'; readonly why: string }
  /** Likewise, and a peer knows this journal up to an entry that is missing here. */
  | { readonly outcome: 'behind'; readonly why: string; readonly until: JournalHead };

/** Time that the other peers have after the first answer. Peers that are out of reach are not waited for. */
const graceMs = 2_000;
const retryMs = 250;

/** What a peer knows, and this home's key has signed or sealed. */
interface KnownEnd extends TimedEnd {
  readonly peer: OwnHeadPeer;
}

/** Asks the reachable peers. */
export async function askOwnHead(options: OwnHeadOptions): Promise<OwnHeadOutcome> {
  const { peers, store, log, mustAnswer, isDecided } = options;
  if (peers.length === 0 && mustAnswer === 0) return { outcome: 'level' };
  const round = await new Round(options).run();
  const { answered, mirrors } = round;
  if (mirrors < mustAnswer) {
    const why = `${mirrors} mirrors have answered, and ${mustAnswer} must, because one of the others may have a newer entry (SVC_PEER_COPIES)`;
    return { outcome: 'refused', why };
  }
  if (answered === 0) {
    log('no peer answers: it is unknown whether this journal is the newest; the start continues without peers', {
      waitedMs: options.aloneMs,
    });
    return { outcome: 'alone' };
  }
  // The decision is in the own store: so is the whole journal of that time.
  const ends = round.ends.filter(({ time }) => !isDecided(time));
  const why = forkAmong(ends) ?? (await forkOf(store, ends));
  return why === undefined ? aheadOf(await store.head(), ends) : { outcome: 'refused', why };
}

/** One question to all peers, repeated until they have answered or the time is up. */
class Round {
  readonly #ends: KnownEnd[] = [];
  readonly #open: Set<OwnHeadPeer>;
  /** Peers that were out of reach at least once. */
  readonly #failed = new Set<OwnHeadPeer>();
  readonly #over = new AbortController();
  #answered = 0;
  #mirrors = 0;
  #isGraceOver = false;

  constructor(private readonly options: OwnHeadOptions) {
    this.#open = new Set(options.peers);
    // Each peer's question listens to it, and Node takes more than ten listeners for a leak.
    setMaxListeners(0, this.#over.signal);
  }

  /** @returns how many peers, and how many mirrors among them, have answered */
  async run(): Promise<{ readonly answered: number; readonly mirrors: number; readonly ends: readonly KnownEnd[] }> {
    const { world, peers, aloneMs } = this.options;
    const end = world.after(aloneMs, () => this.#over.abort());
    const grace = world.after(Math.min(graceMs, aloneMs), () => {
      this.#isGraceOver = true;
      this.#endIfEnough();
    });
    await new Promise<void>((resolve) => {
      this.#over.signal.addEventListener('abort', () => resolve(), { once: true });
      for (const peer of peers) void this.#ask(peer);
      if (peers.length === 0) this.#over.abort();
    });
    for (const timer of [end, grace]) timer.cancel();
    return { answered: this.#answered, mirrors: this.#mirrors, ends: this.#ends };
  }

  #endIfEnough(): void {
    const isOut = [...this.#open].every((peer) => this.#failed.has(peer));
    const isEnough = this.#answered > 0 && this.#mirrors >= this.options.mustAnswer;
    if (this.#open.size === 0 || (this.#isGraceOver && isEnough && isOut)) this.#over.abort();
  }

  async #ask(peer: OwnHeadPeer): Promise<void> {
    const { signal } = this.#over;
    let checkpoints: readonly unknown[] | undefined;
    while (!signal.aborted) {
      try {
        if (!checkpoints) {
          checkpoints = await peer.end(signal);
          if (signal.aborted) return;
          this.#answered++;
          for (const each of checkpoints) this.#receive(peer, each);
        }
        const { end, unread } = await peer.mirrored();
        if (signal.aborted) return;
        if (end) this.#ends.push({ peer, ...end });
        if (unread !== undefined) throw new UnreadPiece(unread);
        if (peer.isMirror) this.#mirrors++;
        this.#open.delete(peer);
        return this.#endIfEnough();
      } catch (error) {
        if (!this.#failed.has(peer) && !signal.aborted) {
          this.options.log('a peer does not answer what it knows of this journal', {
            peer: peer.did,
            error: messageOf(error),
          });
        }
        this.#failed.add(peer);
        this.#endIfEnough();
      }
      await pause(this.options.world, retryMs);
    }
  }

  /** Needs no trust: a peer can withhold what it knows, but can't forge our signature. */
  #receive(peer: OwnHeadPeer, value: unknown): void {
    const { home, network, log } = this.options;
    const checkpoint = parseForm(checkpointForm, value);
    if (typeof checkpoint !== 'string' && checkpoint.home === home && checkpoint.network === network) {
      if (isSignedCheckpoint(checkpoint)) {
        const { seq, chainHash, time } = checkpoint;
        this.#ends.push({ peer, seq, chainHash, time });
        return;
      }
    }
    log('a peer shows a checkpoint of this home that its key has not signed', { peer: peer.did });
  }
}

/** The mirror has not answered. */
class UnreadPiece extends Error {
  override name = 'UnreadPiece';
}

const forked = ({ peer, seq, time }: KnownEnd): string =>
  `this node's key has signed two journals that differ at entry ${seq} or before it (peer ${peer.did} shows the other one, of ${new Date(time).toISOString()}): ` +
  'another node runs with this key, or has continued from an older backup. Stop it, and agree with the operators of the peers on one of the two journals';

function forkAmong(ends: readonly KnownEnd[]): string | undefined {
  for (const [index, one] of ends.entries()) {
    const other = ends.slice(index + 1).find(({ seq, chainHash }) => seq === one.seq && chainHash !== one.chainHash);
    if (other) return forked(other);
  }
  return undefined;
}

/** Whether what a peer knows contradicts this journal. */
async function forkOf(store: OwnHeadOptions['store'], ends: readonly KnownEnd[]): Promise<string | undefined> {
  for (const end of ends) {
    const own = await chainHashAt(store, end.seq);
    if (own !== undefined && own !== end.chainHash) return forked(end);
  }
  return undefined;
}

/** Whether a peer knows a longer journal. */
function aheadOf({ seq }: JournalHead, ends: readonly KnownEnd[]): OwnHeadOutcome {
  const longest = ends.filter((end) => end.seq > seq).toSorted((one, other) => other.seq - one.seq)[0];
  if (!longest) return { outcome: 'level' };
  const why = `the peer ${longest.peer.did} knows this journal up to entry ${longest.seq}, and here it ends at entry ${seq}. Writing would make a second journal: restore a newer backup`;
  return { outcome: 'behind', why, until: longest };
}
