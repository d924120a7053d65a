/**
 * Deposits that a reorg deeper than their confirmations removed: the journal credited them, and the vault lacks them.
 * The sender's transaction is usually mined again in another block; until then no later operation can be settled.
 */

import { publicKeyOf } from '../../core/codecs/did.js';
import type { ContractReader } from '../contracts/contract-reader.js';
import type { StreamEntry } from './stream.js';

export interface MissingDeposit {
  /** Index of the entry that takes the deposit. */
  readonly index: number;
  readonly text: string;
}

/** Finds the first entry whose deposit does not wait in the vault as it was credited. */
export async function missingDeposit(
  entries: readonly StreamEntry[],
  reader: Pick<ContractReader, 'deposit'>,
): Promise<MissingDeposit | undefined> {
  for (const [index, { entry }] of entries.entries()) {
    for (const move of entry.core.moves) {
      if (move.op !== 'deposit') continue;
      const waiting = await reader.deposit(move.ref);
      const account = Buffer.from(publicKeyOf(move.to)).toString('hex');
      if (waiting?.account === account && waiting.amount === move.amount) continue;
      const there = waiting ? 'another deposit has its number' : 'it is not in the vault';
      const text = `deposit ${move.ref} of ${move.amount} for ${move.to} was credited, and then the chain was reorganised: ${there}`;
      return { index, text };
    }
  }
  return undefined;
}
