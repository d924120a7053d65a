/** What trade with other homes needs of a node. */
import type { Accepted } from '../../actors/command.js';
import type { SystemRequest } from '../../actors/system.js';
import type { Environment } from '../../core/environment.js';
import type { Refusal } from '../../core/refusal.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import type { Snapshot, StoreReader } from '../../store/store.js';
import type { MovedDids } from '../moved-dids.js';
import type { ForeignHomes } from '../reading/foreign.js';
import type { TradeLimits } from './limits.js';

/** Tokens that the vault on chain pays to an EVM address, and those for the operator of the home. */
export interface Payout {
  readonly amount: number;
  readonly to: string;
  readonly fee?: number;
}

/** A withdrawal as its operator asks for it. */
export interface AskedPayout extends Payout {
  /** With the same key it takes effect once; absent: each time. */
  readonly idempotencyKey?: string | undefined;
}

export interface TradeOptions {
  /** DID of this home. */
  readonly own: string;
  readonly network: string;
  readonly catalogue: Catalogue;
  readonly world: Environment;
  /** DID of the arbiter whom this home names for disputes, if there is one. */
  readonly networkArbiter?: string | undefined;
  /** This home's own journal. */
  readonly store: Pick<StoreReader, 'find' | 'load' | 'entries' | 'entryByEvent' | 'account' | 'accounts'>;
  /** The newest durable state of an own resource. */
  readonly resource: (kind: string, id: string) => Promise<Snapshot | undefined> | Snapshot | undefined;
  /** Writes an entry by the system key. */
  readonly write: (request: SystemRequest) => Promise<unknown>;
  /** Writes an entry by the home's own key, which signs for its accounts at other homes. */
  readonly writeAsHome?: ((request: SystemRequest) => Promise<Accepted | Refusal>) | undefined;
  /** What the home's own key has written under an idempotency key. */
  readonly recordedAsHome?: ((key: string) => ReturnType<StoreReader['recall']>) | undefined;
  /** Why this home pays no such withdrawal of another home out; absent: it does not check. */
  readonly refusalOfPayout?: ((payout: Payout) => Promise<Refusal | undefined>) | undefined;
  readonly homes: ForeignHomes;
  /** Absent: no DID has moved. */
  readonly moved?: Pick<MovedDids, 'of' | 'refusalOf'> | undefined;
  /** Whether a key of this DID is at this node. */
  readonly holdsKey?: ((did: string) => Promise<boolean>) | undefined;
  /** Whether this node is connected to the home, and adopts its journal. */
  readonly isFollowing?: ((home: string) => boolean) | undefined;
  /** How long Tokens of other homes' residents stay here before they are sent home, ms; 0 or absent: they stay. */
  readonly homewardMs?: number | undefined;
  /** Absent: no limits. */
  readonly limits?: Pick<TradeLimits, 'of' | 'takeAnswer'> | undefined;
  /** Why nothing is sent to this home, and none of its requests are answered; undefined while it may be. */
  readonly refusalOf: (home: string) => Refusal | undefined;
  readonly log: (message: string, detail: object) => void;
}
