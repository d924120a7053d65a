/**
 * What requests ask of the chain beside settlement, and what goes on there in the background. A chain of the node's own
 * comes up behind its first answers, and any chain may go away: then every question rejects with ChainAway.
 */

import type { Refusal } from '../machines/kernel/refusal.js';
import type { Store } from '../store/store.js';
import type { World } from '../world.js';
import { anchorsOn } from './anchors/anchor-chain.js';
import { AnchorRecords } from './anchors/anchor-records.js';
import { Anchorer } from './anchors/anchorer.js';
import type { AnchoredAt } from './anchors/proof.js';
import type { ChainLog } from './chain.js';
import { ContractReader, type Holdings, type Registration } from './contract-reader.js';
import type { Contracts } from './deployment.js';
import { depositsOf } from './deposits/deposit-source.js';
import { type Credit, DepositWatcher } from './deposits/deposit-watcher.js';
import { ChainAway, type Hex } from './evm/evm.js';
import { type Keyed, Registrar } from './registrar.js';
import type { StandingChain } from './settlement/chain-settlement.js';
import { type ChainFacts, factsOf } from './witness/chain-facts.js';

/** The holdings with the block that they were read at, and the number of the last operation applied then. */
export interface HoldingsNow extends Holdings {
  readonly blockNumber: number;
  readonly lastSeq: number;
}

export interface OnChain {
  /** Undefined while the chain is not there. */
  readonly contracts: Contracts | undefined;
  /** Transactions that an address has sent. */
  transactionCount(address: string): Promise<number>;
  registration(did: string): Promise<Registration>;
  /**
   * For views: the controller that was last heard of, null where it was revoked; undefined where the DID is not
   * registered or nobody answers. Never rejects.
   */
  controllerOf(did: string): Promise<string | null | undefined>;
  /** A key was used: on a chain of the node's own its DID gets its controller. */
  used(keyed: Keyed): void;
  /** The DID gets its controller, unless the registry knows it. Resolves when it is so. */
  register(keyed: Keyed): Promise<Registration>;
  holdings(): Promise<HoldingsNow>;
  /** The anchor that covers an entry; undefined until there is one. */
  anchorOf(seq: number): Promise<AnchoredAt | undefined>;
}

export interface ChainFollowerOptions {
  readonly store: Store;
  readonly world: World;
  readonly log: ChainLog;
  /** The node runs the chain itself: transactions cost nothing, and nobody turns the chain back. */
  readonly isOwn: boolean;
  /** Blocks before a deposit is credited. */
  readonly confirmations: number;
  readonly credit: (credit: Credit) => Promise<Refusal | undefined>;
  /** Whether this process sends for the operator, where several share a store. */
  readonly mine?: () => Promise<boolean>;
}

interface Attached {
  readonly reader: ContractReader;
  readonly registrar: Registrar;
  readonly watcher: DepositWatcher;
  readonly anchorer: Anchorer;
}

/** How long a view may show a controller that was asked for before. */
const controllerFreshMs = 30_000;
const keptControllers = 10_000;
/** DIDs whose keys were used before there was a chain. */
const mostEarly = 1_000;

export class ChainFollower implements OnChain {
  readonly #records: AnchorRecords;
  readonly #controllers = new Map<string, { readonly at: number; readonly controller: string | null | undefined }>();
  readonly #early = new Map<string, Keyed>();
  #attached: Attached | undefined;
  #stopped = false;

  constructor(private readonly options: ChainFollowerOptions) {
    this.#records = new AnchorRecords(options.store);
  }

  get contracts(): Contracts | undefined {
    return this.#attached?.reader.contracts;
  }

  /** What is wrong, in sentences for an operator. */
  flaws(): string[] {
    const halted = this.#attached?.anchorer.halted;
    return halted === undefined ? [] : [halted];
  }

  /** The chain is there, with the contracts on it; or they are at another place now. @param fromBlock where they were made */
  attach({ evm, contracts, errands, recent }: StandingChain, fromBlock = 0): void {
    if (this.#stopped) return;
    if (this.#attached) {
      this.#attached.reader.contracts = contracts;
      return;
    }
    const reader = new ContractReader(evm, contracts);
    const { store, world, log, isOwn, confirmations, credit, mine } = this.options;
    const owned = mine ? { mine } : {};
    const chain = anchorsOn(reader, errands, fromBlock);
    const source = depositsOf(reader);
    this.#attached = {
      reader,
      registrar: new Registrar({ reader, errands, world, log }),
      watcher: new DepositWatcher({
        ...{ source, store, world, log, credit, fromBlock },
        ...owned,
        confirmations: isOwn ? 1 : confirmations,
      }),
      anchorer: new Anchorer({ chain, records: this.#records, store, world, log, recent, ...owned }),
    };
    this.#attached.watcher.start();
    this.#attached.anchorer.start();
    for (const keyed of this.#early.values()) this.used(keyed);
    this.#early.clear();
  }

  /** Ends what goes on in the background. */
  async stop(): Promise<void> {
    const attached = this.#attached;
    this.#attached = undefined;
    this.#stopped = true;
    await Promise.all([attached?.watcher.stop(), attached?.anchorer.stop(), attached?.registrar.stop()]);
  }

  async transactionCount(address: string): Promise<number> {
    return this.#there.reader.evm.transactionCount(address as Hex, 'latest');
  }

  async registration(did: string): Promise<Registration> {
    const registration = await this.#there.reader.registration(did);
    this.#heard(did, registration);
    return registration;
  }

  async controllerOf(did: string): Promise<string | null | undefined> {
    const known = this.#controllers.get(did);
    if (known && this.options.world.monotonic() - known.at < controllerFreshMs) return known.controller;
    if (!this.#attached?.reader.evm.health().connected) return known?.controller;
    try {
      return shownOf(await this.registration(did));
    } catch {
      return known?.controller; // a view does without the chain
    }
  }

  used(keyed: Keyed): void {
    if (!this.options.isOwn) return;
    if (this.#attached) this.#attached.registrar.used(keyed);
    else if (this.#early.size < mostEarly) this.#early.set(keyed.did, keyed);
  }

  async register(keyed: Keyed): Promise<Registration> {
    const registration = await this.#there.registrar.register(keyed);
    this.#heard(keyed.did, registration);
    return registration;
  }

  async holdings(): Promise<HoldingsNow> {
    const { cursor, ...holdings } = await this.#there.reader.holdings();
    return { ...holdings, lastSeq: cursor.lastSeq };
  }

  /** What the chain says of the journal, for an auditor. */
  async facts(): Promise<ChainFacts> {
    return factsOf(this.#there.reader);
  }

  async anchorOf(seq: number): Promise<AnchoredAt | undefined> {
    const anchor = await this.#records.covering(seq);
    if (!anchor) return undefined;
    const { evm, contracts } = this.#there.reader;
    return { anchor, chainId: evm.chainId, contract: contracts.settlement };
  }

  get #there(): Attached {
    if (!this.#attached) throw new ChainAway('the chain is not there yet');
    return this.#attached;
  }

  #heard(did: string, registration: Registration): void {
    if (this.#controllers.size >= keptControllers) this.#controllers.clear();
    this.#controllers.set(did, { at: this.options.world.monotonic(), controller: shownOf(registration) });
  }
}

const shownOf = ({ registered, controller }: Registration): string | null | undefined =>
  registered ? controller : undefined;
