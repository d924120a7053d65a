/** All peers of a node: membership, the feeds that it follows, its own feed, and what may be written (docs/reference/feeds.md). */
import { actBounds, bounds, servedActBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Multiaddr } from '../../core/codecs/multiaddr.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { Feed } from '../../core/feed.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { clockGap } from '../../core/span-text.js';
import type { Signer } from '../../keys/signing.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import type { NumberedEntry } from '../../store/entry.js';
import { type JournalHead, type Store, StoreRefused } from '../../store/store.js';
import { type CardFile, CardIndex } from '../cards/card-index.js';
import { CardSource } from '../cards/card-source.js';
import type { ForeignCards } from '../cards/foreign-cards.js';
import { Equivocations } from '../equivocation.js';
import { FeedServer } from '../feed/feed-server.js';
import { OwnCheckpoints } from '../feed/own-checkpoints.js';
import { FollowedChain, forgetChain } from '../followed-chain.js';
import { chainHashAt, KnownHeads } from '../known-heads.js';
import { MirrorKeeper } from '../mirrors/mirror-keeper.js';
import { MirrorLink, mirrorHandlers } from '../mirrors/mirror-requests.js';
import { restoreFromMirrors } from '../mirrors/mirrored-journal.js';
import { Mirrors } from '../mirrors/mirrors.js';
import { PieceCipher } from '../mirrors/piece.js';
import { askOwnHead, type OwnHeadOutcome } from '../own-head.js';
import type { PeerAddress, PeerListener, PeerTransport } from '../transport/transport.js';
import type { ForeignViews, ShowView } from '../views/foreign-views.js';
import { ViewRequests } from '../views/view-requests.js';
import { ViewServer } from '../views/view-server.js';
import { evidenceOf, type PeerEvidence } from './evidence.js';
import { FollowedPeer, type PeerParts } from './followed-peer.js';
import { KnownNetworks } from './known-networks.js';
import { Membership, type PeerMember } from './membership.js';
import { ownHeadPeer } from './own-head-peer.js';
import { peerService, type ShownViews } from './peer-requests.js';
import { type PeerView, peerView } from './peer-view.js';
import { dropStop, keptStop } from './stops.js';

export interface PeeringOptions {
  readonly transport: PeerTransport;
  /** The home's own key. */
  readonly signer: Signer;
  readonly network: string;
  readonly world: Environment;
  /** The own store. */
  readonly store: Store;
  /** Addresses on which peers reach this node. If empty, the node only follows. */
  readonly listen: readonly Multiaddr[];
  readonly peers: readonly PeerAddress[];
  /** How long a start waits if no peer answers, ms. */
  readonly aloneMs: number;
  /** Where the cards of other homes are kept, and what the own feed shows; absent: feeds have hashes alone. */
  readonly cards?: { readonly catalogue: Catalogue; readonly file: CardFile } | undefined;
  /** False while the disk is nearly full. */
  readonly hasRoom: () => boolean;
  readonly mirrors: {
    /** Where the pieces of other homes are kept. */
    readonly dir: string;
    /** False while the disk has no room for them. */
    readonly hasRoom: () => boolean;
    /** How many mirrors must have an entry on disk before its write is answered. */
    readonly copies: number;
  };
  readonly log: (message: string, detail: object) => void;
}

/** What is kept over restarts. */
interface KeptByPeering {
  readonly membership: Membership;
  readonly equivocations: Equivocations;
  readonly networks: KnownNetworks;
  /** Undefined where cards are not kept. */
  readonly cards: CardIndex | undefined;
  readonly keeper: MirrorKeeper;
}

/** Why nothing may be written: a peer has entries of this home that this journal does not have. */
interface OwnConflict {
  /** `ahead`: a longer journal; `fork`: another one. */
  readonly what: 'ahead' | 'fork';
  readonly seq: number;
  readonly from: string;
}

export class Peering {
  readonly #peers = new Map<Did, FollowedPeer>();
  readonly checkpoints: OwnCheckpoints;
  readonly #parts: PeerParts;
  #listener: PeerListener | undefined;
  #server: FeedServer | undefined;
  #shown: ShownViews | undefined;
  readonly #cipher: PieceCipher;
  #mirrors!: Mirrors;
  #conflict: OwnConflict | undefined;
  /** Tail of the queue of membership changes, which run one at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly options: PeeringOptions,
    private readonly kept: KeptByPeering,
  ) {
    const { signer, network, world, store, transport, hasRoom, log } = options;
    const { equivocations, networks, membership, cards } = kept;
    const heads = new KnownHeads({
      ...{ own: signer.did, network, world, equivocations, log },
      follows: (home) => membership.has(home),
      chainOf: (home) => this.#peers.get(home as Did)?.chain,
      ownJournal: () => this.#server && store,
      onOwnConflict: ({ what, checkpoint: { seq }, from }) => this.#contradicted({ what, seq, from }),
    });
    this.#cipher = new PieceCipher(signer, network, world.random);
    this.checkpoints = new OwnCheckpoints({ signer, network, world, onSigned: (each) => heads.signed(each) });
    this.#parts = {
      ...{ network, world, transport, store, heads, equivocations, networks, hasRoom, log, cards },
      peers: () => this.#peers.size,
    };
    equivocations.listen(({ proof: { first }, accepted }) => {
      if (!accepted) this.#peers.get(first.home)?.follower.interrupt();
      for (const { exchange } of this.#peers.values()) exchange.wake();
    });
  }

  get equivocations(): Equivocations {
    return this.kept.equivocations;
  }

  /** Reads how far each feed was followed, and listens. Rejects with a PeerError `listening`, or as the store does. */
  static async open(options: PeeringOptions): Promise<Peering> {
    const { store, log, hasRoom, world, signer, peers, mirrors } = options;
    const membership = await Membership.open(store, signer.did, peers);
    const peering: Peering = new Peering(options, {
      membership,
      equivocations: await Equivocations.open({ store, world, log, hasRoom }),
      networks: await KnownNetworks.open({ store, hasRoom, log }),
      cards: await openIndex(options, membership, () => void peering.#alone(() => peering.#readAgain())),
      keeper: await MirrorKeeper.open({ ...mirrors, store, world }),
    });
    peering.#mirrors = await peering.#openMirrors();
    try {
      for (const member of membership.all()) await peering.#openPeer(member);
      await peering.#listen();
    } catch (error) {
      await peering.close();
      throw error;
    }
    return peering;
  }

  /** Whether entries of this time belong to a journal of this home against which its operator has decided. */
  #isDecided = (time: number): boolean => {
    const { equivocations } = this.kept;
    const { did } = this.options.signer;
    return equivocations.of(did)?.accepted !== undefined && equivocations.isKnown(did, time);
  };

  #openMirrors(): Promise<Mirrors> {
    const { store, world, log, mirrors } = this.options;
    return Mirrors.open({
      ...{ store, world, log, cipher: this.#cipher, copies: mirrors.copies },
      linkTo: (did) => this.#mirrorLink(did),
      isDecided: this.#isDecided,
      onOther: (what, seq, from) => this.#contradicted({ what, seq, from }),
    });
  }

  #mirrorLink(did: Did): MirrorLink | undefined {
    const peer = this.#peers.get(did);
    const { world } = this.options;
    return peer && new MirrorLink({ did, link: peer.link, cipher: this.#cipher, world });
  }

  /** Asks the peers for this home's own head. Must be called before anything is written to the own store. */
  async askOwnHead(): Promise<OwnHeadOutcome> {
    const { signer, network, store, world, aloneMs, log } = this.options;
    const { mustAnswer } = this.#mirrors;
    const { seq } = await store.head();
    const peers = [...this.#peers.values()].map(({ did, link }) => {
      const mirror = this.#mirrorLink(did)!;
      return ownHeadPeer(link, { isMirror: this.#mirrors.has(did), mirrored: () => mirror.newest(seq) });
    });
    const isDecided = this.#isDecided;
    return askOwnHead({ home: signer.did, network, store, peers, mustAnswer, isDecided, world, aloneMs, log });
  }

  /**
   * Takes the entries that the own store lacks back from the peers that are its mirrors. Must be called before anything else
   * is written to the own store.
   * @param until an entry that a peer has shown
   * @throws StoreRefused if the mirrors do not lead there: the sentence says what is missing
   */
  async restore(until: JournalHead, catalogue: Catalogue): Promise<void> {
    const { store, network, world, log } = this.options;
    if (store.shared) throw new StoreRefused('a MongoDB database is not restored from mirrors');
    const mirrors = [...this.#peers.keys()]
      .toSorted((one, other) => Number(this.#mirrors.has(other)) - Number(this.#mirrors.has(one)))
      .map((did) => this.#mirrorLink(did)!);
    await restoreFromMirrors({ store, network, world, log, catalogue, mirrors, cipher: this.#cipher }, until);
  }

  /** The clocks of the peers that have answered, minus this one, ms. */
  get clocks(): readonly number[] {
    return [...this.#peers.values()].flatMap(({ link: { clockAheadMs } }) => clockAheadMs ?? []);
  }

  /** Serves the own journal from now on, and follows the peers. @param feed its head is on disk */
  serve(feed: Feed): void {
    const { store, world, cards } = this.options;
    const shown = cards && new CardSource({ catalogue: cards.catalogue, store });
    const copied = this.#mirrors.serve(feed);
    this.#server = new FeedServer({ store, world, feed: copied, checkpoints: this.checkpoints, cards: shown });
    void this.#parts.heads.ownJournalKnown();
    for (const peer of this.#peers.values()) peer.start();
  }

  /** Waits until enough mirrors have an entry; see Mirrors. */
  copied(entry: NumberedEntry): Promise<Refusal | undefined> {
    return this.#mirrors.copied(entry);
  }

  /** Call when an entry of the own journal is on disk. */
  committed(entry: NumberedEntry): void {
    this.#server?.committed(entry);
  }

  /** The addresses on which peers reach this node, with the real ports. */
  get addresses(): readonly PeerAddress[] {
    return this.#listener?.addresses ?? [];
  }

  /** What the other homes have shown. */
  get cards(): ForeignCards {
    const homes = () => this.#sorted().map(({ did, follower }) => ({ home: did, asOf: follower.state.asOf }));
    return { index: this.kept.cards?.reader, homes };
  }

  /** Asks the other homes. */
  get foreignViews(): ForeignViews {
    const { world } = this.options;
    const [views, acts] = [new ViewRequests(world), new ViewRequests(world, actBounds)];
    return {
      ask: async (home, path, signal, sent) => {
        const peer = this.#peers.get(home as Did);
        return peer
          ? (sent && !sent.isView ? acts : views).ask(peer.link, path, signal, sent)
          : refuse('SERVICE_UNAVAILABLE', `the home ${home} is a peer no more`);
      },
      followed: (home) => this.#peers.get(home as Did)?.chain,
    };
  }

  /** Answers peers that ask for public views from now on. */
  show(view: ShowView): void {
    const { world } = this.options;
    this.#shown = { views: new ViewServer(world, view), acts: new ViewServer(world, view, servedActBounds) };
  }

  /** Tokens of a home that this node takes in at most, for as many here (docs/reference/other-homes.md#tokens-between-homes). */
  get limits(): ReadonlyMap<string, number> {
    return this.kept.membership.limits;
  }

  get peerId(): string {
    return this.options.transport.peerId;
  }

  /** All peers, in order of their DIDs. */
  views(): readonly PeerView[] {
    const inbound = this.#listener?.connections() ?? [];
    const from = { now: this.options.world.now(), inbound, equivocations: this.kept.equivocations };
    return this.#sorted().map((peer) => {
      const { mirrored } = this.#mirrors.of(peer.did) ?? {};
      const kept = this.kept.keeper.bytesOf(peer.did);
      return {
        ...peerView(peer, from),
        limit: this.limits.get(peer.did) ?? 0,
        ...(mirrored === undefined ? {} : { mirrored }),
        ...(kept === undefined ? {} : { kept }),
      };
    });
  }

  /**
   * Whether every connected feed is followed up to what its home has announced. A feed to which the node connects for the
   * first time since its start counts as connected.
   */
  get isSynced(): boolean {
    return [...this.#peers.values()].every(({ follower: { state } }) => {
      const isConnecting = state.status === 'unreachable' && state.error === undefined;
      return state.status !== 'behind' && !isConnecting;
    });
  }

  /** Problems that need an operator's attention, as sentences. */
  problems(): readonly string[] {
    const found: string[] = [];
    for (const { did, follower } of this.#sorted()) {
      const { clockAheadMs = 0, status, stop } = follower.state;
      if (Math.abs(clockAheadMs) > bounds.clockSkewMs) {
        found.push(`the clock of ${did} is ${clockGap(clockAheadMs)} this one`);
      }
      if (status === 'forked') found.push(`${did} has signed two journals: the node no longer follows it`);
      else if (stop)
        found.push(`the node no longer follows ${did}: its line for entry ${stop.seq} is bad: ${stop.what}`);
      const problem = this.#mirrors.of(did)?.problem;
      if (problem !== undefined) found.push(`the mirror ${did} ${problem}`);
    }
    return found;
  }

  /** Why nothing may be written; undefined while it may. */
  refusal(): Refusal | undefined {
    if (!this.#conflict) return this.#mirrors.refusal();
    const { what, seq, from } = this.#conflict;
    const [seen, end] =
      what === 'ahead'
        ? ['knows a longer', 'a newer backup is restored']
        : ['knows another', 'its operator has decided between the two (svc-node peers accept)'];
    return refuse(
      'SERVICE_UNAVAILABLE',
      `the peer ${from} ${seen} journal of this home (entry ${seq}): nothing is written before ${end}`,
      { retryAfter: 60 },
    );
  }

  /** Counters since the start. */
  counts(): {
    readonly sent: number;
    readonly inbound: ReturnType<PeerListener['counts']> | undefined;
    readonly heard: KnownHeads['counts'];
  } {
    return {
      ...{ sent: this.#server?.sent ?? 0, inbound: this.#listener?.counts(), heard: this.#parts.heads.counts },
    };
  }

  /** Adds a peer, or an address of one. A peer that has stopped is followed again from where it stopped. */
  add(address: PeerAddress): Promise<PeerMember | Refusal> {
    return this.#alone(async () => {
      const member = await this.kept.membership.add(address);
      if (isRefusal(member)) return member;
      const known = this.#peers.get(member.did);
      if (known) {
        known.link.moved(member);
        await known.resume();
      } else (await this.#openPeer(member)).start();
      this.#mirrors.begin(member.did);
      return member;
    });
  }

  /** Stops following the peer and closes its connections. How far it was followed stays known. */
  remove(did: Did): Promise<Refusal | undefined> {
    return this.#alone(async () => {
      const refusal = await this.kept.membership.remove(did);
      if (refusal) return refusal;
      const peer = this.#peers.get(did);
      this.#peers.delete(did);
      this.#listener?.disconnect(did);
      await Promise.all([this.#mirrors.remove(did), peer?.close()]);
      this.#parts.heads.forget(did);
      await this.kept.networks.forget(did);
      await this.#readAgain();
      return undefined;
    });
  }

  /** Sets a limit. */
  limit(did: Did, tokens: number): Promise<Refusal | undefined> {
    return this.#alone(() => this.kept.membership.limit(did, tokens));
  }

  /** Makes a peer a mirror of this journal, or ends that. */
  mirror(did: Did, isMirror: boolean): Promise<Refusal | undefined> {
    return this.#alone(async () => {
      if (!isMirror) {
        const wasMirror = await this.#mirrors.remove(did);
        return wasMirror ? undefined : refuse('NOT_FOUND', `${did} is not a mirror of this node`);
      }
      if (this.options.store.shared) {
        return refuse('UNPROCESSABLE', 'only the embedded store has mirrors: MongoDB has replica sets');
      }
      return this.#unlessStranger(did) ?? this.#mirrors.add(did);
    });
  }

  /** Keeps the journal of a peer as its mirror, or deletes what is kept. */
  keep(did: Did, isKept: boolean): Promise<Refusal | undefined> {
    const { keeper } = this.kept;
    return this.#alone(async () => (isKept ? (this.#unlessStranger(did) ?? keeper.add(did)) : keeper.remove(did)));
  }

  #unlessStranger(did: Did): Refusal | undefined {
    return this.#peers.has(did) ? undefined : refuse('NOT_FOUND', `${did} is not a peer of this node`);
  }

  /** Forgets how far a home was followed. If it is still a peer, it is followed again from its first entry. */
  forget(did: Did): Promise<Refusal | undefined> {
    return this.#alone(async () => {
      const peer = this.#peers.get(did);
      if (peer) {
        await this.#followAnew(peer);
        return undefined;
      }
      const { store } = this.options;
      const wasKnown = [await forgetChain(store, did), await dropStop(store, did)].includes(true);
      return wasKnown ? undefined : refuse('NOT_FOUND', `nothing is known of ${did}`);
    });
  }

  /**
   * Accepts one of a home's two journals; if the other one was followed, this one is followed from its first entry. Of the
   * own home's two, only the local one can be accepted: writes then continue.
   */
  accept(did: Did, chainHash: string): Promise<Refusal | undefined> {
    return this.#alone(async () => {
      if (did === this.options.signer.did) return this.#acceptOwn(chainHash);
      const found = await this.kept.equivocations.accept(did, chainHash);
      if (isRefusal(found)) return found;
      const peer = this.#peers.get(did);
      if (!peer) return undefined;
      const { seq } = found.proof.first;
      if (peer.chain.head.seq < seq || peer.chain.chainHashAt(seq) === chainHash) await peer.resume();
      else await this.#followAnew(peer);
      return undefined;
    });
  }

  async #followAnew(peer: FollowedPeer): Promise<void> {
    this.#parts.heads.forget(peer.did);
    await peer.forget();
    if (this.kept.cards) await this.#readAgain();
    else peer.readAgain();
  }

  /** Begins the index of cards again, because it has cards that are kept no more, or has lost some. */
  async #readAgain(): Promise<void> {
    const { cards } = this.kept;
    if (!cards) return;
    const peers = [...this.#peers.values()];
    await Promise.all(peers.map((peer) => peer.pause()));
    await cards.reset();
    for (const peer of peers) peer.readAgain();
  }

  async #acceptOwn(chainHash: string): Promise<Refusal | undefined> {
    const { store, signer } = this.options;
    const proof = this.kept.equivocations.of(signer.did)?.proof;
    const local = proof && (await chainHashAt(store, proof.first.seq));
    if (proof && local !== chainHash) {
      return refuse(
        'CONFLICT',
        `entry ${proof.first.seq} of this node's own journal is ${local ?? 'missing'}: to continue with ${chainHash}, restore a backup that has it`,
      );
    }
    const found = await this.kept.equivocations.accept(signer.did, chainHash);
    if (isRefusal(found)) return found;
    if (this.#conflict?.what === 'fork') this.#conflict = undefined;
    return undefined;
  }

  /** The evidence against a home: a proof of two journals, or the bad line at which its feed has stopped. */
  async evidence(did: Did): Promise<PeerEvidence | undefined> {
    const peer = this.#peers.get(did);
    const stop = peer ? peer.follower.state.stop : await keptStop(this.options.store, did);
    return evidenceOf(did, this.kept.equivocations.of(did), stop);
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#listener?.close();
    // The requests of the mirrors end with the connections of the peers.
    const closing = this.#mirrors?.close();
    await Promise.all([closing, ...[...this.#peers.values()].map((peer) => peer.close())]);
    await this.options.transport.close();
    await this.kept.equivocations.stop();
    await this.kept.cards?.close();
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Peers receive the stored checkpoint, so that a home that has lost its newest entries learns of them after a restart. */
  async #openPeer(member: PeerMember): Promise<FollowedPeer> {
    const peer = await FollowedPeer.open(this.#parts, member);
    this.#peers.set(member.did, peer);
    if (peer.chain.checkpoint) this.#parts.heads.followed(peer.chain.checkpoint);
    return peer;
  }

  async #listen(): Promise<void> {
    const { listen, transport, log } = this.options;
    if (listen.length === 0) return;
    this.#listener = await transport.listen(
      listen,
      peerService({
        isMember: (did) => this.kept.membership.has(did),
        isKnown: (address) => this.kept.networks.has(address),
        onConnected: (did, address) => {
          this.kept.networks.add(did, address);
          this.#peers.get(did)?.connected();
          this.#mirrors.of(did)?.connected();
        },
        ...{ heads: this.#parts.heads, feed: () => this.#server, views: () => this.#shown },
        followed: (home) => this.#peers.get(home)?.chain.checkpoint,
        further: mirrorHandlers(this.kept.keeper),
        now: () => this.options.world.now(),
        onFault: (error) => log('a request of a peer has failed', { error: String(error) }),
      }),
    );
  }

  #sorted(): FollowedPeer[] {
    return [...this.#peers.values()].sort((one, other) => (one.did < other.did ? -1 : 1));
  }

  #contradicted(conflict: OwnConflict): void {
    if (this.#conflict) return;
    this.#conflict = conflict;
    this.options.log('a peer knows another journal of this home: the node stops writing', { ...conflict });
  }
}

/** A node whose index cannot be opened follows its peers without cards. */
async function openIndex(
  { cards, network, world, store, log }: PeeringOptions,
  membership: Membership,
  onLost: () => void,
): Promise<CardIndex | undefined> {
  // After a crash, or where only the store was restored, the index may have cards of a journal that its home has lost since.
  const isFollowed = async (home: string, { seq, chainHash }: JournalHead): Promise<boolean> => {
    if (!membership.has(home as Did)) return false;
    const { head } = await FollowedChain.open(store, home as Did, network);
    return seq < head.seq || (seq === head.seq && chainHash === head.chainHash);
  };
  try {
    return cards && (await CardIndex.open({ ...cards, network, world, onLost, log }, isFollowed));
  } catch (error) {
    log('listings of other homes are not found: their index cannot be opened', { error: messageOf(error) });
    return undefined;
  }
}
