import type { Evm } from './evm.js';

export interface OpenChain {
  readonly evm: Evm;
  /** The RPC URL for other processes; undefined for a chain in this process. */
  rpcUrl(): string | undefined;
  /** Closes the chain; its state is kept. */
  close(): Promise<void>;
}
