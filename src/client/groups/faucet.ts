/** The faucet of devnet and testnet (decisions.md, Faucet). */
import type { SystemTransfer } from '../views.js';
import type { WriteOptions, Writes } from '../writes.js';

export class Faucet {
  constructor(private readonly writes: Writes) {}

  /** @param account a DID or an account address */
  claim(account: string, options?: WriteOptions): Promise<SystemTransfer> {
    return this.writes.plain('/faucet', account.startsWith('did:') ? { did: account } : { address: account }, options);
  }
}
