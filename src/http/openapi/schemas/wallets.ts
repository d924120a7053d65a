/**
 * Pages of balances, and of the wallet history (docs/reference/accounts-and-nonces.md#transfers).
 */
import * as a from '../../../core/schema/shape.js';
import { balanceSchema } from '../../../machines/account/view.js';
import { transactionSchema } from '../../render/transfer-view.js';
import { pageSchema } from './replies.js';

export const balancesSchema = pageSchema('wallets', balanceSchema);
export const historySchema = pageSchema('transactions', transactionSchema, {
  hasMore: a.described(a.flag, 'Whether there is another page.'),
});
