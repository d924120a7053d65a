/**
 * Records mined batches: waits for their confirmations, then stores their receipts and the progress of settlement. One
 * recording is in progress at a time, while the settler prepares the next batch.
 */
import type { Receipt } from '../../store/entry.js';
import type { MinedBatch } from './reconciliation.js';
import { OutOfStep } from './sender.js';
import type { Outgoing, SettlementRecord } from './settlement-record.js';
import type { SettlerOptions } from './settler-options.js';
import type { StreamPoint } from './stream.js';

interface RecordedPoint {
  readonly point: StreamPoint;
  readonly block: number;
}

export class BatchRecorder {
  #recorded: RecordedPoint;
  #unconfirmed: MinedBatch[] = [];
  #recording: Promise<void> = Promise.resolve();

  constructor(private readonly options: SettlerOptions) {
    const { point, block } = options.records.value;
    this.#recorded = { point, block };
  }

  get settledEntry(): number {
    return this.#recorded.point.entry;
  }

  get isWaiting(): boolean {
    return this.#unconfirmed.length > 0;
  }

  /**
   * Whether the chain mines each transaction at once or rejects it, as a local chain does. The cursor then shows the outcome,
   * so no transaction is stored before it is sent; the progress is stored together with the receipts.
   */
  get #minesAtOnce(): boolean {
    return this.options.evm.fund !== undefined && this.options.store.shared === undefined;
  }

  /** Drops unconfirmed batches; reconciliation finds them on the chain again. */
  async dropUnconfirmed(): Promise<void> {
    this.#unconfirmed = [];
    await this.#recording;
  }

  /** Continues where reconciliation has found the chain. @param mined batches without receipts */
  continueFrom(recorded: RecordedPoint, mined: readonly MinedBatch[]): void {
    this.#recorded = recorded;
    this.#unconfirmed = [...mined];
  }

  /** Skips entries without moves, if nothing before them waits for its receipts. */
  passed(at: StreamPoint): void {
    if (this.#recorded.point.operation === at.operation) this.#recorded = { ...this.#recorded, point: at };
  }

  async keep(outgoing: Outgoing): Promise<void> {
    if (!this.#minesAtOnce) await this.options.records.change({ ...this.#progress(), outgoing });
    await this.#recording;
  }

  add(mined: MinedBatch): void {
    this.#unconfirmed.push(mined);
  }

  async confirm(): Promise<void> {
    const { evm, confirmations } = this.options;
    const newest = confirmations > 1 ? await evm.blockNumber() : Number.POSITIVE_INFINITY;
    for (let mined = this.#unconfirmed[0]; mined; mined = this.#unconfirmed[0]) {
      const { blockNumber, blockHash, txHash } = mined;
      if (blockNumber + confirmations - 1 > newest) break;
      if (confirmations > 1 && (await evm.receipt(txHash))?.blockHash !== blockHash) {
        throw new OutOfStep('a mined batch is no longer in its block');
      }
      this.#unconfirmed.shift();
      const settled = mined;
      await this.#recording;
      this.#recording = this.#record(settled);
      // Awaited before the next step depends on it; its rejection is handled there.
      this.#recording.catch(() => {});
    }
    if (this.#unconfirmed.length > 0) await evm.mine?.();
  }

  async #record({ entries, after, txHash, blockNumber, wasFound }: MinedBatch): Promise<void> {
    const { store, backlog, tail, onSettled, records } = this.options;
    // An empty batch has no receipts.
    if (entries.length === 0) return;
    // Assigned member by member, because a spread followed by members costs several times as much.
    const receipts = entries.map(
      ({ entryHash, seq }): Receipt => ({ entryHash, seq, status: 'confirmed', txHash, blockNumber }),
    );
    // After a crash between the receipts and the progress record, the receipts are there already.
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

  durable(): Promise<void> {
    return this.#recording;
  }

  async writeDown(): Promise<void> {
    const { records } = this.options;
    if (records.value.point.operation === this.#recorded.point.operation) return;
    await records.change({ ...this.#progress(), outgoing: null });
  }

  /** Waits for the recording in progress, whether it succeeds or not. */
  async giveUp(): Promise<void> {
    await this.#recording.catch(() => {});
    this.#recording = Promise.resolve();
  }

  #progress({ point, block } = this.#recorded): Pick<SettlementRecord, 'point' | 'block' | 'highest'> {
    return { point, block, highest: Math.max(this.options.records.value.highest, point.operation) };
  }
}
