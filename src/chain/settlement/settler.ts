/**
 * The one writer of the stream (design.md, Chain): follows the numbered journal by its own cursor and sends a batch
 * whenever none is on its way. It trusts nothing that it remembers of the chain once anything went wrong: then it
 * looks where the chain stands, and goes on from there.
 */
import type { Receipt } from '../../store/entry.js';
import type { Store } from '../../store/store.js';
import type { World } from '../../world.js';
import { ContractReader } from '../contract-reader.js';
import type { Contracts } from '../deployment.js';
import { type Errand, ErrandQueue } from '../errands.js';
import { ChainAway, ChainRefused, type Evm, type EvmReceipt } from '../evm/evm.js';
import { encodeBatch } from '../operation-batch.js';
import { batchLimits, cutBatch, gasLimitOf } from '../operation-limits.js';
import type { Backlog } from './backlog.js';
import { missingDeposit } from './missing-deposits.js';
import { type Mined, Reconciliation, SettlementHalted } from './reconciliation.js';
import { OutOfStep, Sender } from './sender.js';
import type { Revert, SettlementContract } from './settlement-contract.js';
import { type Outgoing, type SettlementRecord, type SettlementRecords, SettlerReplaced } from './settlement-record.js';
import { advance, type JournalTail, type StreamEntry, type StreamPoint } from './stream.js';
import type { Operator } from './transaction.js';

export interface SettlerOptions {
  readonly evm: Evm;
  readonly operator: Operator;
  readonly network: string;
  readonly store: Store;
  readonly records: SettlementRecords;
  readonly tail: JournalTail;
  readonly backlog: Backlog;
  readonly world: World;
  readonly log: (message: string, detail: object) => void;
  /** As configured; undefined on a chain of the node's own, where the settler makes them. */
  readonly contracts: Contracts | undefined;
  /** Blocks until a settlement counts. */
  readonly confirmations: number;
  /** Whether this process is the one that settles. Asked about once a second. */
  readonly isMine: () => Promise<boolean>;
  /** After the receipts are durable. */
  readonly onSettled: (receipts: readonly Receipt[]) => void;
  /** It was found out where the chain stands: the contracts are there, and errands are sent. */
  readonly onStanding?: (contracts: Contracts) => void;
  readonly onBatch?: (batch: { operations: number; gas: number; reverted: boolean }) => void;
}

interface Batch {
  readonly entries: readonly StreamEntry[];
  readonly operations: readonly Buffer[];
  readonly before: StreamPoint;
  readonly after: StreamPoint;
}

export type SettlerState = 'starting' | 'standby' | 'running' | 'away' | 'halted';

const standbyMs = 1_000;
const idleMs = { own: 2_000, other: 10_000 };
const confirmationPollMs = { own: 50, other: 2_000 };
const firstPauseMs = 100;
const longestPauseMs = { own: 1_000, other: 10_000 };
const leaseMs = 1_000;
/** A batch that its own simulation would accept, and the chain reverted: so many times it is tried again. */
const unexplainedReverts = 3;
/** Before the exit of the vault opens: the operator is alive, with nothing to settle. */
const signOfLifeMs = 3 * 86_400_000;
/** Gas beside the bounds of its operations, where a batch was reverted for no other reason that can be seen. */
const moreGas = [1, 1.5, 2];
/** How long a batch waits for those who have just been answered and may come again. */
const companyMs = 30;
/** The chain turned back between the look at a batch's deposits and the batch. */
const ofDeposits = ['DepositNotWaiting', 'WrongDeposit'];
/** Of an errand, beside what it would take now. */
const errandGas = 1.25;

export class Settler {
  #state: SettlerState = 'starting';
  #reason: string | undefined;
  #closed = false;
  #wake: ((closing: boolean) => void) | undefined;
  /** Since the turn began. */
  #nudged = false;
  #contract: SettlementContract | undefined;
  #contracts: Contracts | undefined;
  #inStep = false;
  /** Up to where the chain has applied the stream, as far as is known. */
  #sent: StreamPoint;
  /** Up to where receipts are durable. */
  #recorded: { point: StreamPoint; block: number };
  #unconfirmed: Mined[] = [];
  #recording: Promise<void> = Promise.resolve();
  /** The operation that the chain will not have; those before it still go. */
  #refused: { operation: number; revert: Revert } | undefined;
  #unexplained = 0;
  /** Operations in the last batch and behind it, when it was mined: so many callers are at work. */
  #company = 0;
  #failures = 0;
  #leaseAt = Number.NEGATIVE_INFINITY;
  #checkedAt = 0;
  #signAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  /** Transactions beside the stream. */
  readonly errands = new ErrandQueue(() => this.nudge());
  readonly #sender: Sender;
  readonly #reconciliation: Reconciliation;

  constructor(private readonly options: SettlerOptions) {
    this.#sender = new Sender(options.evm, options.operator, options.world);
    this.#reconciliation = new Reconciliation(options, this.#sender);
    const { point, block } = options.records.value;
    this.#sent = point;
    this.#recorded = { point, block };
  }

  get state(): SettlerState {
    return this.#state;
  }

  /** Why it does not go on. */
  get reason(): string | undefined {
    return this.#reason;
  }

  get contracts(): Contracts | undefined {
    return this.#contracts;
  }

  /** Number of the newest entry up to which nothing waits for its receipt. */
  get settledEntry(): number {
    return this.#recorded.point.entry;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** The journal has grown. */
  nudge(): void {
    this.#nudged = true;
    this.#wake?.(false);
  }

  /** Finishes what it is at, and writes down how far it has come. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#sender.close();
    this.#wake?.(true);
    await this.#running;
  }

  get #isOwn(): boolean {
    return this.options.evm.fund !== undefined;
  }

  /**
   * A chain of this process alone takes a transaction at once or never: the cursor tells which, and none has to be kept
   * for being sent again. What was settled is noted with the receipts then, in one commit.
   */
  get #minesAtOnce(): boolean {
    return this.#isOwn && this.options.store.shared === undefined;
  }

  get #pace(): 'own' | 'other' {
    return this.#isOwn ? 'own' : 'other';
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        const restMs = await this.#turn();
        this.#failures = 0;
        if (restMs > 0) await this.#rest(restMs);
      } catch (error) {
        this.errands.close(error instanceof Error ? error.message : String(error));
        await this.#failed(error);
      }
    }
    this.errands.close('settlement is closing');
    await this.#writeDown().catch((error: unknown) =>
      this.options.log('how far settlement has come was not written down; it will be found again', {
        error: String(error),
      }),
    );
  }

  /** @returns how long to rest, ms; 0: there may be more to do */
  async #turn(): Promise<number> {
    this.#nudged = false;
    if (!(await this.#mayWork())) return standbyMs;
    if (!this.#inStep) await this.#getInStep();
    await this.#waitForCompany();
    const batch = await this.#upToMissingDeposit(await this.#gather());
    if (batch) await this.#settle(batch);
    // After the batch, which may have been kept with the nonce that comes next.
    if ((await this.errands.next((errand) => this.#send(errand))) || batch) return 0;
    if (this.#unconfirmed.length > 0) {
      await this.#confirm();
      return this.#unconfirmed.length > 0 ? confirmationPollMs[this.#pace] : 0;
    }
    if (this.#refused) throw new SettlementHalted(this.#refusal(), 'an operation');
    await this.#writeDown();
    await this.#check();
    return idleMs[this.#pace];
  }

  async #mayWork(): Promise<boolean> {
    const { world, isMine } = this.options;
    if (world.monotonic() - this.#leaseAt < leaseMs && this.#state !== 'standby') return true;
    if (await isMine()) {
      this.#leaseAt = world.monotonic();
      if (this.#state === 'standby') this.#inStep = false;
      return true;
    }
    this.#state = 'standby';
    this.#reason = undefined;
    this.errands.close('another process settles');
    return false;
  }

  /** Not kept: one that is lost with the process is found missing by whoever wanted it. */
  async #send({ to, data }: Errand): Promise<EvmReceipt> {
    const { evm, operator } = this.options;
    const gas = await evm.estimateGas({ from: operator.address, to, data });
    const bytes = Buffer.from(data.slice(2), 'hex');
    return this.#sender.send({ to, data: bytes, gasLimit: Math.ceil(gas * errandGas), keep: async () => {} });
  }

  async #getInStep(): Promise<void> {
    this.#unconfirmed = [];
    await this.#recording;
    const { contract, contracts, point, mined, recorded, block } = await this.#reconciliation.run();
    this.#contract = contract;
    this.#contracts = contracts;
    this.#sent = point;
    this.#recorded = { point: recorded, block };
    this.#unconfirmed = [...mined];
    this.#inStep = true;
    this.#checkedAt = this.options.world.monotonic();
    this.#state = 'running';
    this.#reason = undefined;
    if (this.options.records.value.halted !== null) await this.options.records.change({ halted: null });
    this.errands.open();
    this.options.onStanding?.(contracts);
  }

  /**
   * A batch costs the chain and the disk as much as a hundred operations. Callers who wait for their answers would part
   * into those in the batch on its way and those behind it, for good; a moment's patience brings them together.
   */
  async #waitForCompany(): Promise<void> {
    const { backlog, world } = this.options;
    const until = world.monotonic() + companyMs;
    for (;;) {
      const waiting = backlog.total - this.#sent.operation;
      const leftMs = until - world.monotonic();
      if (waiting <= 0 || waiting >= this.#company || leftMs <= 0 || this.#closed) return;
      await this.#sleep(leftMs, true);
    }
  }

  /** The next entries that fit into one batch; those without moves are passed on the way. */
  async #gather(): Promise<Batch | undefined> {
    const { tail, backlog } = this.options;
    const entries: StreamEntry[] = [];
    const operations: Buffer[] = [];
    let at = this.#sent;
    const keptUpTo = this.#keptBehind(at)?.last ?? Number.POSITIVE_INFINITY;
    while (operations.length < batchLimits.operations) {
      const page = await tail.after(at.entry, batchLimits.operations);
      for (const entry of page) {
        const next = advance(at, entry);
        backlog.count(entry.seq, next.operations.length);
        if (this.#refused && next.after.operation >= this.#refused.operation) break;
        if (next.after.operation > keptUpTo) break;
        at = next.after;
        if (next.operations.length > 0) entries.push(next);
        operations.push(...next.operations);
        if (operations.length >= batchLimits.operations) break;
      }
      if (page.length === 0 || at.entry !== page.at(-1)!.seq) break;
    }
    if (entries.length === 0) {
      this.#passed(at);
      return undefined;
    }
    const fits = this.#sent.operation + cutBatch(operations);
    return batchOf(entries.filter((each, index) => index === 0 || each.after.operation <= fits));
  }

  /**
   * What was on its way goes as it was: another batch under its nonce might be mined beside it. A sign of life holds nobody
   * up: it has no operations, and whichever is mined under its nonce will do.
   */
  #keptBehind({ operation }: StreamPoint): Outgoing | undefined {
    const { outgoing } = this.options.records.value;
    return outgoing?.first === operation + 1 && outgoing.last >= outgoing.first ? outgoing : undefined;
  }

  /** On a chain that others run: what it would refuse now is not paid for, and may be there again in a moment. */
  async #upToMissingDeposit(batch: Batch | undefined): Promise<Batch | undefined> {
    if (!batch || this.#isOwn) return batch;
    const reader = new ContractReader(this.options.evm, this.#contracts!);
    const missing = await missingDeposit(batch.entries, reader);
    if (!missing) return batch;
    if (missing.index === 0 || this.#keptBehind(batch.before)) throw new ChainAway(missing.text);
    return batchOf(batch.entries.slice(0, missing.index));
  }

  /** Entries that move nothing need no chain. */
  #passed(at: StreamPoint): void {
    if (at.entry === this.#sent.entry) return;
    if (this.#recorded.point.operation === at.operation) this.#recorded = { ...this.#recorded, point: at };
    this.#sent = at;
  }

  async #settle(batch: Batch): Promise<void> {
    const { records } = this.options;
    const contract = this.#contract!;
    const { before, after, operations } = batch;
    if (this.#isOwn) await this.#restoreDeposits(batch);
    const first = before.operation + 1;
    const data = encodeBatch({ first, prevHead: Buffer.from(before.head, 'hex'), operations });
    const { outgoing } = records.value;
    const isKept = outgoing?.first === first && outgoing.last === after.operation;
    const receipt = await this.#sender.send({
      to: contract.address,
      data,
      gasLimit: Math.ceil(gasLimitOf(operations) * (moreGas[this.#unexplained] ?? 1)),
      kept: isKept && outgoing.nonce === (await this.#sender.nextNonce()) ? outgoing : undefined,
      keep: async ({ raw }, hashes, nonce) => {
        if (!this.#minesAtOnce) {
          await records.change({ ...this.#progress(), outgoing: { raw, hashes, nonce, first, last: after.operation } });
        }
        await this.#recording;
      },
    });
    this.options.onBatch?.({ operations: operations.length, gas: receipt.gasUsed, reverted: !receipt.succeeded });
    if (!receipt.succeeded) return this.#reverted(batch, data, receipt);
    const applied = contract.appliedIn(receipt);
    if (applied?.last !== after.operation || applied.head !== after.head) {
      // A chain that was reset takes a transaction to an address without code, too.
      throw new OutOfStep('the transaction was mined, and has applied nothing');
    }
    this.#unexplained = 0;
    this.#sent = after;
    this.#company = Math.min(batchLimits.operations, operations.length + this.options.backlog.total - after.operation);
    this.#unconfirmed.push({
      entries: batch.entries.map(({ entry: { entryHash, seq } }) => ({ entryHash, seq })),
      after,
      txHash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
      blockHash: receipt.blockHash,
    });
    await this.#confirm();
  }

  /** What was deposited on a chain that was lost. */
  async #restoreDeposits({ entries }: Batch): Promise<void> {
    const moves = entries.flatMap(({ entry }) => entry.core.moves);
    if (!moves.some(({ op }) => op === 'deposit')) return;
    const { evm, operator } = this.options;
    const { makeAgain } = await import('./lost-deposits.js');
    const reader = new ContractReader(evm, this.#contracts!);
    await makeAgain(moves, { reader, operator: operator.address, send: (errand) => this.#send(errand) });
  }

  /** Writes the receipts of all batches that have enough blocks on top of them. */
  async #confirm(): Promise<void> {
    const { evm, confirmations } = this.options;
    const newest = confirmations > 1 ? await evm.blockNumber() : Number.POSITIVE_INFINITY;
    for (let mined = this.#unconfirmed[0]; mined; mined = this.#unconfirmed[0]) {
      const { blockNumber, blockHash, txHash } = mined;
      if (blockNumber + confirmations - 1 > newest) break;
      if (confirmations > 1 && (await evm.receipt(txHash))?.blockHash !== blockHash) {
        throw new OutOfStep('a batch that was mined is in that block no more');
      }
      this.#unconfirmed.shift();
      const settled = mined;
      await this.#recording;
      this.#recording = this.#record(settled);
      // It is awaited before anything builds on it.
      this.#recording.catch(() => {});
    }
    if (this.#unconfirmed.length > 0) await evm.mine?.();
  }

  async #record({ entries, after, txHash, blockNumber, wasFound }: Mined): Promise<void> {
    const { store, backlog, tail, onSettled, records } = this.options;
    // A sign of life.
    if (entries.length === 0) return;
    // Each member by its name: a spread with members behind it costs several times as much.
    const receipts = entries.map(
      ({ entryHash, seq }): Receipt => ({ entryHash, seq, status: 'confirmed', txHash, blockNumber }),
    );
    // A crash may have come between receipts and the note of how far they go: those that are there are not doubled.
    const known = wasFound ? await store.receipt(receipts.at(-1)!.entryHash) : undefined;
    const recorded = { point: after, block: blockNumber };
    await Promise.all([
      known?.txHash === txHash ? undefined : store.appendReceipts(receipts),
      this.#minesAtOnce ? records.change({ ...this.#progress(recorded), outgoing: null }) : undefined,
    ]);
    this.#recorded = recorded;
    backlog.settled(after.operation, after.operation);
    tail.forget(after.entry);
    onSettled(receipts);
  }

  /** Nothing is on its way: what is known in memory only goes to disk. */
  async #writeDown(): Promise<void> {
    await this.#recording;
    const { records } = this.options;
    if (this.#state !== 'running' || records.value.point.operation === this.#recorded.point.operation) return;
    await records.change({ ...this.#progress(), outgoing: null });
  }

  #progress({ point, block } = this.#recorded): Pick<SettlementRecord, 'point' | 'block' | 'highest'> {
    return { point, block, highest: Math.max(this.options.records.value.highest, point.operation) };
  }

  /** Idle: does the chain still stand where it stood? */
  async #check(): Promise<void> {
    const { world, log } = this.options;
    if (world.monotonic() - this.#checkedAt < idleMs[this.#pace]) return;
    this.#checkedAt = world.monotonic();
    const { operation, head, batchAtMs } = await this.#contract!.cursor();
    if (operation !== this.#sent.operation || head !== this.#sent.head) {
      throw new OutOfStep(`the chain has ${operation} operations where ${this.#sent.operation} were applied`);
    }
    // A chain whose clock is days behind is not told again and again.
    if (world.now() - batchAtMs < signOfLifeMs || world.monotonic() - this.#signAt < signOfLifeMs) return;
    this.#signAt = world.monotonic();
    log('nothing was settled for days: a sign of life keeps the exit closed', {});
    await this.#settle({ entries: [], operations: [], before: this.#sent, after: this.#sent });
  }

  async #reverted(batch: Batch, data: Uint8Array, receipt: EvmReceipt): Promise<void> {
    const { operator, log } = this.options;
    const revert = await this.#contract!.whyNot(operator.address, data);
    const { transactionHash } = receipt;
    log('a batch was reverted', { transactionHash, revert: revert?.text ?? 'it would be accepted now' });
    const cursor = await this.#contract!.cursor();
    if (cursor.operation !== batch.before.operation || cursor.head !== batch.before.head) {
      throw new OutOfStep('the chain has moved on by another hand');
    }
    if (revert?.operation === undefined) {
      if (revert?.name === 'TimeAhead') await this.#putForward(batch.after.timeMs);
      if (++this.#unexplained <= unexplainedReverts)
        throw new OutOfStep('a batch was reverted and may be accepted now');
      throw new SettlementHalted(
        `the chain refuses a batch: ${revert?.text ?? 'for no reason that it tells'}`,
        'an operation',
      );
    }
    if (!this.#isOwn && ofDeposits.includes(revert.name)) throw new OutOfStep(`a batch was reverted: ${revert.text}`);
    this.#refused = { operation: revert.operation, revert };
    const bad = batch.entries.find(({ after }) => after.operation >= revert.operation!);
    if (!bad) return;
    const { entryHash, seq } = bad.entry;
    const told: Receipt = {
      ...{ entryHash, seq, status: 'reverted', txHash: transactionHash, blockNumber: receipt.blockNumber },
      detail: revert.text,
    };
    await this.options.store.appendReceipts([told]);
    this.options.onSettled([told]);
  }

  /** The node's clock was put back, and the journal's time does not go back: a chain of its own follows the journal. */
  async #putForward(timeMs: number): Promise<never> {
    const { evm } = this.options;
    if (!evm.putForward) throw new ChainAway('the clock of the chain is behind by more than 15 minutes');
    await evm.putForward(timeMs);
    throw new OutOfStep('the clock of the chain was behind by more than 15 minutes, and has been put forward');
  }

  #refusal(): string {
    const { operation, revert } = this.#refused!;
    return `the chain refuses operation ${operation}, which the journal has committed: ${revert.text}`;
  }

  async #failed(error: unknown): Promise<void> {
    const { log, records } = this.options;
    this.#inStep = false;
    this.#sender.forget();
    // One writer of the record at a time. What was not recorded is found on the chain again.
    await this.#recording.catch(() => {});
    this.#recording = Promise.resolve();
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof SettlementHalted) {
      if (this.#state !== 'halted') log('settlement has halted', { reason: message });
      this.#state = 'halted';
      this.#reason = message;
      if (records.value.halted !== message) await records.change({ halted: message }).catch(() => {});
      // What the chain refused it will refuse again; a wrong chain may be put right while the node runs.
      await this.#sleep(error.over === 'an operation' ? Number.MAX_SAFE_INTEGER : longestPauseMs.other);
      return;
    }
    if (error instanceof SettlerReplaced) {
      this.#state = 'standby';
      this.#leaseAt = Number.NEGATIVE_INFINITY;
      await records.load();
      return;
    }
    const isOurs = !(error instanceof ChainAway || error instanceof ChainRefused || error instanceof OutOfStep);
    if (this.#state !== 'away' || isOurs)
      log('settlement is interrupted', isOurs ? { err: error } : { reason: message });
    this.#state = 'away';
    this.#reason = message;
    await this.#sleep(Math.min(longestPauseMs[this.#pace], firstPauseMs * 2 ** Math.min(this.#failures++, 10)));
  }

  /** Ends early when the journal grows. */
  async #rest(ms: number): Promise<void> {
    if (!this.#nudged) await this.#sleep(ms, true);
  }

  /** Ends early with the settler. */
  async #sleep(ms: number, wakes = false): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      const timer = this.options.world.after(ms, resolve);
      this.#wake = (closing) => {
        if (!wakes && !closing) return;
        timer.cancel();
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

const batchOf = (entries: readonly StreamEntry[]): Batch => ({
  entries,
  operations: entries.flatMap(({ operations }) => operations),
  before: entries[0]!.before,
  after: entries.at(-1)!.after,
});
