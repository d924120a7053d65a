/**
 * The rules of the ledger: every kind of move of Tokens, and its double entry
 * (docs/reference/accounts-and-nonces.md#ledger-accounts). Pure; the settlement chain re-executes the same moves.
 */

/**
 * A move is one operation of settlement. `escrow` is an escrow id, other members are DIDs; amounts are integer Tokens.
 * A new kind of move is one more member here, with its postings below.
 */
export type Move =
  | { readonly op: 'mint'; readonly to: string; readonly amount: number }
  | ({ readonly op: 'transfer'; readonly fee: number } & Payment)
  | ({
      readonly op: 'reserve';
      readonly escrow: string;
      /** When the locked Tokens may be returned, epoch ms; absent: never. The chain refuses an earlier `expire`. */
      readonly expiresAt?: number;
    } & Payment)
  | { readonly op: 'unreserve'; readonly escrow: string; readonly from: string; readonly amount: number }
  | ({
      readonly op: 'lock';
      readonly escrow: string;
      /**
       * True if the move gives `from` a new account version, and is refused while `from` is frozen. Absent after a
       * `reserve` in the same entry, which does both.
       */
      readonly versioned?: true;
    } & Payment)
  | ({ readonly op: 'release'; readonly escrow: string } & Payment)
  | { readonly op: 'refund'; readonly escrow: string; readonly from: string; readonly amount: number }
  /** Returns everything that is left, because the escrow has expired. */
  | { readonly op: 'expire'; readonly escrow: string; readonly from: string; readonly amount: number }
  | { readonly op: 'collect'; readonly to: string; readonly amount: number }
  | { readonly op: 'freeze'; readonly did: string }
  | { readonly op: 'unfreeze'; readonly did: string }
  /** The vault's deposit number `ref` enters the ledger. */
  | { readonly op: 'deposit'; readonly to: string; readonly amount: number; readonly ref: number }
  /** Tokens leave the ledger; the vault pays `amount` to `to`, a checksummed EVM address. */
  | ({ readonly op: 'withdraw'; readonly fee: number } & Payment);

interface Payment {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

/** `[account, delta]`; accounts are `available/<did>`, `reserved/<did>`, `escrowed/<did>`, `supply`, `fees`. */
export type Posting = readonly [account: string, delta: number];

/** Whether the postings take Tokens from an account of this DID. */
export const debits = (did: string, postings: readonly Posting[]): boolean =>
  postings.some(([account, delta]) => delta < 0 && account.endsWith(`/${did}`));

/** What an act costs a DID, in Tokens. */
export interface Cost {
  /** What leaves its `available`. */
  readonly taken: number;
  /** What its escrows pay to others. */
  readonly paid: number;
}

/** Computed from the moves, never from the input, so that no way to ask for an act costs more than it says. */
export function costOfMoves(did: string, moves: readonly Move[]): Cost {
  let [taken, paid] = [0, 0];
  for (const move of moves) {
    if (move.op === 'release' && move.from === did && move.to !== did) paid += move.amount;
    for (const [account, delta] of postingsOf(move)) if (account === `available/${did}` && delta < 0) taken -= delta;
  }
  return { taken, paid };
}

/** The double entry of a move; sums to zero. `supply` is the only account that goes below zero. */
export function postingsOf(move: Move): Posting[] {
  switch (move.op) {
    case 'mint':
      return [
        ['supply', -move.amount],
        [`available/${move.to}`, move.amount],
      ];
    case 'transfer':
      return [
        [`available/${move.from}`, -(move.amount + move.fee)],
        [`available/${move.to}`, move.amount],
        ...(move.fee > 0 ? [['fees', move.fee] as const] : []),
      ];
    case 'reserve':
      return [
        [`available/${move.from}`, -move.amount],
        [`reserved/${move.from}`, move.amount],
      ];
    case 'unreserve':
      return [
        [`reserved/${move.from}`, -move.amount],
        [`available/${move.from}`, move.amount],
      ];
    case 'lock':
      return [
        [`reserved/${move.from}`, -move.amount],
        [`escrowed/${move.from}`, move.amount],
      ];
    case 'release':
      return [
        [`escrowed/${move.from}`, -move.amount],
        [`available/${move.to}`, move.amount],
      ];
    case 'refund':
    case 'expire':
      return [
        [`escrowed/${move.from}`, -move.amount],
        [`available/${move.from}`, move.amount],
      ];
    case 'collect':
      return [
        ['fees', -move.amount],
        [`available/${move.to}`, move.amount],
      ];
    case 'deposit':
      return [
        ['supply', -move.amount],
        [`available/${move.to}`, move.amount],
      ];
    case 'withdraw':
      return [
        [`available/${move.from}`, -(move.amount + move.fee)],
        ['supply', move.amount],
        ...(move.fee > 0 ? [['fees', move.fee] as const] : []),
      ];
    case 'freeze':
    case 'unfreeze':
      return [];
  }
}

/** The `type` filter of the wallet history (docs/reference/accounts-and-nonces.md#wallet-history). */
export type HistoryType = 'sent' | 'received' | 'escrow';

/** Stores keep a type as its index in this list. The order breaks ties in a history. */
export const historyTypes: readonly HistoryType[] = ['sent', 'received', 'escrow'];

/** The DIDs in whose wallet history a move appears, each with its type there; at most two. */
export function partiesOf(move: Move): (readonly [did: string, type: HistoryType])[] {
  switch (move.op) {
    case 'mint':
    case 'collect':
    case 'deposit':
      return [[move.to, 'received']];
    case 'withdraw':
      return [[move.from, 'sent']];
    case 'transfer':
      return [
        [move.from, 'sent'],
        [move.to, 'received'],
      ];
    case 'reserve':
    case 'unreserve':
    case 'lock':
    case 'refund':
    case 'expire':
      return [[move.from, 'escrow']];
    case 'release':
      return [
        [move.from, 'escrow'],
        [move.to, 'escrow'],
      ];
    case 'freeze':
    case 'unfreeze':
      return [];
  }
}
