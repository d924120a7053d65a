/** Balances, transfers and what moved Tokens (interface, Wallet and transfers). */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type {
  Balance,
  ChainNonce,
  Pagination,
  Paging,
  SettledMove,
  SettledMoves,
  Supply,
  Transaction,
  TransferResult,
} from '../views.js';
import type { WriteOptions, Writes } from '../writes.js';

export interface Transfer {
  /** A DID or an account address. */
  readonly to: string;
  readonly amount: number;
  readonly fee?: number;
  /** At most 256 characters. */
  readonly memo?: string;
}

export interface Withdrawal {
  readonly amount: number;
  readonly fee?: number;
  /** EVM address; default the controller of the signer's DID. */
  readonly to?: string;
}

export interface TransactionQuery extends Paging {
  readonly type?: 'all' | 'sent' | 'received' | 'escrow';
}

export interface Transactions {
  readonly transactions: readonly Transaction[];
  readonly total: number;
  readonly hasMore: boolean;
  readonly pagination: Pagination;
}

export interface BalancePage {
  readonly wallets: readonly Balance[];
  readonly total: number;
  readonly pagination: Pagination;
}

export class Wallets {
  constructor(private readonly writes: Writes) {}

  /** @param address a DID or an account address */
  get(address: string, options?: ReadOptions): Promise<Balance> {
    return this.writes.http.get(pathOf`/wallets/${address}`, undefined, options);
  }

  /** Newest first. */
  transactions(address: string, query?: TransactionQuery, options?: ReadOptions): Paged<Transactions, Transaction> {
    const path = pathOf`/wallets/${address}/transactions`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'transactions');
  }

  /** Of all DIDs that the ledger knows, the largest balance first. */
  list(query?: Paging, options?: ReadOptions): Paged<BalancePage, BalancePage['wallets'][number]> {
    return paged((asked) => this.writes.http.get('/wallets', asked, options), { ...query }, 'wallets');
  }

  /** Pays from the signer's wallet. */
  transfer(transfer: Transfer, options?: WriteOptions): Promise<TransferResult> {
    return this.writes.signed('/transfers', transfer, options);
  }

  /** Pays out on chain from the signer's wallet. @param address the signer's */
  withdraw(address: string, withdrawal: Withdrawal, options?: WriteOptions): Promise<TransferResult> {
    return this.writes.signed(pathOf`/wallets/${address}/actions/withdraw`, withdrawal, options);
  }

  /** @param of a DID or an EVM address */
  nonce(of: string, options?: ReadOptions): Promise<ChainNonce> {
    return this.writes.http.get(pathOf`/nonce/${of}`, undefined, options);
  }

  /** @param hash of an event, or of a transaction on chain */
  transaction(hash: string, query?: Paging, options?: ReadOptions): Paged<SettledMoves, SettledMove> {
    const path = pathOf`/transactions/${hash}`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'transactions');
  }

  /** What there is in the ledger, and what the vault on chain holds for it. */
  supply(options?: ReadOptions): Promise<Supply> {
    return this.writes.http.get('/supply', undefined, options);
  }
}
