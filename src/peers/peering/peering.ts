import type { Did } from '../../core/codecs/did.js';
import type { Multiaddr } from '../../core/codecs/multiaddr.js';
import type { Environment } from '../../core/environment.js';
import type { Feed } from '../../core/feed.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { Signer } from '../../keys/signing.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { Replicas } from '../../store/replicas.js';
import type { Store } from '../../store/store.js';
import { ContentServer } from '../contents/content-server.js';
import { chainHashAt } from '../covers.js';
import { Equivocations } from '../equivocation.js';
import { FeedServer } from '../feed/feed-server.js';
import { OwnCheckpoints } from '../feed/own-checkpoints.js';
import { KnownHeads, type OwnHeadConflict } from '../known-heads.js';
import { MovedDids } from '../moved-dids.js';
import { catchUpOwnHead, type OwnHeadOutcome } from '../own-head.js';
import type { ForeignHome, ForeignHomes } from '../reading/foreign.js';
import type { FeedEntry, TextChecks } from '../replica/replica.js';
import { tagOf } from '../tag.js';
import { type PeerAccount, peerAccount } from '../trade/accounts.js';
import { type TradeLimit, TradeLimits } from '../trade/limits.js';
import type { PeerAddress, PeerListener, PeerTransport } from '../transport/transport.js';
import { Copies } from './copies.js';
import { evidenceOf, type PeerEvidence } from './evidence.js';
import { FollowedPeer, type PeerParts } from './followed-peer.js';
import { Membership, type PeerMember } from './membership.js';
import { ownHeadPeer } from './own-head-peer.js';
import { peerService } from './peer-requests.js';
import { type PeerView, peerView } from './peer-view.js';
import { type NewestState, RecentStates } from './recent-states.js';
import { Residents } from './residents.js';
import { keptStop } from './stops.js';

export interface PeeringOptions {
  readonly transport: PeerTransport;
  /** The home's own key. */
  readonly signer: Signer;
  readonly network: string;
  readonly world: Environment;
  readonly catalogue: Catalogue;
  /** The own store. */
  readonly store: Store;
  readonly replicas: Replicas;
  /** Addresses on which peers reach this node. If empty, the node only follows. */
  readonly listen: readonly Multiaddr[];
  readonly peers: readonly PeerAddress[];
  /** How long a start waits if no peer answers, ms. */
  readonly aloneMs: number;
  /** How many followers must have an entry before `reached` resolves with true. */
  readonly copies: number;
  /** Default: on the calling thread. */
  readonly verifySignatures?: TextChecks;
  /** False while the disk is nearly full. */
  readonly hasRoom: () => boolean;
  readonly log: (message: string, detail: object) => void;
}

/** The own journal, once it may be written. */
export interface OwnJournal {
  /** Notifies when the journal grows; its head is on disk. */
  readonly feed: Feed;
  readonly newest: NewestState;
}

export class Peering {
  readonly #peers = new Map<Did, FollowedPeer>();
  readonly #checkpoints: OwnCheckpoints;
  readonly #copies: Copies;
  readonly #residents: Residents;
  readonly #parts: PeerParts;
  #membership!: Membership;
  #listener: PeerListener | undefined;
  #server: FeedServer | undefined;
  #contents: ContentServer | undefined;
  #recent: RecentStates | undefined;
  #foreign: readonly ForeignHome[] = [];
  #conflict: OwnHeadConflict | undefined;
  /** Tail of the queue of membership changes, which run one at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  readonly #adopted: ((home: Did, entries: readonly FeedEntry[]) => void)[] = [];

  readonly foreignHomes: ForeignHomes = { all: () => this.#foreign };
  /** DIDs that have moved between homes. */
  readonly moved: MovedDids;

  private constructor(
    private readonly options: PeeringOptions,
    readonly equivocations: Equivocations,
    /** What trade with each home may come to. */
    readonly limits: TradeLimits,
  ) {
    const { signer, network, world, store, copies, log } = options;
    const heads = new KnownHeads({
      ...{ own: signer.did, network, world, equivocations, log },
      follows: (home) => this.#membership.has(home),
      journalOf: (home) => (home === signer.did ? this.#ownJournal : this.#peers.get(home as Did)?.store),
      onOwnConflict: (conflict) => this.#contradicted(conflict),
      onCovered: (checkpoint) => this.#peers.get(checkpoint.home)?.covered(checkpoint),
    });
    this.#checkpoints = new OwnCheckpoints({ signer, network, world, onSigned: (each) => heads.signed(each) });
    this.#copies = new Copies({ own: signer.did, store, world, wanted: copies });
    this.moved = new MovedDids(signer.did, store, this.foreignHomes);
    this.#residents = new Residents((home) => this.#peers.get(home)?.store, this.moved);
    const { catalogue, transport, replicas, verifySignatures, hasRoom } = options;
    this.#parts = {
      ...{ network, world, catalogue, transport, store, replicas, signer, heads, equivocations, verifySignatures },
      ...{ hasRoom, log, peers: () => this.#peers.size, onReplica: () => this.#list() },
      onAdopted: (home, entries) => {
        for (const { entry } of entries) this.moved.saw(entry.core);
        for (const listener of this.#adopted) listener(home, entries);
      },
    };
    equivocations.listen(({ proof: { first }, accepted }) => {
      if (!accepted) this.#peers.get(first.home)?.follower.interrupt();
      for (const { exchange } of this.#peers.values()) exchange.wake();
    });
  }

  /** Opens the replicas, and listens. Rejects with a PeerError `listening`, or as the stores do. */
  static async open(options: PeeringOptions): Promise<Peering> {
    const { store, world, log, hasRoom, signer, peers } = options;
    const equivocations = await Equivocations.open({ store, world, log, hasRoom });
    const peering = new Peering(options, equivocations, await TradeLimits.open(store, world));
    try {
      peering.#membership = await Membership.open(store, signer.did, peers);
      for (const member of peering.#membership.all()) await peering.#openPeer(member);
      await peering.#listen();
    } catch (error) {
      await peering.close();
      throw error;
    }
    return peering;
  }

  /** Asks the peers for this home's own head. Must be called before anything is written to the own store. */
  catchUp(): Promise<OwnHeadOutcome> {
    const { signer, network, store, catalogue, world, aloneMs, log } = this.options;
    const peers = [...this.#peers.values()].map(({ link }) => ownHeadPeer(link, signer.did));
    return catchUpOwnHead({ home: signer.did, network, store, catalogue, peers, world, aloneMs, log });
  }

  /** Serves the own journal from now on, and follows the peers. */
  serve({ feed, newest }: OwnJournal): void {
    const { store, catalogue, world, copies } = this.options;
    const recent = new RecentStates(newest);
    this.#recent = recent;
    const disclosed = { store, catalogue, world, resource: recent.of, isResident: this.#residents.isResident };
    this.#contents = new ContentServer(disclosed);
    this.#server = new FeedServer({
      ...{ ...disclosed, feed, checkpoints: this.#checkpoints, wantsCopies: () => copies > 0 },
    });
    void this.#parts.heads.advanced(this.options.signer.did);
    for (const peer of this.#peers.values()) peer.start();
  }

  /** Checkpoints of it are compared once the start has taken back what the peers know. */
  get #ownJournal(): Store | undefined {
    return this.#server && this.options.store;
  }

  /** Call when an entry of the own journal is on disk and readable. */
  committed(entry: NumberedEntry): void {
    this.moved.saw(entry.core);
    if (this.#server?.isRead) this.#recent?.saw(entry);
    this.#server?.committed(entry);
  }

  /** Calls the listener with the entries of other homes once they are on disk and readable. It must not throw. */
  listenAdopted(listener: (home: Did, entries: readonly FeedEntry[]) => void): void {
    this.#adopted.push(listener);
  }

  /** The connection to a peer, and the copy of its journal. */
  readonly peerAt = (home: string): Pick<FollowedPeer, 'link' | 'store'> | undefined => this.#peers.get(home as Did);

  /** Why there is no trade with a home at present; undefined while there may be. */
  refusalOfTrade(home: string): Refusal | undefined {
    const { status } = this.#peers.get(home)?.follower.state ?? { status: undefined };
    if (status !== 'stopped' && status !== 'forked' && status !== undefined) return this.refusal();
    return refuse('SERVICE_UNAVAILABLE', `this node does not follow the journal of ${home} at present`, {
      retryAfter: 60,
    });
  }

  /** Whether this node is connected to the home, and adopts its journal. */
  isFollowing(home: string): boolean {
    const { status } = this.#peers.get(home as Did)?.follower.state ?? { status: undefined };
    return status === 'current' || status === 'behind';
  }

  /** The addresses on which peers reach this node, with the real ports. */
  get addresses(): readonly PeerAddress[] {
    return this.#listener?.addresses ?? [];
  }

  get peerId(): string {
    return this.options.transport.peerId;
  }

  /** All peers, in order of their DIDs. */
  views(): readonly PeerView[] {
    const { heads, world } = { heads: this.#parts.heads, world: this.options.world };
    const inbound = this.#listener?.connections() ?? [];
    const from = { now: world.now(), inbound, heads, equivocations: this.equivocations };
    return this.#sorted().map((peer) => peerView(peer, this.limits.of(peer.did), from));
  }

  /** What this home and each other one hold at each other. */
  accounts(): Promise<readonly PeerAccount[]> {
    const { signer, store } = this.options;
    const source = { own: signer.did, store, limitOf: (home: string) => this.limits.of(home) };
    return Promise.all(this.#foreign.map((home) => peerAccount(home, source)));
  }

  /** Sets limits of trade with a peer. */
  async limit(did: Did, change: Partial<TradeLimit>): Promise<TradeLimit | Refusal> {
    if (!this.#membership.has(did)) return refuse('NOT_FOUND', `${did} is not a peer of this node`);
    return Object.keys(change).length === 0 ? this.limits.of(did) : this.limits.set(did, change);
  }

  /**
   * Whether the replica of every connected feed is complete up to what its home has announced. A feed to which the node
   * connects for the first time since its start counts as connected.
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
      const { status, stop } = follower.state;
      if (status === 'forked') found.push(`${did} has signed two journals: the node no longer follows it`);
      else if (stop?.cause === 'violation')
        found.push(`the node no longer follows ${did}: entry ${stop.seq} is not valid: ${stop.what}`);
      else if (stop) found.push(`the feed of ${did} waits for an update of this node: entry ${stop.seq}: ${stop.what}`);
    }
    return found;
  }

  /** Why nothing may be written; undefined while it may. */
  refusal(): Refusal | undefined {
    if (!this.#conflict) return undefined;
    const { what, checkpoint, from } = this.#conflict;
    const [seen, end] =
      what === 'ahead'
        ? ['knows a longer', 'the node was started again with that peer in reach']
        : ['knows another', 'its operator has decided between the two (svc-node peers accept)'];
    return refuse(
      'SERVICE_UNAVAILABLE',
      `the peer ${from} ${seen} journal of this home (entry ${checkpoint.seq}): nothing is written before ${end}`,
      { retryAfter: 60 },
    );
  }

  /**
   * Resolves with true when the configured number of followers have signed that they have the entry, and with false
   * after a timeout.
   */
  reached(seq: number): Promise<boolean> {
    return this.#copies.reached(seq);
  }

  /** Counters since the start. */
  counts(): {
    readonly sent: number;
    readonly withheld: number;
    readonly inbound: ReturnType<PeerListener['counts']> | undefined;
    readonly heard: KnownHeads['counts'];
  } {
    const { sent = 0, withheld = 0 } = this.#server ?? {};
    return { sent, withheld, inbound: this.#listener?.counts(), heard: this.#parts.heads.counts };
  }

  /** Adds a peer, or an address of one. A peer that has stopped is followed again from where it stopped. */
  add(address: PeerAddress): Promise<PeerMember | Refusal> {
    return this.#alone(async () => {
      const member = await this.#membership.add(address);
      if (isRefusal(member)) return member;
      const known = this.#peers.get(member.did);
      if (known) {
        known.link.moved(member);
        await known.resume();
      } else (await this.#openPeer(member)).start();
      return member;
    });
  }

  /** Stops following the peer and closes its connections. Its replica stays on disk, but is no longer shown. */
  remove(did: Did): Promise<Refusal | undefined> {
    return this.#alone(async () => {
      const refusal = await this.#membership.remove(did);
      if (refusal) return refusal;
      const peer = this.#peers.get(did);
      this.#peers.delete(did);
      this.#list();
      this.#listener?.disconnect(did);
      this.#copies.forget(did);
      await peer?.close();
      this.#parts.heads.forget(did);
      return undefined;
    });
  }

  /** Deletes the replica of a home. If it is still a peer, it is followed again from its first entry. */
  forget(did: Did): Promise<Refusal | undefined> {
    return this.#alone(async () => {
      const peer = this.#peers.get(did);
      this.#residents.forget(did);
      if (peer) {
        this.#parts.heads.forget(did);
        await peer.followAnew();
        return undefined;
      }
      const { replicas } = this.options;
      if (!(await replicas.homes()).includes(did)) return refuse('NOT_FOUND', `there is no copy of ${did}`);
      await replicas.forget(did);
      return undefined;
    });
  }

  /**
   * Accepts one of a home's two journals; a replica of the other one is deleted. Of the own home's two, only the local one
   * can be accepted: writes then continue.
   */
  accept(did: Did, chainHash: string): Promise<Refusal | undefined> {
    return this.#alone(async () => {
      if (did === this.options.signer.did) return this.#acceptOwn(chainHash);
      const found = await this.equivocations.accept(did, chainHash);
      if (isRefusal(found)) return found;
      const peer = this.#peers.get(did);
      if (!peer?.store) return undefined;
      const { seq } = found.proof.first;
      const here = await chainHashAt(peer.store, await peer.store.head(), seq);
      if (here === undefined || here === chainHash) await peer.resume();
      else {
        this.#residents.forget(did);
        this.#parts.heads.forget(did);
        await peer.followAnew();
      }
      return undefined;
    });
  }

  async #acceptOwn(chainHash: string): Promise<Refusal | undefined> {
    const { store, signer } = this.options;
    const proof = this.equivocations.of(signer.did)?.proof;
    const local = proof && (await chainHashAt(store, await store.head(), proof.first.seq));
    if (proof && local !== chainHash) {
      return refuse(
        'CONFLICT',
        `entry ${proof.first.seq} of this node's own journal is ${local ?? 'missing'}: to continue with ${chainHash}, restore a backup from before it and start with a peer in reach that has it`,
      );
    }
    const found = await this.equivocations.accept(signer.did, chainHash);
    if (isRefusal(found)) return found;
    if (this.#conflict?.what === 'fork') this.#conflict = undefined;
    return undefined;
  }

  /** Homes with a replica on disk, including former peers. */
  copies(): Promise<readonly string[]> {
    return this.options.replicas.homes();
  }

  /** The evidence against a home: a proof of two journals, or the invalid line with the home's checkpoint. */
  async evidence(did: Did): Promise<PeerEvidence | undefined> {
    const peer = this.#peers.get(did);
    const stop = peer ? peer.follower.state.stop : await keptStop(this.options.store, did);
    return evidenceOf(did, this.equivocations.of(did), stop);
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#listener?.close();
    await Promise.all([...this.#peers.values()].map((peer) => peer.close()));
    await this.options.transport.close();
    await this.equivocations.stop();
    await this.options.replicas.close();
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #openPeer(member: PeerMember): Promise<FollowedPeer> {
    const peer = await FollowedPeer.open(this.#parts, member);
    this.#peers.set(member.did, peer);
    this.#list();
    // Compares again: the journal could not be compared before the peer was registered.
    await this.#parts.heads.advanced(member.did);
    return peer;
  }

  async #listen(): Promise<void> {
    const { listen, transport, log } = this.options;
    if (listen.length === 0) return;
    this.#listener = await transport.listen(
      listen,
      peerService({
        isMember: (did) => this.#membership.has(did),
        onConnected: (did) => this.#peers.get(did)?.connected(),
        ...{ heads: this.#parts.heads, copies: this.#copies, feed: () => this.#server },
        contents: () => this.#contents,
        replicaOf: (home) => this.#peers.get(home)?.store,
        onFault: (error) => log('a request of a peer has failed', { error: String(error) }),
      }),
    );
  }

  #sorted(): FollowedPeer[] {
    return [...this.#peers.values()].sort((one, other) => (one.did < other.did ? -1 : 1));
  }

  /** Updates the list of readable homes. Tags get longer as homes are added. */
  #list(): void {
    const peers = this.#sorted();
    const homes = [this.options.signer.did, ...peers.map(({ did }) => did)];
    this.#foreign = peers.flatMap(({ did, store, follower }) =>
      store ? [this.#foreignHome(did, store, tagOf(did, homes), () => this.#peers.get(did)?.follower ?? follower)] : [],
    );
  }

  #foreignHome(home: Did, store: Store, tag: string, follower: () => FollowedPeer['follower']): ForeignHome {
    const { heads } = this.#parts;
    return {
      home,
      tag,
      store,
      written: store,
      asOf: () => ({ seq: follower().state.adopted, time: heads.adopted(home)?.time ?? 0 }),
    };
  }

  #contradicted(conflict: OwnHeadConflict): void {
    if (this.#conflict) return;
    this.#conflict = conflict;
    const { what, checkpoint, from } = conflict;
    this.options.log('a peer knows another journal of this home: the node stops writing', {
      ...{ what, seq: checkpoint.seq, from },
    });
  }
}
