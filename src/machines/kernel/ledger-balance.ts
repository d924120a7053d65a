/** Checks that the ledger balances. */

interface LedgerTotals {
  readonly supply: number;
  /** Sums of balances: available, reserved, escrowed and others. */
  readonly [part: string]: number;
}

/**
 * The violation if the balances do not add up to the supply. All numbers must be read at one point in time, because
 * rows that change in between do not balance.
 */
export function balanceViolation({ supply, ...held }: LedgerTotals): string | undefined {
  const sum = Object.values(held).reduce((one, other) => one + other, 0);
  return sum === supply ? undefined : `balances and fees sum to ${sum}, the supply is ${supply}`;
}
