/**
 * A chain may turn back further than a deposit's confirmations: then the journal has credited what is not in the vault.
 * Its sender's transaction most often comes again, in another block; until then nothing behind it can be settled.
 */

import { publicKeyOf } from '../../keys/did.js';
import type { ContractReader } from '../contract-reader.js';
import type { StreamEntry } from './stream.js';

export interface MissingDeposit {
  /** Index of the entry that takes it. */
  readonly index: number;
  readonly text: string;
}

/** The first entry whose deposit is not waiting in the vault as it was credited. */
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
      const there = waiting ? 'another one has its number' : 'it is not in the vault';
      const text = `deposit ${move.ref} of ${move.amount} for ${move.to} was credited, and the chain has turned back: ${there}`;
      return { index, text };
    }
  }
  return undefined;
}
