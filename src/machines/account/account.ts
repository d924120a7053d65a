/**
 * The ledger's own actions (docs/reference/accounts-and-nonces.md#ledger-accounts): moves between accounts, which have
 * no life cycle.
 */
import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { defineLedger } from '../kernel/definition.js';
import { depositInput } from './deposit.js';
import { onwardInput, onwardOfInput } from './onward.js';

export const transferInput = is.object({
  to: is.described(is.account, 'DID or address that receives the Tokens.'),
  amount: is.described(is.amount, 'Tokens.'),
  fee: is.optional(is.integer(1), 'Tokens for the operator, in addition to the amount; default: none.'),
  memo: is.optional(is.leaf(is.text(256)), 'A note for the receiver. All readers of the journal can see it.'),
  onward: is.optional(onwardInput, 'Asks the receiver to pay the amount at another home, to whom this says.'),
  onwardOf: is.optional(
    onwardOfInput,
    'The transfer for which this pays, or which this gives back: CONFLICT if the signer has paid for it before.',
  ),
});
type Transfer = is.TypeOf<typeof transferInput>;

export const withdrawInput = is.object({
  amount: is.described(is.amount, 'Tokens.'),
  fee: is.optional(is.integer(1), 'Tokens for the operator, in addition to the amount; default: none.'),
  to: is.described(is.evmAddress, 'EVM address that is paid on chain.'),
});
type WithdrawInput = is.TypeOf<typeof withdrawInput>;

const zeroAddress = `0x${'0'.repeat(40)}`;

const nothing = is.object({});
const toAccount = is.object({
  amount: is.described(is.amount, 'Tokens.'),
  to: is.described(is.account, 'DID or address that receives the Tokens.'),
});

/** `id` is the DID of the account, which is also its `owner`. */
export const account = defineLedger({
  kind: 'account',
  revision: 1,
  roles: { owner: (id) => [id] },
  actions: {
    transfer: {
      event: 'transfer.sent',
      who: ['owner'],
      input: transferInput,
      moves({ id, input }: { id: string; input: Transfer }) {
        const { to, amount, fee = 0 } = input;
        if (to === id) return refuse('UNPROCESSABLE', 'a transfer to oneself moves nothing');
        const overflow = exceeds(amount, fee);
        return overflow ?? [{ amount, fee, from: id, op: 'transfer', to }];
      },
    },
    /** The faucet's mint; `id` is the recipient. */
    mint: {
      event: 'faucet.claimed',
      who: ['operator'],
      input: is.object({ amount: is.described(is.amount, 'Tokens.') }),
      moves: ({ id, input, network }) =>
        network === 'mainnet'
          ? refuse('FORBIDDEN', 'on mainnet Tokens exist by deposit only')
          : [{ amount: input.amount, op: 'mint', to: id }],
    },
    /** Credits a deposit to `id`; `ref` is the deposit's number in the vault on chain. See deposit.ts. */
    deposit: {
      event: 'tokens.deposited',
      who: ['operator'],
      input: depositInput,
      moves: ({ id, input }) => [{ amount: input.amount, op: 'deposit', ref: input.ref, to: id }],
    },
    /** Withdraws Tokens: the vault on chain pays them to an EVM address. */
    withdraw: {
      event: 'tokens.withdrawn',
      who: ['owner'],
      input: withdrawInput,
      moves({ id, input }: { id: string; input: WithdrawInput }) {
        const { amount, fee = 0, to } = input;
        if (to === zeroAddress) return refuse('UNPROCESSABLE', 'to: nobody holds the zero address');
        return exceeds(amount, fee) ?? [{ amount, fee, from: id, op: 'withdraw', to }];
      },
    },
    /** Withdraws collected fees to `to`, which must equal `id`; for operators. */
    collect: {
      event: 'fees.collected',
      who: ['operator'],
      input: toAccount,
      moves: ({ input }) => [{ amount: input.amount, op: 'collect', to: input.to }],
    },
    freeze: {
      event: 'account.frozen',
      who: ['operator'],
      input: nothing,
      moves: ({ id }) => [{ did: id, op: 'freeze' }],
    },
    unfreeze: {
      event: 'account.unfrozen',
      who: ['operator'],
      input: nothing,
      moves: ({ id }) => [{ did: id, op: 'unfreeze' }],
    },
  },
});

/** A sum that overflows is INVALID_REQUEST (docs/reference/requests.md#amounts). */
function exceeds(amount: number, fee: number): Refusal | undefined {
  return amount > is.maxTokens - fee
    ? refuse('INVALID_REQUEST', 'amount: amount and fee together exceed 2^53-1', {
        errors: [{ field: 'amount', message: 'amount and fee together exceed 2^53-1' }],
      })
    : undefined;
}
