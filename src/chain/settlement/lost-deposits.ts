/**
 * A chain of the node's own may be lost with all that was on it (design.md, Chain): what was deposited there is not in
 * the vault any more when its operation is settled again. On such a chain, which binds nobody, the operator makes the
 * deposit once more, from new Tokens, under the number that it had.
 */
import type { Move } from '../../machines/kernel/posting.js';
import { accountKey, type ContractReader } from '../contract-reader.js';
import type { Errand } from '../errands.js';
import type { EvmReceipt, Hex } from '../evm/evm.js';
import { interfaceOf, roleOf } from '../interfaces.js';

type Deposit = Extract<Move, { op: 'deposit' }>;

/** Stands for numbers that the journal does not have: bytes that are no public key, so that nobody is credited. */
const nobody = `0x${'0'.repeat(63)}1`;

export interface LostDeposits {
  readonly reader: ContractReader;
  readonly operator: Hex;
  readonly send: (errand: Errand) => Promise<EvmReceipt>;
}

/** The vault has all of these when it resolves, or something that its operation will be refused for. */
export async function makeAgain(moves: readonly Move[], options: LostDeposits): Promise<void> {
  for (const move of moves) {
    if (move.op !== 'deposit' || (await options.reader.deposit(move.ref))) continue;
    await again(move, options);
  }
}

async function again({ to, amount, ref }: Deposit, options: LostDeposits): Promise<void> {
  const { deposits } = await options.reader.holdings();
  // Taken, or another one: that is for the chain to refuse.
  if (deposits >= ref) return;
  await mayMint(options);
  for (let number = deposits + 1; number < ref; number++) await deposit(nobody, 1, options);
  await deposit(accountKey(to), amount, options);
}

async function mayMint({ reader, operator, send }: LostDeposits): Promise<void> {
  const abi = await interfaceOf('ServiceToken');
  const data = abi.encodeFunctionData('grantRole', [await roleOf('MINTER_ROLE'), operator]) as Hex;
  await send({ what: 'grant MINTER_ROLE', to: reader.contracts.token.toLowerCase() as Hex, data });
}

async function deposit(account: string, amount: number, { reader, operator, send }: LostDeposits): Promise<void> {
  const { token, vault } = reader.contracts;
  const [tokens, custody] = await Promise.all([interfaceOf('ServiceToken'), interfaceOf('LedgerVault')]);
  for (const [what, to, data] of [
    ['mint', token, tokens.encodeFunctionData('mint', [operator, amount])],
    ['approve', token, tokens.encodeFunctionData('approve', [vault, amount])],
    ['deposit', vault, custody.encodeFunctionData('deposit', [account, amount])],
  ] as const)
    await send({ what, to: to.toLowerCase() as Hex, data: data as Hex });
}
