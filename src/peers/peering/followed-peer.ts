/** One peer: the follower of its feed, and the exchange of checkpoints with it. */
import { peerBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { JournalHead, Store } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import type { Equivocations } from '../equivocation.js';
import type { ChainLink } from '../feed/feed-batch.js';
import { FeedFollower, type ShowOutcome } from '../feed/feed-follower.js';
import type { FeedStop } from '../feed/feed-stop.js';
import { FollowedChain } from '../followed-chain.js';
import type { KnownHeads } from '../known-heads.js';
import type { PeerTransport } from '../transport/transport.js';
import type { KnownNetworks } from './known-networks.js';
import type { PeerMember } from './membership.js';
import { NewsExchange } from './news-exchange.js';
import { PeerLink } from './peer-link.js';
import { dropStop, keepStop, keptStop } from './stops.js';

/** What all peers of a node share. */
export interface PeerParts {
  readonly network: string;
  readonly world: Environment;
  readonly transport: PeerTransport;
  /** The own store, for records that are not part of the journal. */
  readonly store: Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>;
  readonly heads: KnownHeads;
  readonly equivocations: Equivocations;
  readonly networks: KnownNetworks;
  readonly hasRoom: () => boolean;
  /** Where cards are kept; absent: nowhere. */
  readonly cards: PeerCards | undefined;
  /** Number of peers. */
  readonly peers: () => number;
  readonly log: (message: string, detail: object) => void;
}

export interface PeerCards {
  cursor(home: Did): JournalHead;
  show(home: Did, links: readonly ChainLink[]): Promise<ShowOutcome>;
}

export class FollowedPeer {
  readonly link: PeerLink;
  readonly exchange: NewsExchange;
  #follower: FeedFollower;
  readonly #retries: Allowance;

  private constructor(
    readonly did: Did,
    private readonly parts: PeerParts,
    { member, chain, stop }: { member: PeerMember; chain: FollowedChain; stop: FeedStop | undefined },
  ) {
    const { transport, world, heads, peers } = parts;
    this.chain = chain;
    this.#retries = new Allowance(world, 1_000 / peerBounds.reconnectLongestMs, 1);
    this.link = new PeerLink(transport, world, member, (address) => parts.networks.add(did, address));
    this.exchange = new NewsExchange({
      ...{ link: this.link, heads, world, peers },
      onOwnHead: (checkpoint) => heads.receive(checkpoint, this.did),
    });
    this.#follower = this.#followerWith(stop);
  }

  readonly chain: FollowedChain;

  /** Following begins with `start`. */
  static async open(parts: PeerParts, member: PeerMember): Promise<FollowedPeer> {
    const { store, network, cards } = parts;
    const chain = await FollowedChain.open(store, member.did, network, cards?.cursor(member.did));
    return new FollowedPeer(member.did, parts, { member, chain, stop: await keptStop(store, member.did) });
  }

  get follower(): FeedFollower {
    return this.#follower;
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

  async close(): Promise<void> {
    this.link.close();
    await Promise.all([this.follower.close(), this.exchange.stop()]);
  }

  /** Ends the reading of the feed, until `readAgain`, and forgets how far it was followed. */
  async forget(): Promise<void> {
    await this.follower.close();
    await this.chain.forget();
    await dropStop(this.parts.store, this.did);
    this.#follower = this.#followerWith(undefined);
  }

  /** Ends the reading of the feed, until `readAgain`. */
  pause(): Promise<void> {
    return this.follower.close();
  }

  /** Reads the feed again from the first entry, for an index of cards that has nothing of it. */
  readAgain(): void {
    this.chain.readAgain();
    this.#follower = this.#followerWith(this.follower.state.stop);
    this.follower.start();
  }

  #followerWith(stop: FeedStop | undefined): FeedFollower {
    const { network, world, heads, equivocations, hasRoom, store, log, cards } = this.parts;
    const { did, chain } = this;
    return new FeedFollower({
      ...{ home: did, network, world, chain, heads, hasRoom, stop, log },
      link: this.link,
      accepted: () => {
        const found = equivocations.of(did);
        return found?.accepted && { seq: found.proof.first.seq, chainHash: found.accepted.chainHash };
      },
      ...(cards ? { show: (links) => cards.show(did, links) } : {}),
      onStop: (found) => {
        keepStop(store, did, found).catch((error: unknown) => {
          log('why a feed has stopped is not on disk', { home: did, error: messageOf(error) });
        });
      },
    });
  }
}
