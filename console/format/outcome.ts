/** Where the Tokens of a resource are, in words: '75 paid, 15 back'. */
import { count } from './format.ts';

/** From a view, or from the moves of entries. Amounts that are absent are 0. */
export interface Amounts {
  readonly released?: unknown;
  readonly refunded?: unknown;
  readonly locked?: unknown;
  readonly reserved?: unknown;
}

/** The amounts of a view: a dispute names its own otherwise. Of an escrow that waits to be funded, `amount` is reserved. */
export function amountsIn(view: { readonly [member: string]: unknown }): Amounts {
  const { released, refunded, providerPayment, clientRefund, funded, amount, status, substate, remaining } = view;
  const reserved = status === 'created' && substate === 'open' ? amount : 0;
  const locked = typeof funded === 'number' ? remaining : 0;
  return { released: released ?? providerPayment, refunded: refunded ?? clientRefund, locked, reserved };
}

const words = { released: 'paid', refunded: 'back', locked: 'in escrow', reserved: 'reserved' } as const;

const partsOf = (amounts: Amounts, names: readonly (keyof Amounts)[]): string =>
  names
    .flatMap((name) => (Number(amounts[name] ?? 0) > 0 ? [`${count(Number(amounts[name]))} ${words[name]}`] : []))
    .join(', ');

/** Empty before Tokens were paid or given back. */
export const outcomeText = (amounts: Amounts): string => partsOf(amounts, ['released', 'refunded']);

/** `30 paid, 60 in escrow`; empty if none have come in. */
export const whereText = (amounts: Amounts): string => partsOf(amounts, ['released', 'refunded', 'locked', 'reserved']);
