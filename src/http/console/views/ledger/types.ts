/** The money, as the API shows it. */
import type { Entry } from '../../api/types.ts';
import type { Pagination } from '../../parts/pager.tsx';

export interface Supply {
  readonly network: string;
  readonly supply: number;
  readonly available: number;
  readonly reserved: number;
  readonly escrowed: number;
  readonly fees: number;
  readonly chain: {
    readonly kind: string;
    readonly chainId: number | null;
    readonly blockNumber: number;
    readonly token: string;
    readonly vault: string;
    readonly tokenSupply: number;
    readonly holdings: number;
    readonly owed: number;
    readonly fees: number;
    readonly waiting: number;
    readonly heldBack: number;
    readonly lag: number;
  } | null;
  /** Null while operations are on their way, or without a chain. */
  readonly balanced: boolean | null;
}

export interface Balance {
  readonly did: string;
  readonly address: string;
  readonly balance: number;
  readonly availableBalance: number;
  readonly reserved: number;
  readonly escrowed: number;
  readonly frozen: boolean;
  readonly nonce: number;
}

export interface Balances {
  readonly wallets: readonly Balance[];
  readonly total: number;
  readonly pagination: Pagination;
}

export interface Transaction {
  readonly type: 'sent' | 'received' | 'escrow';
  readonly op: string;
  readonly eventHash: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: number;
  readonly fee: number;
  readonly memo: string | null;
  readonly status: 'confirmed' | 'pending';
  readonly timestamp: number;
  readonly seq: number;
  readonly escrowId?: string;
}

export interface History {
  readonly transactions: readonly Transaction[];
  readonly pagination: Pagination;
}

export interface EntryPage {
  readonly events: readonly Entry[];
  /** Number of the newest entry. */
  readonly head: number;
}
