/** Whether a ledger's books balance. */
import type { StoreReader } from '../store/store.js';

/** What is held adds up to what there is; of a store that stands still, else the rows are not of one moment. */
export function flawOfTotals({ supply, ...held }: Awaited<ReturnType<StoreReader['totals']>>): string | undefined {
  const sum = Object.values(held).reduce((one, other) => one + other, 0);
  return sum === supply ? undefined : `balances and fees sum to ${sum}, the supply is ${supply}`;
}
