/**
 * The stored state of the settler: its progress, the transaction in flight and the contracts. It is one record, so that
 * a batch costs one write. Every write states the revision that it follows, so that a settler which lost its lease
 * notices before it sends.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Store } from '../../store/store.js';
import type { ContractAddresses } from '../contracts/deployment.js';
import type { Hex } from '../evm/evm.js';
import type { ChainPin } from './chain-pin.js';
import type { StreamPoint } from './stream.js';

export interface Outgoing {
  readonly raw: Hex;
  /** Hashes of this transaction and of those that it replaces; any of them may be mined. */
  readonly hashes: readonly Hex[];
  readonly nonce: number;
  /** Numbers of the operations that it carries. */
  readonly first: number;
  readonly last: number;
}

export interface SettlementRecord {
  readonly chainId: number;
  readonly contracts: ContractAddresses | null;
  /** The point up to which receipts are durable. */
  readonly point: StreamPoint;
  /** Block of the last receipt; a search for batches begins near it. */
  readonly block: number;
  /** Highest operation that ever had a receipt; a reset chain has applied fewer. */
  readonly highest: number;
  readonly outgoing: Outgoing | null;
  /** The pin of the contracts' chain; null or absent before the first check, and on a local chain. */
  readonly pin?: ChainPin | null;
  /** Why settlement has halted. */
  readonly halted: string | null;
  /** Number of the first entry that the chain has reverted; null or absent: it has reverted none. */
  readonly revertedFrom?: number | null;
}

export class SettlerReplaced extends Error {
  override name = 'SettlerReplaced';
}

const table = 'settlement';
const id = 'cursor';
const pointsTable = 'settlement-points';
/** Operations between two stored points: at most so many are read to find a cursor of the chain in the journal. */
const pointEvery = 10_000;

export class SettlementRecords {
  #revision = 0;
  #value: SettlementRecord;
  #newestPoint = 0;

  constructor(
    private readonly store: Pick<Store, 'getLocal' | 'putLocal' | 'listLocal'>,
    private readonly start: SettlementRecord,
  ) {
    this.#value = start;
  }

  get value(): SettlementRecord {
    return this.#value;
  }

  async load(): Promise<SettlementRecord> {
    const found = await this.store.getLocal(table, id);
    this.#revision = found?.revision ?? 0;
    this.#value = found ? (found.value as unknown as SettlementRecord) : this.start;
    return this.#value;
  }

  /** Writes the record durably. Rejects with SettlerReplaced when another process has written it. */
  async change(change: Partial<SettlementRecord>): Promise<void> {
    const value = { ...this.#value, ...change };
    if (!(await this.store.putLocal(table, id, value as unknown as JsonObject, this.#revision))) {
      throw new SettlerReplaced('another process has taken over settlement');
    }
    this.#revision++;
    this.#value = value;
    const { point } = value;
    if (point.operation < this.#newestPoint + pointEvery) return;
    this.#newestPoint = point.operation;
    await this.store.putLocal(pointsTable, String(point.operation), point as unknown as JsonObject, 0);
  }

  /** The last stored point at or before an operation. */
  async pointBefore(operation: number): Promise<StreamPoint> {
    const kept = (await this.store.listLocal(pointsTable)).map(({ value }) => value as unknown as StreamPoint);
    const candidates = [...kept, this.#value.point].filter((point) => point.operation <= operation);
    return candidates.reduce((best, point) => (point.entry > best.entry ? point : best), this.start.point);
  }
}
