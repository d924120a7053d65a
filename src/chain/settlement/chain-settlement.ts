/**
 * The settlement port over a chain: it exists from the first moment of a node, the chain comes later. Requests are
 * answered from here while a local chain is still being started.
 */
import { type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { NumberedEntry, Receipt } from '../../store/entry.js';
import type { Store } from '../../store/store.js';
import type { World } from '../../world.js';
import { RecentHashes } from '../anchors/recent-hashes.js';
import type { ChainStatus, Settled, Settlement } from '../chain.js';
import type { Contracts } from '../deployment.js';
import type { Errands } from '../errands.js';
import type { Evm, EvmKind } from '../evm/evm.js';
import type { OpenChain } from '../open-chain.js';
import { Backlog } from './backlog.js';
import { ReceiptDesk } from './receipt-desk.js';
import { SettlementRecords } from './settlement-record.js';
import type { Settler, SettlerOptions } from './settler.js';
import { JournalTail, streamStart } from './stream.js';

export interface ChainSettlementOptions {
  readonly store: Store;
  readonly network: string;
  readonly world: World;
  readonly log: (message: string, detail: object) => void;
  /** What it will be, for whoever asks before it is there. */
  readonly kind: EvmKind;
  readonly confirmations: number;
  readonly contracts: Contracts | undefined;
  /** How long a request waits for its receipt. */
  readonly waitMs: number;
  readonly bounds: {
    /** Operations, never settled before, that may wait. */
    readonly operations: number;
    /** How long they may while nothing moves. */
    readonly ms: number;
  };
  readonly onBatch?: SettlerOptions['onBatch'];
  /** What an operator should know as long as it is so. */
  readonly notice?: string | undefined;
}

/** A chain with the contracts on it. */
export interface StandingChain {
  readonly evm: Evm;
  readonly contracts: Contracts;
  readonly errands: Errands;
  readonly recent: RecentHashes;
}

const keptEntries = 4_000;
/** A local chain is up in a moment; that it is not there before is no flaw. */
const startMs = 15_000;
const firstPauseMs = 500;
const longestPauseMs = 10_000;
const foreignPollMs = 100;
const recordPollMs = 1_000;

export class ChainSettlement implements Settlement {
  readonly #receipts: ReceiptDesk;
  readonly #tail: JournalTail;
  readonly #backlog: Backlog;
  readonly #recent = new RecentHashes();
  readonly #records: SettlementRecords;
  #chain: OpenChain | undefined;
  #settler: Settler | undefined;
  /** Why there is no chain. */
  #missing: string | undefined;
  #opening: Promise<void> | undefined;
  #counting: Promise<void> | undefined;
  #hurry: (() => void) | undefined;
  #closed = false;
  readonly #openedAt: number;
  #onStanding: ((standing: StandingChain) => void) | undefined;
  /** What the process that settles says, where that is another one. */
  #foreignHalt: string | null = null;

  constructor(private readonly options: ChainSettlementOptions) {
    const { store, world, waitMs, network } = options;
    this.#receipts = new ReceiptDesk({ store, world, waitMs });
    this.#tail = new JournalTail(store, keptEntries);
    this.#backlog = new Backlog(world);
    const point = streamStart(network);
    const fresh = { chainId: 0, contracts: null, point, block: 0, highest: 0, outgoing: null, halted: null };
    this.#records = new SettlementRecords(store, fresh);
    this.#openedAt = world.monotonic();
  }

  /** Learns how far settlement has come, and counts what is left; the counting goes on behind a start. */
  async load(): Promise<void> {
    const { point, highest } = await this.#records.load();
    this.#backlog.startAt(point.entry, point.operation);
    this.#backlog.settled(point.operation, highest);
    this.#counting = this.#count();
  }

  /** Each entry that is on disk, in order. */
  committed(entry: NumberedEntry): void {
    const { moves } = entry.core;
    this.#receipts.noteEntry(entry);
    this.#tail.push(entry);
    this.#recent.note(entry);
    this.#backlog.count(entry.seq, moves.length);
    if (moves.length > 0) this.#settler?.nudge();
  }

  /** Opens the chain and settles; tries again for as long as it takes. */
  start(open: () => Promise<{ chain: OpenChain; operatorKey: Uint8Array }>): void {
    this.#opening ??= this.#open(open);
  }

  status(): ChainStatus {
    const evm = this.#chain?.evm;
    const health = evm?.health();
    const rpcUrl = evm?.kind === 'rpc' ? undefined : this.#chain?.rpcUrl();
    return {
      kind: evm?.kind ?? this.options.kind,
      chainId: evm?.chainId ?? null,
      blockNumber: health?.blockNumber ?? null,
      connected: health?.connected ?? false,
      lag: this.#backlog.lag,
      settlement: this.#halted === undefined ? 'running' : 'halted',
      ...(rpcUrl === undefined ? {} : { rpcUrl }),
    };
  }

  get backlog(): Pick<Backlog, 'lag' | 'ageMs' | 'fresh'> {
    return this.#backlog;
  }

  /** The chain, once it is there; for anchors, deposits and whoever else reads it. */
  get evm(): Evm | undefined {
    return this.#chain?.evm;
  }

  get contracts(): Contracts | undefined {
    return this.#settler?.contracts ?? this.options.contracts;
  }

  /** Tells when the contracts are found, or found again at another place. */
  whenStanding(listener: (standing: StandingChain) => void): void {
    this.#onStanding = listener;
  }

  settledEntry(): number {
    if (this.#backlog.lag === 0) return this.#backlog.entry;
    return this.#settler?.state === 'running' ? this.#settler.settledEntry : this.#records.value.point.entry;
  }

  flaws(): readonly string[] {
    const flaw = this.#flaw();
    return [flaw, this.options.notice].filter((each) => each !== undefined);
  }

  admits(): Refusal | undefined {
    const { bounds } = this.options;
    const halted = this.#halted;
    if (halted !== undefined) {
      return refuse('SERVICE_UNAVAILABLE', `settlement has halted, and Tokens can’t be moved: ${halted}`, {
        retryAfter: 30,
      });
    }
    if (this.#backlog.fresh >= bounds.operations) {
      return refuse('SERVICE_UNAVAILABLE', 'too many moves wait for the chain', { retryAfter: 5 });
    }
    if (this.#awayMs() > bounds.ms) {
      return refuse('SERVICE_UNAVAILABLE', 'the chain has been away for too long', { retryAfter: 5 });
    }
    return undefined;
  }

  async settled(entry: NumberedEntry): Promise<Settled | undefined> {
    return this.#shown(await this.#receipts.wait(entry));
  }

  receipt(eventHash: string): Settled | undefined | Promise<Settled | undefined> {
    const found = this.#receipts.ofEvent(eventHash);
    return found instanceof Promise ? found.then((receipt) => this.#shown(receipt)) : this.#shown(found);
  }

  /** Ends settlement where it stands, then the chain. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#hurry?.();
    await this.#settler?.close();
    await this.#opening;
    await this.#counting;
    await this.#chain?.close();
  }

  #flaw(): string | undefined {
    const halted = this.#halted;
    if (halted !== undefined) return `settlement has halted: ${halted}`;
    if (!this.#chain) {
      const isLate = this.options.world.monotonic() - this.#openedAt > startMs;
      return this.#missing ?? (isLate ? 'the chain is being started' : undefined);
    }
    const { connected, reason } = this.#chain.evm.health();
    if (!connected) return `the chain is away: ${reason ?? 'it does not answer'}`;
    return this.#settler?.state === 'away' ? `settlement is interrupted: ${this.#settler.reason}` : undefined;
  }

  get #halted(): string | undefined {
    if (this.#settler?.state === 'standby') return this.#foreignHalt ?? undefined;
    return this.#settler?.state === 'halted' ? this.#settler.reason : undefined;
  }

  /** For how long the chain has been no use. */
  #awayMs(): number {
    const { world } = this.options;
    if (!this.#settler) return world.monotonic() - this.#openedAt;
    return this.#settler.state === 'running' && this.#chain?.evm.health().connected ? 0 : this.#backlog.stalledMs;
  }

  #shown(receipt: Receipt | undefined): Settled | undefined {
    if (!receipt) return undefined;
    const { entryHash, seq, status, txHash, blockNumber, detail } = receipt;
    const newest = this.#chain?.evm.health().blockNumber ?? blockNumber;
    const confirmations = status === 'confirmed' ? Math.max(1, newest - blockNumber + 1) : 0;
    const shown = { entryHash, seq, status, txHash, blockNumber, confirmations };
    return detail === undefined ? shown : { ...shown, detail };
  }

  async #count(): Promise<void> {
    try {
      while (!this.#closed) {
        const page = await this.options.store.entries({ after: this.#backlog.entry, limit: 100 });
        if (page.length === 0) return;
        for (const entry of page) this.#backlog.count(entry.seq, entry.core.moves.length);
      }
    } catch (error) {
      this.options.log('what waits for settlement was not counted to the end', { err: error });
    }
  }

  async #open(open: () => Promise<{ chain: OpenChain; operatorKey: Uint8Array }>): Promise<void> {
    const { log } = this.options;
    for (let pauseMs = firstPauseMs; !this.#closed; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
      try {
        const { chain, operatorKey } = await open();
        this.#chain = chain;
        if (!this.#closed) await this.#settle(chain, operatorKey);
        return;
      } catch (error) {
        this.#missing = `the chain could not be started: ${error instanceof Error ? error.message : String(error)}`;
        log('the chain could not be started; it will be tried again', { err: error });
      }
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#hurry = resolve;
        this.options.world.after(pauseMs, resolve);
      });
    }
  }

  async #settle(chain: OpenChain, operatorKey: Uint8Array): Promise<void> {
    const [{ Settler }, { Operator }] = await Promise.all([import('./settler.js'), import('./transaction.js')]);
    const { store, network, world, log, contracts, confirmations, onBatch } = this.options;
    const { shared } = store;
    const settler: Settler = new Settler({
      ...{ evm: chain.evm, operator: new Operator(operatorKey), network, store, world, log, contracts, confirmations },
      records: this.#records,
      tail: this.#tail,
      backlog: this.#backlog,
      isMine: async () => !shared || (await shared.holds('settlement')) !== undefined,
      onSettled: (receipts) => this.#receipts.settled(receipts),
      onStanding: (found) => this.#stands(chain.evm, found, settler.errands),
      ...(onBatch ? { onBatch } : {}),
    });
    this.#settler = settler;
    // Configured contracts can be asked by a process that settles nothing as well.
    if (contracts) this.#stands(chain.evm, contracts, settler.errands);
    settler.start();
    if (shared) this.#followOthers(0);
  }

  #stands(evm: Evm, contracts: Contracts, errands: Errands): void {
    this.#onStanding?.({ evm, contracts, errands, recent: this.#recent });
  }

  /** While another process settles, what it writes is looked for. */
  #followOthers(sinceRecordMs: number): void {
    if (this.#closed) return;
    const { world } = this.options;
    world.after(foreignPollMs, () => {
      const isDue = sinceRecordMs >= recordPollMs;
      const looks = this.#settler?.state === 'standby' ? this.#look(isDue) : Promise.resolve();
      const next = () => this.#followOthers(isDue ? 0 : sinceRecordMs + foreignPollMs);
      looks.then(next, next);
    });
  }

  async #look(record: boolean): Promise<void> {
    if (this.#receipts.isWaitedAt) await this.#receipts.look();
    if (!record) return;
    const { point, highest, halted } = await this.#records.load();
    this.#backlog.settled(point.operation, highest);
    this.#foreignHalt = halted;
  }
}
