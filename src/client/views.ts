/**
 * What the node answers with (interface, Resources and fields; decisions.md). Amounts are integer Tokens, times epoch
 * milliseconds, hashes 64 hex digits. Views of kinds with a machine are in `kinds/`.
 */
import type { Permission } from '../machines/kernel/permitted.js';
import type { EntryCore, Payload, Receipt } from '../store/entry.js';

export interface Pagination {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  readonly page: number;
  readonly pageSize: number;
  /** Cursor of the next page; null on the last. */
  readonly after: string | null;
}

/** Every list takes `limit`/`offset`, or `page`/`pageSize`, or `limit` and the `after` of an earlier page. */
export interface Paging {
  readonly limit?: number;
  readonly offset?: number;
  readonly page?: number;
  readonly pageSize?: number;
  readonly after?: string;
}

/** In every view of a kind with a machine. */
export interface Permitted {
  /** By role: what it may do now, and the codes of the guards that the input may still fail. Lists: see `include`. */
  readonly permittedActions?: { readonly [role: string]: readonly Permission[] };
}

/** In the reply to every write that a DID signs: the `nonce` it used. `txHash` is the event's hash until there is a transaction on a chain. */
export interface WriteFields {
  readonly eventHash: string;
  readonly nonce: number;
  readonly txHash: string;
}

export interface Settled {
  readonly txHash: string;
  readonly status: 'confirmed' | 'pending';
  readonly blockNumber: number | null;
  readonly confirmations: number;
}

export interface TransferResult extends Settled {
  readonly eventHash: string;
  /** A DID, the id of an escrow, `fees`, or null where Tokens came into being. */
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: number;
  readonly fee: number;
  readonly memo: string | null;
  readonly timestamp: number;
  readonly nonce: number;
}

/** Beside the view of an account that the node's system key wrote: the view's `nonce` stays the account's own. */
export interface SystemFields {
  readonly eventHash: string;
  /** The node's system key. */
  readonly issuer: string;
  readonly txHash: string;
}

/** Signed by the node's system key, whose `nonce` it is. */
export interface SystemTransfer extends TransferResult {
  readonly issuer: string;
}

export interface Transaction extends TransferResult {
  readonly type: 'sent' | 'received' | 'escrow';
  readonly op: string;
  readonly escrowId?: string;
  readonly issuer: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
}

/** A move of Tokens, whoever looks at it. */
export type SettledMove = Omit<Transaction, 'type'>;

/** All moves of an event, or of a transaction on chain. */
export interface SettledMoves extends Settled {
  readonly transactions: readonly SettledMove[];
  readonly total: number;
  readonly pagination: Pagination;
}

/** Of a DID, or of an EVM address: then without what only a DID has. */
export interface ChainNonce {
  readonly data: {
    readonly did?: string;
    readonly address: string;
    /** Transactions that the address has sent on chain. */
    readonly nonce: number;
    /** What the DID's next signed write carries. */
    readonly nextNonce?: number;
    /** Of the DID's newest event up to which nothing waits for the chain. */
    readonly settlementNonce?: number;
    readonly registered?: boolean;
  };
  readonly links: { readonly self: string };
}

export interface Registration {
  readonly did: string;
  readonly registered: boolean;
  /** EVM address; null where it was revoked. */
  readonly controller: string | null;
}

export interface Supply {
  readonly network: string;
  /** available + reserved + escrowed + fees */
  readonly supply: number;
  readonly available: number;
  readonly reserved: number;
  readonly escrowed: number;
  readonly fees: number;
  /** null where the node settles on no chain. */
  readonly chain: {
    readonly kind: 'rpc' | 'anvil' | 'embedded';
    readonly chainId: number | null;
    readonly blockNumber: number;
    readonly token: string;
    readonly vault: string;
    readonly tokenSupply: number;
    /** Tokens that the vault has. */
    readonly holdings: number;
    /** Of these: to the accounts of the ledger, escrows and fees included. */
    readonly owed: number;
    readonly fees: number;
    /** Deposits that wait to be credited. */
    readonly waiting: number;
    /** Withdrawals that could not be paid. */
    readonly heldBack: number;
    /** Operations committed and not settled. */
    readonly lag: number;
  } | null;
  /** null while operations are on their way. */
  readonly balanced: boolean | null;
}

/** An audit of the whole journal by the node. */
export interface AuditRun {
  /** `unfinished`: there was no verdict; `note` says why. */
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** Entries checked and sound, of those that there are. */
  readonly checked: number;
  readonly total: number;
  readonly journal: {
    readonly resources: number;
    readonly accounts: number;
    readonly supply: number;
    readonly head: string;
  } | null;
  /** The first bad entry, or with `seq` 0 what else is wrong. */
  readonly flaw: {
    readonly seq: number;
    readonly eventHash: string | null;
    readonly check: string;
    readonly what: string;
  } | null;
  readonly note: string | null;
  /** What the journal was held against. */
  readonly chain: {
    readonly chainId: number;
    readonly blockNumber: number;
    readonly settled: number;
    readonly anchored: number;
    readonly anchors: number;
    readonly holdings: number;
    readonly owed: number;
  } | null;
}

export interface Audits {
  readonly running: AuditRun | null;
  readonly last: AuditRun | null;
}

/** What `svc-node verify-proof` takes. */
export interface EventProof {
  readonly v: 1;
  readonly network: string;
  readonly seq: number;
  readonly entryHash: string;
  readonly prevEntry: string;
  readonly chainHash: string;
  readonly entry: EntryCore;
  /** null until the entry is anchored. */
  readonly anchor: {
    readonly firstEntry: number;
    readonly lastEntry: number;
    readonly root: string;
    readonly path: readonly string[];
    readonly txHash: string;
    readonly blockNumber: number;
    readonly chainId: number;
    readonly contract: string;
  } | null;
}

export interface Balance {
  readonly did: string;
  readonly address: string;
  /** available + reserved + escrowed */
  readonly balance: number;
  readonly availableBalance: number;
  readonly reserved: number;
  readonly escrowed: number;
  readonly frozen: boolean;
  /** Of the DID's last event; 0 before the first. */
  readonly nonce: number;
  readonly nextNonce: number;
  /** Hash of the DID's last event. */
  readonly prev: string | null;
}

export interface PlatformLink {
  readonly platform: string;
  readonly url: string;
}

export interface IdentityDocument {
  readonly displayName?: string;
  readonly bio?: string;
  readonly avatar?: string;
  readonly platformLinks?: readonly PlatformLink[];
}

export interface Identity extends IdentityDocument {
  readonly did: string;
  /** Hex. */
  readonly publicKey: string;
  readonly address: string;
  /** EVM address that acts for the DID on chain; null where it was revoked. */
  readonly controller: string | null;
  readonly created: number | null;
  readonly updated: number | null;
  /** What the next update names as `prevDocHash`. */
  readonly docHash: string;
  readonly resourcePrev: string | null;
  readonly platformLinks: readonly PlatformLink[];
  readonly capabilities: readonly Credential[];
}

/** A capability credential in the W3C VC data model. */
export interface Credential {
  readonly type: readonly string[];
  readonly issuer: string | { readonly id: string };
  readonly credentialSubject: { readonly [claim: string]: unknown };
  readonly proof?: { readonly [member: string]: unknown };
  readonly [member: string]: unknown;
}

export interface Capability extends Credential, WriteFields {
  /** As stored, proof included. */
  readonly credential: Credential;
  readonly resourcePrev: string;
}

/** An entry of the journal. `payload` and `salt` are absent for those who may not read the resource. */
export interface JournalEvent
  extends Pick<EntryCore, 'event' | 'time' | 'home' | 'versions' | 'accounts' | 'moves' | 'postings'> {
  readonly seq: number;
  readonly payload?: Payload;
  readonly salt?: string;
  readonly entryHash: string;
  readonly prevEntry: string;
  readonly chainHash: string;
  readonly receipt: (Receipt & { readonly confirmations: number }) | null;
}

export interface ApiKey {
  readonly id: string;
  readonly label: string;
  readonly scope: 'read' | 'write' | 'admin';
  readonly did?: string;
  readonly prefix: string;
  readonly status: 'active' | 'revoked' | 'expired';
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly limits: { readonly reads?: number; readonly writes?: number } | null;
}

export interface ApiKeyPage {
  readonly apiKeys: readonly ApiKey[];
  readonly total: number;
  readonly pagination: Pagination;
}

/** `key` is shown once: a reply that is given again has null there. */
export interface CreatedApiKey extends ApiKey {
  readonly key: string | null;
}

/** A line of the operators' log. */
export interface AdminAct {
  readonly id: string;
  readonly time: number;
  /** Dotted: `api-key.create`, `account.freeze`. */
  readonly act: string;
  /** Id of the API key, or where the operator sat. */
  readonly by: string;
  readonly details: { readonly [name: string]: string | number | boolean | null };
  /** `begun`: under way, or it failed or its process ended before it was noted what came of it. */
  readonly outcome: 'begun' | 'done';
}

export interface NodeStatus {
  readonly did: string;
  readonly peerId: string | null;
  readonly network: 'devnet' | 'testnet' | 'mainnet';
  readonly version: string;
  readonly synced: boolean;
  /** Number of the newest entry. */
  readonly height: number;
  readonly blockHeight: number | null;
  readonly peers: number;
  /** Seconds. */
  readonly uptime: number;
  readonly chain: {
    readonly kind: 'none' | 'rpc' | 'anvil' | 'embedded';
    readonly chainId: number | null;
    readonly blockNumber: number | null;
    readonly connected: boolean;
    readonly lag: number;
    readonly settlement: 'off' | 'running' | 'halted';
  };
  readonly store: { readonly kind: string; readonly durability: string };
  readonly config: NodeConfig;
}

export interface NodeActivity {
  readonly everyMs: number;
  /** Oldest first. */
  readonly points: readonly {
    /** End of the time that it covers. */
    readonly at: number;
    /** Answers a second. */
    readonly requests: number;
    /** Of them those with a status of 500 and above. */
    readonly failures: number;
    /** Entries committed a second. */
    readonly entries: number;
    /** Null where nothing was answered. */
    readonly p50Ms: number | null;
    readonly p99Ms: number | null;
    readonly height: number;
    /** Operations committed and not settled. */
    readonly lag: number;
  }[];
}

export interface NodeConfig {
  readonly [setting: string]: unknown;
}

export interface PeerInfo {
  readonly [fact: string]: unknown;
}

export type ReviewDimension = 'transaction' | 'fulfillment' | 'quality' | 'social' | 'behavior';

/** Scores go from 0 to 1000; null where all records have lost their weight. */
export interface Reputation {
  readonly did: string;
  readonly score: number | null;
  readonly level: 'excellent' | 'good' | 'fair' | 'poor' | 'unrated';
  /** Those with records. */
  readonly dimensions: {
    readonly [dimension in ReviewDimension]?: {
      readonly score: number | null;
      readonly count: number;
      readonly updatedAt: number;
    };
  };
  readonly totalTransactions: number;
  /** 0 to 1; null before the first transaction. */
  readonly successRate: number | null;
  /** In stars, 0 to 5; null before the first review. */
  readonly averageRating: number | null;
  readonly updatedAt: number;
}

export interface Review {
  readonly id: string;
  readonly issuer: string;
  readonly target: string;
  readonly dimension: ReviewDimension;
  readonly score: number;
  /** The score in stars, 0 to 5. */
  readonly rating: number;
  readonly ref: string;
  readonly comment?: string;
  readonly aspects?: { readonly [name: string]: unknown };
  readonly createdAt: number;
  readonly resourcePrev: string;
}
/** Hex throughout; see the node's OpenAPI document on how to open it. */
export interface KeyEnvelope {
  readonly algorithm: string;
  readonly senderPublicKeyHex: string;
  readonly nonceHex: string;
  readonly ciphertextHex: string;
  readonly tagHex: string;
}

/** Of a listing; null where the content is not kept by the node. */
export interface EncryptedContent {
  readonly listingId: string;
  /** SHA-256 of the content, in the clear. */
  readonly contentHash: string | null;
  /** Bytes. */
  readonly size: number | null;
  readonly format: string;
  readonly encoding: string | null;
  readonly algorithm: string | null;
  readonly nonceHex: string | null;
  readonly ciphertextHex: string | null;
  readonly tagHex: string | null;
  readonly createdAt: number;
}

export interface InfoDelivery {
  readonly orderId: string;
  readonly listingId: string;
  readonly status: string;
  readonly buyer: string;
  readonly seller: string;
  readonly deliveredAt: number;
  readonly confirmBy: number | null;
  readonly expiresAt: number | null;
  readonly contentHash: string | null;
  readonly buyerPublicKeyHex: string;
  readonly keyEnvelope: KeyEnvelope | null;
  readonly accessTokenEnvelope: KeyEnvelope | null;
  readonly accessUrlEnvelope: KeyEnvelope | null;
  readonly deliveryData: { readonly [name: string]: unknown } | null;
  readonly envelope: { readonly [name: string]: unknown } | null;
  readonly envelopeDigest: string | null;
  readonly resourcePrev: string;
}

export interface OpenedDelivery {
  readonly orderId: string;
  readonly listingId: string;
  readonly contentHash: string | null;
  readonly size: number | null;
  /** How `content` is spelled: utf8, base64 or hex. */
  readonly encoding: string | null;
  readonly content: string | null;
  readonly contentKeyHex: string | null;
  readonly accessToken: string | null;
  readonly accessUrl: string | null;
}
