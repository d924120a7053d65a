/** `@svc-node/payments`: pay for an HTTP API with Tokens, or sell one (docs/payments.md). */
export { fetchWithPayment, type PaidCall, type PayingFetch, type PayingOptions } from './buyer.js';
export { PaymentRefused, PaymentUnanswered, SaleError } from './errors.js';
export { type KeptPayment, type KeptPayments, keptIn } from './kept.js';
export type { PaidResource, PaymentProof, PaymentRequired, PaymentSettled, PaymentTerms } from './messages.js';
export { type ReceivedPayment, type Sale, type SaleOffer, sell } from './seller.js';
export { type UsedPayments, usedIn } from './used.js';
