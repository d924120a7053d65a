import type { depositInput } from '../../machines/account/deposit.js';
import type * as is from '../../machines/kernel/scalar.js';
import type { Workflow } from '../../machines/kernel/step.js';

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
