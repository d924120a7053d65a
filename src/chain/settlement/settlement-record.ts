/**
 * What the settler keeps beside the journal: how far it has come, the transaction that is on its way, the contracts.
 * One record, so that each batch costs one write; every write states the revision that it follows, so that a settler
 * which lost its lease to another process finds out before it sends.
 */
import type { JsonObject } from '../../machines/kernel/canonical.js';
import type { Store } from '../../store/store.js';
import type { Contracts } from '../deployment.js';
import type { Hex } from '../evm/evm.js';
import type { StreamPoint } from './stream.js';

/** A transaction that was, or is about to be, handed to the chain. */
export interface Outgoing {
  readonly raw: Hex;
  /** This one's and those that it replaces: whichever is mined counts. */
  readonly hashes: readonly Hex[];
  readonly nonce: number;
  /** The operations that it carries. */
  readonly first: number;
  readonly last: number;
}

export interface SettlementRecord {
  readonly chainId: number;
  readonly contracts: Contracts | null;
  /** Up to where receipts are written. */
  readonly point: StreamPoint;
  /** Block of the last receipt; where a search for batches begins. */
  readonly block: number;
  /** Highest operation that ever had a receipt: after a reset the chain has less. */
  readonly highest: number;
  readonly outgoing: Outgoing | null;
  /** Why settlement has halted. */
  readonly halted: string | null;
}

/** Another process settles now. */
export class SettlerReplaced extends Error {
  override name = 'SettlerReplaced';
}

const table = 'settlement';
const id = 'cursor';
const pointsTable = 'settlement-points';
/** So many operations lie between two points that are kept; a reset chain is found again by reading that many. */
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

  /** Durable when it resolves. Rejects with SettlerReplaced where another process has written. */
  async change(change: Partial<SettlementRecord>): Promise<void> {
    const value = { ...this.#value, ...change };
    if (!(await this.store.putLocal(table, id, value as unknown as JsonObject, this.#revision))) {
      throw new SettlerReplaced('another process has taken settlement over');
    }
    this.#revision++;
    this.#value = value;
    const { point } = value;
    if (point.operation < this.#newestPoint + pointEvery) return;
    this.#newestPoint = point.operation;
    await this.store.putLocal(pointsTable, String(point.operation), point as unknown as JsonObject, 0);
  }

  /** The last point that is kept at or before an operation. */
  async pointBefore(operation: number): Promise<StreamPoint> {
    const kept = (await this.store.listLocal(pointsTable)).map(({ value }) => value as unknown as StreamPoint);
    const candidates = [...kept, this.#value.point].filter((point) => point.operation <= operation);
    return candidates.reduce((best, point) => (point.entry > best.entry ? point : best), this.start.point);
  }
}
