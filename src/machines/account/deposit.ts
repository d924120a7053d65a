/**
 * Tokens that come in from the chain (decisions.md, Ledger). A deposit waits in the vault under a number; that number is
 * the id of a resource of its own, so that the store's unique keys let nobody credit it twice, in whatever process.
 */
import { refuse } from '../kernel/refusal.js';
import { defineReducer } from '../kernel/resource.js';
import * as is from '../kernel/scalar.js';
import type { Workflow } from '../kernel/step.js';

export const depositInput = is.object({ amount: is.amount, ref: is.integer(1) });
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

/** `account.deposit`: the account is credited, and the number used up, in one entry. */
export const depositing: Workflow = {
  revision: 1,
  parts({ kind, id, action, input }) {
    const { amount, ref } = input as is.TypeOf<typeof depositInput>;
    return [
      { kind: 'deposit', id: String(ref), action: 'take', input: { to: id, amount }, asWorkflow: true },
      { kind, id, action, input },
    ];
  },
};
