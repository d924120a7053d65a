/** The faucet of devnet and testnet (decisions.md, Faucet). */
import type { TransferResult } from '../views.js';
import type { WriteOptions, Writes } from '../writes.js';

export class Faucet {
  constructor(private readonly writes: Writes) {}

  /** @param account a DID or an account address */
  claim(account: string, options?: WriteOptions): Promise<TransferResult> {
    return this.writes.plain('/faucet', account.startsWith('did:') ? { did: account } : { address: account }, options);
  }
}
