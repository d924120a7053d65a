/** A whole home: its disk, and a sequence of processes that run the node's own parts on it. */
import { Actors } from '../../../src/actors/actor.js';
import type { Accepted } from '../../../src/actors/command.js';
import { SystemWriter } from '../../../src/actors/system.js';
import { defaultPeerPort, peerBounds } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import type { Did } from '../../../src/core/codecs/did.js';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import { Feed } from '../../../src/core/feed.js';
import { assert, isRefusal, type Refusal, refuse } from '../../../src/core/refusal.js';
import * as is from '../../../src/core/schema/scalar.js';
import { deriveSigner, type SeedSigner, systemKeyInfo } from '../../../src/keys/signing.js';
import { catalogue as everyKind } from '../../../src/machines/catalogue.js';
import { offeredAction } from '../../../src/machines/kernel/other-signer.js';
import type { Catalogue } from '../../../src/machines/kernel/step.js';
import { Peering } from '../../../src/peers/peering/peering.js';
import type { TextChecks } from '../../../src/peers/replica/replica.js';
import type { TradeLimit } from '../../../src/peers/trade/limits.js';
import { RemoteTrading, type WithdrawalState } from '../../../src/peers/trade/trade.js';
import type { AskedPayout, TradeOptions } from '../../../src/peers/trade/trade-options.js';
import type { PeerTransport } from '../../../src/peers/transport/transport.js';
import type { Store } from '../../../src/store/store.js';
import { network as networkName } from '../../world/bench.js';
import { didOf, signer } from '../../world/people.js';
import type { Deal } from './deals.js';
import { type Backup, type MountedDisk, own, SimulatedDisk } from './disk.js';
import type { Draws } from './draws.js';
import { arbiterOf, genesisOf, residentsOf } from './genesis.js';
import type { ModelHome } from './model-home.js';
import type { Network } from './network.js';
import { askElsewhere, type RemoteAsking, type Sent } from './remote-asking.js';
import { SimulatedProcess } from './simulated-process.js';
import { SimulatedTransport } from './transport.js';

/** Planted bugs: wrappers around parts of a home. */
export interface Planted {
  readonly disk?: (disk: MountedDisk) => MountedDisk;
  readonly transport?: (transport: PeerTransport, home: string) => PeerTransport;
  readonly skipsOwnHead?: boolean;
  readonly catalogue?: Catalogue;
  readonly trade?: (options: TradeOptions) => TradeOptions;
}

export interface HomeOptions {
  readonly name: string;
  readonly network: Network;
  readonly draws: Draws;
  readonly checkTexts: TextChecks;
  readonly planted: Planted;
  readonly aloneMs: number;
  readonly onOpened: (home: Home, outcome: string) => void;
  readonly onDeath: (home: Home, process: SimulatedProcess, why: string) => void;
}

interface Running {
  readonly process: SimulatedProcess;
  readonly peering?: Peering;
  /** Present once the home accepts writes. */
  readonly writing?: { readonly actors: Actors; readonly trade: RemoteTrading };
}

const bounds = {
  registry: { mailbox: 100, actors: 300, bytes: 2 ** 24 },
  nonces: { ahead: 64, waitMs: 1_000, waiting: 256 },
  committed: { count: 300, bytes: 2 ** 24 },
  ...{ written: 256, regroupings: 3, losses: 8, tsSlackMs: 600_000 },
};

const busy = refuse('SERVICE_UNAVAILABLE', 'as the simulation asked', { retryAfter: 1 });

/** The system keys of homes, which every process would derive again. */
const systemSigners = new Map<string, SeedSigner>();

function systemSignerOf(home: SeedSigner): SeedSigner {
  const known = systemSigners.get(home.did) ?? deriveSigner(home, systemKeyInfo);
  systemSigners.set(home.did, known);
  return known;
}

/** Addresses to which withdrawals are paid; a home pays nothing to its own vault. */
export const purse = `0x${'22'.repeat(20)}`;
export const vault = `0x${'33'.repeat(20)}`;
const refusedPayout = refuse('UNPROCESSABLE', 'it is a contract of this home');

/** Longer than any history. */
const waitMs = 3_600_000;

const homewardTimes = [300, 700, 2_000];

const addressOf = (host: string, did: Did) => ({
  ...{ family: 'ip4' as const, host, port: defaultPeerPort, peerId: peerIdOf(did) },
});

export class Home implements ModelHome {
  readonly name: string;
  readonly signer: SeedSigner;
  readonly disk: SimulatedDisk;
  skewMs = 0;
  /** Until when its mailboxes are full for the trade of its node, in simulated ms. */
  busyUntil = 0;
  /** What happens to the disk before the next process. */
  afterDeath: (() => Promise<void>) | undefined;
  backup: Backup | undefined;
  /** It never starts again. */
  isGone = false;
  #running: Running | undefined;
  #lives = 0;
  readonly #peerId: string;
  /** How long Tokens of other homes' residents stay here. */
  readonly homewardMs: number;
  /** DID of the arbiter whom this home names for disputes. */
  #arbiter: string | undefined;

  constructor(
    private readonly options: HomeOptions,
    readonly host: string,
  ) {
    this.name = options.name;
    this.signer = signer(options.name);
    this.disk = new SimulatedDisk(options.draws.stream('disk'));
    this.#peerId = peerIdOf(this.did);
    this.homewardMs = options.draws.stream('homeward').pick(homewardTimes);
  }

  get #catalogue(): Catalogue {
    return this.options.planted.catalogue ?? everyKind;
  }

  get did(): Did {
    return this.signer.did;
  }

  /** How long a start waits for answers. */
  get aloneMs(): number {
    return this.options.aloneMs;
  }

  get process(): SimulatedProcess | undefined {
    return this.#running?.process;
  }

  /** Whether it answers peers. */
  get listens(): boolean {
    return this.#running?.peering !== undefined;
  }

  get isOpen(): boolean {
    return this.#running?.writing !== undefined;
  }

  proofOf(did: string) {
    return this.#running?.peering?.equivocations.of(did)?.proof;
  }

  /** @param peers names of the other homes */
  async format(peers: readonly string[]): Promise<void> {
    const file = this.disk.files.get(own)!;
    file.log.push(
      ...(await genesisOf(this.name, peers)).map((commit) => ({ method: 'append' as const, args: [[commit]] })),
    );
    await file.cut(file.log.length);
  }

  /** Starts a process. It ends by a fault, or by the home's own decision. */
  start(homes: readonly Home[]): void {
    const { network, draws } = this.options;
    const names = homes.map(({ name }) => name);
    this.#arbiter = didOf(arbiterOf(this.name, names));
    const process = new SimulatedProcess({
      ...{ name: this.name, scheduler: network.scheduler, draws: draws.stream(`life ${++this.#lives}`) },
      skewMs: () => this.skewMs,
      onDeath: (why) => {
        this.#running = undefined;
        this.options.onDeath(this, process, why);
      },
    });
    this.#running = { process };
    this.#live(process, homes).catch((error: unknown) => process.die(`its start failed: ${String(error)}`));
  }

  async #live(process: SimulatedProcess, homes: readonly Home[]): Promise<void> {
    const { network, checkTexts, planted, aloneMs, onOpened } = this.options;
    const mounted = this.disk.mount(process);
    const disk = planted.disk?.(mounted) ?? mounted;
    const transport = new SimulatedTransport({
      network,
      process,
      did: this.did,
      peerId: this.#peerId,
      bounds: peerBounds,
    });
    const peering = await Peering.open({
      transport: planted.transport?.(transport, this.name) ?? transport,
      ...{ signer: this.signer, network: networkName, world: process, catalogue: this.#catalogue, aloneMs },
      ...{ store: disk.store, replicas: disk.replicas, verifySignatures: checkTexts },
      ...{ copies: 0, hasRoom: () => true, log: (message, detail) => this.#log(message, detail) },
      listen: [addressOf(this.host, this.did)],
      peers: homes.filter((each) => each !== this).map((each) => addressOf(each.host, each.did)),
    });
    if (!process.isAlive) return;
    this.#running = { process, peering };
    let outcome = 'unasked';
    if (!planted.skipsOwnHead) {
      const found = await peering.catchUp();
      if (found.outcome === 'refused') return process.die(`its start is refused: ${found.why}`);
      outcome = found.outcome === 'level' ? `level, ${found.taken} taken back` : found.outcome;
    }
    const writing = await this.#openWriting(process, disk.store, peering);
    this.dieIfRefused();
    // Another task may have ended the process.
    if (!process.isAlive) return;
    this.#running = { process, peering, writing };
    onOpened(this, outcome);
  }

  /** A home that may write no more is started again by its operator. */
  dieIfRefused(): void {
    const refusal = this.#running?.peering?.refusal();
    if (refusal) this.process!.die(`its writes are refused: ${refusal.detail}`);
  }

  #log(message: string, detail: object): void {
    this.options.network.scheduler.log(() => `${this.name}: ${message} ${JSON.stringify(detail)}`);
  }

  async #openWriting(process: SimulatedProcess, store: Store, peering: Peering) {
    const feed = new Feed(0);
    const actors = new Actors({
      ...{ catalogue: this.#catalogue, store, world: process, network: networkName, node: this.did, bounds },
      onFault: (fault) => process.die(`its store failed: ${String(fault)}`),
    });
    const system = new SystemWriter(actors, systemSignerOf(this.signer));
    const trade = this.#openTrade(process, { actors, system, store, peering });
    await trade.load();
    actors.committer.listen((entry) => {
      feed.advance(entry.seq);
      peering.committed(entry);
      trade.committed(entry);
    });
    await actors.committer.open();
    await actors.journal.find();
    const refusal = await system.appoint(this.signer);
    if (refusal) process.die(`it may not appoint its system key: ${refusal.detail}`);
    feed.advance((await store.head()).seq);
    peering.serve({ feed, newest: (kind, id) => actors.committed.resource(kind, id) });
    trade.start();
    trade.startHomeward();
    return { actors, trade };
  }

  /** As the node opens it (src/node/peering.ts). */
  #openTrade(
    world: SimulatedProcess,
    { actors, system, store, peering }: { actors: Actors; system: SystemWriter; store: Store; peering: Peering },
  ): RemoteTrading {
    const options: TradeOptions = {
      ...{ own: this.did, network: networkName, catalogue: this.#catalogue, world, store },
      resource: (kind, id) => actors.committed.resource(kind, id),
      write: async (request) => (this.busyUntil > world.monotonic() ? busy : system.execute(request)),
      writeAsHome: (request) => actors.execute({ ...request, signer: this.did, unlock: () => this.signer }),
      recordedAsHome: (key) => actors.recorded(this.did, key),
      refusalOfPayout: async ({ to }) => (to === vault ? refusedPayout : undefined),
      ...{ homes: peering.foreignHomes, moved: peering.moved },
      refusalOf: (home) => peering.refusalOfTrade(home),
      isFollowing: (home) => peering.isFollowing(home),
      ...{ limits: peering.limits, networkArbiter: this.#arbiter, homewardMs: this.homewardMs },
      holdsKey: async (did) => residentsOf(this.name).some((name) => didOf(name) === did),
      log: (message, detail) => this.#log(message, detail),
    };
    const trade = new RemoteTrading(this.options.planted.trade?.(options) ?? options);
    peering.listenAdopted((home, entries) =>
      trade.adopted(
        home,
        entries.map(({ entry }) => entry),
      ),
    );
    return trade;
  }

  /** Executes a request at this home; undefined while it accepts none. */
  ask(deal: Deal): Promise<Accepted | Refusal> | undefined {
    const { kind, id, action, ids, resourcePrev } = deal;
    const by = signer(deal.who);
    const command = { kind, id, action, input: this.#ownInputOf(deal) as JsonObject, ids, resourcePrev };
    return this.#running?.writing?.actors.execute({ ...command, signer: by.did, unlock: () => by });
  }

  /** Executes a request as the routes do, which ask before whether its signer lives here; undefined while it accepts none. */
  async askAsRoutesDo(deal: Deal): Promise<Accepted | Refusal | undefined> {
    const { process, writing } = this.#running ?? {};
    const isMove = deal.kind === 'residence';
    const left = isMove ? undefined : await writing?.trade.refusalOfSigner(didOf(deal.who));
    return left ?? (process?.isAlive ? this.ask(deal) : undefined);
  }

  /** Sends a request to another home; undefined while this one sends none. */
  askElsewhere(deal: Deal, at: Home, more: Pick<RemoteAsking, 'id' | 'onMoney'>): Promise<Sent | Refusal> | undefined {
    const { writing, peering } = this.#running ?? {};
    const foreign = peering?.foreignHomes.all().find(({ home }) => home === at.did);
    if (!writing || !foreign) return undefined;
    return askElsewhere(
      { ...deal, input: this.#inputOf(deal) },
      { ...writing, foreign, signer: signer(deal.who), ...more },
    );
  }

  /** The limit of its trade with another home; undefined while it accepts no writes. */
  limitOf(other: string): TradeLimit | undefined {
    return this.#running?.writing && this.#running.peering?.limits.of(other);
  }

  /** Whether it is connected to the other one, and adopts its journal. */
  isFollowing(other: string): boolean {
    return this.#running?.peering?.isFollowing(other) ?? false;
  }

  /** The operator's act. */
  async limit(other: string, limit: TradeLimit): Promise<void> {
    const { peering, writing } = this.#running ?? {};
    if (!writing) return;
    await peering!.limits.set(other, limit);
    writing.trade.limitChanged(other);
  }

  /** The operator's act; undefined while the home accepts none. @returns how the request has ended */
  withdraw(other: string, payout: AskedPayout): Promise<WithdrawalState | Refusal> | undefined {
    return this.#running?.writing?.trade.withdraw(other, payout, waitMs);
  }

  /** The operator's act; undefined while the home accepts none. */
  giveUp(id: string): Promise<{ readonly loss: number } | Refusal> | undefined {
    return this.#running?.writing?.trade.giveUp(id, 'its home is gone');
  }

  /** Validated as the derived routes do. */
  #inputOf({ kind, action, input }: Deal) {
    const definition = this.#catalogue.definitions[kind]!;
    const isCreate = definition.form === 'machine' && action === 'create';
    const scalar = isCreate ? definition.create.input : definition.actions[action]!.input;
    const parsed = is.parse(scalar, input);
    assert(!isRefusal(parsed), 'residents ask for what can be asked');
    return parsed;
  }

  /** With what a home adds to an action on its own resources. */
  #ownInputOf(deal: Deal) {
    const adds = offeredAction(this.#catalogue.definitions[deal.kind], deal.action)?.adds?.networkArbiter;
    return adds ? { ...this.#inputOf(deal), networkArbiter: this.#arbiter } : this.#inputOf(deal);
  }

  /** The Tokens that an account has available here; undefined while the home answers no reads. */
  balanceOf(name: string): Promise<number> | undefined {
    const account = this.#running?.writing?.actors.committed.account(didOf(name));
    return account && Promise.resolve(account).then(({ available }) => available);
  }
}
