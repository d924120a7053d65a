/** The faucet of devnet and testnet (docs/reference/accounts-and-nonces.md#faucet). */
import type { Replies } from '../wire.js';
import type { WriteOptions } from '../write-options.js';
import type { Writes } from '../writes.js';

export class Faucet {
  constructor(private readonly writes: Writes) {}

  /** @param account a DID or an account address */
  claim(account: string, options?: WriteOptions): Promise<Replies['claimFaucet']> {
    return this.writes.plain('/faucet', account.startsWith('did:') ? { did: account } : { address: account }, options);
  }
}
