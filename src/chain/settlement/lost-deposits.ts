/**
 * Deposits on a local chain whose state was lost (docs/reference/settlement.md#chains-of-the-nodes-own). They are missing
 * from the vault when their operations are settled again, so the operator repeats them with new Tokens under the same numbers.
 */
import type { Move } from '../../machines/kernel/posting.js';
import { accountKey, type ContractReader } from '../contracts/contract-reader.js';
import { contractInterface, roleOf } from '../contracts/interfaces.js';
import type { EvmReceipt, Hex } from '../evm/evm.js';
import type { OutOfBandTransaction } from './out-of-band.js';

type Deposit = Extract<Move, { op: 'deposit' }>;

/** The account of placeholder deposits for numbers that the journal lacks: no public key, so no account is credited. */
const noAccount = `0x${'0'.repeat(63)}1`;

export interface LostDeposits {
  readonly reader: ContractReader;
  readonly operator: Hex;
  readonly send: (transaction: OutOfBandTransaction) => Promise<EvmReceipt>;
}

/** Resolves when the vault holds every deposit, or a different one that the contract will reject. */
export async function makeAgain(moves: readonly Move[], options: LostDeposits): Promise<void> {
  for (const move of moves) {
    if (move.op !== 'deposit' || (await options.reader.deposit(move.ref))) continue;
    await again(move, options);
  }
}

async function again({ to, amount, ref }: Deposit, options: LostDeposits): Promise<void> {
  const { deposits } = await options.reader.holdings();
  // Taken already, or a different deposit: the contract rejects the operation.
  if (deposits >= ref) return;
  await mayMint(options);
  for (let number = deposits + 1; number < ref; number++) await deposit(noAccount, 1, options);
  await deposit(accountKey(to), amount, options);
}

async function mayMint({ reader, operator, send }: LostDeposits): Promise<void> {
  const abi = await contractInterface('ServiceToken');
  const data = abi.encodeFunctionData('grantRole', [await roleOf('MINTER_ROLE'), operator]) as Hex;
  await send({ what: 'grant MINTER_ROLE', to: reader.contracts.token.toLowerCase() as Hex, data });
}

async function deposit(account: string, amount: number, { reader, operator, send }: LostDeposits): Promise<void> {
  const { token, vault } = reader.contracts;
  const [tokens, custody] = await Promise.all([contractInterface('ServiceToken'), contractInterface('LedgerVault')]);
  for (const [what, to, data] of [
    ['mint', token, tokens.encodeFunctionData('mint', [operator, amount])],
    ['approve', token, tokens.encodeFunctionData('approve', [vault, amount])],
    ['deposit', vault, custody.encodeFunctionData('deposit', [account, amount])],
  ] as const)
    await send({ what, to: to.toLowerCase() as Hex, data: data as Hex });
}
