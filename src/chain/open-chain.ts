/** A chain that was opened: the port, and what only its owner does. */
import type { Evm } from './evm/evm.js';

export interface OpenChain {
  readonly evm: Evm;
  /** Where others can ask the same chain; undefined while or where nobody can. */
  rpcUrl(): string | undefined;
  /** Ends what was started for it; its state is kept. */
  close(): Promise<void>;
}
