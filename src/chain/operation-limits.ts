/** How much one batch carries (design.md, Chain). */
import type { Move } from '../machines/kernel/posting.js';
import { layouts } from './operation.js';

export const batchLimits = { operations: 200, gas: 12_000_000, bytes: 96 * 1024 } as const;

/** Gas of a batch beside its operations, where it is the very first and mints. */
export const batchGas = 130_000;

/**
 * Gas that an operation needs at most: new accounts, new receivers, nothing shared with its neighbours, and before
 * anything is refunded. The tests of gas send their batches with these limits.
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

const boundOfKind = new Map(Object.entries(layouts).map(([op, { kind }]) => [kind, gasBounds[op as Move['op']]]));

/** An upper bound of what `applyBatch` uses, to be sent as the transaction's gas limit. @param operations packed */
export const gasLimitOf = (operations: readonly Uint8Array[]): number =>
  operations.reduce((sum, each) => sum + boundOfKind.get(each[0]!)!, batchGas);

/** How many of the next operations fit into one batch; at least one where there is one. @param operations packed */
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
