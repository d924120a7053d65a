/**
 * The settlement port on a chain. It exists from the start of a node, so that requests are answered while a local chain is
 * still starting.
 */
import { Background } from '../../core/background.js';
import { messageOf } from '../../core/error-message.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import type { NumberedEntry, Receipt } from '../../store/entry.js';
import type { ContractAddresses } from '../contracts/deployment.js';
import type { Evm, EvmKind } from '../evm/evm.js';
import type { OpenChain } from '../evm/open-chain.js';
import { Backlog } from './backlog.js';
import { type PinnedBlock, pinOf } from './chain-pin.js';
import type { OutOfBandSender } from './out-of-band.js';
import { ReceiptQueue } from './receipt-queue.js';
import { RecentHashes } from './recent-hashes.js';
import type { ChainStatus, Settlement, SettlementReceipt } from './settlement.js';
import { type SettlementRecord, SettlementRecords } from './settlement-record.js';
import type { Settler } from './settler.js';
import type { SettlerOptions } from './settler-options.js';
import { JournalTail, streamStart } from './stream.js';

type ForSettler = 'store' | 'network' | 'world' | 'log' | 'confirmations' | 'contracts' | 'onBatch';

export interface ChainSettlementOptions extends Pick<SettlerOptions, ForSettler> {
  readonly kind: EvmKind;
  /** The block of the deployment, if it is configured. */
  readonly madeIn?: PinnedBlock | undefined;
  /** The longest time that a request waits for its receipt, ms. */
  readonly waitMs: number;
  readonly bounds: {
    readonly operations: number;
    /** The longest time without progress while operations wait. */
    readonly ms: number;
  };
}

export interface ReadyChain {
  readonly evm: Evm;
  readonly contracts: ContractAddresses;
  readonly outOfBand: OutOfBandSender;
  readonly recent: RecentHashes;
}

const keptEntries = 4_000;
/** Time for a local chain to start; before that its absence is not reported as a problem. */
const startMs = 15_000;
const firstPauseMs = 500;
const longestPauseMs = 10_000;
const foreignPollMs = 100;
const recordPollMs = 1_000;

export class ChainSettlement implements Settlement {
  readonly #receipts: ReceiptQueue;
  readonly #tail: JournalTail;
  readonly #backlog: Backlog;
  readonly #recent = new RecentHashes();
  readonly #records: SettlementRecords;
  #chain: OpenChain | undefined;
  #settler: Settler | undefined;
  #missing: string | undefined;
  #opening: Promise<void> | undefined;
  readonly #counting: Background;
  #hurry: (() => void) | undefined;
  #closed = false;
  readonly #openedAt: number;
  #onReady: ((ready: ReadyChain) => void) | undefined;
  /** The state that another process stored, when that one settles. */
  #foreign: Pick<SettlementRecord, 'halted' | 'revertedFrom'> = { halted: null };

  constructor(private readonly options: ChainSettlementOptions) {
    const { store, world, waitMs, network } = options;
    this.#receipts = new ReceiptQueue({ store, world, waitMs });
    this.#tail = new JournalTail(store, keptEntries);
    this.#backlog = new Backlog(world);
    const point = streamStart(network);
    const fresh = { chainId: 0, contracts: null, point, block: 0, highest: 0, outgoing: null, halted: null };
    this.#records = new SettlementRecords(store, fresh);
    this.#openedAt = world.monotonic();
    this.#counting = new Background({
      world,
      round: () => this.#count(),
      onFailure: (err) => options.log('counting the backlog of settlement failed; it will be retried', { err }),
    });
  }

  async load(): Promise<void> {
    const { point, highest } = await this.#records.load();
    this.#backlog.startAt(point.entry, point.operation);
    this.#backlog.settled(point.operation, highest);
    this.#counting.start();
  }

  /** Takes each durable entry, in order. */
  committed(entry: NumberedEntry): void {
    const { moves } = entry.core;
    this.#receipts.noteEntry(entry);
    this.#tail.push(entry);
    this.#recent.note(entry);
    this.#backlog.count(entry.seq, moves.length);
    if (moves.length > 0) this.#settler?.wake();
  }

  /**
   * Opens the chain and settles. Retries until the chain opens.
   * @param away why it could not be opened before
   */
  start(open: () => Promise<{ chain: OpenChain; operatorKey: Uint8Array }>, away?: string): void {
    this.#missing = away;
    this.#opening ??= this.#open(open);
  }

  status(): ChainStatus {
    const evm = this.#chain?.evm;
    const health = evm?.health();
    const rpcUrl = this.#chain?.rpcUrl();
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

  /** Rejects with WrongChain when the ledger is settled on another chain. */
  async requirePinned(evm: Evm): Promise<void> {
    const { contracts, madeIn, confirmations } = this.options;
    const { pin: known } = this.#records.value;
    if (contracts) await pinOf({ evm, settlement: contracts.settlement, madeIn, known, confirmations });
  }

  get evm(): Evm | undefined {
    return this.#chain?.evm;
  }

  get contracts(): ContractAddresses | undefined {
    return this.#settler?.contracts ?? this.options.contracts;
  }

  /** Registers a listener for the contracts: called when they are found, and when their addresses change. */
  onReady(listener: (ready: ReadyChain) => void): void {
    this.#onReady = listener;
  }

  settledEntry(): number {
    if (this.#backlog.lag === 0) return this.#backlog.entry;
    return this.#settler?.state === 'running' ? this.#settler.settledEntry : this.#records.value.point.entry;
  }

  /** Time of the newest block of a chain that others run, epoch ms. */
  get blockTime(): number | undefined {
    return this.#chain?.evm.health().blockTime;
  }

  problems(): readonly string[] {
    const flaw = this.#flaw();
    return flaw === undefined ? [] : [flaw];
  }

  admissionRefusal(): Refusal | undefined {
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

  async waitForReceipt(entry: NumberedEntry): Promise<SettlementReceipt | undefined> {
    return this.#shown(await this.#receipts.wait(entry));
  }

  hasReverted({ seq }: NumberedEntry): boolean {
    const isStandby = this.#settler?.state === 'standby';
    const from = isStandby ? this.#foreign.revertedFrom : this.#settler?.revertedFrom;
    return typeof from === 'number' && seq >= from;
  }

  receipt(eventHash: string): SettlementReceipt | undefined | Promise<SettlementReceipt | undefined> {
    const found = this.#receipts.ofEvent(eventHash);
    return found instanceof Promise ? found.then((receipt) => this.#shown(receipt)) : this.#shown(found);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#hurry?.();
    await this.#settler?.close();
    await this.#opening;
    await this.#counting.stop();
    await this.#chain?.close();
  }

  #flaw(): string | undefined {
    const halted = this.#halted;
    if (halted !== undefined) return `settlement has halted: ${halted}`;
    if (!this.#chain) {
      const isLate = this.options.world.monotonic() - this.#openedAt > startMs;
      return this.#missing ?? (isLate ? 'the chain is being started' : undefined);
    }
    const { connected, reason, silence } = this.#chain.evm.health();
    if (!connected) return `the chain is away: ${reason ?? 'it does not answer'}`;
    if (silence) {
      const [forSeconds, usualSeconds] = [silence.ms, silence.usualMs].map((ms) => Math.ceil(ms / 1_000));
      return `the chain has made no block for ${forSeconds} s, where it usually makes one within ${usualSeconds} s`;
    }
    return this.#settler?.state === 'away' ? `settlement is interrupted: ${this.#settler.reason}` : undefined;
  }

  get #halted(): string | undefined {
    if (this.#settler?.state === 'standby') return this.#foreign.halted ?? undefined;
    return this.#settler?.state === 'halted' ? this.#settler.reason : undefined;
  }

  #awayMs(): number {
    const { world } = this.options;
    if (!this.#settler) return world.monotonic() - this.#openedAt;
    return this.#settler.state === 'running' && this.#chain?.evm.health().connected ? 0 : this.#backlog.stalledMs;
  }

  #shown(receipt: Receipt | undefined): SettlementReceipt | undefined {
    if (!receipt) return undefined;
    const { entryHash, seq, status, txHash, blockNumber, detail } = receipt;
    const newest = this.#chain?.evm.health().blockNumber ?? blockNumber;
    const confirmations = status === 'confirmed' ? Math.max(1, newest - blockNumber + 1) : 0;
    const shown = { entryHash, seq, status, txHash, blockNumber, confirmations };
    return detail === undefined ? shown : { ...shown, detail };
  }

  async #count(): Promise<undefined> {
    while (!this.#closed) {
      const page = await this.options.store.entries({ after: this.#backlog.entry, limit: 100 });
      if (page.length === 0) return;
      for (const entry of page) this.#backlog.count(entry.seq, entry.core.moves.length);
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
        this.#missing = `the chain could not be started: ${messageOf(error)}`;
        log('the chain could not be started; it will be retried', { err: error });
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
    const { store, network, world, log, contracts, madeIn, confirmations, onBatch } = this.options;
    const { shared } = store;
    const settler: Settler = new Settler({
      ...{ evm: chain.evm, operator: new Operator(operatorKey), network, store, world, log, contracts, confirmations },
      madeIn,
      records: this.#records,
      tail: this.#tail,
      backlog: this.#backlog,
      isMine: async () => !shared || (await shared.holds('settlement')) !== undefined,
      onSettled: (receipts) => this.#receipts.settled(receipts),
      onReverted: (seq) => this.#receipts.giveUp(seq),
      onReady: (found) => this.#announceReady(chain.evm, found, settler.outOfBand),
      ...(onBatch ? { onBatch } : {}),
    });
    this.#settler = settler;
    // A process that does not settle reads configured contracts as well.
    if (contracts) this.#announceReady(chain.evm, contracts, settler.outOfBand);
    settler.start();
    if (shared) this.#followOthers(0);
  }

  #announceReady(evm: Evm, contracts: ContractAddresses, outOfBand: OutOfBandSender): void {
    this.#onReady?.({ evm, contracts, outOfBand, recent: this.#recent });
  }

  /** Polls the store for the progress of another process while that one settles. */
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
    if (this.#receipts.hasWaiters) await this.#receipts.pollStore();
    if (!record) return;
    const { point, highest, halted, revertedFrom } = await this.#records.load();
    this.#backlog.settled(point.operation, highest);
    this.#foreign = { halted, revertedFrom: revertedFrom ?? null };
    if (typeof revertedFrom === 'number') this.#receipts.giveUp(revertedFrom);
  }
}
