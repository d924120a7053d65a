/**
 * One peer: the follower of its feed with the replica, the exchange of checkpoints with it, and its view for operators.
 */
import { peerBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { Signer } from '../../keys/signing.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import type { Replicas } from '../../store/replicas.js';
import type { Store } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import { type Checkpoint, signCopy } from '../checkpoint.js';
import type { Equivocations } from '../equivocation.js';
import { EarlyChecks } from '../feed/early-checks.js';
import { FeedFollower } from '../feed/feed-follower.js';
import type { FeedStop } from '../feed/feed-stop.js';
import type { KnownHeads } from '../known-heads.js';
import { type FeedEntry, Replica, type TextChecks } from '../replica/replica.js';
import type { PeerTransport } from '../transport/transport.js';
import type { PeerMember } from './membership.js';
import { NewsExchange } from './news-exchange.js';
import { PeerLink } from './peer-link.js';
import { dropStop, keepStop, keptStop } from './stops.js';

/** What all peers of a node share. */
export interface PeerParts {
  readonly network: string;
  readonly world: Environment;
  readonly catalogue: Catalogue;
  readonly transport: PeerTransport;
  /** The own store, for records that are not part of the journal. */
  readonly store: Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>;
  readonly replicas: Replicas;
  readonly signer: Signer;
  readonly heads: KnownHeads;
  readonly equivocations: Equivocations;
  readonly verifySignatures: TextChecks | undefined;
  readonly hasRoom: () => boolean;
  /** Number of peers. */
  readonly peers: () => number;
  /** Called when entries of a home are adopted, durable and readable. */
  readonly onAdopted: (home: Did, entries: readonly FeedEntry[]) => void;
  /** Called when a replica was opened or closed. */
  readonly onReplica: () => void;
  readonly log: (message: string, detail: object) => void;
}

export class FollowedPeer {
  readonly link: PeerLink;
  readonly exchange: NewsExchange;
  #follower: FeedFollower | undefined;
  #store: Store | undefined;
  /** Whether the store has failed and must be opened again before a write. */
  #hasFailed = false;
  #wantsCopies = false;
  readonly #retries: Allowance;

  private constructor(
    readonly did: Did,
    private readonly parts: PeerParts,
    member: PeerMember,
  ) {
    const { transport, world, heads, peers } = parts;
    this.#retries = new Allowance(world, 1_000 / peerBounds.reconnectLongestMs, 1);
    this.link = new PeerLink(transport, world, member);
    this.exchange = new NewsExchange({
      ...{ link: this.link, heads, world, peers },
      onOwnHead: (checkpoint) => heads.receive(checkpoint, this.did),
    });
  }

  /** Opens its replica for reading. Following begins with `start`. */
  static async open(parts: PeerParts, member: PeerMember): Promise<FollowedPeer> {
    const peer = new FollowedPeer(member.did, parts, member);
    try {
      await peer.#opened();
    } catch (error) {
      // The follower tries again; the other peers must not wait for it.
      parts.log('the copy of a feed cannot be opened', { home: member.did, error: messageOf(error) });
    }
    peer.#follower = peer.#followerWith(await keptStop(parts.store, member.did));
    return peer;
  }

  get follower(): FeedFollower {
    return this.#follower!;
  }

  /** The replica; undefined while it cannot be opened. */
  get store(): Store | undefined {
    return this.#store;
  }

  start(): void {
    this.follower.start();
    this.exchange.start();
  }

  /**
   * Call when the peer has connected to this node, and so can probably be reached: connects to it now. Only once per
   * interval, because two nodes whose attempts fail would otherwise wake each other without end.
   */
  connected(): void {
    if (!this.#retries.take()) return;
    this.follower.retry();
    this.exchange.retry();
  }

  /** Continues after a stop, by an operator's decision. */
  async resume(): Promise<void> {
    await dropStop(this.parts.store, this.did);
    this.follower.resume();
  }

  /** Call when a checkpoint covers what is on disk. Sends the home a signed copy if it waits for one. */
  covered({ seq, chainHash }: Checkpoint): void {
    if (!this.#wantsCopies) return;
    this.parts.heads.news.copied(signCopy(this.parts.signer, this.did, { seq, chainHash }));
    this.exchange.wake();
  }

  /** Ends everything and closes the replica. */
  async close(): Promise<void> {
    this.link.close();
    await Promise.all([this.follower.close(), this.exchange.stop()]);
    await this.#store?.close();
    this.#store = undefined;
    this.parts.onReplica();
  }

  /** Deletes the replica, and follows the feed again from the first entry. */
  async followAnew(): Promise<void> {
    const { replicas, store } = this.parts;
    await this.follower.close();
    await this.#store?.close();
    this.#store = undefined;
    this.parts.onReplica();
    await replicas.forget(this.did);
    await dropStop(store, this.did);
    await this.#opened();
    this.#follower = this.#followerWith(undefined);
    this.follower.start();
  }

  #followerWith(stop: FeedStop | undefined): FeedFollower {
    const { network, world, catalogue, heads, equivocations, verifySignatures, hasRoom, store, log, onAdopted } =
      this.parts;
    const { did } = this;
    const checks = new EarlyChecks(verifySignatures);
    let isFirst = true;
    return new FeedFollower({
      ...{ home: did, network, world, heads, hasRoom, checks, stop, log },
      dial: () => {
        const connection = isFirst ? this.link.connection : this.link.next();
        isFirst = false;
        return connection;
      },
      openReplica: async () => {
        const opened = await this.#opened();
        this.#hasFailed = true; // A second call means that the store has failed; `#opened` then opens a new one.
        return Replica.open({ store: opened, home: did, network, catalogue, world, verifySignatures: checks.of });
      },
      accepted: () => {
        const found = equivocations.of(did);
        return found?.accepted && { seq: found.proof.first.seq, chainHash: found.accepted.chainHash };
      },
      onEnd: ({ copy }) => {
        this.#wantsCopies = copy === true;
      },
      onAdopted: (entries) => onAdopted(did, entries),
      onStop: (found) => {
        keepStop(store, did, found).catch((error: unknown) => {
          log('why a feed has stopped is not on disk', { home: did, error: messageOf(error) });
        });
      },
    });
  }

  async #opened(): Promise<Store> {
    const { replicas, heads, onReplica } = this.parts;
    if (this.#hasFailed) await this.#store?.close().catch(() => {});
    if (this.#hasFailed) this.#store = undefined;
    this.#hasFailed = false;
    if (!this.#store) {
      this.#store = await replicas.open(this.did, 'write');
      onReplica();
      // Loads the stored checkpoint, so that reads have an `asOf` before any peer answers.
      await heads.advanced(this.did);
    }
    return this.#store;
  }
}
