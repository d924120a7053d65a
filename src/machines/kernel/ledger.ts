/**
 * The two operations of the ledger: `book` turns the moves of a command into postings, checked against the present
 * accounts, and `foldEntry` applies a committed entry to the rows of a ledger.
 * Credits commute, and don't change an account's version. Other changes do: debits of `available`, spending what an
 * earlier entry reserved, freezing, and minting. Minting debits the supply account, whose `available` is what may still
 * be minted.
 */

import { assert, type Refusal, refuse } from '../../core/refusal.js';
import { type Move, type Posting, postingsOf } from './posting.js';

/** An account's balances, debit version and freeze. */
export interface AccountState {
  readonly did: string;
  readonly available: number;
  readonly reserved: number;
  readonly escrowed: number;
  /** Counts debits of `available`, freezes and unfreezes; 0 before the first. */
  readonly version: number;
  readonly frozen: boolean;
}

/** The members of an account's row that entries change. */
export interface LedgerRow {
  available: number;
  reserved: number;
  escrowed: number;
  version: number;
  frozen: boolean;
  /** Nonce and hash of the newest event that the account's DID signed; 0 and null before the first. */
  nonce: number;
  lastHash: string | null;
}

/** The whole balance: available, reserved and escrowed. */
export const balanceOf = ({
  available,
  reserved,
  escrowed,
}: Readonly<Pick<LedgerRow, 'available' | 'reserved' | 'escrowed'>>): number => available + reserved + escrowed;

/** Balances of the two system accounts. `supply` is the negative of the Tokens that exist. */
export interface SystemBalances {
  supply: number;
  fees: number;
}

/** The members of an entry that change the ledger. */
export interface LedgerEntry {
  readonly event: { readonly issuer: string; readonly nonce: number; readonly hash: string };
  readonly accounts: readonly { readonly did: string; readonly version: number }[];
  readonly moves: readonly Move[];
  readonly postings: readonly Posting[];
}

/** What an entry does to one account: differences of its balances, and new values where the entry sets them. */
export interface AccountChange {
  available: number;
  reserved: number;
  escrowed: number;
  version?: number;
  frozen?: boolean;
  /** The entry's event, if the account's DID signed it. */
  event?: LedgerEntry['event'];
}

/** The rows that an entry is folded into. */
export interface LedgerRows {
  /**
   * The row to change; undefined for an account whose row the caller does not keep, or which already includes this
   * entry.
   */
  account(name: string): LedgerRow | undefined;
  /** Absent if the balances already include this entry. */
  readonly system?: SystemBalances | undefined;
}

export interface Booked {
  readonly postings: readonly Posting[];
  /**
   * The new versions of accounts that were debited in `available`, funded from an earlier reservation, frozen or
   * unfrozen.
   */
  readonly accounts: readonly { readonly did: string; readonly version: number }[];
}

/** The name of the fee account in the place of a DID. Its `available` is the uncollected fees. */
export const feeAccount = 'fees';

/**
 * The name of the supply account in the place of a DID. Its `available` is what may still be minted: 2^53-1 minus the
 * existing Tokens.
 */
export const supplyAccount = 'supply';

/**
 * The fee and supply accounts belong to no DID. Their rows have only a version: `SystemBalances` has their balances.
 */
export const isSystemAccount = (account: string): account is 'fees' | 'supply' =>
  account === feeAccount || account === supplyAccount;

/**
 * The DID that a move debits: Tokens that are `available`, or that an earlier entry has `reserved`. If its account is
 * frozen, the move is refused.
 */
const debtorOf = (move: Move): string | undefined =>
  (move.op === 'lock' && move.versioned) || move.op === 'transfer' || move.op === 'reserve' || move.op === 'withdraw'
    ? move.from
    : undefined;

/** DIDs that these moves debit, freeze or unfreeze. Their mailboxes must be entered, because their versions change. */
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
 * Books the moves of one entry in order, as the settlement chain does: Tokens that a later move credits cannot pay for
 * an earlier one.
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
    const delta = lowest.get(isSystemAccount(did) ? did : `available/${did}`) ?? 0;
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

const balances = ['available', 'reserved', 'escrowed'] as const;

/**
 * The changes of each account in an entry, by DID or system account. For a system account `available` is the difference
 * of its balance.
 */
export function accountChanges({ event, accounts, moves, postings }: LedgerEntry): Map<string, AccountChange> {
  const changes = new Map<string, AccountChange>();
  const change = (name: string): AccountChange => {
    let known = changes.get(name);
    if (!known) {
      known = { available: 0, reserved: 0, escrowed: 0 };
      changes.set(name, known);
    }
    return known;
  };
  change(event.issuer).event = event;
  for (const [account, delta] of postings) {
    const slash = account.indexOf('/');
    const balance = slash === -1 ? 'available' : (account.slice(0, slash) as (typeof balances)[number]);
    assert(slash === -1 ? isSystemAccount(account) : balances.includes(balance), `no ledger account ${account}`);
    change(account.slice(slash + 1))[balance] += delta;
  }
  for (const { did, version } of accounts) change(did).version = version;
  for (const move of moves) {
    if (move.op === 'freeze' || move.op === 'unfreeze') change(move.did).frozen = move.op === 'freeze';
  }
  return changes;
}

/** Whether an account's row changes. The row of a system account has only its version, which credits don't change. */
export const changesRow = (name: string, { version }: AccountChange): boolean =>
  version !== undefined || !isSystemAccount(name);

export function applyChange(row: LedgerRow, change: AccountChange): void {
  row.available += change.available;
  row.reserved += change.reserved;
  row.escrowed += change.escrowed;
  if (change.version !== undefined) row.version = change.version;
  if (change.frozen !== undefined) row.frozen = change.frozen;
  if (change.event) {
    row.nonce = change.event.nonce;
    row.lastHash = change.event.hash;
  }
}

/**
 * Why these rows cannot take an entry, as a sentence: its postings do not sum to zero, or a balance would leave its
 * range.
 */
export function ledgerViolation(changes: ReadonlyMap<string, AccountChange>, rows: LedgerRows): string | undefined {
  let sum = 0;
  for (const [name, change] of changes) {
    sum += change.available + change.reserved + change.escrowed;
    if (isSystemAccount(name)) {
      const fees = name === feeAccount && rows.system ? rows.system.fees + change.available : 0;
      if (fees < 0) return `fees would become ${fees}`;
      continue;
    }
    const row = rows.account(name);
    if (!row) continue;
    for (const balance of balances) {
      const next = row[balance] + change[balance];
      if (next < 0 || !Number.isSafeInteger(next)) return `${balance}/${name} would become ${next}`;
    }
  }
  return sum === 0 ? undefined : 'postings do not sum to zero';
}

/**
 * Applies an entry to the rows of a ledger. Entries must come in the order of the journal. The committer, which applies
 * debits before credits, uses `accountChanges` and `applyChange` instead.
 * @throws AssertionError if the rows can't take the entry, before anything was changed
 */
export function foldEntry(entry: LedgerEntry, rows: LedgerRows): void {
  const changes = accountChanges(entry);
  const violation = ledgerViolation(changes, rows);
  assert(violation === undefined, String(violation));
  for (const [name, change] of changes) {
    if (isSystemAccount(name)) {
      if (rows.system) rows.system[name] += change.available;
      const row = change.version === undefined ? undefined : rows.account(name);
      if (row) row.version = change.version!;
      continue;
    }
    const row = rows.account(name);
    if (row) applyChange(row, change);
  }
}

interface LedgerTotals {
  readonly supply: number;
  /** Sums of balances: available, reserved, escrowed and others. */
  readonly [part: string]: number;
}

/**
 * The violation if the balances do not add up to the supply. All numbers must be read at one point in time, because
 * rows that change in between do not balance.
 */
export function balanceViolation({ supply, ...held }: LedgerTotals): string | undefined {
  const sum = Object.values(held).reduce((one, other) => one + other, 0);
  return sum === supply ? undefined : `balances and fees sum to ${sum}, the supply is ${supply}`;
}
