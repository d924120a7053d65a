/** Whether a ledger's books balance. */

interface LedgerTotals {
  readonly supply: number;
  /** All that is held, in whatever parts. */
  readonly [part: string]: number;
}

/** What is held adds up to what there is; of a store that stands still, else the rows are not of one moment. */
export function balanceViolation({ supply, ...held }: LedgerTotals): string | undefined {
  const sum = Object.values(held).reduce((one, other) => one + other, 0);
  return sum === supply ? undefined : `balances and fees sum to ${sum}, the supply is ${supply}`;
}
