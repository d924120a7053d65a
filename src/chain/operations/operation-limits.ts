/** The limits of a batch (docs/reference/settlement.md#batches). */
import type { Move } from '../../machines/kernel/posting.js';
import { operationLayouts } from './operation.js';

export const batchLimits = { operations: 200, gas: 12_000_000, bytes: 96 * 1024 } as const;

/** Gas of an empty batch in the worst case: the first one of a stream, which mints. */
export const batchGas = 130_000;

/**
 * The most gas that each operation needs: with new accounts and receivers, nothing shared with other operations, and no
 * refunds. The gas tests send their batches with these limits.
 */
export const gasBounds: { readonly [O in Move['op']]: number } = {
  mint: 28_000,
  transfer: 32_000,
  reserve: 56_000,
  unreserve: 15_000,
  lock: 15_000,
  release: 22_000,
  refund: 15_000,
  expire: 15_000,
  collect: 26_000,
  freeze: 25_000,
  unfreeze: 25_000,
  deposit: 63_000,
  withdraw: 63_000,
};

const boundOfKind = new Map(
  Object.entries(operationLayouts).map(([op, { kind }]) => [kind, gasBounds[op as Move['op']]]),
);

/** The gas limit of a batch: an upper bound of what `applyBatch` uses. @param operations packed */
export const gasLimitOf = (operations: readonly Uint8Array[]): number =>
  operations.reduce((sum, each) => sum + boundOfKind.get(each[0]!)!, batchGas);

/** The number of operations that fit into one batch; at least one, unless there is none. @param operations packed */
export function cutBatch(operations: readonly Uint8Array[]): number {
  let gas = batchGas;
  let bytes = 0;
  const most = Math.min(operations.length, batchLimits.operations);
  for (let count = 0; count < most; count++) {
    const operation = operations[count]!;
    gas += boundOfKind.get(operation[0]!)!;
    bytes += operation.length;
    if (count > 0 && (gas > batchLimits.gas || bytes > batchLimits.bytes)) return count;
  }
  return most;
}
