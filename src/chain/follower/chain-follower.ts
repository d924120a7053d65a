/**
 * The chain apart from settlement: reads and registrations for requests; deposits, anchors and controllers in the
 * background. A local chain starts after the node answers, and any chain may have outages: then every call rejects with
 * ChainAway.
 */

import { LRUCache } from 'lru-cache';
import type { Environment } from '../../core/environment.js';
import type { Refusal } from '../../core/refusal.js';
import type { ControllerKey } from '../../keys/controller-key.js';
import type { Store } from '../../store/store.js';
import { anchorsOn } from '../anchors/anchor-chain.js';
import { AnchorRecords } from '../anchors/anchor-records.js';
import { Anchorer } from '../anchors/anchorer.js';
import type { AnchoredAt } from '../anchors/proof.js';
import { ContractReader, type ControllerRegistration, type Holdings } from '../contracts/contract-reader.js';
import type { ContractAddresses } from '../contracts/deployment.js';
import { depositsOf } from '../deposits/deposit-source.js';
import { type Credit, DepositWatcher } from '../deposits/deposit-watcher.js';
import { ChainAway, type Hex } from '../evm/evm.js';
import type { ReadyChain } from '../settlement/chain-settlement.js';
import type { ChainLog } from '../settlement/settlement.js';
import { type ChainFacts, factsOf } from '../verifier/chain-facts.js';
import { Registrar } from './registrar.js';

export interface HoldingsNow extends Holdings {
  readonly blockNumber: number;
  readonly lastSeq: number;
}

export interface ChainAccess {
  readonly contracts: ContractAddresses | undefined;
  transactionCount(address: string): Promise<number>;
  registration(did: string): Promise<ControllerRegistration>;
  /**
   * The last known controller, for views: null when it was revoked; undefined when the DID is not registered or the chain
   * does not answer. Never rejects.
   */
  controllerOf(did: string): Promise<string | null | undefined>;
  used(keyed: ControllerKey): void;
  /** Registers the controller unless the registry knows the DID. Resolves with the registration. */
  register(keyed: ControllerKey): Promise<ControllerRegistration>;
  holdings(): Promise<HoldingsNow>;
  anchorOf(seq: number): Promise<AnchoredAt | undefined>;
}

export interface ChainFollowerOptions {
  readonly store: Store;
  readonly world: Environment;
  readonly log: ChainLog;
  /** Whether the chain is local: transactions are free, and there are no reorgs. */
  readonly isOwn: boolean;
  /** Whether deposits are credited to the ledger. */
  readonly credits: boolean;
  readonly confirmations: number;
  readonly credit: (credit: Credit) => Promise<Refusal | undefined>;
  /** Whether this process holds the lease to send for the operator; absent when it owns its store alone. */
  readonly mine?: (() => Promise<boolean>) | undefined;
}

interface Attached {
  readonly reader: ContractReader;
  readonly registrar: Registrar;
  readonly watcher: DepositWatcher | undefined;
  readonly anchorer: Anchorer;
}

/** Time for which a view shows a cached controller. */
const controllerFreshMs = 30_000;
const keptControllers = 10_000;
/** The most keys that are remembered until the chain is open. */
const mostEarly = 1_000;

export class ChainFollower implements ChainAccess {
  readonly #records: AnchorRecords;
  readonly #controllers = new LRUCache<string, { readonly at: number; readonly controller: string | null }>({
    max: keptControllers,
  });
  readonly #early = new Map<string, ControllerKey>();
  #attached: Attached | undefined;
  #stopped = false;

  constructor(private readonly options: ChainFollowerOptions) {
    this.#records = new AnchorRecords(options.store);
  }

  get contracts(): ContractAddresses | undefined {
    return this.#attached?.reader.contracts;
  }

  problems(): string[] {
    const halted = this.#attached?.anchorer.halted;
    return halted === undefined ? [] : [halted];
  }

  attach({ evm, contracts, outOfBand, recent }: ReadyChain): void {
    if (this.#stopped) return;
    if (this.#attached) {
      this.#attached.reader.contracts = contracts;
      return;
    }
    const reader = new ContractReader(evm, contracts);
    const { store, world, log, isOwn, credits, confirmations, credit, mine } = this.options;
    const owned = mine ? { mine } : {};
    const chain = anchorsOn(reader, outOfBand);
    const source = depositsOf(reader);
    this.#attached = {
      reader,
      registrar: new Registrar({ reader, outOfBand, world, log }),
      watcher: credits
        ? new DepositWatcher({
            ...{ source, store, world, log, credit },
            ...owned,
            confirmations: isOwn ? 1 : confirmations,
          })
        : undefined,
      anchorer: new Anchorer({ chain, records: this.#records, store, world, log, recent, ...owned }),
    };
    this.#attached.watcher?.start();
    this.#attached.anchorer.start();
    for (const keyed of this.#early.values()) this.used(keyed);
    this.#early.clear();
  }

  async stop(): Promise<void> {
    const attached = this.#attached;
    this.#attached = undefined;
    this.#stopped = true;
    await Promise.all([attached?.watcher?.stop(), attached?.anchorer.stop(), attached?.registrar.stop()]);
  }

  async transactionCount(address: string): Promise<number> {
    return this.#there.reader.evm.transactionCount(address as Hex, 'latest');
  }

  async registration(did: string): Promise<ControllerRegistration> {
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
      return known?.controller; // a view omits the controller
    }
  }

  used(keyed: ControllerKey): void {
    if (!this.options.isOwn) return;
    if (this.#attached) this.#attached.registrar.used(keyed);
    else if (this.#early.size < mostEarly) this.#early.set(keyed.did, keyed);
  }

  async register(keyed: ControllerKey): Promise<ControllerRegistration> {
    const registration = await this.#there.registrar.register(keyed);
    this.#heard(keyed.did, registration);
    return registration;
  }

  async holdings(): Promise<HoldingsNow> {
    const { cursor, ...holdings } = await this.#there.reader.holdings();
    return { ...holdings, lastSeq: cursor.lastSeq };
  }

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

  #heard(did: string, registration: ControllerRegistration): void {
    const controller = shownOf(registration);
    // Others may register the DID at any time.
    if (controller !== undefined) this.#controllers.set(did, { at: this.options.world.monotonic(), controller });
  }
}

const shownOf = ({ registered, controller }: ControllerRegistration): string | null | undefined =>
  registered ? controller : undefined;
