/** The options of the settler: the journal that it reads, the chain that it writes, and the node that it informs. */
import type { Environment } from '../../core/environment.js';
import type { Receipt } from '../../store/entry.js';
import type { Store } from '../../store/store.js';
import type { ContractAddresses } from '../contracts/deployment.js';
import type { Evm } from '../evm/evm.js';
import type { Backlog } from './backlog.js';
import type { PinnedBlock } from './chain-pin.js';
import type { SettlementRecords } from './settlement-record.js';
import type { JournalTail } from './stream.js';
import type { Operator } from './transaction.js';

export interface SettlerOptions {
  readonly evm: Evm;
  readonly operator: Operator;
  readonly network: string;
  readonly store: Store;
  readonly records: SettlementRecords;
  readonly tail: JournalTail;
  readonly backlog: Backlog;
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
  /** The configured addresses; undefined on a local chain, where the settler deploys the contracts. */
  readonly contracts: ContractAddresses | undefined;
  /** The block of the deployment, if it is configured. */
  readonly madeIn: PinnedBlock | undefined;
  readonly confirmations: number;
  /** Whether this process is the one that settles. Called about once a second. */
  readonly isMine: () => Promise<boolean>;
  /** Called when the receipts are durable. */
  readonly onSettled: (receipts: readonly Receipt[]) => void;
  /** Called when the chain rejects this entry; later ones cannot be settled either. */
  readonly onReverted: (seq: number) => void;
  /** Reconciliation is done: the contracts are known, and out-of-band transactions can be sent. */
  readonly onReady?: (contracts: ContractAddresses) => void;
  readonly onBatch?: (batch: { operations: number; gas: number; reverted: boolean }) => void;
}
