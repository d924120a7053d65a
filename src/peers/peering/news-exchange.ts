/** Sends one peer what is new to it: checkpoints of other homes, and proofs of equivocation. */
import { Background } from '../../core/background.js';
import { feedBounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import type { KnownHeads } from '../known-heads.js';
import { Reconnection } from '../transport/reconnection.js';
import { askedHead } from './own-head-peer.js';
import type { PeerLink } from './peer-link.js';

export interface NewsExchangeOptions {
  readonly link: PeerLink;
  readonly heads: Pick<KnownHeads, 'news' | 'dropPeer'>;
  readonly world: Environment;
  /** Number of peers of this node. */
  readonly peers: () => number;
  /** Takes the newest checkpoints of our own journal that the peer knows. */
  readonly onOwnHead: (checkpoint: unknown) => void;
}

export class NewsExchange {
  readonly #rounds: Background;
  readonly #reconnection: Reconnection;
  /** When the last message was sent to the peer, monotonic ms. */
  #spokeAt = Number.NEGATIVE_INFINITY;
  #isReached = false;

  constructor(private readonly options: NewsExchangeOptions) {
    const { world } = options;
    this.#reconnection = new Reconnection(world);
    // Failures are not logged here: the follower of the same peer logs what is wrong with the connection.
    this.#rounds = new Background({ world, onFailure: () => {}, round: () => this.#round() });
  }

  start(): void {
    this.#rounds.start();
  }

  /** Sends soon instead of at the next interval: there is a proof. */
  wake(): void {
    this.#rounds.wake(feedBounds.gatherMs);
  }

  /** Connects again now, if it waits for the next attempt. */
  retry(): void {
    if (!this.#isReached) this.#rounds.wake();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #round(): Promise<number> {
    const { link, heads, world } = this.options;
    const { did } = link.member;
    const news = heads.news.for(did);
    if (!news && world.monotonic() - this.#spokeAt < feedBounds.greetMs) return this.#restMs();
    try {
      const { status } = await link.request('POST', '/news', { body: JSON.stringify(news?.message ?? {}) });
      if (status !== 204) return this.#lost();
      news?.delivered();
      this.#spokeAt = world.monotonic();
      if (!this.#isReached) await this.#reached();
      return this.#restMs();
    } catch {
      return this.#lost();
    }
  }

  /**
   * With many peers each is sent news less often, at random times. All together still get as many messages a second, so a
   * second journal is soon found by one of them, and its proof does not wait for this time.
   */
  #restMs(): number {
    const { peers, world } = this.options;
    const turns = Math.ceil(peers() / feedBounds.newsPeers);
    if (turns <= 1) return feedBounds.newsMs;
    const [random] = world.random(1) as Uint8Array & [number];
    return feedBounds.newsMs * turns * (0.5 + random / 256);
  }

  /**
   * Asks for our own head: a peer that was out of reach at the start may know that another journal with this node's key
   * is longer.
   */
  async #reached(): Promise<void> {
    const { link, onOwnHead } = this.options;
    for (const each of await askedHead(link)) onOwnHead(each);
    this.#reconnection.connected();
    this.#isReached = true;
  }

  /** Forgets what was delivered: the peer may have been restarted, and receives everything again. */
  #lost(): number {
    const { link, heads } = this.options;
    if (this.#isReached) heads.dropPeer(link.member.did);
    this.#isReached = false;
    return this.#reconnection.lost();
  }
}
