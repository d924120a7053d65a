import type * as is from '../../core/schema/scalar.js';
import type { Workflow } from '../kernel/resource.js';
import type { depositInput } from './deposit.js';

/** `account.deposit`: credits the account and claims the deposit's number, in one entry. */
export const depositing: Workflow = {
  revision: 1,
  subCommands({ kind, id, action, input }) {
    const { amount, ref } = input as is.TypeOf<typeof depositInput>;
    return [
      { kind: 'deposit', id: String(ref), action: 'take', input: { to: id, amount }, asWorkflow: true },
      { kind, id, action, input },
    ];
  },
};
