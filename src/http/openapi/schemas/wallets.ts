/**
 * Balances, transfers and the wallet history (docs/reference/accounts-and-nonces.md#transfers).
 */
import * as a from '../../../core/schema/shape.js';
import { balanceSchema } from '../../../machines/account/view.js';
import { pageOf, settlementFields, writeFields } from './replies.js';

export const balancesSchema = pageOf('wallets', balanceSchema);

const end = { type: ['string', 'null'] };
const transferFields: a.SchemaMembers = {
  ...writeFields,
  from: a.described(end, 'DID, id of an escrow, or `fees`; null where the Tokens are new.'),
  to: a.described(end, 'DID, id of an escrow, or the EVM address of a withdrawal; null where nothing is paid.'),
  amount: a.tokens,
  fee: a.described(a.tokens, 'Tokens that the sender paid beside the amount.'),
  memo: { type: ['string', 'null'] },
  ...settlementFields,
  timestamp: a.time,
};

export const transferSchema = a.named('TransferResult', a.object(transferFields));

const lineFields: a.SchemaMembers = {
  ...transferFields,
  op: a.described(a.text, 'What moved the Tokens: see Move.'),
  issuer: a.described(a.did, 'DID that signed the event.'),
  seq: a.described(a.count, 'Number of the entry in the journal.'),
};

/** A move, as shown to any reader. */
export const moveLineSchema = a.named('SettledMove', a.object(lineFields, { escrowId: a.text }));

const lineSchema = a.named(
  'Transaction',
  a.object({ ...lineFields, type: a.oneOf('sent', 'received', 'escrow') }, { escrowId: a.text }),
);

export const historySchema = pageOf('transactions', lineSchema, { hasMore: a.flag });
