/**
 * Deposits from the chain (docs/reference/accounts-and-nonces.md#deposits-and-withdrawals). A deposit waits in the
 * vault under a number. That number is the id of a resource, so that the store's unique keys prevent any process from
 * crediting it twice.
 */
import { refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { defineReducer } from '../kernel/definition.js';

export const depositInput = is.object({
  amount: is.described(is.amount, 'Tokens.'),
  ref: is.described(is.integer(1), 'Number of the deposit in the vault on chain.'),
});
const credited = is.object({ to: is.did, amount: is.amount });

/** `id` is the vault's number of the deposit. */
export const deposit = defineReducer<is.TypeOf<typeof credited>>({
  kind: 'deposit',
  revision: 1,
  roles: {},
  actions: {
    take: {
      event: 'tokens.deposited',
      who: ['workflow'],
      input: credited,
      reduce: (context, { id, input }) =>
        context ? refuse('CONFLICT', `deposit ${id} was credited already`) : { to: input.to, amount: input.amount },
    },
  },
});
