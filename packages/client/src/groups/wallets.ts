/** Balances, transfers, and the events that moved Tokens (docs/reference/accounts-and-nonces.md#balances). */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type {
  Balance,
  HomeWallet,
  Moves,
  Nonce,
  Paging,
  Queries,
  Replies,
  Requests,
  SettledMove,
  Supply,
  Transaction,
  TransferResult,
} from '../wire.js';
import type { WriteOptions } from '../write-options.js';
import type { Writes } from '../writes.js';

export class Wallets {
  constructor(private readonly writes: Writes) {}

  /** @param address a DID or an account address */
  get(address: string, options?: ReadOptions): Promise<Balance> {
    return this.writes.http.get(pathOf`/wallets/${address}`, undefined, options);
  }

  /** Transactions of a wallet, newest first. */
  transactions(
    address: string,
    query?: Queries['listTransactions'],
    options?: ReadOptions,
  ): Paged<Replies['listTransactions'], Transaction> {
    const path = pathOf`/wallets/${address}/transactions`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'transactions');
  }

  /** Wallets of all DIDs in the ledger, largest balance first. */
  list(query?: Paging, options?: ReadOptions): Paged<Replies['listWallets'], Balance> {
    return paged((asked) => this.writes.http.get('/wallets', asked, options), { ...query }, 'wallets');
  }

  /** What a DID has at this home, and at those that its node follows. */
  homes(address: string, query?: Paging, options?: ReadOptions): Paged<Replies['listHomeWallets'], HomeWallet> {
    const path = pathOf`/wallets/${address}/homes`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'homes');
  }

  /** Pays from the signer's wallet. */
  transfer(transfer: Requests['transfer'], options?: WriteOptions): Promise<TransferResult> {
    return this.writes.signed('/transfers', transfer, options);
  }

  /** Pays out on chain from the signer's wallet. @param address the signer's DID or address */
  withdraw(address: string, withdrawal: Requests['withdraw'], options?: WriteOptions): Promise<TransferResult> {
    return this.writes.signed(pathOf`/wallets/${address}/actions/withdraw`, withdrawal, options);
  }

  /** @param of a DID or an EVM address */
  nonce(of: string, options?: ReadOptions): Promise<Nonce> {
    return this.writes.http.get(pathOf`/nonce/${of}`, undefined, options);
  }

  /** @param hash hash of an event, or of a transaction on chain */
  transaction(hash: string, query?: Paging, options?: ReadOptions): Paged<Moves, SettledMove> {
    const path = pathOf`/transactions/${hash}`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'transactions');
  }

  /** Total of Tokens in the ledger, and the amount that the vault on chain holds for them. */
  supply(options?: ReadOptions): Promise<Supply> {
    return this.writes.http.get('/supply', undefined, options);
  }
}
