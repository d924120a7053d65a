/** Generated from docs/generated/openapi.json by `npm run generate`: types of what the API takes and answers. */

export interface ActivityPoint {
  /** End of the time that it covers. */
  readonly at: number;
  /** Answers a second. */
  readonly requests: number;
  /** Of them those with a status of 500 and above. */
  readonly failures: number;
  /** Entries committed a second. */
  readonly entries: number;
  /** Milliseconds; null where nothing was answered. */
  readonly p50Ms: number | null;
  /** Milliseconds; null where nothing was answered. */
  readonly p99Ms: number | null;
  /** Number of the newest entry. */
  readonly height: number;
  /** Operations committed and not settled. */
  readonly lag: number;
}

export interface AdminAct {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Dotted: `api-key.create`, `account.freeze`, `identity.unlock`. */
  readonly act: string;
  /** Id of the API key, or where the operator sat: `cli`, `control`, an address. */
  readonly by: string;
  /** What it was about; nothing secret. */
  readonly details: { readonly [member: string]: unknown };
  /** `begun`: under way, or it failed or its process ended before it was noted what came of it. */
  readonly outcome: 'begun' | 'done';
}

export interface ApiKey {
  readonly id: string;
  readonly label: string;
  readonly scope: 'read' | 'write' | 'admin';
  /** The first characters of the key, by which a person tells keys apart. */
  readonly prefix: string;
  readonly status: 'active' | 'revoked' | 'expired';
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Epoch milliseconds, to the minute; null: not yet. */
  readonly lastUsedAt: number | null;
  /** Own quotas, requests a minute. */
  readonly limits: { readonly reads?: number; readonly writes?: number } | null;
  /** The DID that the key reads and signs for. */
  readonly did?: string;
}

export interface AuditReport {
  readonly v: 1;
  readonly type: 'audit-report';
  readonly id: string;
  /** The node that audited, whose key signs. */
  readonly node: string;
  readonly network: string;
  /** `unfinished`: there was no verdict; `note` says why. */
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Epoch milliseconds. */
  readonly finishedAt: number | null;
  /** Entries checked and sound. */
  readonly checked: number;
  /** Entries that there are. */
  readonly total: number;
  /** What the entries checked come to; null until it is finished. */
  readonly journal: {
    readonly resources: number;
    readonly accounts: number;
    /** Tokens. */
    readonly supply: number;
    /** `chainHash` of the last entry checked. */
    readonly head: string;
  } | null;
  /** The first flaw. */
  readonly flaw: {
    /** Number of the bad entry; 0 where it is none of the entries. */
    readonly seq: number;
    /** Hash of its event; null where there is none, or none that can be read. */
    readonly eventHash: string | null;
    /** What failed. Of an entry: its place in the chain, its form, a hash, the signature, its place among the events of its signer and resources, the replay of its step, the index that leads to it. Of all: where the journal ends, what the store made of the entries, receipts, sums, and what is settled on chain. */
    readonly check: 'file' | 'chain' | 'form' | 'hash' | 'signature' | 'sequence' | 'replay' | 'index' | 'head' | 'projection' | 'receipts' | 'sums' | 'search' | 'settlement';
    /** What is wrong, in a sentence. */
    readonly what: string;
  } | null;
  /** What could not be looked at, and why. */
  readonly note: string | null;
  /** What the journal was held against; null: no chain. */
  readonly chain: {
    readonly chainId: number;
    /** The block that the chain was read at. */
    readonly blockNumber: number;
    /** Operations that the chain has settled. */
    readonly settled: number;
    /** Entries that are anchored on it. */
    readonly anchored: number;
    readonly anchors: number;
    /** Tokens that the vault has. */
    readonly holdings: number;
    /** Of these: what the accounts have, escrows and fees included. */
    readonly owed: number;
  } | null;
  /** Ed25519, base58btc, over `svc:audit:v1:` and the RFC 8785 form without `sig`. */
  readonly sig: string;
}

export interface AuditRun {
  /** `unfinished`: there was no verdict; `note` says why. */
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Epoch milliseconds. */
  readonly finishedAt: number | null;
  /** Entries checked and sound. */
  readonly checked: number;
  /** Entries that there are. */
  readonly total: number;
  /** What the entries checked come to; null until it is finished. */
  readonly journal: {
    readonly resources: number;
    readonly accounts: number;
    /** Tokens. */
    readonly supply: number;
    /** `chainHash` of the last entry checked. */
    readonly head: string;
  } | null;
  /** The first flaw. */
  readonly flaw: {
    /** Number of the bad entry; 0 where it is none of the entries. */
    readonly seq: number;
    /** Hash of its event; null where there is none, or none that can be read. */
    readonly eventHash: string | null;
    /** What failed. Of an entry: its place in the chain, its form, a hash, the signature, its place among the events of its signer and resources, the replay of its step, the index that leads to it. Of all: where the journal ends, what the store made of the entries, receipts, sums, and what is settled on chain. */
    readonly check: 'file' | 'chain' | 'form' | 'hash' | 'signature' | 'sequence' | 'replay' | 'index' | 'head' | 'projection' | 'receipts' | 'sums' | 'search' | 'settlement';
    /** What is wrong, in a sentence. */
    readonly what: string;
  } | null;
  /** What could not be looked at, and why. */
  readonly note: string | null;
  /** What the journal was held against; null: no chain. */
  readonly chain: {
    readonly chainId: number;
    /** The block that the chain was read at. */
    readonly blockNumber: number;
    /** Operations that the chain has settled. */
    readonly settled: number;
    /** Entries that are anchored on it. */
    readonly anchored: number;
    readonly anchors: number;
    /** Tokens that the vault has. */
    readonly holdings: number;
    /** Of these: what the accounts have, escrows and fees included. */
    readonly owed: number;
  } | null;
}

export interface Balance {
  /** A DID. */
  readonly did: string;
  /** The account address: the other spelling of the DID. */
  readonly address: string;
  /** Tokens: `availableBalance` + `reserved` + `escrowed`. */
  readonly balance: number;
  /** Tokens that can be spent. */
  readonly availableBalance: number;
  /** Tokens that unfunded escrows hold. */
  readonly reserved: number;
  /** Tokens that funded escrows hold. */
  readonly escrowed: number;
  /** The same as `availableBalance`. */
  readonly available: number;
  /** Always 0: what was received can be spent at once. */
  readonly pending: 0;
  /** Tokens that escrows hold: `reserved` + `escrowed`. */
  readonly locked: number;
  /** An operator has stopped its debits. */
  readonly frozen: boolean;
  /** Nonce of the DID's last event; 0 before the first. */
  readonly nonce: number;
  /** What the DID's next signed write carries as `nonce`. */
  readonly nextNonce: number;
  /** Hash of the DID's last event; null before the first. */
  readonly prev: string | null;
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type BalanceBySystem = Balance & SystemFields;

/** A capability credential (W3C Verifiable Credentials) as it is stored; further members are kept. */
export interface Capability {
  /** With VerifiableCredential and CapabilityCredential. */
  readonly type: readonly string[];
  /** The holder. */
  readonly issuer: string | {
    /** A DID. */
    readonly id: string;
    readonly [member: string]: unknown;
  };
  /** What the DID can do; `id`, where it has one, is the DID. */
  readonly credentialSubject: { readonly [member: string]: unknown };
  /** W3C Data Integrity proof; the node adds one where a credential came without. */
  readonly proof: {
    /** Kind of the proof. */
    readonly type: 'DataIntegrityProof';
    /** How it is computed. */
    readonly cryptosuite: 'eddsa-jcs-2022';
    /** The key, as `<DID>#<key>`. */
    readonly verificationMethod: string;
    /** What the proof is for. */
    readonly proofPurpose: 'assertionMethod';
    /** Signature, multibase base58btc. */
    readonly proofValue: string;
    readonly [member: string]: unknown;
  };
  /** As it came. */
  readonly '@context'?: unknown;
  readonly [member: string]: unknown;
}

export interface CapabilityListing {
  readonly listingId: string;
  /** The same as `listingId`. */
  readonly id: string;
  /** info, task or capability. */
  readonly marketType: string;
  /** The same as `marketType`. */
  readonly type: string;
  /** DID that published it. */
  readonly seller: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  /** What it costs; `currency` is TOKEN. */
  readonly pricing: {
    readonly type?: string;
    readonly currency?: 'TOKEN';
    readonly price?: number;
    readonly fixedPrice?: number;
    readonly amount?: number;
    readonly budget?: number;
    readonly priceRange?: { readonly min: number; readonly max: number };
    readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
    readonly subscriptionPrice?: { readonly period: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly price: number };
    readonly negotiable?: boolean;
  };
  /** As of now, `expiresAt` considered. */
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  /** Private ones are shown to their owner only. */
  readonly visibility: 'public' | 'private';
  readonly stats: ListingStats;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  readonly capabilityType: string;
  readonly capability: { readonly [member: string]: unknown };
  readonly quota: {
    readonly maxCalls?: number;
    readonly maxUnits?: number;
    readonly period?: string;
    readonly limits?: readonly { readonly [member: string]: unknown }[];
    readonly [member: string]: unknown;
  };
  readonly access: { readonly type?: string; readonly [member: string]: unknown };
  /** Units left; absent: unlimited. */
  readonly stock?: number;
  readonly meteredBy?: 'lessee' | 'lessor';
  readonly metadata?: { readonly [member: string]: unknown };
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type CapabilityListingWritten = CapabilityListing & WriteFields;

/** `facets` only with `includeFacets=true`, over the whole result. */
export interface CapabilityMarketSearchResult {
  readonly listings: readonly CapabilityListing[];
  /** Elements of the whole list. */
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface Checkpoint {
  /** A DID. */
  readonly home: string;
  readonly network: string;
  /** Number of the newest entry of the journal. */
  readonly seq: number;
  /** Of that entry. */
  readonly chainHash: string;
  /** The home’s clock, epoch milliseconds. */
  readonly time: number;
  /** Ed25519 by the home’s key, over `svc:checkpoint:v1:` and the RFC 8785 form of the other members. */
  readonly sig: string;
}

export interface Contract {
  readonly contractId: string;
  /** The same as `contractId`. */
  readonly id: string;
  /** Of the life cycle. */
  readonly state: 'draft' | 'signed' | 'active' | 'completed' | 'terminated' | 'disputed';
  /** The list filter’s word for it: signed is draft, terminated is cancelled. */
  readonly status: 'draft' | 'active' | 'completed' | 'disputed' | 'cancelled';
  /** A DID. */
  readonly client: string;
  /** A DID. */
  readonly provider: string;
  readonly parties: readonly {
    /** A DID. */
    readonly did: string;
    readonly role: 'client' | 'provider';
  }[];
  /** Decides disputes: `terms.arbiter`, else the network’s. */
  readonly arbiter: string | null;
  /** For the parties and the arbiter only. */
  readonly terms?: { readonly [member: string]: unknown };
  readonly payment: {
    /** Tokens. */
    readonly totalAmount?: number;
    readonly [member: string]: unknown;
  } | null;
  readonly milestones: readonly Milestone[];
  /** SHA-256 of the RFC 8785 form of `{ milestones: [{ id, title, description, amount, criteria, deadline }], parties, payment, terms }`, as this view shows them: what is signed. */
  readonly termsHash: string;
  readonly signatures: readonly {
    /** A DID. */
    readonly did: string;
    readonly role: 'client' | 'provider';
    /** Ed25519 over `svc:contract:v2:<network>:<home>:<contractId>:<termsHash>`; `v1` and no home where the event that signed is of version 1. */
    readonly signature: string;
    /** SHA-256: 64 lower-case hexadecimal digits. */
    readonly termsHash: string;
    /** The same as `did`. */
    readonly signer: string;
    /** Epoch milliseconds. */
    readonly signedAt: number;
  }[];
  /** When the last party signed; null before. */
  readonly signedAt: number | null;
  /** When it was completed; null before. */
  readonly completedAt: number | null;
  /** `terms.deadline`: from then on the client may terminate. */
  readonly deadline: number | null;
  /** Tokens that activation locked; 0 before it. */
  readonly amount: number;
  /** Of these, to the provider. */
  readonly paid: number;
  /** Of these, back to the client. */
  readonly refunded: number;
  /** Still locked: `amount` - `paid` - `refunded`. */
  readonly remaining: number;
  readonly escrowId: string | null;
  /** The dispute that is open. */
  readonly disputeId: string | null;
  /** The provider lets the client terminate. */
  readonly consented: boolean;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** While `active`: ongoing, or the provider lets the client terminate. */
  readonly substate?: 'ongoing' | 'consented';
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type ContractDispute = Dispute & WriteFields & {
  readonly contractId: string;
  /** The contract after it. */
  readonly contract: ContractWritten;
};

export type ContractWritten = Contract & WriteFields;

export interface CreatedApiKey {
  readonly id: string;
  readonly label: string;
  readonly scope: 'read' | 'write' | 'admin';
  /** The first characters of the key, by which a person tells keys apart. */
  readonly prefix: string;
  readonly status: 'active' | 'revoked' | 'expired';
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Epoch milliseconds, to the minute; null: not yet. */
  readonly lastUsedAt: number | null;
  /** Own quotas, requests a minute. */
  readonly limits: { readonly reads?: number; readonly writes?: number } | null;
  /** The key; shown this once, null in a replay. */
  readonly key: string | null;
  /** The DID that the key reads and signs for. */
  readonly did?: string;
}

export interface CreatedWebhook {
  readonly id: string;
  /** Where deliveries are posted to. */
  readonly url: string;
  readonly label: string;
  readonly status: 'active' | 'disabled';
  /** Why it is disabled. */
  readonly reason: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Epoch milliseconds until which deliveries bear a second signature, by the secret before; null: there is none. */
  readonly previousSecretUntil: number | null;
  /** Number of the entry up to which all is done with: delivered, given up, or not asked for. */
  readonly deliveredUpTo: number;
  /** Deliveries that have failed and will be tried again. */
  readonly waiting: number;
  /** Epoch milliseconds since when nothing at all has arrived; null while all is well. */
  readonly failingSince: number | null;
  /** Epoch milliseconds of the last delivery that arrived; null: none yet. */
  readonly deliveredAt: number | null;
  /** What deliveries are signed with; shown this once, null in a replay. */
  readonly secret: string | null;
  /** Types of events: `escrow.released`, `escrow.*`. */
  readonly types?: readonly string[];
  /** Kinds of which a resource was written. */
  readonly kinds?: readonly string[];
  /** Signed by it, or Tokens of it moved. */
  readonly did?: string;
  /** `<kind>/<id>` */
  readonly resource?: string;
}

export interface Delivery {
  /** The same in each attempt: the header `Svc-Webhook-Id`. */
  readonly id: string;
  /** Of the event; `webhook.test` for a test. */
  readonly type: string;
  /** Number of the entry; null for a test. */
  readonly seq: number | null;
  /** The how-manieth try. */
  readonly attempt: number;
  /** A failed one is tried again. */
  readonly outcome: 'delivered' | 'failed' | 'given-up';
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  /** Why it failed. */
  readonly error: string | null;
  /** When it was sent; epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
}

export interface DidName {
  /** A DID. */
  readonly did: string;
  /** From its identity document, which only its key writes: nothing keeps two DIDs from the same name. */
  readonly displayName: string | null;
  /** What it does for this node: its own key, the key that signs for clock and faucet, the arbiter of the network. */
  readonly part: 'node' | 'system' | 'arbiter' | null;
}

export interface Dispute {
  readonly disputeId: string;
  /** The same as `disputeId`. */
  readonly id: string;
  readonly status: 'open' | 'resolved';
  /** The same as `status`. */
  readonly state: 'open' | 'resolved';
  /** The contract or order that it is about. */
  readonly subject: { readonly kind: string; readonly id: string };
  readonly escrowId: string | null;
  /** Whose Tokens are locked. */
  readonly client: string;
  /** Whom a release pays. */
  readonly provider: string;
  /** A DID. */
  readonly arbiter: string | null;
  /** A DID. */
  readonly openedBy: string;
  readonly reason: 'non_delivery' | 'quality' | 'deadline' | 'other';
  /** For the parties and the arbiter only. */
  readonly description?: string;
  /** As it was given; what came without a hash has that of its own content. For the parties and the arbiter only. */
  readonly evidence?: readonly {
    /** SHA-256: 64 lower-case hexadecimal digits. */
    readonly hash: string;
    readonly [member: string]: unknown;
  }[];
  /** Tokens in question. */
  readonly amount: number;
  /** What either party may ask for after 60 days. */
  readonly fallback: 'refund' | 'release' | 'split';
  /** What each party has asked for last. */
  readonly proposals: { readonly client: Proposal | null; readonly provider: Proposal | null };
  readonly resolution: 'release' | 'refund' | 'split' | 'resume' | null;
  /** Tokens. */
  readonly providerPayment: number | null;
  /** Tokens. */
  readonly clientRefund: number | null;
  /** With the ruling. For the parties and the arbiter only. */
  readonly note?: string | null;
  /** Who decided, or the party that agreed; null where the clock ended it. */
  readonly resolvedBy: string | null;
  /** Epoch milliseconds. */
  readonly resolvedAt: number | null;
  /** From then on the network’s arbiter may decide, too. */
  readonly networkArbiterFrom: number;
  /** From then on either party may ask for the fallback; of an order the clock does. */
  readonly fallbackFrom: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  readonly contractId?: string;
  readonly orderId?: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type DisputeWritten = Dispute & WriteFields;

export interface EncryptedInfoContent {
  readonly listingId: string;
  /** Of the content, in the clear. */
  readonly contentHash: string | null;
  /** How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the content’s key (no salt, info `svc:content-salt:v1`), so that nobody finds the content by guessing. */
  readonly hashAlgorithm: 'SHA-256' | 'SHA-256-SALTED' | null;
  /** Bytes of the content. */
  readonly size: number | null;
  /** Media type. */
  readonly format: string;
  /** In what the content was given: utf8, base64 or hex. */
  readonly encoding: string | null;
  /** AES-256-GCM; null where the content is not kept here. */
  readonly algorithm: string | null;
  readonly nonceHex: string | null;
  readonly ciphertextHex: string | null;
  readonly tagHex: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export interface Entry {
  /** Number in the journal: from 1, without gaps. */
  readonly seq: number;
  readonly event: Event;
  /** The node's clock, never decreasing; epoch milliseconds. */
  readonly time: number;
  /** DID of the node that sequenced it. */
  readonly home: string;
  /** Version of the definition that decided. */
  readonly law: string;
  /** The new version of each resource that it changed. */
  readonly versions: readonly {
    readonly kind: string;
    readonly id: string;
    /** 1 for the creation, then without gaps. */
    readonly version: number;
    /** Hash of the resource's previous event; null for its creation. */
    readonly prev: string | null;
    /** The definition version it was accepted under. */
    readonly machine: string;
    /** States gone through: `["created", "funded"]`. */
    readonly path: readonly string[];
    /** SHA-256 of the RFC 8785 form of `{ state, context }` after it, hex. */
    readonly stateHash: string;
    /** What happened at each state of `path`, where the request was about another resource. */
    readonly via?: readonly string[];
  }[];
  /** Resources that the decision rests on and does not write. */
  readonly reads: readonly { readonly kind: string; readonly id: string; readonly version: number }[];
  /** Accounts debited, frozen or unfrozen, at their new version. */
  readonly accounts: readonly {
    /** A DID, or `fees`. */
    readonly did: string;
    readonly version: number;
  }[];
  readonly moves: readonly Move[];
  readonly postings: readonly (readonly [string, number])[];
  /** What is needed to render the reply again. */
  readonly idem: {
    /** DID of the signer; else an HMAC of the API key or address. */
    readonly principal: string;
    /** The Idempotency-Key. */
    readonly key: string;
    /** HMAC of the body, hex. */
    readonly fingerprint: string;
    /** HTTP status of the first reply. */
    readonly status: number;
  } | null;
  /** SHA-256 of the RFC 8785 form of the immutable part, hex. */
  readonly entryHash: string;
  /** `chainHash` of the entry before; zeros before the first. */
  readonly prevEntry: string;
  /** SHA-256 of `svc:journal:v1:<seq>:<prevEntry>:<entryHash>`, hex. */
  readonly chainHash: string;
  /** Proof of settlement; null without one. */
  readonly receipt: Receipt | null;
  /** What was asked; absent where the reader may not see it, or once it was redacted. */
  readonly payload?: {
    readonly kind: string;
    readonly id: string;
    readonly action: string;
    /** The input of the action. */
    readonly input: { readonly [member: string]: unknown };
    /** Ids of further resources, by their part. */
    readonly ids?: { readonly [name: string]: string };
  };
  /** 16 random bytes, hex; beside the payload. */
  readonly salt?: string;
  /** The home whose journal it is of, if that is another one. */
  readonly journal?: string;
  /** What the node cannot show because its database is damaged there, whoever asks; absent: nothing. */
  readonly unreadable?: readonly ('payload' | 'receipt')[];
}

export interface EntryCore {
  /** Version of the entry. */
  readonly v: 1;
  readonly event: Event;
  /** The node's clock, never decreasing; epoch milliseconds. */
  readonly time: number;
  /** DID of the node that sequenced it. */
  readonly home: string;
  /** Version of the definition that decided. */
  readonly law: string;
  /** The new version of each resource that it changed. */
  readonly versions: readonly {
    readonly kind: string;
    readonly id: string;
    /** 1 for the creation, then without gaps. */
    readonly version: number;
    /** Hash of the resource's previous event; null for its creation. */
    readonly prev: string | null;
    /** The definition version it was accepted under. */
    readonly machine: string;
    /** States gone through: `["created", "funded"]`. */
    readonly path: readonly string[];
    /** SHA-256 of the RFC 8785 form of `{ state, context }` after it, hex. */
    readonly stateHash: string;
    /** What happened at each state of `path`, where the request was about another resource. */
    readonly via?: readonly string[];
  }[];
  /** Resources that the decision rests on and does not write. */
  readonly reads: readonly { readonly kind: string; readonly id: string; readonly version: number }[];
  /** Accounts debited, frozen or unfrozen, at their new version. */
  readonly accounts: readonly {
    /** A DID, or `fees`. */
    readonly did: string;
    readonly version: number;
  }[];
  readonly moves: readonly Move[];
  readonly postings: readonly (readonly [string, number])[];
  /** What is needed to render the reply again. */
  readonly idem: {
    /** DID of the signer; else an HMAC of the API key or address. */
    readonly principal: string;
    /** The Idempotency-Key. */
    readonly key: string;
    /** HMAC of the body, hex. */
    readonly fingerprint: string;
    /** HTTP status of the first reply. */
    readonly status: number;
  } | null;
}

export interface ErrorClass {
  /** `type` of the problem documents. */
  readonly type: string;
  readonly title: string;
  readonly meaning: string;
  readonly advice: string;
  readonly codes: readonly {
    readonly code: string;
    /** HTTP status. */
    readonly status: number;
  }[];
}

export interface Escrow {
  readonly escrowId: string;
  /** The same as `escrowId`. */
  readonly id: string;
  readonly status: 'created' | 'funded' | 'released' | 'refunded' | 'expired';
  /** DID whose Tokens these are. */
  readonly depositor: string;
  /** DID that a release pays. */
  readonly beneficiary: string;
  /** DID that may release and refund. */
  readonly arbiter: string | null;
  /** Tokens to be locked. */
  readonly amount: number;
  /** Tokens locked so far: 0 or `amount`. */
  readonly funded: number;
  /** Tokens paid to the beneficiary. */
  readonly released: number;
  /** Tokens paid back to the depositor. */
  readonly refunded: number;
  /** Tokens still locked: `funded` - `released` - `refunded`. */
  readonly remaining: number;
  readonly releaseRules: readonly EscrowRule[];
  /** The first of `releaseRules`. */
  readonly releaseRule: EscrowRule | null;
  readonly refundRules: readonly EscrowRule[];
  /** Made without refund rules: the depositor may take back what is left. */
  readonly revocable: boolean;
  /** When the rest goes back to the depositor; epoch milliseconds. */
  readonly expiresAt: number | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** The order, lease or contract that moves it. */
  readonly purpose?: { readonly kind: string; readonly id: string };
  /** While `created`: open, cancelled by the depositor, or lapsed as it was not funded in time. */
  readonly substate?: 'open' | 'cancelled' | 'lapsed';
  /** True: it was cancelled, or not funded in time, and the reservation was given back. */
  readonly lapsed?: boolean;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

/** A rule as it was given; members that the node does not know are kept. */
export type EscrowRule = {
  /** What `ruleId` names. */
  readonly id: string;
  readonly type: 'manual' | 'time' | 'hash' | 'signature';
  /** manual: roles (depositor, beneficiary, arbiter) or DIDs. */
  readonly by?: readonly string[];
  /** time: met from then on; epoch milliseconds. */
  readonly after?: number;
  /** hash: the SHA-256 of `evidence.preimage`, hex. */
  readonly hash?: string;
  /** signature: DIDs whose signatures count. */
  readonly signers?: readonly string[];
  /** signature: how many of them must sign; default all. */
  readonly threshold?: number;
  readonly requiresEvidence?: boolean;
  readonly requiresReason?: boolean;
  readonly [member: string]: unknown;
} | {
  /** What `ruleId` names. */
  readonly id: string;
  /** Any other: it must be cited. */
  readonly type: string;
  readonly requiresEvidence?: boolean;
  readonly requiresReason?: boolean;
  readonly [member: string]: unknown;
};

export type EscrowTransfer = TransferResult & {
  readonly escrowId: string;
  /** The escrow after it. */
  readonly escrow: EscrowWritten;
  /** What the next write on the escrow sends as `resourcePrev`. */
  readonly resourcePrev: string;
};

export type EscrowWritten = Escrow & WriteFields;

/** What the signer signs. `sig` covers `svc:event:v1:` + the RFC 8785 form without `hash` and `sig`. */
export interface Event {
  /** Version of the event; 1 names no home. */
  readonly v: 1 | 2;
  /** Dotted, past tense: `escrow.released`. */
  readonly type: string;
  /** DID that signed. */
  readonly issuer: string;
  readonly nonce: number;
  /** The signer's statement of the time; epoch milliseconds. */
  readonly ts: number;
  /** Hash of the issuer's previous event; null for its first. */
  readonly prev: string | null;
  readonly network: string;
  /** SHA-256 of the RFC 8785 form of `{ salt, payload }`, hex. */
  readonly payloadHash: string;
  /** The Ed25519 public key that signed, hex: the issuer's own. */
  readonly pub: string;
  /** SHA-256 of the RFC 8785 form without `hash` and `sig`, hex. */
  readonly hash: string;
  /** Ed25519 signature, base58btc. */
  readonly sig: string;
  /** Home of the journal that it is for; since version 2. */
  readonly home?: string;
}

export interface FacetCount {
  readonly key: string;
  /** Listings of the whole result that have it. */
  readonly count: number;
}

export interface Identity {
  /** A DID. */
  readonly did: string;
  /** Ed25519 public key, hex. */
  readonly publicKey: string;
  /** The account address: the other spelling of the DID. */
  readonly address: string;
  /** EVM address that stands for the DID on chain, checksummed hex; null where it was revoked. */
  readonly controller: string | null;
  readonly platformLinks: readonly { readonly platform: string; readonly url: string }[];
  /** Epoch milliseconds; null where neither event nor key tells. */
  readonly created: number | null;
  /** Epoch milliseconds. */
  readonly updated: number | null;
  /** SHA-256 of the RFC 8785 form of the document, hex: the next `prevDocHash`. */
  readonly docHash: string;
  /** Hash of its last event; null before the first. */
  readonly resourcePrev: string | null;
  readonly capabilities: readonly Capability[];
  readonly displayName?: string;
  readonly bio?: string;
  readonly avatar?: string;
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type IdentityWritten = Identity & WriteFields;

export interface InfoDeliveryRecord {
  readonly orderId: string;
  readonly listingId: string;
  readonly status: string;
  /** A DID. */
  readonly buyer: string;
  /** A DID. */
  readonly seller: string;
  /** Epoch milliseconds. */
  readonly deliveredAt: number;
  /** Epoch milliseconds. */
  readonly confirmBy: number | null;
  /** Until when what it opens is there; null: for good. */
  readonly expiresAt: number | null;
  /** SHA-256: 64 lower-case hexadecimal digits. */
  readonly contentHash: string | null;
  /** How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the content’s key (no salt, info `svc:content-salt:v1`), so that nobody finds the content by guessing. */
  readonly hashAlgorithm: 'SHA-256' | 'SHA-256-SALTED' | null;
  /** X25519 key that all of it is wrapped for. */
  readonly buyerPublicKeyHex: string;
  /** The content’s key. */
  readonly keyEnvelope: KeyEnvelope | null;
  /** A token, as UTF-8. */
  readonly accessTokenEnvelope: KeyEnvelope | null;
  /** An address, as UTF-8. */
  readonly accessUrlEnvelope: KeyEnvelope | null;
  /** What the seller said beside it. */
  readonly deliveryData: { readonly [member: string]: unknown } | null;
  /** The deliverable envelope, complete and signed. */
  readonly envelope: { readonly [member: string]: unknown } | null;
  /** SHA-256: 64 lower-case hexadecimal digits. */
  readonly envelopeDigest: string | null;
  /** SHA-256: 64 lower-case hexadecimal digits. */
  readonly resourcePrev: string;
}

export interface InfoListing {
  readonly listingId: string;
  /** The same as `listingId`. */
  readonly id: string;
  /** info, task or capability. */
  readonly marketType: string;
  /** The same as `marketType`. */
  readonly type: string;
  /** DID that published it. */
  readonly seller: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  /** What it costs; `currency` is TOKEN. */
  readonly pricing: {
    readonly type?: string;
    readonly currency?: 'TOKEN';
    readonly price?: number;
    readonly fixedPrice?: number;
    readonly amount?: number;
    readonly budget?: number;
    readonly priceRange?: { readonly min: number; readonly max: number };
    readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
    readonly subscriptionPrice?: { readonly period: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly price: number };
    readonly negotiable?: boolean;
  };
  /** As of now, `expiresAt` considered. */
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  /** Private ones are shown to their owner only. */
  readonly visibility: 'public' | 'private';
  readonly stats: ListingStats;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  readonly infoType: string;
  /** A text in its place is its `data`. */
  readonly content: {
    readonly format: string;
    readonly encoding?: string;
    readonly data?: string;
    readonly size?: number;
    /** Given: SHA-256 of the content. Shown where `data` came along: salted with what its key derives. */
    readonly hash?: string;
    readonly preview?: string;
  };
  readonly accessMethod: { readonly type?: string; readonly [member: string]: unknown };
  readonly license: { readonly type?: string; readonly [member: string]: unknown };
  /** Units left; absent: unlimited. */
  readonly stock?: number;
  readonly metadata?: { readonly [member: string]: unknown };
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type InfoListingCreated = InfoListing & WriteFields & {
  /** Key of the encrypted content, 32 bytes in hex: keep it. */
  readonly contentKeyHex?: string | null;
};

export type InfoListingWritten = InfoListing & WriteFields;

/** `facets` only with `includeFacets=true`, over the whole result. */
export interface InfoMarketSearchResult {
  readonly listings: readonly InfoListing[];
  /** Elements of the whole list. */
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface InfoOrder {
  readonly orderId: string;
  /** The same as `orderId`. */
  readonly id: string;
  /** Market of the order. */
  readonly marketType: 'info';
  readonly status: 'pending' | 'paid' | 'delivered' | 'confirmed' | 'reviewed' | 'cancelled' | 'disputed';
  readonly listingId: string;
  /** A DID. */
  readonly buyer: string;
  /** A DID. */
  readonly seller: string;
  readonly quantity: number;
  /** Tokens. */
  readonly unitPrice: number;
  /** Tokens, of all units. */
  readonly price: number;
  /** Always Tokens. */
  readonly currency: 'TOKEN';
  /** Where the price waits; null where it is 0. */
  readonly escrowId: string | null;
  /** Its dispute, where there is or was one. */
  readonly disputeId: string | null;
  /** X25519 key that a delivery is wrapped for. */
  readonly buyerPublicKeyHex: string;
  /** When what was not delivered is cancelled and paid back. */
  readonly deliverBy: number;
  /** Epoch milliseconds. */
  readonly deliveredAt: number | null;
  /** When what was delivered counts as confirmed. */
  readonly confirmBy: number | null;
  /** Epoch milliseconds. */
  readonly confirmedAt: number | null;
  /** Of the deliverable envelope, where one was delivered. */
  readonly envelopeDigest: string | null;
  readonly reviews: { readonly buyer?: OrderReview; readonly seller?: OrderReview };
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type InfoOrderDispute = Dispute & WriteFields & {
  readonly orderId: string;
  /** The info-order after it. */
  readonly order: InfoOrderWritten;
};

export type InfoOrderWritten = InfoOrder & WriteFields;

export interface KeyEnvelope {
  /** X25519-HKDF-SHA256-AES-256-GCM: the AES key is HKDF-SHA256 (no salt, info `svc:key-envelope:v1`, 32 bytes) of what the X25519 keys of sender and receiver agree on. */
  readonly algorithm: string;
  /** X25519 public key, made for this envelope. */
  readonly senderPublicKeyHex: string;
  /** 12 bytes. */
  readonly nonceHex: string;
  readonly ciphertextHex: string;
  /** 16 bytes. */
  readonly tagHex: string;
}

export interface Lease {
  readonly leaseId: string;
  /** The same as `leaseId`. */
  readonly id: string;
  readonly status: 'active' | 'paused' | 'exhausted' | 'expired' | 'terminated';
  readonly listingId: string;
  /** DID that uses and pays. */
  readonly lessee: string;
  /** DID that offers the capability and is paid. */
  readonly lessor: string;
  /** The escrow with its Tokens; null where nothing is to be paid. */
  readonly escrowId: string | null;
  readonly plan: {
    readonly type: 'pay_per_use' | 'credits' | 'time_based' | 'subscription';
    /** By use: Tokens that calls may charge in all. */
    readonly budget: number | null;
    /** By time: how many were paid for. */
    readonly periods: number | null;
    readonly maxUnitsPerCall: number;
    /** Units that calls may use within an hour, counted from the start: one more limit of `quota`. Null: no such limit. */
    readonly maxUnitsPerHour: number | null;
  };
  /** Tokens for a unit, or a period, as the listing said when the lease started. */
  readonly price: number;
  /** What `price` is for. */
  readonly unit: string;
  /** Who records calls. */
  readonly meteredBy: 'lessee' | 'lessor';
  readonly quota: readonly {
    readonly maxCalls: number | null;
    readonly maxUnits: number | null;
    /** Counted from the start of the lease; null: over all of it. */
    readonly periodMs: number | null;
    /** In the newest period with a call. */
    readonly usedCalls: number;
    readonly usedUnits: number;
  }[];
  /** Tokens that the escrow was made with: the budget, or all periods. */
  readonly amount: number;
  /** Tokens that the lessor has earned: of the calls, or of the periods started by now. */
  readonly accrued: number;
  /** Tokens that have not accrued; 0 once it is settled. */
  readonly remaining: number;
  /** Tokens that the lessor was paid when it ended. */
  readonly paid: number;
  /** Tokens that the lessee got back when it ended. */
  readonly refunded: number;
  readonly usage: {
    readonly calls: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly units: number;
    /** The newest call. */
    readonly last: {
      /** Epoch milliseconds. */
      readonly at: number;
      /** As the call named it. */
      readonly resource: string | null;
      readonly success: boolean;
      /** As the call stated it. */
      readonly latencyMs: number | null;
      readonly units: number;
      /** Tokens that it charged. */
      readonly cost: number;
    } | null;
  };
  readonly stats: {
    readonly calls: number;
    /** Null before the first call. */
    readonly successRate: number | null;
    /** At most a sixteenth off; null where no call stated a latency. */
    readonly p50LatencyMs: number | null;
    readonly p95LatencyMs: number | null;
    /** The same as `accrued`. */
    readonly cost: number;
  };
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** When the clock ends it. */
  readonly endsAt: number;
  /** When its Tokens were shared out. */
  readonly endedAt: number | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type LeaseWritten = Lease & WriteFields;

export interface ListingStats {
  readonly orders: number;
  readonly completedOrders: number;
  /** Null until the first review. */
  readonly averageRating: number | null;
  readonly ratingCount: number;
}

export interface LookupMatch {
  /** An entry of the journal, a DID, or a resource. */
  readonly what: 'entry' | 'identity' | 'resource';
  /** Number of the entry, the DID, or id of the resource, which may name its home. */
  readonly id: string;
  /** Of a resource. */
  readonly kind?: string;
  /** Of a resource. */
  readonly state?: string;
  /** Of an entry: the hash was that of its event, or of its transaction on chain. */
  readonly by?: 'event' | 'transaction';
  /** Of an identity that was found by its name. */
  readonly displayName?: string;
}

export interface MachineChart {
  /** The sort of resource: `escrow`. */
  readonly kind: string;
  readonly title: string;
  /** Definition version: what entries and resources name as `machine`. */
  readonly version: string;
  readonly revision: number;
  readonly isMachine: boolean;
  readonly initial: string | null;
  readonly states: readonly {
    readonly name: string;
    /** Its own in the chart: `created.open` is nested in `created`, `milestone/pending` is inside the machine `milestone`. */
    readonly path: string;
    /** `compound`: states are nested in it; `machine`: the frame of one inside the context. */
    readonly type: 'atomic' | 'final' | 'compound' | 'machine';
    readonly initial: boolean;
    readonly parent?: string;
    readonly description?: string;
    /** What it means: a good end, another end, or trouble. Absent: under way. */
    readonly tone?: 'good' | 'neutral' | 'trouble';
    readonly entry?: readonly string[];
    readonly exit?: readonly string[];
  }[];
  readonly transitions: readonly {
    /** `<from>.<action>.<to>`, or `create`. */
    readonly id: string;
    /** Null for a creation. */
    readonly from: string | null;
    readonly to: string;
    /** The action. */
    readonly event: string;
    /** All must hold. */
    readonly guards: readonly {
      readonly name: string;
      /** The error code that it refuses with. */
      readonly refusal: string;
      readonly meaning?: string;
    }[];
    readonly effects: readonly string[];
    /** Tokens that it moves: by its effects, or by the workflow of the request. */
    readonly moves: readonly { readonly amount: string; readonly from: string; readonly to: string }[];
    /** Members of the context that it changes; a creation makes all of them. */
    readonly changes: readonly {
      readonly member: string;
      /** What it becomes, in words. */
      readonly to: string;
    }[];
    readonly roles: readonly string[];
    readonly description?: string;
  }[];
  /** From left to right, in pixels; null where the definition has no drawing. */
  readonly layout: MachineLayout | null;
  /** The same from top to bottom, for narrow places. */
  readonly layoutDown: MachineLayout | null;
}

export interface MachineLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly {
    readonly state: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    /** Baseline of the name: its middle; its beginning where something stands below it. */
    readonly title: { readonly x: number; readonly y: number };
    /** Transitions that stay in the state. */
    readonly inside: readonly {
      /** Id of the transition. */
      readonly transition: string;
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      /** Baseline; `x` is the middle of the text, in a state its beginning. */
      readonly action: { readonly text: string; readonly x: number; readonly y: number };
      /** Who may, at most two lines. */
      readonly roles: readonly { readonly text: string; readonly x: number; readonly y: number }[];
      /** Where the numbers of steps go: their middle, in a state their right end. */
      readonly badge: { readonly x: number; readonly y: number };
      /** The number of its guards. */
      readonly chip?: {
        readonly text: string;
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height: number;
      };
    }[];
  }[];
  readonly edges: readonly {
    /** Ids of those that share the line. */
    readonly transitions: readonly string[];
    /** Null: it begins at a dot. */
    readonly from: string | null;
    readonly to: string;
    readonly points: readonly { readonly x: number; readonly y: number }[];
    /** Names of the actions, a line each. */
    readonly label: string;
    /** Middle of the labels. */
    readonly labelAt: { readonly x: number; readonly y: number };
    readonly labelSize: { readonly width: number; readonly height: number };
    /** They stand on the line, one for each transition. */
    readonly labels: readonly {
      /** Id of the transition. */
      readonly transition: string;
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      /** Baseline; `x` is the middle of the text, in a state its beginning. */
      readonly action: { readonly text: string; readonly x: number; readonly y: number };
      /** Who may, at most two lines. */
      readonly roles: readonly { readonly text: string; readonly x: number; readonly y: number }[];
      /** Where the numbers of steps go: their middle, in a state their right end. */
      readonly badge: { readonly x: number; readonly y: number };
      /** The number of its guards. */
      readonly chip?: {
        readonly text: string;
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height: number;
      };
    }[];
  }[];
}

export interface MachineState {
  /** The sort of resource: `escrow`. */
  readonly kind: string;
  readonly id: string;
  /** The newest. */
  readonly version: number;
  /** Its definition version. */
  readonly machine: string;
  readonly state: string;
  /** As the definition of its kind keeps it. */
  readonly context: { readonly [member: string]: unknown };
  /** Of the event that made this version: its entry has the `stateHash`. */
  readonly eventHash: string;
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export interface MachineStep {
  /** From 1, without gaps. */
  readonly step: number;
  readonly version: number;
  /** The definition version that accepted it. */
  readonly machine: string;
  /** Null where the chart leaves several open. */
  readonly action: string | null;
  /** Id in the chart of that version: the last of `transitions`. */
  readonly transition: string | null;
  /** All that the entry went through. */
  readonly transitions: readonly (string | null)[];
  /** What moved inside the context. */
  readonly nested: {
    readonly machine: string;
    readonly id: string;
    readonly transition: string;
    readonly from: string;
    readonly to: string;
  } | null;
  /** `workflow`: the request was about another resource. */
  readonly role: string | null;
  readonly from: string | null;
  readonly to: string;
  /** States gone through. */
  readonly path: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
  /** A DID. */
  readonly signer: string;
  readonly nonce: number;
  readonly eventType: string;
  /** SHA-256: 64 lower-case hexadecimal digits. */
  readonly eventHash: string;
  /** SHA-256: 64 lower-case hexadecimal digits. */
  readonly entryHash: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
  /** Of the whole entry; they sum to zero. */
  readonly postings: readonly (readonly [string, number])[];
  /** Of the transaction on chain; null without one. */
  readonly txHash: string | null;
  /** Proof of settlement; null without one. */
  readonly receipt: Receipt | null;
}

export interface MachineSummary {
  /** The sort of resource: `escrow`. */
  readonly kind: string;
  readonly title: string;
  /** Definition version: what entries and resources name as `machine`. */
  readonly version: string;
  /** False: it has a history but no life cycle. */
  readonly isMachine: boolean;
  readonly states: readonly string[];
  /** By state path, what the state means: a good end, another end, or trouble. Absent: under way. */
  readonly tones: { readonly [name: string]: 'good' | 'neutral' | 'trouble' };
  readonly actions: readonly string[];
  readonly links: {
    readonly self: string;
    /** By format. */
    readonly formats: { readonly [name: string]: string };
    /** Where its resources are listed; each is read below it by its id. */
    readonly resources?: string;
  };
}

export interface MarketFacets {
  /** Markets, the most frequent first, 100 at most. */
  readonly markets: readonly FacetCount[];
  /** Categories, the most frequent first, 100 at most. */
  readonly categories: readonly FacetCount[];
  /** Tags, the most frequent first, 100 at most. */
  readonly tags: readonly FacetCount[];
  /** Types of information, task or capability, the most frequent first, 100 at most. */
  readonly types: readonly FacetCount[];
  /** Prices by their digits, such as `10-99`, the most frequent first, 100 at most. */
  readonly price: readonly FacetCount[];
}

/** `facets` only with `includeFacets=true`, over the whole result. */
export interface MarketSearchResult {
  readonly listings: readonly (InfoListing | TaskListing | CapabilityListing)[];
  /** Elements of the whole list. */
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface Milestone {
  readonly id: string;
  /** The same as `id`. */
  readonly milestoneId: string;
  /** For the parties and the arbiter only. */
  readonly title?: string;
  /** For the parties and the arbiter only. */
  readonly description?: string;
  /** Tokens that its approval releases. */
  readonly amount: number;
  /** When it is met, as the parties put it. For the parties and the arbiter only. */
  readonly criteria?: unknown;
  /** Where it is not handed in by then, the client may terminate. */
  readonly deadline: number | null;
  readonly state: 'pending' | 'submitted' | 'approved' | 'rejected';
  /** The same as `state`. */
  readonly status: 'pending' | 'submitted' | 'approved' | 'rejected';
  /** How often it was handed in. */
  readonly submissions: number;
  /** Of the newest submission, as the provider gave them. For the parties and the arbiter only. */
  readonly deliverables?: readonly unknown[];
  /** For the parties and the arbiter only. */
  readonly notes?: string | null;
  /** The deliverable envelope of the newest submission. For the parties and the arbiter only. */
  readonly envelope?: { readonly [member: string]: unknown } | null;
  /** SHA-256 of the RFC 8785 form of the envelope. */
  readonly envelopeDigest: string | null;
  /** Epoch milliseconds. */
  readonly submittedAt: number | null;
  /** 1 to 5, with the approval. For the parties and the arbiter only. */
  readonly rating?: number | null;
  /** The client’s words to its approval or rejection. For the parties and the arbiter only. */
  readonly feedback?: string | null;
  /** Epoch milliseconds. */
  readonly answeredAt: number | null;
  readonly permittedActions?: { readonly [name: string]: readonly { readonly action: string; readonly open: readonly string[] }[] };
}

export type MilestoneWritten = Milestone & WriteFields & {
  readonly contractId: string;
  /** The contract after it. */
  readonly contract: ContractWritten;
  /** What the next write on the contract sends as `resourcePrev`. */
  readonly resourcePrev: string;
};

/** One settlement operation: a way in which Tokens move. */
export type Move = {
  /** The operation. */
  readonly op: 'mint';
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
} | {
  /** The operation. */
  readonly op: 'transfer';
  /** A DID. */
  readonly from: string;
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
  /** Tokens. */
  readonly fee: number;
} | {
  /** The operation. */
  readonly op: 'reserve';
  /** Id of the escrow. */
  readonly escrow: string;
  /** A DID. */
  readonly from: string;
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
  /** When what was locked goes back; absent: never. */
  readonly expiresAt?: number;
} | {
  /** The operation. */
  readonly op: 'unreserve';
  /** Id of the escrow. */
  readonly escrow: string;
  /** A DID. */
  readonly from: string;
  /** Tokens. */
  readonly amount: number;
} | {
  /** The operation. */
  readonly op: 'lock';
  /** Id of the escrow. */
  readonly escrow: string;
  /** A DID. */
  readonly from: string;
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
  /** True: the account `from` is versioned; absent where the entry reserves what it locks. */
  readonly versioned?: boolean;
} | {
  /** The operation. */
  readonly op: 'release';
  /** Id of the escrow. */
  readonly escrow: string;
  /** A DID. */
  readonly from: string;
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
} | {
  /** The operation. */
  readonly op: 'refund';
  /** Id of the escrow. */
  readonly escrow: string;
  /** A DID. */
  readonly from: string;
  /** Tokens. */
  readonly amount: number;
} | {
  /** The operation. */
  readonly op: 'expire';
  /** Id of the escrow. */
  readonly escrow: string;
  /** A DID. */
  readonly from: string;
  /** Tokens. */
  readonly amount: number;
} | {
  /** The operation. */
  readonly op: 'collect';
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
} | {
  /** The operation. */
  readonly op: 'freeze';
  /** A DID. */
  readonly did: string;
} | {
  /** The operation. */
  readonly op: 'unfreeze';
  /** A DID. */
  readonly did: string;
} | {
  /** The operation. */
  readonly op: 'deposit';
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
  readonly ref: number;
} | {
  /** The operation. */
  readonly op: 'withdraw';
  /** A DID. */
  readonly from: string;
  /** EVM address, checksummed. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
  /** Tokens. */
  readonly fee: number;
};

export interface Moves {
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Blocks on top of it, that one included. */
  readonly confirmations: number;
  readonly transactions: readonly SettledMove[];
  /** Elements of the whole list. */
  readonly total: number;
  readonly pagination: Pagination;
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export interface NodeConfig {
  readonly network: 'devnet' | 'testnet' | 'mainnet';
  readonly host: string;
  /** As configured: 0 takes a free one. */
  readonly port: number;
  /** `embedded` or `mongodb`; for keys that may see paths the URL of the store, without credentials. */
  readonly store: string;
  readonly chain: 'auto' | 'embedded' | 'none';
  readonly chainId: number | null;
  /** Blocks until a settlement counts. */
  readonly confirmations: number;
  /** Root of links; null: host and port. */
  readonly publicUrl: string | null;
  /** Root of the error types; null: below the public URL. */
  readonly errorBaseUrl: string | null;
  /** How long an unlocked key stays in memory. */
  readonly unlockSeconds: number;
  /** How long a write waits for its receipt, ms. */
  readonly settlementWaitMs: number;
  /** Least fee of a transfer, Tokens. */
  readonly minFee: number;
  /** MiB that one API key, and one DID, may store in a day; 0: no bound. */
  readonly storeQuotaMib: number;
  /** The network's arbiter. */
  readonly arbiterDid: string | null;
  readonly logLevel: string;
  readonly tls: boolean;
  readonly limits: {
    readonly bodyBytes: number;
    readonly jsonDepth: number;
    readonly pageLimit: number;
    readonly pageOffset: number;
    readonly nonceAhead: number;
  };
  /** Requests, wrong passphrases, and passphrases that had to be checked, in a window. */
  readonly rateLimits: {
    readonly windowSeconds: number;
    readonly originReads: number;
    readonly originWrites: number;
    readonly keyReads: number;
    readonly keyWrites: number;
    readonly passphraseFailures: number;
    readonly passphraseFailuresPerDid: number;
    readonly kdfRuns: number;
  };
  /** Tokens a claim, and quotas; null on mainnet. */
  readonly faucet: {
    readonly tokens: number;
    readonly recipientCooldownMs: number;
    readonly perDid: number;
    readonly perDidWindowMs: number;
    readonly perOriginDaily: number;
    readonly perSiteDaily: number;
    readonly perProviderDaily: number;
    readonly networkDailyTokens: number;
  } | null;
  /** This and what follows: for loopback and admin keys. */
  readonly dataDir?: string;
  readonly tlsFiles?: { readonly cert: string; readonly key: string } | null;
  readonly trustedProxies?: readonly string[];
  readonly corsOrigins?: readonly string[];
}

export interface NodeStatus {
  /** The node's own DID. */
  readonly did: string;
  /** Home of the journal: what is signed here names it. The DID of the node, or of the first of several. */
  readonly home: string;
  /** The peer id of its DID, in libp2p’s form. */
  readonly peerId: string;
  readonly network: 'devnet' | 'testnet' | 'mainnet';
  readonly version: string;
  /** All projections stand at the journal's end, and every feed that is connected is adopted up to what its home has shown. */
  readonly synced: boolean;
  /** Number of the newest entry of the journal. */
  readonly height: number;
  /** Newest block of the chain. */
  readonly blockHeight: number | null;
  /** Connected peers. */
  readonly peers: number;
  /** Seconds. */
  readonly uptime: number;
  readonly chain: {
    readonly kind: 'none' | 'rpc' | 'embedded';
    readonly chainId: number | null;
    readonly blockNumber: number | null;
    readonly connected: boolean;
    /** Operations committed and not settled. */
    readonly lag: number;
    readonly settlement: 'off' | 'running' | 'halted';
    /** SVC_RPC_URL, for admin keys; a chain inside the process has none. */
    readonly rpcUrl?: string;
  };
  readonly store: { readonly kind: string; readonly durability: string };
  readonly config: NodeConfig;
}

export interface Nonce {
  readonly data: {
    /** EVM address, checksummed. */
    readonly address: string;
    /** Transactions that the address has sent on chain. */
    readonly nonce: number;
    /** This and what follows: where a DID was asked for. */
    readonly did?: string;
    /** What the DID's next signed write carries as `nonce`. */
    readonly nextNonce?: number;
    /** Nonce of the DID's newest event up to which nothing waits for the chain. */
    readonly settlementNonce?: number;
    /** The registry on chain knows the DID. */
    readonly registered?: boolean;
  };
  readonly links: {
    /** Path of this answer, the DID URL-encoded. */
    readonly self: string;
  };
}

export interface OpenedDelivery {
  readonly orderId: string;
  readonly listingId: string;
  /** SHA-256: 64 lower-case hexadecimal digits. */
  readonly contentHash: string | null;
  /** How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the content’s key (no salt, info `svc:content-salt:v1`), so that nobody finds the content by guessing. */
  readonly hashAlgorithm: 'SHA-256' | 'SHA-256-SALTED' | null;
  /** What `contentHash` is salted with; null where it is not. */
  readonly contentSaltHex: string | null;
  readonly size: number | null;
  /** How `content` is spelled: utf8, base64 or hex. */
  readonly encoding: string | null;
  /** The content; null where it is not kept here. */
  readonly content: string | null;
  readonly contentKeyHex: string | null;
  readonly accessToken: string | null;
  readonly accessUrl: string | null;
}

export interface OrderReview {
  readonly rating: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly comment?: string;
  readonly aspects?: { readonly [member: string]: unknown };
}

export interface Pagination {
  /** Elements of the whole list. */
  readonly total: number;
  /** Elements a page at most: a page of large ones has fewer; go on with `after`. */
  readonly limit: number;
  /** Elements before this page. */
  readonly offset: number;
  readonly hasMore: boolean;
  /** Number of this page, from 1. */
  readonly page: number;
  /** The same as `limit`. */
  readonly pageSize: number;
  /** Cursor of the next page; null on the last. */
  readonly after: string | null;
}

export interface Peer {
  readonly peerId: string;
  /** A DID. */
  readonly did: string;
  /** The multiaddr that is dialled. */
  readonly address: string;
  /** Who has opened the connections. */
  readonly direction: 'outbound' | 'inbound' | 'both' | 'none';
  /** Since when; null where there is no connection. */
  readonly connectedAt: number | null;
  /** Of an answer, smoothed; null before the first. */
  readonly latencyMs: number | null;
  /** Number of the newest entry that it has announced. */
  readonly head: number;
  /** Number of the newest entry that is verified and on disk here. */
  readonly adopted: number;
  /** Age of the newest adopted checkpoint; null before the first. */
  readonly lagMs: number | null;
  readonly status: 'unreachable' | 'behind' | 'current' | 'stopped' | 'outdated' | 'forked';
  /** Payloads that it did not show, because they are for the parties only. */
  readonly withheld: number;
  /** Why its feed is followed no further: the entry, what is wrong with it, and when that was seen. */
  readonly violation?: {
    readonly seq: number;
    readonly what: string;
    /** Epoch milliseconds. */
    readonly at: number;
  };
}

export interface PeerEvidence {
  /** The home. */
  readonly did: string;
  /** An entry is not valid, or of a later release than this node; or the home has signed two journals. */
  readonly cause: 'violation' | 'unknown-version' | 'equivocation';
  /** The first entry that is not adopted, or at which two journals differ. */
  readonly seq: number;
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** When this node has seen it. */
  readonly at: number;
  /** Two checkpoints that can’t be of one journal; `svc-node verify-equivocation` checks them. */
  readonly proof?: {
    readonly first: Checkpoint;
    readonly second: Checkpoint;
    /** From an entry of the first one’s number, with another chain hash, to the second. */
    readonly links?: {
      /** SHA-256: 64 lower-case hexadecimal digits. */
      readonly chainHash: string;
      readonly entryHashes: readonly string[];
    };
  };
  /** Who has shown the proof; this node’s own DID where it was found here. */
  readonly from?: string;
  /** The journal that this node’s operator has decided for, by its chain hash at `seq`. */
  readonly accepted?: {
    /** SHA-256: 64 lower-case hexadecimal digits. */
    readonly chainHash: string;
    /** Epoch milliseconds. */
    readonly at: number;
  };
  /** The home’s signature over the journal that has the entry. */
  readonly checkpoint?: Checkpoint;
  /** The line of the feed as it came. It may hold a payload that is for the parties only: shown to admin keys. */
  readonly line?: string;
}

export interface Permission {
  /** What state and time allow now. */
  readonly action: string;
  /** Error codes of the guards that the input may still fail. */
  readonly open: readonly string[];
}

/** RFC 9457 problem document. Match on `type` or `code`; `detail` may change. */
export interface Problem {
  /** Class of the error; a page about it. */
  readonly type: string;
  /** The class in words. */
  readonly title: string;
  /** HTTP status. */
  readonly status: number;
  /** What is wrong, for people; may change. */
  readonly detail: string;
  /** What is wrong, for programs; `type` leads to its meaning. */
  readonly code: 'INVALID_REQUEST' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'CONFLICT' | 'UNPROCESSABLE' | 'RATE_LIMITED' | 'INTERNAL_ERROR' | 'INSUFFICIENT_BALANCE' | 'TRANSFER_NOT_ALLOWED' | 'ESCROW_NOT_FOUND' | 'ESCROW_INVALID_STATE' | 'ESCROW_RULE_NOT_MET' | 'LISTING_NOT_FOUND' | 'LISTING_NOT_ACTIVE' | 'ORDER_NOT_FOUND' | 'ORDER_INVALID_STATE' | 'BID_NOT_ALLOWED' | 'SUBMISSION_NOT_ALLOWED' | 'LEASE_NOT_FOUND' | 'LEASE_INVALID_STATE' | 'LEASE_QUOTA_EXCEEDED' | 'CONTRACT_NOT_FOUND' | 'CONTRACT_INVALID_STATE' | 'CONTRACT_NOT_SIGNED' | 'CONTRACT_MILESTONE_INVALID' | 'DISPUTE_NOT_ALLOWED' | 'DID_NOT_FOUND' | 'DID_INVALID' | 'DID_UPDATE_CONFLICT' | 'CAPABILITY_INVALID' | 'REPUTATION_NOT_FOUND' | 'REPUTATION_INVALID' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'SERVICE_UNAVAILABLE';
  /** For clients that look for the error here. */
  readonly error: {
    /** The same as `code`. */
    readonly code: string;
    /** The same as `detail`. */
    readonly message: string;
  };
  /** Names the request in the log of the node. */
  readonly requestId: string;
  /** Path of the request. */
  readonly instance?: string;
  /** The fields that are wrong. */
  readonly errors?: readonly {
    /** Path of the member: `pricing.price`. */
    readonly field: string;
    /** What is wrong with it. */
    readonly message: string;
  }[];
  /** On nonce conflicts: what the next signed write carries. */
  readonly nextNonce?: number;
  /** Where it is not the price that the caller expected: what it costs now. */
  readonly currentPrice?: number;
  /** The event that stands. */
  readonly eventHash?: string;
  /** The nonce that it used up. */
  readonly nonce?: number;
  /** True: the event stands in spite of the failure. */
  readonly committed?: boolean;
}

export interface Proof {
  /** Version of the format. */
  readonly v: 1;
  readonly network: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
  /** SHA-256 of the RFC 8785 form of `entry`, hex. */
  readonly entryHash: string;
  /** `chainHash` of the entry before; zeros before the first. */
  readonly prevEntry: string;
  /** SHA-256 of `svc:journal:v1:<seq>:<prevEntry>:<entryHash>`, hex: the leaf. */
  readonly chainHash: string;
  /** The part of the entry that never changes. */
  readonly entry: EntryCore;
  /** Where its root is on chain; null until it is. */
  readonly anchor: {
    readonly firstEntry: number;
    readonly lastEntry: number;
    /** Root of the Merkle tree (RFC 6962) over the entries from first to last. */
    readonly root: string;
    /** Hashes beside the way from the entry to the root, from below. */
    readonly path: readonly string[];
    /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
    readonly txHash: string;
    readonly blockNumber: number;
    readonly chainId: number;
    /** The Settlement contract. */
    readonly contract: string;
  } | null;
}

export interface Proposal {
  readonly outcome: 'release' | 'refund' | 'split' | 'resume';
  /** Tokens. */
  readonly providerPayment: number;
  /** Tokens. */
  readonly clientRefund: number;
  /** For the parties and the arbiter only. */
  readonly note?: string | null;
}

export interface Receipt {
  /** SHA-256: 64 lower-case hexadecimal digits. */
  readonly entryHash: string;
  /** Number of the entry. */
  readonly seq: number;
  readonly status: 'confirmed' | 'pending' | 'reverted';
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  readonly blockNumber: number;
  /** Blocks since, its own included. */
  readonly confirmations: number;
  /** What the chain says further. */
  readonly detail?: unknown;
}

/** The members of the credential, the credential itself, and what every write answers. */
export interface RegisteredCapability {
  /** The credential as stored; null once it was redacted. */
  readonly credential: Capability | null;
  /** What the identity's next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Hash of the event that this write is: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce that the event used up, of the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** With VerifiableCredential and CapabilityCredential. */
  readonly type?: readonly string[];
  /** The holder. */
  readonly issuer?: string | {
    /** A DID. */
    readonly id: string;
    readonly [member: string]: unknown;
  };
  /** What the DID can do; `id`, where it has one, is the DID. */
  readonly credentialSubject?: { readonly [member: string]: unknown };
  /** W3C Data Integrity proof; the node adds one where a credential came without. */
  readonly proof?: {
    /** Kind of the proof. */
    readonly type: 'DataIntegrityProof';
    /** How it is computed. */
    readonly cryptosuite: 'eddsa-jcs-2022';
    /** The key, as `<DID>#<key>`. */
    readonly verificationMethod: string;
    /** What the proof is for. */
    readonly proofPurpose: 'assertionMethod';
    /** Signature, multibase base58btc. */
    readonly proofValue: string;
    readonly [member: string]: unknown;
  };
  readonly [member: string]: unknown;
}

export interface Registration {
  /** A DID. */
  readonly did: string;
  readonly registered: boolean;
  /** Acts for the DID on chain; null where it was revoked. */
  readonly controller: string | null;
}

export interface Reputation {
  /** A DID. */
  readonly did: string;
  /** Weighted mean, 0 to 1000; null where all its records have lost their weight. */
  readonly score: number | null;
  readonly level: 'excellent' | 'good' | 'fair' | 'poor' | 'unrated';
  /** Those with records. */
  readonly dimensions: {
    readonly transaction?: ReputationDimension;
    readonly fulfillment?: ReputationDimension;
    readonly quality?: ReputationDimension;
    readonly social?: ReputationDimension;
    readonly behavior?: ReputationDimension;
  };
  /** Finished orders and contracts for which something was paid. */
  readonly totalTransactions: number;
  /** Share of them in which it lost no dispute, 0 to 1; null before the first. */
  readonly successRate: number | null;
  /** Mean of all reviews, in stars; null before the first. */
  readonly averageRating: number | null;
  /** When the newest record was made, epoch milliseconds. */
  readonly updatedAt: number;
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export interface ReputationDimension {
  /** Weighted mean, 0 to 1000; null where all its records have lost their weight. */
  readonly score: number | null;
  /** Records of it. */
  readonly count: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

export interface ReputationRecord {
  readonly id: string;
  /** Who says so. */
  readonly issuer: string;
  /** Whom it is about. */
  readonly target: string;
  /** The same as `issuer`. */
  readonly reviewer: string;
  /** The same as `target`. */
  readonly reviewee: string;
  readonly dimension: 'transaction' | 'fulfillment' | 'quality' | 'social' | 'behavior';
  readonly score: number;
  /** The score in stars, 0 to 5. */
  readonly rating: number;
  /** Id of the order or contract behind it. */
  readonly ref: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Hash of the event that made it. A review never changes. */
  readonly resourcePrev: string;
  readonly comment?: string;
  readonly aspects?: { readonly [member: string]: unknown };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type ReputationRecordResult = ReputationRecord & WriteFields;

export interface SettledMove {
  /** Hash of the event that this write is: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce that the event used up, of the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** DID, id of an escrow, or `fees`; null where the Tokens are new. */
  readonly from: string | null;
  /** DID, id of an escrow, or the EVM address of a withdrawal; null where nothing is paid. */
  readonly to: string | null;
  /** Tokens. */
  readonly amount: number;
  /** Tokens that the sender paid beside the amount. */
  readonly fee: number;
  readonly memo: string | null;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Blocks on top of it, that one included. */
  readonly confirmations: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** What moved the Tokens: see Move. */
  readonly op: string;
  /** DID that signed the event. */
  readonly issuer: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
  readonly escrowId?: string;
}

export interface Submission {
  readonly submissionId: string;
  readonly status: 'submitted' | 'approved' | 'rejected';
  /** SHA-256 of the signed envelope. */
  readonly envelopeDigest: string | null;
  /** Epoch milliseconds. */
  readonly deliveredAt: number;
  /** Epoch milliseconds. */
  readonly decidedAt: number | null;
  /** As they came. For the parties and the arbiter only. */
  readonly deliverables?: readonly unknown[];
  /** For the parties and the arbiter only. */
  readonly notes?: string | null;
  /** The deliverable envelope, completed and signed. For the parties and the arbiter only. */
  readonly envelope?: { readonly [member: string]: unknown } | null;
  /** For the parties and the arbiter only. */
  readonly feedback?: string | null;
}

export interface Supply {
  readonly network: string;
  /** Tokens in the ledger: what follows, summed. */
  readonly supply: number;
  /** Tokens. */
  readonly available: number;
  /** Tokens that unfunded escrows hold. */
  readonly reserved: number;
  /** Tokens that funded escrows hold. */
  readonly escrowed: number;
  /** Fees that no one has collected. */
  readonly fees: number;
  /** null where the node settles on no chain. */
  readonly chain: {
    readonly kind: 'rpc' | 'embedded';
    readonly chainId: number | null;
    /** The block that all of this was read at. */
    readonly blockNumber: number;
    /** EVM address, checksummed. */
    readonly token: string;
    /** EVM address, checksummed. */
    readonly registry: string;
    /** EVM address, checksummed. */
    readonly vault: string;
    /** EVM address, checksummed. */
    readonly settlement: string;
    /** Tokens in existence on chain. */
    readonly tokenSupply: number;
    /** Tokens that the vault has. */
    readonly holdings: number;
    /** Of these: what the accounts have, escrows and fees included. */
    readonly owed: number;
    /** Of what is owed: fees that no one has collected. */
    readonly fees: number;
    /** Of the holdings: deposits that no operation has taken. */
    readonly waiting: number;
    /** Of the holdings: withdrawals that could not be paid. */
    readonly heldBack: number;
    /** Operations committed and not settled. */
    readonly lag: number;
  } | null;
  /** Ledger and vault agree; null while operations are on their way, or without a chain. */
  readonly balanced: boolean | null;
}

export interface SystemFields {
  /** Hash of the event that this write is: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** The system key of the node, which signed the event. */
  readonly issuer: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
}

export interface TaskBid {
  readonly bidId: string;
  /** The same as `bidId`. */
  readonly id: string;
  /** Id of the task’s listing. */
  readonly taskId: string;
  /** DID that offers to do the task. */
  readonly bidder: string;
  /** DID whose task it is. */
  readonly requester: string;
  /** Tokens that accepting it puts into escrow. */
  readonly price: number;
  /** As the bidder put it; null where it said nothing. */
  readonly timeline: unknown;
  readonly approach: string | null;
  readonly status: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
  /** Why it was rejected or withdrawn, where somebody said so. */
  readonly reason: string | null;
  /** The order that accepting it made. */
  readonly orderId: string | null;
  /** The escrow that holds its price. */
  readonly escrowId: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type TaskBidTaskOrder = TaskOrder & WriteFields & {
  readonly bidId: string;
  /** The bid after it. */
  readonly bid: TaskBidWritten;
};

export type TaskBidWritten = TaskBid & WriteFields;

export interface TaskListing {
  readonly listingId: string;
  /** The same as `listingId`. */
  readonly id: string;
  /** info, task or capability. */
  readonly marketType: string;
  /** The same as `marketType`. */
  readonly type: string;
  /** DID that published it. */
  readonly seller: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  /** What it costs; `currency` is TOKEN. */
  readonly pricing: {
    readonly type?: string;
    readonly currency?: 'TOKEN';
    readonly price?: number;
    readonly fixedPrice?: number;
    readonly amount?: number;
    readonly budget?: number;
    readonly priceRange?: { readonly min: number; readonly max: number };
    readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
    readonly subscriptionPrice?: { readonly period: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly price: number };
    readonly negotiable?: boolean;
  };
  /** As of now, `expiresAt` considered. */
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  /** Private ones are shown to their owner only. */
  readonly visibility: 'public' | 'private';
  readonly stats: ListingStats;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  readonly taskType: string;
  readonly task: { readonly [member: string]: unknown };
  readonly timeline: {
    /** Epoch milliseconds. */
    readonly bidDeadline?: number;
    /** Epoch milliseconds. */
    readonly deadline?: number;
    readonly [member: string]: unknown;
  };
  readonly bidding: {
    /** When bidding ends; null: never. */
    readonly closesAt: number | null;
    readonly maxBids: number;
    /** Bids so far, withdrawn ones included. */
    readonly bidCount: number;
    /** Whether there is time and room for one more. */
    readonly open: boolean;
    /** The order that an accepted bid has made. */
    readonly orderId: string | null;
  };
  /** Units left; absent: unlimited. */
  readonly stock?: number;
  /** While `active`: open for bids, or a bid was accepted. */
  readonly substate?: 'open' | 'awarded';
  readonly skills?: readonly string[];
  readonly metadata?: { readonly [member: string]: unknown };
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type TaskListingWritten = TaskListing & WriteFields;

/** `facets` only with `includeFacets=true`, over the whole result. */
export interface TaskMarketSearchResult {
  readonly listings: readonly TaskListing[];
  /** Elements of the whole list. */
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface TaskOrder {
  readonly orderId: string;
  /** The same as `orderId`. */
  readonly id: string;
  /** Market of the order. */
  readonly marketType: 'task';
  /** Id of the task’s listing. */
  readonly listingId: string;
  /** The same as `listingId`. */
  readonly taskId: string;
  /** The bid that was accepted. */
  readonly bidId: string;
  /** DID whose task it is. */
  readonly requester: string;
  /** DID that does it. */
  readonly provider: string;
  /** The same as `requester`. */
  readonly buyer: string;
  /** The same as `provider`. */
  readonly seller: string;
  /** Tokens. */
  readonly price: number;
  /** Always Tokens. */
  readonly currency: 'TOKEN';
  /** The escrow that holds the price. */
  readonly escrowId: string;
  readonly status: 'open' | 'accepted' | 'delivered' | 'confirmed' | 'reviewed' | 'cancelled' | 'disputed';
  /** When the work was due, as agreed; epoch milliseconds. */
  readonly dueAt: number;
  /** When the clock cancels what is not delivered; a rejection may put it off. */
  readonly deliverBy: number;
  /** When the clock confirms what was delivered and not judged. */
  readonly confirmBy: number | null;
  /** The newest submission. */
  readonly submissionId: string | null;
  readonly submissions: readonly Submission[];
  readonly rejections: number;
  /** Epoch milliseconds. */
  readonly confirmedAt: number | null;
  /** Epoch milliseconds. */
  readonly cancelledAt: number | null;
  /** Its dispute, where there is or was one. */
  readonly disputeId: string | null;
  /** By who has written them. */
  readonly reviews: { readonly requester?: OrderReview; readonly provider?: OrderReview };
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: what it may do now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type TaskOrderDispute = Dispute & WriteFields & {
  readonly orderId: string;
  /** The task-order after it. */
  readonly order: TaskOrderWritten;
};

export type TaskOrderWritten = TaskOrder & WriteFields;

export interface Transaction {
  /** Hash of the event that this write is: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce that the event used up, of the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** DID, id of an escrow, or `fees`; null where the Tokens are new. */
  readonly from: string | null;
  /** DID, id of an escrow, or the EVM address of a withdrawal; null where nothing is paid. */
  readonly to: string | null;
  /** Tokens. */
  readonly amount: number;
  /** Tokens that the sender paid beside the amount. */
  readonly fee: number;
  readonly memo: string | null;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Blocks on top of it, that one included. */
  readonly confirmations: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** What moved the Tokens: see Move. */
  readonly op: string;
  /** DID that signed the event. */
  readonly issuer: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
  readonly type: 'sent' | 'received' | 'escrow';
  readonly escrowId?: string;
}

export interface TransferResult {
  /** Hash of the event that this write is: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce that the event used up, of the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** DID, id of an escrow, or `fees`; null where the Tokens are new. */
  readonly from: string | null;
  /** DID, id of an escrow, or the EVM address of a withdrawal; null where nothing is paid. */
  readonly to: string | null;
  /** Tokens. */
  readonly amount: number;
  /** Tokens that the sender paid beside the amount. */
  readonly fee: number;
  readonly memo: string | null;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Blocks on top of it, that one included. */
  readonly confirmations: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

export interface Webhook {
  readonly id: string;
  /** Where deliveries are posted to. */
  readonly url: string;
  readonly label: string;
  readonly status: 'active' | 'disabled';
  /** Why it is disabled. */
  readonly reason: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Epoch milliseconds until which deliveries bear a second signature, by the secret before; null: there is none. */
  readonly previousSecretUntil: number | null;
  /** Number of the entry up to which all is done with: delivered, given up, or not asked for. */
  readonly deliveredUpTo: number;
  /** Deliveries that have failed and will be tried again. */
  readonly waiting: number;
  /** Epoch milliseconds since when nothing at all has arrived; null while all is well. */
  readonly failingSince: number | null;
  /** Epoch milliseconds of the last delivery that arrived; null: none yet. */
  readonly deliveredAt: number | null;
  /** Types of events: `escrow.released`, `escrow.*`. */
  readonly types?: readonly string[];
  /** Kinds of which a resource was written. */
  readonly kinds?: readonly string[];
  /** Signed by it, or Tokens of it moved. */
  readonly did?: string;
  /** `<kind>/<id>` */
  readonly resource?: string;
}

export interface Withheld {
  /** True: its home showed its content to others only. */
  readonly withheld: boolean;
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  /** The newest. */
  readonly version: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** SHA-256: 64 lower-case hexadecimal digits. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** The home that it is of, if that is another one. */
  readonly home: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export interface WriteFields {
  /** Hash of the event that this write is: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce that the event used up, of the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** Members of the body that were ignored, with `Prefer: handling=lenient`. */
  readonly ignored?: readonly string[];
}

export interface XstateMachine {
  /** The sort of resource: `escrow`. */
  readonly id: string;
  readonly description: string;
  readonly initial: string;
  /** By name, as `createMachine` of XState takes them. */
  readonly states: { readonly [member: string]: unknown };
  readonly meta: {
    /** The sort of resource: `escrow`. */
    readonly kind: string;
    /** Definition version: what entries and resources name as `machine`. */
    readonly version: string;
    /** Machines inside the context, by name. */
    readonly nested?: { readonly [member: string]: unknown };
  };
  readonly entry?: readonly { readonly type: string }[];
}

/** Parameters of every list. */
export interface Paging {
  /** Elements a page at most; default 20. */
  readonly limit?: number;
  /** Elements to skip; further on use `after`. */
  readonly offset?: number;
  /** Number of the page, from 1; the other spelling of `offset`. */
  readonly page?: number;
  /** The other spelling of `limit`. */
  readonly pageSize?: number;
  /** The same as `pageSize`. */
  readonly per_page?: number;
  /** Cursor that an earlier page gave as `pagination.after`. */
  readonly after?: string;
}

/** Bodies by operation, without the members that name and prove the signer. */
export interface Requests {
  readonly acceptBid: {
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
    /** An id of one’s own. */
    readonly orderId?: string;
  };
  readonly activateContract: {
    readonly amount: number;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly approveContract: {
    readonly rating?: number;
    readonly feedback?: string;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly cancelEscrow: {
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly claimFaucet: { readonly did?: string; readonly address?: string };
  readonly completeContract: Requests['cancelEscrow'];
  readonly confirmInfoOrder: {
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
    /** Default: the signer’s only order on the listing that waits for this action. */
    readonly orderId?: string;
  };
  readonly confirmTaskOrder: {
    readonly submissionId?: string;
    readonly feedback?: string;
    readonly approved?: boolean;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
    /** Default: the order of the task. */
    readonly orderId?: string;
  };
  readonly consentContract: Requests['cancelEscrow'];
  readonly createApiKey: {
    readonly label?: string;
    readonly scope: 'read' | 'write' | 'admin';
    readonly did?: string;
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string | null;
    readonly limits?: { readonly reads?: number; readonly writes?: number } | null;
  };
  readonly createBid: {
    readonly price: number;
    readonly timeline?: unknown;
    readonly approach?: string;
    /** null: there is no event of it yet. */
    readonly resourcePrev?: string | null;
    /** An id of one’s own. */
    readonly bidId?: string;
  };
  readonly createCapabilityListing: {
    readonly metadata?: { readonly [member: string]: unknown };
    readonly title: string;
    readonly description: string;
    readonly category: string;
    readonly tags?: readonly string[];
    /** Also accepted: `basePrice` for `price`, `model` for `type`. */
    readonly pricing: {
      readonly type?: string;
      readonly currency?: 'TOKEN';
      readonly price?: number;
      readonly fixedPrice?: number;
      readonly amount?: number;
      readonly budget?: number;
      readonly priceRange?: { readonly min: number; readonly max: number };
      readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
      readonly subscriptionPrice?: { readonly period: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly price: number };
      readonly negotiable?: boolean;
    };
    readonly stock?: number;
    readonly visibility?: 'public' | 'private';
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string;
    readonly capabilityType: string;
    readonly capability: { readonly [member: string]: unknown };
    readonly quota: {
      readonly maxCalls?: number;
      readonly maxUnits?: number;
      readonly period?: string;
      readonly limits?: readonly { readonly [member: string]: unknown }[];
      readonly [member: string]: unknown;
    };
    readonly access: { readonly type?: string; readonly [member: string]: unknown };
    readonly meteredBy?: 'lessee' | 'lessor';
    /** null: there is no event of it yet. */
    readonly resourcePrev?: string | null;
    /** An id of one’s own. */
    readonly listingId?: string;
  };
  readonly createContract: {
    readonly provider: string;
    readonly terms: {
      /** Decides disputes; without it the network’s arbiter does. */
      readonly arbiter?: string;
      /** From then on the client may terminate. */
      readonly deadline?: number | string;
      /** What either party may ask for after 60 days of dispute; default split. */
      readonly fallback?: 'refund' | 'release' | 'split';
      readonly [member: string]: unknown;
    };
    readonly payment?: {
      /** Tokens that activation locks. */
      readonly totalAmount?: number;
      readonly [member: string]: unknown;
    };
    readonly milestones?: readonly {
      readonly id?: string;
      readonly title?: string;
      readonly description?: string;
      /** Tokens that its approval releases. */
      readonly amount: number;
      /** When it is met, in the parties’ own words. */
      readonly criteria?: unknown;
      /** Where it is not handed in by then, the client may terminate. */
      readonly deadline?: number | string;
    }[];
    /** null: there is no event of it yet. */
    readonly resourcePrev?: string | null;
    /** An id of one’s own. */
    readonly contractId?: string;
  };
  readonly createEscrow: {
    readonly beneficiary: string;
    readonly amount: number;
    readonly releaseRules: readonly ({
      readonly id?: string;
      readonly requiresEvidence?: boolean;
      readonly requiresReason?: boolean;
      readonly type: 'manual' | 'time' | 'hash' | 'signature';
      readonly by?: readonly string[];
      /** ISO 8601 with an offset, or epoch milliseconds. */
      readonly after?: number | string;
      readonly hash?: string;
      readonly signers?: readonly string[];
      readonly threshold?: number;
      readonly [member: string]: unknown;
    } | {
      readonly id?: string;
      readonly requiresEvidence?: boolean;
      readonly requiresReason?: boolean;
      readonly type: string;
      readonly [member: string]: unknown;
    })[];
    readonly arbiter?: string;
    readonly refundRules?: readonly ({
      readonly id?: string;
      readonly requiresEvidence?: boolean;
      readonly requiresReason?: boolean;
      readonly type: 'manual' | 'time' | 'hash' | 'signature';
      readonly by?: readonly string[];
      /** ISO 8601 with an offset, or epoch milliseconds. */
      readonly after?: number | string;
      readonly hash?: string;
      readonly signers?: readonly string[];
      readonly threshold?: number;
      readonly [member: string]: unknown;
    } | {
      readonly id?: string;
      readonly requiresEvidence?: boolean;
      readonly requiresReason?: boolean;
      readonly type: string;
      readonly [member: string]: unknown;
    })[];
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string;
    readonly autoFund?: boolean;
    /** null: there is no event of it yet. */
    readonly resourcePrev?: string | null;
    /** An id of one’s own. */
    readonly escrowId?: string;
  };
  readonly createIdentity: { readonly passphrase: string };
  readonly createInfoListing: {
    readonly metadata?: { readonly [member: string]: unknown };
    readonly title: string;
    readonly description: string;
    readonly category: string;
    readonly tags?: readonly string[];
    /** Also accepted: `basePrice` for `price`, `model` for `type`. */
    readonly pricing: {
      readonly type?: string;
      readonly currency?: 'TOKEN';
      readonly price?: number;
      readonly fixedPrice?: number;
      readonly amount?: number;
      readonly budget?: number;
      readonly priceRange?: { readonly min: number; readonly max: number };
      readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
      readonly subscriptionPrice?: { readonly period: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly price: number };
      readonly negotiable?: boolean;
    };
    readonly stock?: number;
    readonly visibility?: 'public' | 'private';
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string;
    readonly infoType: string;
    /** A text in its place is its `data`. */
    readonly content: {
      readonly format: string;
      readonly encoding?: string;
      readonly data?: string;
      readonly size?: number;
      /** Given: SHA-256 of the content. Shown where `data` came along: salted with what its key derives. */
      readonly hash?: string;
      readonly preview?: string;
    };
    readonly accessMethod: { readonly type?: string; readonly [member: string]: unknown };
    readonly license: { readonly type?: string; readonly [member: string]: unknown };
    /** null: there is no event of it yet. */
    readonly resourcePrev?: string | null;
    /** An id of one’s own. */
    readonly listingId?: string;
  };
  readonly createInfoOrder: {
    readonly quantity?: number;
    readonly unitPrice?: number;
    readonly expectedPrice?: number;
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly deliverBy?: number | string;
    /** X25519 key that the content’s key is wrapped for; absent: the form of the DID’s own key. */
    readonly buyerPublicKeyHex?: string;
    /** null: there is no event of it yet. */
    readonly resourcePrev?: string | null;
    /** An id of one’s own. */
    readonly orderId?: string;
  };
  readonly createLease: {
    /** Also accepted: members of `details`. */
    readonly plan: {
      readonly type?: 'pay_per_use' | 'credits' | 'time_based' | 'subscription';
      readonly budget?: number;
      readonly maxUnitsPerCall?: number;
      readonly maxUnitsPerHour?: number;
      /** ISO 8601 with an offset, or epoch milliseconds. */
      readonly endsAt?: number | string;
      readonly periods?: number;
      readonly unitPrice?: number;
    };
    readonly expectedPrice?: number;
    /** null: there is no event of it yet. */
    readonly resourcePrev?: string | null;
    /** An id of one’s own. */
    readonly leaseId?: string;
  };
  readonly createOwnApiKey: {
    readonly passphrase: string;
    readonly label?: string;
    readonly scope?: 'read' | 'write';
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string | null;
  };
  readonly createReview: {
    /** Whom it is about: without it, the DID of the path. */
    readonly target?: string;
    readonly dimension: 'transaction' | 'fulfillment' | 'quality' | 'social' | 'behavior';
    readonly score: number;
    readonly ref: string;
    readonly comment?: string;
    readonly aspects?: { readonly [member: string]: unknown };
    readonly resourcePrev?: string | null;
  };
  readonly createTaskListing: {
    readonly metadata?: { readonly [member: string]: unknown };
    readonly title: string;
    readonly description: string;
    readonly category: string;
    readonly tags?: readonly string[];
    /** Also accepted: `basePrice` for `price`, `model` for `type`. */
    readonly pricing: {
      readonly type?: string;
      readonly currency?: 'TOKEN';
      readonly price?: number;
      readonly fixedPrice?: number;
      readonly amount?: number;
      readonly budget?: number;
      readonly priceRange?: { readonly min: number; readonly max: number };
      readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
      readonly subscriptionPrice?: { readonly period: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly price: number };
      readonly negotiable?: boolean;
    };
    readonly stock?: number;
    readonly visibility?: 'public' | 'private';
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string;
    readonly taskType: string;
    readonly task: { readonly [member: string]: unknown };
    readonly timeline: {
      /** ISO 8601 with an offset, or epoch milliseconds. */
      readonly bidDeadline?: number | string;
      /** ISO 8601 with an offset, or epoch milliseconds. */
      readonly deadline?: number | string;
      readonly [member: string]: unknown;
    };
    readonly skills?: readonly string[];
    /** Also accepted: `bidDeadline` for `closesAt`. */
    readonly bidding?: {
      /** ISO 8601 with an offset, or epoch milliseconds. */
      readonly closesAt?: number | string;
      readonly maxBids?: number;
    };
    /** null: there is no event of it yet. */
    readonly resourcePrev?: string | null;
    /** An id of one’s own. */
    readonly listingId?: string;
  };
  readonly createWebhook: {
    readonly url: string;
    readonly label?: string;
    readonly types?: readonly string[];
    readonly kinds?: readonly string[];
    readonly did?: string;
    readonly resource?: string;
    readonly secret?: string;
    /** Begin behind this entry; default: behind the newest. */
    readonly after?: number;
  };
  readonly deliverInfoOrder: {
    readonly contentKeyHex?: string;
    readonly buyerPublicKeyHex?: string;
    readonly accessToken?: string;
    readonly accessUrl?: string;
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string;
    readonly deliveryData?: {
      readonly envelope?: {
        readonly type: 'text' | 'data' | 'document' | 'code' | 'model' | 'binary' | 'stream' | 'composite' | 'other';
        readonly format?: string;
        readonly name?: string;
        readonly contentHash?: string;
        readonly size?: number;
        readonly transport?: {
          readonly method: 'inline' | 'external' | 'stream' | 'endpoint';
          readonly uri?: string;
          readonly data?: string;
          readonly encoding?: 'utf8' | 'base64' | 'hex';
          readonly [member: string]: unknown;
        };
        readonly id?: string;
        readonly contextId?: string;
        readonly producer?: string;
        /** ISO 8601 with an offset, or epoch milliseconds. */
        readonly createdAt?: number | string;
        readonly signature?: string;
        readonly [member: string]: unknown;
      };
      readonly [member: string]: unknown;
    };
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
    /** Default: the signer’s only order on the listing that waits for this action. */
    readonly orderId?: string;
    readonly [member: string]: unknown;
  };
  readonly deliverTaskOrder: {
    readonly deliverables: readonly unknown[];
    readonly submissionId?: string;
    readonly notes?: string;
    readonly delivery?: {
      readonly envelope?: {
        readonly type: 'text' | 'data' | 'document' | 'code' | 'model' | 'binary' | 'stream' | 'composite' | 'other';
        readonly format?: string;
        readonly name?: string;
        readonly contentHash?: string;
        readonly size?: number;
        readonly transport?: {
          readonly method: 'inline' | 'external' | 'stream' | 'endpoint';
          readonly uri?: string;
          readonly data?: string;
          readonly encoding?: 'utf8' | 'base64' | 'hex';
          readonly [member: string]: unknown;
        };
        readonly id?: string;
        readonly contextId?: string;
        readonly producer?: string;
        /** ISO 8601 with an offset, or epoch milliseconds. */
        readonly createdAt?: number | string;
        readonly signature?: string;
        readonly [member: string]: unknown;
      };
      readonly [member: string]: unknown;
    };
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
    /** Default: the order of the task. */
    readonly orderId?: string;
  };
  readonly disableWebhook: { readonly [member: string]: never };
  readonly disputeContract: {
    readonly reason: 'non_delivery' | 'quality' | 'deadline' | 'other';
    readonly description?: string;
    readonly evidence?: readonly unknown[];
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly disputeOrder: Requests['disputeContract'];
  readonly enableWebhook: { readonly after?: number };
  readonly expireEscrow: Requests['cancelEscrow'];
  readonly freezeAccount: { readonly [member: string]: never };
  readonly fundEscrow: {
    readonly amount: number;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev: string;
  };
  readonly invokeLease: {
    readonly resource?: string;
    readonly latency?: number;
    readonly success?: boolean;
    readonly units?: number;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly lockIdentity: { readonly [member: string]: never };
  readonly openOrder: {
    /** Who signs. */
    readonly did: string;
    /** Unlocks the signer’s key. */
    readonly passphrase: string;
  };
  readonly pauseCapabilityListing: Requests['cancelEscrow'];
  readonly pauseInfoListing: Requests['cancelEscrow'];
  readonly pauseLease: {
    readonly reason?: string;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly pauseTaskListing: Requests['cancelEscrow'];
  readonly redeliverEvent: {
    /** Number of the entry. */
    readonly seq: number;
  };
  readonly refundEscrow: {
    readonly amount: number;
    readonly ruleId?: string;
    readonly rule?: string;
    readonly evidence?: unknown;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev: string;
    readonly reason: string;
  };
  readonly registerCapability: { readonly credential: { readonly [member: string]: unknown }; readonly resourcePrev?: string | null };
  readonly registerController: { readonly passphrase: string };
  readonly rejectBid: Requests['pauseLease'];
  readonly rejectContract: {
    readonly feedback?: string;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly rejectTaskOrder: {
    readonly submissionId?: string;
    readonly feedback?: string;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
    /** Default: the order of the task. */
    readonly orderId?: string;
  };
  readonly releaseEscrow: {
    readonly amount: number;
    readonly ruleId?: string;
    readonly rule?: string;
    readonly evidence?: unknown;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
    readonly reason?: string;
  };
  readonly removeCapabilityListing: Requests['cancelEscrow'];
  readonly removeInfoListing: Requests['cancelEscrow'];
  readonly removeTaskListing: Requests['cancelEscrow'];
  readonly resolveContract: {
    /** release: the rest to the provider; refund: to the client; split: as the two amounts say; resume: a contract goes on; fallback: what was agreed on for a dispute of 60 days. */
    readonly resolution: 'release' | 'refund' | 'split' | 'resume' | 'fallback';
    /** split: Tokens back to the client. */
    readonly clientRefund?: number;
    /** split: Tokens to the provider; both make up the rest. */
    readonly providerPayment?: number;
    /** Why; shown with the ruling, or with the proposal of a party. */
    readonly note?: string;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly resolveDispute: Requests['resolveContract'];
  readonly resolveOrder: Requests['resolveContract'];
  readonly resumeCapabilityListing: Requests['cancelEscrow'];
  readonly resumeInfoListing: Requests['cancelEscrow'];
  readonly resumeLease: Requests['pauseLease'];
  readonly resumeTaskListing: Requests['cancelEscrow'];
  readonly reviewInfoOrder: {
    readonly rating: number;
    readonly comment?: string;
    readonly aspects?: { readonly [member: string]: unknown };
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
    /** Default: the signer’s only order on the listing that waits for this action. */
    readonly orderId?: string;
  };
  readonly reviewTaskOrder: {
    readonly rating: number;
    readonly comment?: string;
    readonly aspects?: { readonly [member: string]: unknown };
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
    /** Default: the order of the task. */
    readonly orderId?: string;
  };
  readonly revokeApiKey: { readonly [member: string]: never };
  readonly revokeOwnApiKey: { readonly [member: string]: never };
  readonly rotateWebhookSecret: {
    readonly secret?: string;
    /** For so long deliveries are signed with the secret before, too; default: a day. */
    readonly overlapMs?: number;
  };
  readonly signContract: {
    readonly termsHash?: string;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly startAudit: { readonly [member: string]: never };
  readonly submitContract: {
    readonly deliverables?: readonly unknown[];
    readonly notes?: string;
    readonly delivery?: {
      readonly envelope?: {
        readonly type: 'text' | 'data' | 'document' | 'code' | 'model' | 'binary' | 'stream' | 'composite' | 'other';
        readonly format?: string;
        readonly name?: string;
        readonly contentHash?: string;
        readonly size?: number;
        readonly transport?: {
          readonly method: 'inline' | 'external' | 'stream' | 'endpoint';
          readonly uri?: string;
          readonly data?: string;
          readonly encoding?: 'utf8' | 'base64' | 'hex';
          readonly [member: string]: unknown;
        };
        readonly id?: string;
        readonly contextId?: string;
        readonly producer?: string;
        /** ISO 8601 with an offset, or epoch milliseconds. */
        readonly createdAt?: number | string;
        readonly signature?: string;
        readonly [member: string]: unknown;
      };
    };
    readonly envelopeDigest?: string;
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly terminateContract: Requests['pauseLease'];
  readonly terminateLease: Requests['pauseLease'];
  readonly testWebhook: { readonly [member: string]: never };
  readonly transfer: { readonly to: string; readonly amount: number; readonly fee?: number; readonly memo?: string };
  readonly unfreezeAccount: { readonly [member: string]: never };
  readonly unlockIdentity: { readonly passphrase: string };
  readonly updateCapabilityListing: {
    readonly metadata?: { readonly [member: string]: unknown };
    readonly title?: string;
    readonly description?: string;
    readonly category?: string;
    readonly tags?: readonly string[];
    /** Also accepted: `basePrice` for `price`, `model` for `type`. */
    readonly pricing?: {
      readonly type?: string;
      readonly currency?: 'TOKEN';
      readonly price?: number;
      readonly fixedPrice?: number;
      readonly amount?: number;
      readonly budget?: number;
      readonly priceRange?: { readonly min: number; readonly max: number };
      readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
      readonly subscriptionPrice?: { readonly period: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly price: number };
      readonly negotiable?: boolean;
    };
    readonly stock?: number | null;
    readonly visibility?: 'public' | 'private';
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string | null;
    readonly capability?: { readonly [member: string]: unknown };
    readonly quota?: {
      readonly maxCalls?: number;
      readonly maxUnits?: number;
      readonly period?: string;
      readonly limits?: readonly { readonly [member: string]: unknown }[];
      readonly [member: string]: unknown;
    };
    readonly access?: { readonly type?: string; readonly [member: string]: unknown };
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly updateContract: {
    readonly terms?: {
      /** Decides disputes; without it the network’s arbiter does. */
      readonly arbiter?: string;
      /** From then on the client may terminate. */
      readonly deadline?: number | string;
      /** What either party may ask for after 60 days of dispute; default split. */
      readonly fallback?: 'refund' | 'release' | 'split';
      readonly [member: string]: unknown;
    };
    readonly payment?: {
      /** Tokens that activation locks. */
      readonly totalAmount?: number;
      readonly [member: string]: unknown;
    };
    readonly milestones?: readonly {
      readonly id?: string;
      readonly title?: string;
      readonly description?: string;
      /** Tokens that its approval releases. */
      readonly amount: number;
      /** When it is met, in the parties’ own words. */
      readonly criteria?: unknown;
      /** Where it is not handed in by then, the client may terminate. */
      readonly deadline?: number | string;
    }[];
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly updateIdentity: {
    readonly document: {
      readonly displayName?: string;
      readonly bio?: string;
      readonly avatar?: string;
      readonly platformLinks?: readonly { readonly platform: string; readonly url: string }[];
    };
    readonly prevDocHash: string;
    readonly resourcePrev?: string | null;
  };
  readonly updateInfoListing: {
    readonly metadata?: { readonly [member: string]: unknown };
    readonly title?: string;
    readonly description?: string;
    readonly category?: string;
    readonly tags?: readonly string[];
    /** Also accepted: `basePrice` for `price`, `model` for `type`. */
    readonly pricing?: {
      readonly type?: string;
      readonly currency?: 'TOKEN';
      readonly price?: number;
      readonly fixedPrice?: number;
      readonly amount?: number;
      readonly budget?: number;
      readonly priceRange?: { readonly min: number; readonly max: number };
      readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
      readonly subscriptionPrice?: { readonly period: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly price: number };
      readonly negotiable?: boolean;
    };
    readonly stock?: number | null;
    readonly visibility?: 'public' | 'private';
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string | null;
    readonly license?: { readonly type?: string; readonly [member: string]: unknown };
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly updateTaskListing: {
    readonly metadata?: { readonly [member: string]: unknown };
    readonly title?: string;
    readonly description?: string;
    readonly category?: string;
    readonly tags?: readonly string[];
    /** Also accepted: `basePrice` for `price`, `model` for `type`. */
    readonly pricing?: {
      readonly type?: string;
      readonly currency?: 'TOKEN';
      readonly price?: number;
      readonly fixedPrice?: number;
      readonly amount?: number;
      readonly budget?: number;
      readonly priceRange?: { readonly min: number; readonly max: number };
      readonly usagePrice?: { readonly unit: string; readonly pricePerUnit: number };
      readonly subscriptionPrice?: { readonly period: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly price: number };
      readonly negotiable?: boolean;
    };
    readonly stock?: number | null;
    readonly visibility?: 'public' | 'private';
    /** ISO 8601 with an offset, or epoch milliseconds. */
    readonly expiresAt?: number | string | null;
    readonly task?: { readonly [member: string]: unknown };
    readonly timeline?: {
      /** ISO 8601 with an offset, or epoch milliseconds. */
      readonly bidDeadline?: number | string;
      /** ISO 8601 with an offset, or epoch milliseconds. */
      readonly deadline?: number | string;
      readonly [member: string]: unknown;
    };
    readonly skills?: readonly string[];
    /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
    readonly resourcePrev?: string | null;
  };
  readonly withdraw: { readonly amount: number; readonly fee?: number; readonly to?: string };
  readonly withdrawBid: Requests['pauseLease'];
  readonly withdrawFees: { readonly to: string; readonly amount: number };
}

/** Query parameters by operation. Lists go as one text with commas. */
export interface Queries {
  readonly getIdentity: { readonly source?: 'store' | 'log' };
  readonly getMachine: {
    /** `xstate`: what `createMachine` takes. Without it `Accept` decides, else JSON. */
    readonly format?: 'json' | 'xstate' | 'mermaid' | 'svg' | 'csv' | 'markdown';
    /** A past definition version that entries still name. */
    readonly version?: string;
  };
  readonly getMachineHistory: {
    /** Number of the entry of the last step seen: `next` of a page. */
    readonly after?: number;
    readonly limit?: number;
  };
  readonly getReputation: {
    readonly source?: 'store' | 'log';
    /** Without any record: 200 with no score and `updatedAt` 0, not REPUTATION_NOT_FOUND. */
    readonly orEmpty?: boolean;
  };
  readonly getResourceProof: {
    /** Number of the last entry seen: `next` of a page. */
    readonly after?: number;
    readonly limit?: number;
  };
  readonly getTransaction: Paging;
  readonly getWallet: {
    /** Reads the ledger of another home, by its DID or tag. Each home has its own; without it, this node’s. */
    readonly home?: string;
  };
  readonly listAdminLog: Paging;
  readonly listApiKeys: Paging & { readonly did?: string };
  readonly listBids: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'bidder' | 'requester';
    readonly status?: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
    /** What each shows only where it is asked for. */
    readonly include?: 'permittedActions';
    /** Default newest. `updated`: last changed first. Ties: by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** Created then or later. */
    readonly createdFrom?: number | string;
    /** Created then or earlier. */
    readonly createdTo?: number | string;
    /** Last changed then or later. */
    readonly updatedFrom?: number | string;
    /** Last changed then or earlier. */
    readonly updatedTo?: number | string;
    /** Tokens it is about (`amount`, else `price`), at least; without one it is left out. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly listCapabilities: Paging;
  readonly listCapabilityListings: Paging & {
    /** Each word must begin one of the title, tags, category or description. */
    readonly keyword?: string;
    /** The same as `keyword`. */
    readonly q?: string;
    /** Category: any of these, separated by commas. */
    readonly category?: readonly string[];
    /** Tags: any of these, separated by commas. */
    readonly tags?: readonly string[];
    /** Skills that a task asks for: any of these, separated by commas. */
    readonly skills?: readonly string[];
    /** `infoType`: any of these, separated by commas. */
    readonly infoTypes?: readonly string[];
    /** `taskType`: any of these, separated by commas. */
    readonly taskTypes?: readonly string[];
    /** `capabilityType`: any of these, separated by commas. */
    readonly capabilityType?: readonly string[];
    /** Type, in whichever market; a market’s name stands for all in it: any of these, separated by commas. */
    readonly type?: readonly string[];
    /** `content.format`: any of these, separated by commas. */
    readonly contentFormats?: readonly string[];
    /** Type of the access method: any of these, separated by commas. */
    readonly accessMethods?: readonly string[];
    /** Tokens; what has no fixed price counts with its least. */
    readonly minPrice?: number;
    /** Tokens; what has no fixed price counts with its least. */
    readonly maxPrice?: number;
    /** Average of the listing’s ratings, in stars. */
    readonly minRating?: number;
    /** Reputation score of the seller. */
    readonly minReputation?: number;
    /** Any of these; default active. */
    readonly statuses?: readonly ('active' | 'paused' | 'expired' | 'removed')[];
    /** The same as `statuses`. */
    readonly status?: readonly ('active' | 'paused' | 'expired' | 'removed')[];
    /** Default public; private ones are shown to their owner. */
    readonly visibility?: readonly ('public' | 'private')[];
    /** DID or address of who published it. */
    readonly seller?: string;
    /** The same as `seller`. */
    readonly did?: string;
    /** `seller`: those of `did`, or of the API key’s DID. */
    readonly role?: 'all' | 'seller';
    /** Default relevance. Ties: newest first, then by id. */
    readonly sort?: 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'rating' | 'popular' | 'reputation';
    /** Another spelling of `sort`, with `sortOrder`: price goes up unless told otherwise, the others only down. */
    readonly sortBy?: 'price' | 'createdAt' | 'date' | 'newest' | 'rating' | 'popular' | 'popularity' | 'reputation' | 'relevance';
    /** The direction of `sortBy`. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Counts over the whole result; default false. */
    readonly includeFacets?: boolean;
    readonly include?: 'permittedActions';
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly listContractDisputes: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'client' | 'provider' | 'arbiter';
    readonly status?: 'open' | 'resolved';
    /** What each shows only where it is asked for. */
    readonly include?: 'permittedActions';
    /** Default newest. `updated`: last changed first. Ties: by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** Created then or later. */
    readonly createdFrom?: number | string;
    /** Created then or earlier. */
    readonly createdTo?: number | string;
    /** Last changed then or later. */
    readonly updatedFrom?: number | string;
    /** Last changed then or earlier. */
    readonly updatedTo?: number | string;
    /** Tokens it is about (`amount`, else `price`), at least; without one it is left out. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
  };
  readonly listContracts: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'client' | 'provider';
    readonly status?: 'draft' | 'active' | 'completed' | 'disputed' | 'cancelled' | 'signed' | 'terminated';
    /** Those that show it. */
    readonly substate?: 'ongoing' | 'consented';
    /** What each shows only where it is asked for. */
    readonly include?: 'permittedActions';
    /** Default newest. `updated`: last changed first. Ties: by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** Created then or later. */
    readonly createdFrom?: number | string;
    /** Created then or earlier. */
    readonly createdTo?: number | string;
    /** Last changed then or later. */
    readonly updatedFrom?: number | string;
    /** Last changed then or earlier. */
    readonly updatedTo?: number | string;
    /** Tokens it is about (`amount`, else `price`), at least; without one it is left out. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly listDeliveries: Paging;
  readonly listDisputes: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'client' | 'provider' | 'arbiter';
    readonly status?: 'open' | 'resolved';
    /** What each shows only where it is asked for. */
    readonly include?: 'permittedActions';
    /** Default newest. `updated`: last changed first. Ties: by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** Created then or later. */
    readonly createdFrom?: number | string;
    /** Created then or earlier. */
    readonly createdTo?: number | string;
    /** Last changed then or later. */
    readonly updatedFrom?: number | string;
    /** Last changed then or earlier. */
    readonly updatedTo?: number | string;
    /** Tokens it is about (`amount`, else `price`), at least; without one it is left out. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly listEscrows: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'depositor' | 'beneficiary' | 'arbiter';
    readonly status?: 'created' | 'funded' | 'released' | 'refunded' | 'expired';
    /** Those that show it. */
    readonly substate?: 'open' | 'cancelled' | 'lapsed';
    /** What each shows only where it is asked for. */
    readonly include?: 'permittedActions';
    /** Default newest. `updated`: last changed first. Ties: by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** Created then or later. */
    readonly createdFrom?: number | string;
    /** Created then or earlier. */
    readonly createdTo?: number | string;
    /** Last changed then or later. */
    readonly updatedFrom?: number | string;
    /** Last changed then or earlier. */
    readonly updatedTo?: number | string;
    /** Tokens it is about (`amount`, else `price`), at least; without one it is left out. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly listEvents: {
    readonly issuer?: string;
    readonly resource?: string;
    readonly type?: string;
    /** Reads the copy of another home’s journal: its DID or tag. Without it, or with `own`, this node’s own. A resource spelled `<kind>/<id>~<tag>` means the same. */
    readonly home?: string;
    /** Default oldest first. */
    readonly order?: 'oldest' | 'newest';
    /** With `order=newest`: entries with a smaller number. */
    readonly before?: number;
    /** Entries of this time or later. */
    readonly since?: number | string;
    /** Entries of this time or earlier. */
    readonly until?: number | string;
    /** Entries that moved so many Tokens at least. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
    readonly after?: number;
    readonly limit?: number;
  };
  readonly listInfoListings: Queries['listCapabilityListings'];
  readonly listLeases: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'lessee' | 'lessor';
    readonly status?: 'active' | 'paused' | 'exhausted' | 'expired' | 'terminated';
    /** What each shows only where it is asked for. */
    readonly include?: 'permittedActions';
    /** Default newest. `updated`: last changed first. Ties: by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** Created then or later. */
    readonly createdFrom?: number | string;
    /** Created then or earlier. */
    readonly createdTo?: number | string;
    /** Last changed then or later. */
    readonly updatedFrom?: number | string;
    /** Last changed then or earlier. */
    readonly updatedTo?: number | string;
    /** Tokens it is about (`amount`, else `price`), at least; without one it is left out. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly listNames: {
    /** DIDs, separated by commas. */
    readonly dids: readonly string[];
  };
  readonly listOrders: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'buyer' | 'seller' | 'requester' | 'provider';
    readonly status?: 'pending' | 'paid' | 'delivered' | 'confirmed' | 'reviewed' | 'cancelled' | 'disputed' | 'open' | 'accepted';
    /** What each shows only where it is asked for. */
    readonly include?: 'permittedActions';
    /** Default newest. `updated`: last changed first. Ties: by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** Created then or later. */
    readonly createdFrom?: number | string;
    /** Created then or earlier. */
    readonly createdTo?: number | string;
    /** Last changed then or later. */
    readonly updatedFrom?: number | string;
    /** Last changed then or earlier. */
    readonly updatedTo?: number | string;
    /** Tokens it is about (`amount`, else `price`), at least; without one it is left out. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly listOwnApiKeys: Paging;
  readonly listPeers: Paging;
  readonly listReviews: Paging & { readonly source?: 'store' | 'log' };
  readonly listTaskBids: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'bidder' | 'requester';
    readonly status?: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
    /** What each shows only where it is asked for. */
    readonly include?: 'permittedActions';
    /** Default newest. `updated`: last changed first. Ties: by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** Created then or later. */
    readonly createdFrom?: number | string;
    /** Created then or earlier. */
    readonly createdTo?: number | string;
    /** Last changed then or later. */
    readonly updatedFrom?: number | string;
    /** Last changed then or earlier. */
    readonly updatedTo?: number | string;
    /** Tokens it is about (`amount`, else `price`), at least; without one it is left out. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
  };
  readonly listTaskListings: Queries['listCapabilityListings'];
  readonly listTransactions: Paging & {
    readonly type?: 'all' | 'sent' | 'received' | 'escrow';
    /** Reads the ledger of another home, by its DID or tag. Each home has its own; without it, this node’s. */
    readonly home?: string;
  };
  readonly listWallets: Paging & {
    /** Reads the ledger of another home, by its DID or tag. Each home has its own; without it, this node’s. */
    readonly home?: string;
  };
  readonly listWebhooks: Paging;
  readonly lookUp: { readonly text: string };
  readonly searchMarkets: Paging & {
    readonly markets?: readonly ('info' | 'task' | 'capability')[];
    /** Each word must begin one of the title, tags, category or description. */
    readonly keyword?: string;
    /** The same as `keyword`. */
    readonly q?: string;
    /** Category: any of these, separated by commas. */
    readonly category?: readonly string[];
    /** Tags: any of these, separated by commas. */
    readonly tags?: readonly string[];
    /** Skills that a task asks for: any of these, separated by commas. */
    readonly skills?: readonly string[];
    /** `infoType`: any of these, separated by commas. */
    readonly infoTypes?: readonly string[];
    /** `taskType`: any of these, separated by commas. */
    readonly taskTypes?: readonly string[];
    /** `capabilityType`: any of these, separated by commas. */
    readonly capabilityType?: readonly string[];
    /** Type, in whichever market; a market’s name stands for all in it: any of these, separated by commas. */
    readonly type?: readonly string[];
    /** `content.format`: any of these, separated by commas. */
    readonly contentFormats?: readonly string[];
    /** Type of the access method: any of these, separated by commas. */
    readonly accessMethods?: readonly string[];
    /** Tokens; what has no fixed price counts with its least. */
    readonly minPrice?: number;
    /** Tokens; what has no fixed price counts with its least. */
    readonly maxPrice?: number;
    /** Average of the listing’s ratings, in stars. */
    readonly minRating?: number;
    /** Reputation score of the seller. */
    readonly minReputation?: number;
    /** Any of these; default active. */
    readonly statuses?: readonly ('active' | 'paused' | 'expired' | 'removed')[];
    /** The same as `statuses`. */
    readonly status?: readonly ('active' | 'paused' | 'expired' | 'removed')[];
    /** Default public; private ones are shown to their owner. */
    readonly visibility?: readonly ('public' | 'private')[];
    /** DID or address of who published it. */
    readonly seller?: string;
    /** The same as `seller`. */
    readonly did?: string;
    /** `seller`: those of `did`, or of the API key’s DID. */
    readonly role?: 'all' | 'seller';
    /** Default relevance. Ties: newest first, then by id. */
    readonly sort?: 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'rating' | 'popular' | 'reputation';
    /** Another spelling of `sort`, with `sortOrder`: price goes up unless told otherwise, the others only down. */
    readonly sortBy?: 'price' | 'createdAt' | 'date' | 'newest' | 'rating' | 'popular' | 'popularity' | 'reputation' | 'relevance';
    /** The direction of `sortBy`. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Counts over the whole result; default false. */
    readonly includeFacets?: boolean;
    readonly include?: 'permittedActions';
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly streamEvents: {
    readonly issuer?: string;
    readonly resource?: string;
    readonly type?: string;
    readonly after?: number;
    /** `false`: events without a name, for readers of `onmessage` alone; the type is in `data.event.type`. */
    readonly named?: boolean;
  };
}

/** JSON of successful replies by operation. */
export interface Replies {
  readonly acceptBid: TaskBidTaskOrder;
  readonly activateContract: ContractWritten;
  readonly approveContract: MilestoneWritten;
  readonly cancelEscrow: EscrowWritten;
  readonly claimFaucet: TransferResult & {
    /** The system key of the node, which signed the event. */
    readonly issuer: string;
  };
  readonly completeContract: ContractWritten;
  readonly confirmInfoOrder: InfoOrderWritten;
  readonly confirmTaskOrder: TaskOrderWritten;
  readonly consentContract: ContractWritten;
  readonly createApiKey: CreatedApiKey;
  readonly createBid: TaskBidWritten;
  readonly createCapabilityListing: CapabilityListingWritten;
  readonly createContract: ContractWritten;
  readonly createEscrow: EscrowWritten;
  readonly createIdentity: Identity;
  readonly createInfoListing: InfoListingCreated;
  readonly createInfoOrder: InfoOrderWritten;
  readonly createLease: LeaseWritten;
  readonly createOwnApiKey: CreatedApiKey;
  readonly createReview: ReputationRecordResult;
  readonly createTaskListing: TaskListingWritten;
  readonly createWebhook: CreatedWebhook;
  readonly deliverInfoOrder: InfoOrderWritten;
  readonly deliverTaskOrder: TaskOrderWritten;
  readonly disableWebhook: Webhook;
  readonly disputeContract: ContractDispute;
  readonly disputeOrder: InfoOrderDispute | TaskOrderDispute;
  readonly enableWebhook: Webhook;
  readonly expireEscrow: EscrowWritten;
  readonly explainError: ErrorClass;
  readonly freezeAccount: BalanceBySystem;
  readonly fundEscrow: EscrowTransfer;
  readonly getApiKey: ApiKey;
  readonly getAudit: {
    /** The audit that this process is at. */
    readonly running: AuditRun | null;
    /** The newest that is finished; kept over restarts. */
    readonly last: AuditRun | null;
  };
  readonly getAuditReport: AuditReport;
  readonly getBid: TaskBid;
  readonly getCapabilityListing: CapabilityListing | Withheld;
  readonly getContract: Contract | Withheld;
  readonly getDispute: Dispute | Withheld;
  readonly getEscrow: Escrow;
  readonly getEvent: Entry;
  readonly getEventProof: Proof;
  readonly getIdentity: Identity;
  readonly getInfoContent: EncryptedInfoContent;
  readonly getInfoDelivery: InfoDeliveryRecord;
  readonly getInfoListing: InfoListing | Withheld;
  readonly getLease: Lease;
  readonly getMachine: MachineChart;
  readonly getMachineHistory: {
    /** The sort of resource: `escrow`. */
    readonly kind: string;
    readonly id: string;
    readonly state: string;
    /** The newest. */
    readonly version: number;
    /** Its definition version. */
    readonly machine: string;
    readonly steps: readonly MachineStep[];
    /** Steps of the whole history. */
    readonly total: number;
    /** The `after` of the next page; null at the end. */
    readonly next: number | null;
    readonly hasMore: boolean;
    /** The home that it is of, if that is another one. */
    readonly home?: string;
    /** With `home`: time of the newest checkpoint up to which its journal is known here. */
    readonly asOf?: number;
  };
  readonly getMachineState: MachineState;
  readonly getNode: NodeStatus;
  readonly getNodeActivity: {
    /** Time between two points. */
    readonly everyMs: number;
    readonly points: readonly ActivityPoint[];
  };
  readonly getNodeConfig: NodeConfig;
  readonly getNonce: Nonce;
  readonly getOrder: InfoOrder | Withheld | TaskOrder | Withheld;
  readonly getOwnApiKey: ApiKey;
  readonly getPeerEvidence: PeerEvidence;
  readonly getPermittedActions: {
    /** The sort of resource: `escrow`. */
    readonly kind: string;
    readonly id: string;
    readonly state: string;
    readonly version: number;
    readonly machine: string;
    /** Epoch milliseconds. */
    readonly time: number;
    readonly actions: readonly {
      readonly action: string;
      readonly event: string;
      readonly summary: string;
      /** No one asks for it over HTTP. */
      readonly internal: boolean;
      readonly roles: readonly {
        readonly role: string;
        readonly permitted: boolean;
        /** Error codes that the input may still meet. */
        readonly open?: readonly string[];
        /** The error code that it is refused with now. */
        readonly code?: string;
        readonly guard?: string;
        readonly reason?: string;
      }[];
    }[];
    /** The home that it is of, if that is another one. */
    readonly home?: string;
    /** With `home`: time of the newest checkpoint up to which its journal is known here. */
    readonly asOf?: number;
  };
  readonly getReputation: Reputation;
  readonly getResourceProof: {
    readonly v: 1;
    readonly type: 'resource-proof';
    readonly network: string;
    readonly kind: string;
    readonly id: string;
    /** After the newest version. */
    readonly state: string;
    /** Number of versions: so many entries there are in all pages. */
    readonly total: number;
    /** Entry 1 of the journal: it names whose journal it is. */
    readonly first: {
      readonly entry: Entry;
      /** Where its root is on chain; null until it is. */
      readonly anchor: {
        readonly firstEntry: number;
        readonly lastEntry: number;
        /** Root of the Merkle tree (RFC 6962) over the entries from first to last. */
        readonly root: string;
        /** Hashes beside the way from the entry to the root, from below. */
        readonly path: readonly string[];
        /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
        readonly txHash: string;
        readonly blockNumber: number;
        readonly chainId: number;
        /** The Settlement contract. */
        readonly contract: string;
      } | null;
    };
    /** Those that made its versions, oldest first. */
    readonly entries: readonly ({
      readonly entry: Entry;
      /** Where its root is on chain; null until it is. */
      readonly anchor: {
        readonly firstEntry: number;
        readonly lastEntry: number;
        /** Root of the Merkle tree (RFC 6962) over the entries from first to last. */
        readonly root: string;
        /** Hashes beside the way from the entry to the root, from below. */
        readonly path: readonly string[];
        /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
        readonly txHash: string;
        readonly blockNumber: number;
        readonly chainId: number;
        /** The Settlement contract. */
        readonly contract: string;
      } | null;
    })[];
    /** By definition version, the chart whose hash it is: `<kind>-<revision>-<first 12 digits of SHA-256 of its RFC 8785 form>`. */
    readonly definitions: { readonly [name: string]: { readonly [member: string]: unknown } };
    /** The `after` of the next page; null at the end. */
    readonly next: number | null;
    readonly hasMore: boolean;
    /** The home that it is of, if that is another one. */
    readonly home?: string;
    /** With `home`: time of the newest checkpoint up to which its journal is known here. */
    readonly asOf?: number;
  };
  readonly getSelf: Identity;
  readonly getSupply: Supply;
  readonly getTaskListing: TaskListing | Withheld;
  readonly getTransaction: Moves;
  readonly getWallet: Balance;
  readonly getWebhook: Webhook;
  readonly health: {
    /** The process answers. */
    readonly status: 'ok';
  };
  readonly invokeLease: LeaseWritten;
  readonly listAdminLog: {
    readonly acts: readonly AdminAct[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listApiKeys: {
    readonly apiKeys: readonly ApiKey[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listAuditReports: {
    /** Newest first; the newest 100 are kept. */
    readonly reports: readonly AuditReport[];
    readonly total: number;
  };
  readonly listBids: {
    readonly bids: readonly TaskBid[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listCapabilities: { readonly capabilities: readonly Capability[]; readonly pagination: Pagination };
  readonly listCapabilityListings: CapabilityMarketSearchResult;
  readonly listContractDisputes: {
    readonly disputes: readonly (Dispute | Withheld)[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listContracts: {
    readonly contracts: readonly (Contract | Withheld)[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listDeliveries: {
    readonly deliveries: readonly Delivery[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listDisputes: Replies['listContractDisputes'];
  readonly listErrors: { readonly errors: readonly ErrorClass[] };
  readonly listEscrows: {
    readonly escrows: readonly Escrow[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listEvents: {
    readonly events: readonly Entry[];
    /** The `after` of the next page, newest first its `before`; null at the end. */
    readonly next: number | null;
    readonly hasMore: boolean;
    /** Number of the newest entry. */
    readonly head: number;
    /** The home that it is of, if that is another one. */
    readonly home?: string;
    /** With `home`: time of the newest checkpoint up to which its journal is known here. */
    readonly asOf?: number;
  };
  readonly listInfoListings: InfoMarketSearchResult;
  readonly listLeases: {
    readonly leases: readonly Lease[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listMachines: { readonly machines: readonly MachineSummary[]; readonly total: number };
  readonly listNames: { readonly names: readonly DidName[] };
  readonly listOrders: {
    readonly orders: readonly (InfoOrder | Withheld | TaskOrder | Withheld)[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listOwnApiKeys: Replies['listApiKeys'];
  readonly listPeers: {
    readonly peers: readonly Peer[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listReviews: {
    readonly reviews: readonly ReputationRecord[];
    /** Elements of the whole list. */
    readonly total: number;
    /** Mean of all reviews, in stars; null before the first. */
    readonly averageRating: number | null;
    readonly pagination: Pagination;
  };
  readonly listTaskBids: Replies['listBids'];
  readonly listTaskListings: TaskMarketSearchResult;
  readonly listTransactions: {
    readonly transactions: readonly Transaction[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly hasMore: boolean;
    readonly pagination: Pagination;
  };
  readonly listWallets: {
    readonly wallets: readonly Balance[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listWebhooks: {
    readonly webhooks: readonly Webhook[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly lockIdentity: {
    /** A DID. */
    readonly did: string;
    /** Keys bound to the DID sign without its passphrase. */
    readonly unlocked: boolean;
  };
  readonly lookUp: {
    readonly matches: readonly LookupMatch[];
    /** More begin like this: a longer text finds fewer. */
    readonly hasMore: boolean;
  };
  readonly openApi: {
    /** Version of the format. */
    readonly openapi: '3.1.0';
    readonly info: { readonly [member: string]: unknown };
    readonly paths: { readonly [member: string]: unknown };
    readonly components: { readonly [member: string]: unknown };
    readonly [member: string]: unknown;
  };
  readonly openOrder: OpenedDelivery;
  readonly pauseCapabilityListing: CapabilityListingWritten;
  readonly pauseInfoListing: InfoListingWritten;
  readonly pauseLease: LeaseWritten;
  readonly pauseTaskListing: TaskListingWritten;
  readonly readiness: {
    readonly status: 'ready' | 'degraded';
    /** What is wrong, in sentences; empty when ready. */
    readonly reasons: readonly string[];
    /** What an acknowledged write has survived by then. */
    readonly durability?: string;
  };
  readonly redeliverEvent: Delivery;
  readonly refundEscrow: EscrowTransfer;
  readonly registerCapability: RegisteredCapability;
  readonly registerController: Registration;
  readonly rejectBid: TaskBidWritten;
  readonly rejectContract: MilestoneWritten;
  readonly rejectTaskOrder: TaskOrderWritten;
  readonly releaseEscrow: EscrowTransfer;
  readonly removeCapabilityListing: CapabilityListingWritten;
  readonly removeInfoListing: InfoListingWritten;
  readonly removeTaskListing: TaskListingWritten;
  readonly resolveContract: ContractWritten;
  readonly resolveDispute: DisputeWritten;
  readonly resolveOrder: InfoOrderWritten | TaskOrderWritten;
  readonly resumeCapabilityListing: CapabilityListingWritten;
  readonly resumeInfoListing: InfoListingWritten;
  readonly resumeLease: LeaseWritten;
  readonly resumeTaskListing: TaskListingWritten;
  readonly reviewInfoOrder: InfoOrderWritten;
  readonly reviewTaskOrder: TaskOrderWritten;
  readonly revokeApiKey: ApiKey;
  readonly revokeOwnApiKey: ApiKey;
  readonly rotateWebhookSecret: CreatedWebhook;
  readonly searchMarkets: MarketSearchResult;
  readonly signContract: ContractWritten;
  readonly startAudit: AuditRun;
  readonly submitContract: MilestoneWritten;
  readonly terminateContract: ContractWritten;
  readonly terminateLease: LeaseWritten;
  readonly testWebhook: Delivery;
  readonly transfer: TransferResult;
  readonly unfreezeAccount: BalanceBySystem;
  readonly unlockIdentity: Replies['lockIdentity'];
  readonly updateCapabilityListing: CapabilityListingWritten;
  readonly updateContract: ContractWritten;
  readonly updateIdentity: IdentityWritten;
  readonly updateInfoListing: InfoListingWritten;
  readonly updateTaskListing: TaskListingWritten;
  readonly withdraw: TransferResult;
  readonly withdrawBid: TaskBidWritten;
  readonly withdrawFees: Replies['claimFaucet'];
}
