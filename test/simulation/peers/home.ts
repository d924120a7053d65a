/** A whole home: its disk, and a sequence of processes that run the node's own parts on it. */

import type { Accepted } from '../../../src/actors/command.js';
import { SystemWriter } from '../../../src/actors/system.js';
import { WritePath } from '../../../src/actors/write-path.js';
import { defaultPeerPort, peerBounds } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import type { Did } from '../../../src/core/codecs/did.js';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import { Feed } from '../../../src/core/feed.js';
import type { Refusal } from '../../../src/core/refusal.js';
import type { Acts, HomeAct } from '../../../src/http/context/acts.js';
import type { OnwardPayer, PayerOptions } from '../../../src/http/context/onward.js';
import { deriveSigner, type SeedSigner, systemKeyInfo } from '../../../src/keys/signing.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { Peering } from '../../../src/peers/peering/peering.js';
import type { PeerTransport } from '../../../src/peers/transport/transport.js';
import type { ShowView } from '../../../src/peers/views/foreign-views.js';
import type { CardStore, Store } from '../../../src/store/store.js';
import { network as networkName } from '../../world/bench.js';
import { signer } from '../../world/people.js';
import { CardDisk } from './card-disk.js';
import { SimulatedDisk } from './disk.js';
import type { Draws } from './draws.js';
import { genesisOf } from './genesis.js';
import { homeApi } from './home-api.js';
import { nextAct, textToErase } from './listings.js';
import { followedBy, type ModelHome } from './model-home.js';
import type { Network } from './network.js';
import { SimulatedProcess } from './simulated-process.js';
import { limitOfHomes } from './top-ups.js';
import { SimulatedTransport } from './transport.js';

/** Planted bugs: wrappers around parts of a home. */
export interface Planted {
  readonly store?: (store: Store) => Store;
  readonly cards?: (store: CardStore) => CardStore;
  readonly transport?: (transport: PeerTransport, home: string) => PeerTransport;
  readonly skipsOwnHead?: boolean;
  readonly isBlindToLostCards?: boolean;
  readonly acts?: (acts: Pick<Acts, 'act'>) => Pick<Acts, 'act'>;
  readonly payer?: (options: PayerOptions) => PayerOptions;
}

export interface HomeOptions {
  readonly name: string;
  readonly network: Network;
  readonly draws: Draws;
  readonly planted: Planted;
  readonly aloneMs: number;
  /** What it answers residents of other homes; absent: nothing. */
  readonly shown?: (home: Home, show: ShowView) => ShowView;
  /** Whether its node pays onward. */
  readonly hasTopUps?: boolean;
  readonly onOpened: (home: Home, outcome: string) => void;
  readonly onDeath: (home: Home, process: SimulatedProcess, why: string) => void;
}

interface Running {
  readonly process: SimulatedProcess;
  readonly peering?: Peering;
  /** Present once the home accepts writes. */
  readonly actors?: WritePath;
  readonly system?: SystemWriter;
  readonly acts?: Pick<Acts, 'act'> | undefined;
  readonly onward?: OnwardPayer | undefined;
}

const bounds = {
  registry: { mailbox: 100, actors: 300, bytes: 2 ** 24 },
  nonces: { ahead: 64, waitMs: 1_000, waiting: 256 },
  committed: { count: 300, bytes: 2 ** 24 },
  ...{ written: 256, regroupings: 3, losses: 8, tsSlackMs: 600_000 },
};

/** The system keys of homes, which every process would derive again. */
const systemSigners = new Map<string, SeedSigner>();

function systemSignerOf(home: SeedSigner): SeedSigner {
  const known = systemSigners.get(home.did) ?? deriveSigner(home, systemKeyInfo);
  systemSigners.set(home.did, known);
  return known;
}

/** Addresses and names of the hosts in the simulated network. */
export const hostOf = (name: string): string => `10.0.0.${name.slice(1)}`;
export const nameAt = (host: string): string => `h${host.split('.')[3]}`;

const addressOf = ({ name, did }: Pick<Home, 'name' | 'did'>) => ({
  ...{ family: 'ip4' as const, host: hostOf(name), port: defaultPeerPort, peerId: peerIdOf(did) },
});

export class Home implements ModelHome {
  readonly name: string;
  readonly signer: SeedSigner;
  readonly disk: SimulatedDisk;
  readonly cards: CardDisk;
  skewMs = 0;
  /** What happens to the disk before the next process. */
  afterDeath: (() => Promise<void>) | undefined;
  /** Length of the disk's log at the last backup. */
  backup: number | undefined;
  #running: Running | undefined;
  /** Up to where each home was followed when the process started: older entries are not remembered. */
  #startedAt: ReadonlyMap<string, number> = new Map();
  #lives = 0;
  readonly #peerId: string;

  constructor(private readonly options: HomeOptions) {
    this.name = options.name;
    this.signer = signer(options.name);
    this.disk = new SimulatedDisk(options.draws.stream('disk'));
    this.cards = new CardDisk(options.draws.stream('cards'));
    this.#peerId = peerIdOf(this.did);
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
    return this.#running?.actors !== undefined;
  }

  remembers(did: string, seq: number): boolean {
    return seq >= (this.#startedAt.get(did) ?? 0);
  }

  proofOf(did: string) {
    return this.#running?.peering?.equivocations.of(did)?.proof;
  }

  /** @param visiting homes whose residents act here */
  async format(visiting: readonly string[] = []): Promise<void> {
    for (const commit of await genesisOf(this.name, visiting)) await this.disk.write('append', [commit]);
  }

  /** Starts a process. It ends by a fault, or by the home's own decision. */
  start(homes: readonly Home[]): void {
    const { network, draws } = this.options;
    const process = new SimulatedProcess({
      ...{ name: this.name, scheduler: network.scheduler, draws: draws.stream(`life ${++this.#lives}`) },
      skewMs: () => this.skewMs,
      onDeath: (why) => {
        this.#running = undefined;
        this.options.onDeath(this, process, why);
      },
    });
    this.#running = { process };
    this.#startedAt = new Map(homes.map(({ did }) => [did, followedBy(this, did)?.seq ?? 0]));
    this.#live(process, homes).catch((error: unknown) => process.die(`its start failed: ${String(error)}`));
  }

  async #live(process: SimulatedProcess, homes: readonly Home[]): Promise<void> {
    const { network, planted, aloneMs, onOpened } = this.options;
    const mounted = this.disk.mount(process);
    const store = planted.store?.(mounted) ?? mounted;
    void store.lost.then((fault) => process.die(`its store failed: ${fault}`));
    const transport = new SimulatedTransport({
      network,
      process,
      did: this.did,
      peerId: this.#peerId,
      bounds: peerBounds,
    });
    const peering = await Peering.open({
      transport: planted.transport?.(transport, this.name) ?? transport,
      ...{ signer: this.signer, network: networkName, world: process, aloneMs, store },
      ...{ hasRoom: () => true, log: (message, detail) => this.#log(message, detail) },
      mirrors: { dir: '/nowhere', hasRoom: () => false, copies: 0 },
      listen: [addressOf(this)],
      peers: homes.filter((each) => each !== this).map(addressOf),
      cards: { catalogue, file: this.cards.file(process, planted) },
    });
    if (!process.isAlive) return;
    this.#running = { process, peering };
    let outcome = 'unasked';
    if (!planted.skipsOwnHead) {
      const found = await peering.askOwnHead();
      if ('why' in found) return process.die(`its start is refused: ${found.why}`);
      outcome = found.outcome;
    }
    const others = homes.filter((each) => each !== this).map(({ did }) => did);
    const writing = await this.#openWriting(process, store, peering, others);
    this.dieIfRefused();
    // Another task may have ended the process.
    if (!process.isAlive) return;
    this.#running = { process, peering, ...writing };
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

  async #openWriting(process: SimulatedProcess, store: Store, peering: Peering, others: readonly Did[]) {
    const feed = new Feed(0);
    const actors = new WritePath({
      ...{ catalogue, store, world: process, network: networkName, node: this.did, bounds },
      onFault: (fault) => process.die(`its store failed: ${String(fault)}`),
    });
    const system = new SystemWriter(actors, systemSignerOf(this.signer));
    actors.committer.listen((entry) => {
      feed.advance(entry.seq);
      peering.committed(entry);
    });
    await actors.committer.open();
    await actors.journal.find();
    const refusal = await system.appoint(this.signer);
    if (refusal) process.die(`it may not appoint its system key: ${refusal.detail}`);
    feed.advance((await store.head()).seq);
    peering.serve(feed);
    return { actors, system, ...this.#serveOthers(actors, peering, feed, others) };
  }

  #serveOthers(actors: WritePath, peering: Peering, feed: Feed, others: readonly Did[]) {
    const { shown, planted, hasTopUps } = this.options;
    if (!shown) return undefined;
    const { signer, did: home } = this;
    // An operator who changes it often.
    const limit = () => (Math.floor(actors.options.world.now() / 3_500) % 2 === 0 ? limitOfHomes : 0);
    const limits = () => new Map(others.map((did) => [did, limit()]));
    const served = homeApi({ actors, feed, home, signer, limits, planted, views: peering.foreignViews });
    const { acts, onward, show } = served;
    peering.show(shown(this, show));
    acts.start();
    if (hasTopUps) {
      actors.committer.listen((entry) => onward.saw(entry));
      onward.start();
    }
    return { acts: planted.acts?.(acts) ?? acts, onward };
  }

  /** A resident acts at another home. Undefined while this one accepts no writes. */
  act(act: HomeAct): Promise<JsonObject | Refusal> | undefined {
    const { acts, onward } = this.#running ?? {};
    const admits = async () => onward?.refusal(act.home, act.body);
    return acts?.act({ ...act, ...(act.body.to === this.did && { admits }) });
  }

  /** A transfer between two residents. Undefined while the home accepts no writes. */
  transfer(from: string, to: string): Promise<Accepted | Refusal> | undefined {
    return this.pay(from, { to: signer(to).did, amount: 1 });
  }

  /** A transfer of a resident. Undefined while the home accepts no writes. */
  pay(from: string, input: JsonObject): Promise<Accepted | Refusal> | undefined {
    const key = signer(from);
    return this.#running?.actors?.execute({
      ...{ kind: 'account', id: key.did, action: 'transfer', input },
      ...{ signer: key.did, unlock: () => key },
    });
  }

  /** A resident publishes a listing, or changes one. Undefined while the home accepts no writes. */
  list(resident: string, count: number, draws: Draws): Promise<Accepted | Refusal> | undefined {
    const key = signer(resident);
    const act = nextAct(this.disk.tables, key.did, count, draws);
    return this.#running?.actors?.execute({ ...act, signer: key.did, unlock: () => key });
  }

  /** The operator erases a text of a listing. Undefined while the home accepts no writes. */
  erase(draws: Draws): Promise<Accepted | Refusal> | undefined {
    const text = textToErase(this.disk.tables, draws);
    const resource = { kind: 'info-listing', id: text?.id ?? '' };
    const input = { reason: 'asked for', operator: 'op', resource };
    return text && this.#running?.system?.execute({ kind: 'leaf', id: text.leaf, action: 'redact', input });
  }
}
