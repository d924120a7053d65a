/**
 * The only writer of the stream (docs/reference/settlement.md#stream): follows the numbered journal with its own cursor
 * and sends a batch whenever none is in flight. After any failure it discards its view of the chain and reconciles with
 * the chain again.
 */

import { dayMs } from '../../core/bounds.js';
import { messageOf } from '../../core/error-message.js';
import type { Receipt } from '../../store/entry.js';
import { ContractReader } from '../contracts/contract-reader.js';
import type { ContractAddresses } from '../contracts/deployment.js';
import { ChainAway, ChainRefused, type EvmReceipt } from '../evm/evm.js';
import { encodeBatch } from '../operations/operation-batch.js';
import { batchLimits, cutBatch, gasLimitOf } from '../operations/operation-limits.js';
import { BatchRecorder } from './batch-recorder.js';
import { missingDeposit } from './missing-deposits.js';
import { OutOfBandQueue, type OutOfBandTransaction } from './out-of-band.js';
import { Reconciliation, SettlementHalted } from './reconciliation.js';
import { OutOfStep, Sender, type Sending } from './sender.js';
import type { Revert, SettlementContract } from './settlement-contract.js';
import { type Outgoing, SettlerReplaced } from './settlement-record.js';
import type { SettlerOptions } from './settler-options.js';
import { advance, type StreamEntry, type StreamPoint } from './stream.js';

interface PendingBatch {
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
/** Retries of a batch that the chain reverted although a simulation accepts it. */
const unexplainedReverts = 3;
/** Idle time after which an empty batch is sent, well before the vault opens its exit for depositors. */
const heartbeatMs = 3 * dayMs;
/** Factors on the gas limit, by the number of unexplained reverts so far. */
const moreGas = [1, 1.5, 2];
/** The longest time that a batch waits for callers who were answered a moment ago. */
const batchingDelayMs = 30;
/** Reverts that follow a reorg between the check of a batch's deposits and the batch. */
const ofDeposits = ['DepositNotWaiting', 'WrongDeposit'];
/** Factor on the estimated gas of an out-of-band transaction. */
const outOfBandGas = 1.25;

export class Settler {
  #state: SettlerState = 'starting';
  #reason: string | undefined;
  #closed = false;
  #wake: ((closing: boolean) => void) | undefined;
  /** The journal has grown since the turn began. */
  #isWoken = false;
  #contract: SettlementContract | undefined;
  #contracts: ContractAddresses | undefined;
  #inStep = false;
  /** The last point of the stream that the chain is known to have applied. */
  #sent: StreamPoint;
  /** The operation that the chain rejects; those before it are still settled. */
  #refused: { operation: number; revert: Revert } | undefined;
  #unexplained = 0;
  #revertedFrom: number | undefined;
  /** Operations in the last batch plus those that waited when it was mined: an estimate of the concurrent callers. */
  #activeOperations = 0;
  #failures = 0;
  #leaseAt = Number.NEGATIVE_INFINITY;
  #checkedAt = 0;
  #heartbeatAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  /** Transactions of the operator's key that are no part of the stream. */
  readonly outOfBand = new OutOfBandQueue(() => this.wake());
  readonly #sender: Sender;
  readonly #reconciliation: Reconciliation;
  readonly #recorder: BatchRecorder;

  constructor(private readonly options: SettlerOptions) {
    this.#sender = new Sender(options.evm, options.operator, options.world);
    this.#reconciliation = new Reconciliation(options, this.#sender);
    this.#recorder = new BatchRecorder(options);
    this.#sent = options.records.value.point;
  }

  get state(): SettlerState {
    return this.#state;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  get contracts(): ContractAddresses | undefined {
    return this.#contracts;
  }

  get settledEntry(): number {
    return this.#recorder.settledEntry;
  }

  get revertedFrom(): number | undefined {
    return this.#revertedFrom;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  wake(): void {
    this.#isWoken = true;
    this.#wake?.(false);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sender.close();
    this.#wake?.(true);
    await this.#running;
  }

  get #isOwn(): boolean {
    return this.options.evm.fund !== undefined;
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
        this.outOfBand.close(messageOf(error));
        await this.#failed(error);
      }
    }
    this.outOfBand.close('settlement is closing');
    await this.#writeDown().catch((error: unknown) =>
      this.options.log('the progress of settlement was not stored; the next start finds it on the chain', {
        error: String(error),
      }),
    );
  }

  /** @returns how long to rest, ms; 0 if there may be more to do */
  async #turn(): Promise<number> {
    this.#isWoken = false;
    if (!(await this.#mayWork())) return standbyMs;
    if (!this.#inStep) await this.#getInStep();
    await this.#batchingDelay();
    const batch = await this.#upToMissingDeposit(await this.#gather());
    if (batch) await this.#settle(batch);
    // After the batch, because a stored batch may own the next nonce.
    if ((await this.outOfBand.next((transaction) => this.#send(transaction))) || batch) return 0;
    if (this.#recorder.isWaiting) {
      await this.#recorder.confirm();
      return this.#recorder.isWaiting ? confirmationPollMs[this.#pace] : 0;
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
    this.outOfBand.close('another process settles');
    return false;
  }

  /** Sends an out-of-band transaction. It is not stored: its sender repeats it when the contract shows no effect. */
  async #send({ to, data }: OutOfBandTransaction): Promise<EvmReceipt> {
    const { evm, operator } = this.options;
    const gas = await evm.estimateGas({ from: operator.address, to, data });
    const bytes = Buffer.from(data.slice(2), 'hex');
    return this.#sender.send({ to, data: bytes, gasLimit: Math.ceil(gas * outOfBandGas), keep: async () => {} });
  }

  async #getInStep(): Promise<void> {
    await this.#recorder.dropUnconfirmed();
    const { contract, contracts, point, mined, recorded, block } = await this.#reconciliation.run();
    this.#contract = contract;
    this.#contracts = contracts;
    this.#sent = point;
    this.#recorder.continueFrom({ point: recorded, block }, mined);
    this.#inStep = true;
    this.#checkedAt = this.options.world.monotonic();
    this.#state = 'running';
    this.#reason = undefined;
    const { records } = this.options;
    if (records.value.halted !== null) await records.change({ halted: null });
    if (this.#revertedFrom === undefined && typeof records.value.revertedFrom === 'number') {
      await records.change({ revertedFrom: null });
    }
    this.outOfBand.open();
    this.options.onReady?.(contracts);
  }

  /**
   * Waits until as many operations wait as callers were active, at most `batchingDelayMs`. Without the delay, callers split
   * for good into those of the current batch and those of the next, and a batch costs as much as a hundred operations.
   */
  async #batchingDelay(): Promise<void> {
    const { backlog, world } = this.options;
    const until = world.monotonic() + batchingDelayMs;
    for (;;) {
      const waiting = backlog.total - this.#sent.operation;
      const leftMs = until - world.monotonic();
      if (waiting <= 0 || waiting >= this.#activeOperations || leftMs <= 0 || this.#closed) return;
      await this.#sleep(leftMs, true);
    }
  }

  /** Collects the next entries that fit into one batch; skips entries without moves. */
  async #gather(): Promise<PendingBatch | undefined> {
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
   * The stored transaction that continues at this point. It is sent again unchanged, because a different batch under the
   * same nonce could be mined in its place. An empty batch is not kept: it may be replaced.
   */
  #keptBehind({ operation }: StreamPoint): Outgoing | undefined {
    const { outgoing } = this.options.records.value;
    return outgoing?.first === operation + 1 && outgoing.last >= outgoing.first ? outgoing : undefined;
  }

  /** Cuts the batch before a deposit that is not on chain now: the batch would revert, and a reorg may bring it back. */
  async #upToMissingDeposit(batch: PendingBatch | undefined): Promise<PendingBatch | undefined> {
    if (!batch || this.#isOwn) return batch;
    const reader = new ContractReader(this.options.evm, this.#contracts!);
    const missing = await missingDeposit(batch.entries, reader);
    if (!missing) return batch;
    if (missing.index === 0 || this.#keptBehind(batch.before)) throw new ChainAway(missing.text);
    return batchOf(batch.entries.slice(0, missing.index));
  }

  #passed(at: StreamPoint): void {
    if (at.entry === this.#sent.entry) return;
    this.#recorder.passed(at);
    this.#sent = at;
  }

  async #settle(batch: PendingBatch): Promise<void> {
    const { records } = this.options;
    const contract = this.#contract!;
    const { before, after, operations } = batch;
    if (this.#isOwn) await this.#restoreDeposits(batch);
    const first = before.operation + 1;
    const data = encodeBatch({ first, prevHead: Buffer.from(before.head, 'hex'), operations });
    const { outgoing } = records.value;
    const isKept = outgoing?.first === first && outgoing.last === after.operation;
    const sending: Sending = {
      to: contract.address,
      data,
      gasLimit: Math.ceil(gasLimitOf(operations) * (moreGas[this.#unexplained] ?? 1)),
      kept: isKept && outgoing.nonce === (await this.#sender.nextNonce()) ? outgoing : undefined,
      keep: ({ raw }, hashes, nonce) => this.#recorder.keep({ raw, hashes, nonce, first, last: after.operation }),
    };
    const receipt = await this.#sender.send(sending).catch((error: unknown) => {
      // Some nodes simulate a transaction before they accept it.
      if (error instanceof ChainRefused && error.reason === 'reverted') return undefined;
      throw error;
    });
    if (!receipt) return this.#reverted(batch, data, undefined);
    this.options.onBatch?.({ operations: operations.length, gas: receipt.gasUsed, reverted: !receipt.succeeded });
    if (!receipt.succeeded) return this.#reverted(batch, data, receipt);
    const applied = contract.appliedIn(receipt);
    if (applied?.last !== after.operation || applied.head !== after.head) {
      // After a reset there is no code at the address, and a transaction to it succeeds without effect.
      throw new OutOfStep('the transaction was mined and applied nothing');
    }
    this.#unexplained = 0;
    this.#sent = after;
    this.#activeOperations = Math.min(
      batchLimits.operations,
      operations.length + this.options.backlog.total - after.operation,
    );
    this.#recorder.add({
      entries: batch.entries.map(({ entry: { entryHash, seq } }) => ({ entryHash, seq })),
      after,
      txHash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
      blockHash: receipt.blockHash,
    });
    await this.#recorder.confirm();
  }

  /** Repeats deposits that were made on a local chain whose state was lost. */
  async #restoreDeposits({ entries }: PendingBatch): Promise<void> {
    const moves = entries.flatMap(({ entry }) => entry.core.moves);
    if (!moves.some(({ op }) => op === 'deposit')) return;
    const { evm, operator } = this.options;
    const { makeAgain } = await import('./lost-deposits.js');
    const reader = new ContractReader(evm, this.#contracts!);
    await makeAgain(moves, { reader, operator: operator.address, send: (transaction) => this.#send(transaction) });
  }

  /** Stores the progress that is known only in memory, when no transaction is in flight. */
  async #writeDown(): Promise<void> {
    await this.#recorder.durable();
    if (this.#state === 'running') await this.#recorder.writeDown();
  }

  /** Checks while idle that the chain is still at the point where this settler left it. */
  async #check(): Promise<void> {
    const { world, log } = this.options;
    if (world.monotonic() - this.#checkedAt < idleMs[this.#pace]) return;
    this.#checkedAt = world.monotonic();
    await this.#reconciliation.checkPin();
    const { operation, head, batchAtMs } = await this.#contract!.cursor();
    if (operation !== this.#sent.operation || head !== this.#sent.head) {
      throw new OutOfStep(`the chain has ${operation} operations where ${this.#sent.operation} were applied`);
    }
    // Also measured by this process's clock: otherwise a chain whose clock is days behind would get a transaction on
    // every check.
    if (world.now() - batchAtMs < heartbeatMs || world.monotonic() - this.#heartbeatAt < heartbeatMs) return;
    this.#heartbeatAt = world.monotonic();
    log('an empty batch was sent, because nothing was settled for days and the vault would open its exit', {});
    await this.#settle({ entries: [], operations: [], before: this.#sent, after: this.#sent });
  }

  async #reverted(batch: PendingBatch, data: Uint8Array, receipt: EvmReceipt | undefined): Promise<void> {
    const { operator, log } = this.options;
    const revert = await this.#contract!.whyNot(operator.address, data);
    log('a batch was reverted', {
      transactionHash: receipt?.transactionHash,
      revert: revert?.text ?? 'it would be accepted now',
    });
    const cursor = await this.#contract!.cursor();
    if (cursor.operation !== batch.before.operation || cursor.head !== batch.before.head) {
      throw new OutOfStep('another sender has moved the chain');
    }
    if (revert?.operation === undefined) {
      if (revert?.name === 'TimeAhead') await this.#putForward(batch.after.timeMs);
      if (!revert && ++this.#unexplained <= unexplainedReverts) {
        throw new OutOfStep('a batch was reverted, and a simulation accepts it now');
      }
      await this.#refuseFrom(batch.entries[0]);
      throw new SettlementHalted(`the chain rejects a batch: ${revert?.text ?? 'no reason given'}`, 'an operation');
    }
    if (!this.#isOwn && ofDeposits.includes(revert.name)) throw new OutOfStep(`a batch was reverted: ${revert.text}`);
    this.#refused = { operation: revert.operation, revert };
    const bad = batch.entries.find(({ after }) => after.operation >= revert.operation!);
    if (!bad) return;
    await this.#refuseFrom(bad);
    if (!receipt) return;
    const { entryHash, seq } = bad.entry;
    const { transactionHash: txHash, blockNumber } = receipt;
    const reverted: Receipt = {
      ...{ entryHash, seq, status: 'reverted', txHash, blockNumber },
      detail: revert.text,
    };
    await this.options.store.appendReceipts([reverted]);
    this.options.onSettled([reverted]);
  }

  /** Ends the waits for receipts of this entry and all later ones. */
  async #refuseFrom(first: StreamEntry | undefined): Promise<void> {
    if (!first) return;
    const { seq } = first.entry;
    this.#revertedFrom = seq;
    this.options.onReverted(seq);
    await this.options.records.change({ revertedFrom: seq });
  }

  /** Advances the clock of a local chain: after the node's clock was set back, the journal's time is ahead of it. */
  async #putForward(timeMs: number): Promise<never> {
    const { evm } = this.options;
    if (!evm.putForward) throw new ChainAway('the clock of the chain is more than 15 minutes behind');
    await evm.putForward(timeMs);
    throw new OutOfStep('the clock of the chain was more than 15 minutes behind and was advanced');
  }

  #refusal(): string {
    const { operation, revert } = this.#refused!;
    return `the chain rejects operation ${operation}, which the journal has committed: ${revert.text}`;
  }

  async #failed(error: unknown): Promise<void> {
    const { log, records } = this.options;
    this.#inStep = false;
    this.#sender.forget();
    // The record has one writer at a time. Reconciliation finds unrecorded batches on the chain.
    await this.#recorder.giveUp();
    const message = messageOf(error);
    if (error instanceof SettlementHalted) {
      if (this.#state !== 'halted') log('settlement has halted', { reason: message });
      this.#state = 'halted';
      this.#reason = message;
      if (records.value.halted !== message) await records.change({ halted: message }).catch(() => {});
      // A rejected operation stays rejected; a wrong chain may be corrected while the node runs.
      await this.#sleep(error.over === 'an operation' ? Number.MAX_SAFE_INTEGER : longestPauseMs.other);
      return;
    }
    if (error instanceof SettlerReplaced) {
      this.#state = 'standby';
      this.#leaseAt = Number.NEGATIVE_INFINITY;
      return;
    }
    const isOurs = !(error instanceof ChainAway || error instanceof ChainRefused || error instanceof OutOfStep);
    if (this.#state !== 'away' || isOurs)
      log('settlement is interrupted', isOurs ? { err: error } : { reason: message });
    this.#state = 'away';
    this.#reason = message;
    await this.#sleep(Math.min(longestPauseMs[this.#pace], firstPauseMs * 2 ** Math.min(this.#failures++, 10)));
  }

  /** Waits for so long, or until the journal grows. */
  async #rest(ms: number): Promise<void> {
    if (!this.#isWoken) await this.#sleep(ms, true);
  }

  /** Waits for so long; closing ends the wait, and with `wakes` growth of the journal as well. */
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

const batchOf = (entries: readonly StreamEntry[]): PendingBatch => ({
  entries,
  operations: entries.flatMap(({ operations }) => operations),
  before: entries[0]!.before,
  after: entries.at(-1)!.after,
});
