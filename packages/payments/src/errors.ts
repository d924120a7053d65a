/** The errors of payments. */
import type { KeptPayment } from './kept.js';

/** An offer, or a place in the program, that can't work. */
export class SaleError extends Error {
  override name = 'SaleError';
}

/** Nothing was paid: the seller asks for what the caller does not accept, or the request can't be paid for. */
export class PaymentRefused extends Error {
  override name = 'PaymentRefused';
}

/** Time went by before the payment was signed: a new price has to be asked for. */
export class PriceOver extends PaymentRefused {}

/** No lease of what the seller names can pay: another way may. */
export class LeaseUnsuitable extends PaymentRefused {}

/**
 * The call is paid, or may be, and has no answer. The same call again pays nothing: it shows the same payment.
 */
export class PaymentUnanswered extends Error {
  override name = 'PaymentUnanswered';

  /** @param payment what shows that the seller was paid, once it is known */
  constructor(
    message: string,
    readonly payment: KeptPayment,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
