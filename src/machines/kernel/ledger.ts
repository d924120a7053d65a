/**
 * From moves to postings: funds, freezes and the supply's bound, checked against the accounts as they stand
 * (decisions.md, Ledger). Credits commute and version nothing; a debit of `available` versions its account, and so
 * does minting, which debits the room that is left under the supply's bound.
 */

import { type Move, type Posting, postingsOf } from './posting.js';
import { assert, type Refusal, refuse } from './refusal.js';

export interface AccountState {
  readonly did: string;
  readonly available: number;
  readonly reserved: number;
  readonly escrowed: number;
  readonly version: number;
  readonly frozen: boolean;
}

export interface Booked {
  readonly postings: readonly Posting[];
  /** Accounts debited in `available`, frozen or unfrozen, at their new version. */
  readonly accounts: readonly { readonly did: string; readonly version: number }[];
}

/** Stands for the fee account where accounts are named by DID; its `available` is what was collected. */
export const feeAccount = 'fees';

/** Stands for the supply likewise; its `available` is what may still be minted: 2^53-1 less what exists. */
export const supplyAccount = 'supply';

/** The two accounts that no DID owns, and that only their totals know the balance of. */
export const isHouse = (account: string): boolean => account === feeAccount || account === supplyAccount;

/** Whom a move debits in `available`; a frozen account refuses it. */
const debtorOf = (move: Move): string | undefined =>
  move.op === 'transfer' || move.op === 'reserve' || move.op === 'withdraw' ? move.from : undefined;

/** DIDs whose `available` a list of moves debits, or whose freeze it changes: their mailboxes are entered. */
export function debitedBy(moves: readonly Move[]): string[] {
  const dids = new Set<string>();
  for (const move of moves) {
    const debtor = debtorOf(move);
    if (debtor) dids.add(debtor);
    else if (move.op === 'freeze' || move.op === 'unfreeze') dids.add(move.did);
    else if (move.op === 'collect') dids.add(feeAccount);
    else if (move.op === 'mint' || move.op === 'deposit') dids.add(supplyAccount);
  }
  return [...dids];
}

/**
 * Books the moves of one entry, one after the other, as the settlement chain does: what a later move brings does not
 * pay for an earlier one.
 * @param account the state of each DID in `debitedBy(moves)`
 * @returns TRANSFER_NOT_ALLOWED on a frozen account, INSUFFICIENT_BALANCE, or UNPROCESSABLE past 2^53-1 of supply
 */
export function book(moves: readonly Move[], account: (did: string) => AccountState): Booked | Refusal {
  const sums = new Map<string, number>();
  const lowest = new Map<string, number>();
  for (const move of moves) {
    for (const [name, delta] of postingsOf(move)) {
      const sum = (sums.get(name) ?? 0) + delta;
      sums.set(name, sum);
      if (sum < (lowest.get(name) ?? 0)) lowest.set(name, sum);
    }
  }
  const accounts: { did: string; version: number }[] = [];
  for (const did of debitedBy(moves)) {
    const state = account(did);
    const delta = lowest.get(isHouse(did) ? did : `available/${did}`) ?? 0;
    const debits = moves.some((move) => debtorOf(move) === did);
    if (debits && state.frozen) return refuse('TRANSFER_NOT_ALLOWED', 'the account is frozen');
    if (state.available + delta < 0) {
      if (did === supplyAccount) return refuse('UNPROCESSABLE', 'the total supply would exceed 2^53-1 Tokens');
      return refuse('INSUFFICIENT_BALANCE', `${-delta} Tokens are needed and ${state.available} are available`);
    }
    accounts.push({ did, version: state.version + 1 });
  }
  const postings = [...sums].filter(([, delta]) => delta !== 0);
  let sum = 0;
  for (const [, delta] of postings) sum += delta;
  assert(sum === 0, 'the postings of an entry sum to zero');
  return { postings, accounts };
}
