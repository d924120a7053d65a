/** An account as callers see it (docs/reference/accounts-and-nonces.md#balances). */
import { addressOf } from '../../core/codecs/address.js';
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import { balanceOf, type LedgerRow } from '../kernel/ledger.js';

const form = publicForm<Readonly<LedgerRow> & { readonly did: string; readonly seq: number }>({
  did: a.described(a.did, 'The DID whose account it is.'),
  address: [a.address, ({ did }) => addressOf(did)],
  balance: [a.described(a.tokens, 'Tokens: `availableBalance` + `reserved` + `escrowed`.'), balanceOf],
  availableBalance: [a.described(a.tokens, 'Tokens that you can spend now.'), ({ available }) => available],
  reserved: a.described(a.tokens, 'Tokens that unfunded escrows hold.'),
  escrowed: a.described(a.tokens, 'Tokens that funded escrows hold.'),
  available: a.described(a.tokens, 'The same as `availableBalance`.'),
  pending: [{ type: 'integer', enum: [0], description: 'Always 0: you can spend received Tokens at once.' }, () => 0],
  locked: [
    a.described(a.tokens, 'Tokens that escrows hold: `reserved` + `escrowed`.'),
    ({ reserved, escrowed }) => reserved + escrowed,
  ],
  frozen: a.described(a.flag, 'Whether an operator has frozen the account.'),
  nonce: a.described(a.count, "Nonce of the DID's last event; 0 before the first."),
  nextNonce: [
    { type: 'integer', minimum: 1, description: "The `nonce` of the DID's next signed write." },
    ({ nonce }) => nonce + 1,
  ],
  prev: [a.nullable(a.hash, "Hash of the DID's last event; null before the first."), ({ lastHash }) => lastHash],
  seq: a.described(a.count, 'Number of the newest entry that this view includes; 0 before the first.'),
});

export const balanceSchema = a.named('Balance', form.schema);
export const balanceView = form.view;
