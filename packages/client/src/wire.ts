/** Generated from docs/generated/openapi.json by `npm run generate`: types of what the API takes and answers. */

export interface AcceptBidRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
  /** An id of your choice. */
  readonly orderId?: string;
}

export interface ActivateContractRequest {
  /** Tokens to lock: `payment.totalAmount`, or at least the sum of the milestones. */
  readonly amount: number;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface ActivityPoint {
  /** End of the interval; epoch milliseconds. */
  readonly measuredAt: number;
  /** Answers per second. */
  readonly requests: number;
  /** Answers per second with a status of 500 and above. */
  readonly failures: number;
  /** Entries committed per second. */
  readonly entries: number;
  /** Milliseconds; null if there were no replies. */
  readonly p50Ms: number | null;
  /** Milliseconds; null if there were no replies. */
  readonly p99Ms: number | null;
  /** Number of the newest entry. */
  readonly height: number;
  /** Operations that are committed but not settled. */
  readonly lag: number;
}

export interface AdminAct {
  /** Id of the act. */
  readonly id: string;
  /** When it was done; epoch milliseconds. */
  readonly createdAt: number;
  /** Dotted: `api-key.create`, `account.freeze`, `identity.unlock`. */
  readonly act: string;
  /** Id of the API key, or the origin of the act: `cli`, `control`, an address. */
  readonly by: string;
  /** What the act was about; contains no secrets. */
  readonly details: { readonly [member: string]: unknown };
  /** `begun`: the act is in progress, it failed, or the process ended before it recorded the outcome. */
  readonly outcome: 'begun' | 'done';
}

export interface ApiKey {
  /** Id of the key, which is not the key itself. */
  readonly id: string;
  /** The creator’s description of the key; may be empty. */
  readonly label: string;
  /** What the key may do: `admin` includes `write`, which includes `read`. */
  readonly scope: 'read' | 'write' | 'admin';
  /** The first characters of the key, by which you can recognise it. */
  readonly prefix: string;
  /** `active`; `revoked`, permanently; or `expired`. */
  readonly status: 'active' | 'revoked' | 'expired';
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; null if never. */
  readonly expiresAt: number | null;
  /** Whether it is active, and expires within 14 days. */
  readonly expiresSoon: boolean;
  /** Epoch milliseconds, to the minute; null if not yet used. */
  readonly lastUsedAt: number | null;
  /** Quotas of this key, in requests per minute. */
  readonly limits: {
    /** Reads per minute. */
    readonly reads?: number;
    /** Writes per minute. */
    readonly writes?: number;
  } | null;
  /** The DID for which the key reads and signs. */
  readonly did?: string;
}

export interface ApproveContractRequest {
  /** 1 to 5 stars. */
  readonly rating?: number;
  /** What you say about it. */
  readonly feedback?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface AuditReport {
  /** Version of the format. */
  readonly v: 1;
  /** Type of the document. */
  readonly type: 'audit-report';
  /** Id of the audit. */
  readonly id: string;
  /** The node that audited; its key signs the report. */
  readonly node: string;
  /** Network of the node: devnet, testnet or mainnet. */
  readonly network: string;
  /** `unfinished`: the audit did not reach a result; `note` says why. */
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  /** When it began; epoch milliseconds. */
  readonly startedAt: number;
  /** When it ended; epoch milliseconds. Null while it runs. */
  readonly finishedAt: number | null;
  /** Number of entries that were checked and found valid. */
  readonly checked: number;
  /** How many of them, from the first, an earlier audit of the node had verified: of these only the hashes were compared. 0 while it runs. */
  readonly known: number;
  /** Number of entries in the journal. */
  readonly total: number;
  /** Totals of the checked entries; null until it is finished. */
  readonly journal: {
    /** Number of resources that the checked entries created. */
    readonly resources: number;
    /** Number of accounts that the checked entries changed. */
    readonly accounts: number;
    /** Tokens that exist. */
    readonly supply: number;
    /** `chainHash` of the last entry checked. */
    readonly head: string;
    /** Erased texts, which cannot be compared with their hashes any more. */
    readonly erased: number;
  } | null;
  /** The first violation; null if there is none. */
  readonly flaw: {
    /** Number of the invalid entry; 0 if the violation concerns no single entry. */
    readonly seq: number;
    /** Hash of its event; null if no event can be read. */
    readonly eventHash: string | null;
    /** The check that failed. For an entry: its place in the chain, its form, a hash, the signature, its place among the events of its signer and resources, the replay of its step, or the index that leads to it. For the whole journal: its end, what the store derived from the entries, receipts, sums, or the settlement on chain. */
    readonly check: 'file' | 'chain' | 'version' | 'form' | 'hash' | 'signature' | 'sequence' | 'replay' | 'index' | 'text' | 'head' | 'projection' | 'receipts' | 'sums' | 'search' | 'settlement';
    /** What is wrong, in a sentence. */
    readonly what: string;
  } | null;
  /** What could not be checked, and why. */
  readonly note: string | null;
  /** The chain that the journal was compared with; null if there is no chain. */
  readonly chain: {
    /** Chain id (EIP-155). */
    readonly chainId: number;
    /** The block at which the chain was read. */
    readonly blockNumber: number;
    /** Number of operations that the chain has settled. */
    readonly settled: number;
    /** Number of entries that are anchored on the chain. */
    readonly anchored: number;
    /** Number of anchors of these entries. */
    readonly anchors: number;
    /** Tokens in the vault. */
    readonly holdings: number;
    /** Of these, the Tokens of accounts, escrows and fees. */
    readonly owed: number;
  } | null;
  /** Ed25519, base64url, over `svc:audit:v1:` and the RFC 8785 form without `sig`, or its SHA-256 if longer than 1 KiB. */
  readonly sig: string;
}

export interface AuditRun {
  /** `unfinished`: the audit did not reach a result; `note` says why. */
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  /** When it began; epoch milliseconds. */
  readonly startedAt: number;
  /** When it ended; epoch milliseconds. Null while it runs. */
  readonly finishedAt: number | null;
  /** Number of entries that were checked and found valid. */
  readonly checked: number;
  /** How many of them, from the first, an earlier audit of the node had verified: of these only the hashes were compared. 0 while it runs. */
  readonly known: number;
  /** Number of entries in the journal. */
  readonly total: number;
  /** Totals of the checked entries; null until it is finished. */
  readonly journal: {
    /** Number of resources that the checked entries created. */
    readonly resources: number;
    /** Number of accounts that the checked entries changed. */
    readonly accounts: number;
    /** Tokens that exist. */
    readonly supply: number;
    /** `chainHash` of the last entry checked. */
    readonly head: string;
    /** Erased texts, which cannot be compared with their hashes any more. */
    readonly erased: number;
  } | null;
  /** The first violation; null if there is none. */
  readonly flaw: {
    /** Number of the invalid entry; 0 if the violation concerns no single entry. */
    readonly seq: number;
    /** Hash of its event; null if no event can be read. */
    readonly eventHash: string | null;
    /** The check that failed. For an entry: its place in the chain, its form, a hash, the signature, its place among the events of its signer and resources, the replay of its step, or the index that leads to it. For the whole journal: its end, what the store derived from the entries, receipts, sums, or the settlement on chain. */
    readonly check: 'file' | 'chain' | 'version' | 'form' | 'hash' | 'signature' | 'sequence' | 'replay' | 'index' | 'text' | 'head' | 'projection' | 'receipts' | 'sums' | 'search' | 'settlement';
    /** What is wrong, in a sentence. */
    readonly what: string;
  } | null;
  /** What could not be checked, and why. */
  readonly note: string | null;
  /** The chain that the journal was compared with; null if there is no chain. */
  readonly chain: {
    /** Chain id (EIP-155). */
    readonly chainId: number;
    /** The block at which the chain was read. */
    readonly blockNumber: number;
    /** Number of operations that the chain has settled. */
    readonly settled: number;
    /** Number of entries that are anchored on the chain. */
    readonly anchored: number;
    /** Number of anchors of these entries. */
    readonly anchors: number;
    /** Tokens in the vault. */
    readonly holdings: number;
    /** Of these, the Tokens of accounts, escrows and fees. */
    readonly owed: number;
  } | null;
}

export interface Balance {
  /** The DID whose account it is. */
  readonly did: string;
  /** The account address: the other spelling of the DID. */
  readonly address: string;
  /** Tokens: `availableBalance` + `reserved` + `escrowed`. */
  readonly balance: number;
  /** Tokens that you can spend now. */
  readonly availableBalance: number;
  /** Tokens that unfunded escrows hold. */
  readonly reserved: number;
  /** Tokens that funded escrows hold. */
  readonly escrowed: number;
  /** The same as `availableBalance`. */
  readonly available: number;
  /** Always 0: you can spend received Tokens at once. */
  readonly pending: 0;
  /** Tokens that escrows hold: `reserved` + `escrowed`. */
  readonly locked: number;
  /** Whether an operator has frozen the account. */
  readonly frozen: boolean;
  /** Nonce of the DID's last event; 0 before the first. */
  readonly nonce: number;
  /** The `nonce` of the DID's next signed write. */
  readonly nextNonce: number;
  /** Hash of the DID's last event; null before the first. */
  readonly prev: string | null;
  /** Number of the newest entry that this view includes; 0 before the first. */
  readonly seq: number;
}

export type BalanceBySystem = Balance & SystemFields;

export interface BatchRequest {
  /** Signed writes, and signed events for `/api/v1/events`. */
  readonly items: readonly {
    /** The path that the write alone would be posted to: `/api/v1/transfers`. */
    readonly path: string;
    /** Its `Idempotency-Key`. */
    readonly idempotencyKey?: string;
    /** Its body. */
    readonly body: { readonly [member: string]: unknown };
  }[];
}

export interface BuyerSellerReview {
  /** Who wrote it. */
  readonly role: 'buyer' | 'seller';
  /** 1 to 5 stars. */
  readonly rating: number;
  /** The reviewer’s comment; null if there is none. */
  readonly comment: string | null;
  /** Further details from the reviewer; null if there are none. */
  readonly aspects: { readonly [member: string]: unknown } | null;
  /** When it was written; epoch milliseconds. */
  readonly createdAt: number;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

export interface CancelEscrowRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

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
  /** The capability; `id`, if present, is the DID. */
  readonly credentialSubject: { readonly [member: string]: unknown };
  /** W3C Data Integrity proof; the node adds one if it is missing. */
  readonly proof: {
    /** Kind of the proof. */
    readonly type: 'DataIntegrityProof';
    /** How the signature is computed. */
    readonly cryptosuite: 'eddsa-jcs-2022';
    /** The key, as `<DID>#<key>`. */
    readonly verificationMethod: string;
    /** Purpose of the proof. */
    readonly proofPurpose: 'assertionMethod';
    /** Signature, multibase base58btc. */
    readonly proofValue: string;
    readonly [member: string]: unknown;
  };
  /** The context of the credential, unchanged. */
  readonly '@context'?: unknown;
  readonly [member: string]: unknown;
}

export interface CapabilityListing {
  /** Id of the listing. */
  readonly listingId: string;
  /** The same as `listingId`. */
  readonly id: string;
  /** info, task or capability. */
  readonly marketType: string;
  /** The same as `marketType`. */
  readonly type: string;
  /** DID that published it. */
  readonly seller: string;
  /** Title of the listing. */
  readonly title: string | null;
  /** Full description of the offer or request. */
  readonly description: string | null;
  /** Category that searches can filter by. */
  readonly category: string;
  /** Words that searches can filter by. */
  readonly tags: readonly string[];
  /** The price; `currency` is TOKEN. */
  readonly pricing: {
    /** Kind of payment, a word of your choice; for leases `pay_per_use`, `credits`, `time_based` or `subscription`. */
    readonly type?: string;
    /** Always TOKEN. */
    readonly currency?: 'TOKEN';
    /** Tokens for one unit; 0: free. */
    readonly price?: number;
    /** The same as `price`. */
    readonly fixedPrice?: number;
    /** The same as `price`. */
    readonly amount?: number;
    /** The same as `price`: the requester’s budget for a task. */
    readonly budget?: number;
    /** Bounds within which a unit price is agreed, instead of `price`. */
    readonly priceRange?: {
      /** The lowest price, in Tokens. */
      readonly min: number;
      /** The highest price, in Tokens. */
      readonly max: number;
    };
    /** Price by use. */
    readonly usagePrice?: {
      /** Name of the unit, a word of your choice, such as `call`. */
      readonly unit: string;
      /** Tokens for each. */
      readonly pricePerUnit: number;
    };
    /** Price by time. */
    readonly subscriptionPrice?: {
      /** Length of a period; a month has 30 days, a year 365. */
      readonly period: 'hour' | 'day' | 'week' | 'month' | 'year';
      /** Tokens for each period. */
      readonly price: number;
    };
    /** Whether the price is negotiable. For readers only: it has no effect. */
    readonly negotiable?: boolean;
  };
  /** The current status, which takes `expiresAt` into account. */
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  /** Only the owner can see a private listing. */
  readonly visibility: 'public' | 'private';
  /** Orders and ratings so far. */
  readonly stats: ListingStats;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Null if never. */
  readonly expiresAt: number | null;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** Type of capability, a word of your choice. */
  readonly capabilityType: string;
  /** What the capability can do, in members of your choice. */
  readonly capability: { readonly [member: string]: unknown } | null;
  /** The usage limit of each lease. */
  readonly quota: {
    /** The most calls in a period; default: no limit. */
    readonly maxCalls?: number;
    /** The most units in a period; default: no limit. */
    readonly maxUnits?: number;
    /** How long a limit lasts, from the start of the lease on; a month has 30 days. Default total: the whole lease. */
    readonly period?: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'quarter' | 'total';
    /** Further limits of the same form, which also apply. */
    readonly limits?: readonly {
      /** The most calls in a period; default: no limit. */
      readonly maxCalls?: number;
      /** The most units in a period; default: no limit. */
      readonly maxUnits?: number;
      /** How long a limit lasts, from the start of the lease on; a month has 30 days. Default total: the whole lease. */
      readonly period?: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'quarter' | 'total';
    }[];
  };
  /** How to call the capability, in members of your choice. */
  readonly access: {
    /** Method of access, a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** Why the operator of this node hides it: only its seller and those who have dealt see it. */
  readonly hidden?: string;
  /** Units left; if absent, unlimited. */
  readonly stock?: number;
  /** Who records the calls of a lease; default: the lessee. */
  readonly meteredBy?: 'lessee' | 'lessor';
  /** Any other data; the node stores it unchanged. */
  readonly metadata?: { readonly [member: string]: unknown } | null;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** DID of the home that it belongs to; absent: it is this node’s own. */
  readonly home?: string;
  /** Of another home’s: up to when this node has read that home’s feed, epoch milliseconds, or when the home was asked; absent before the first checkpoint. */
  readonly asOf?: number;
}

export type CapabilityListingWritten = CapabilityListing & WriteFields;

/** `facets` only with `includeFacets=true`, over the whole result. */
export interface CapabilityMarketSearchResult {
  /** The elements of this page. */
  readonly listings: readonly CapabilityListing[];
  /** Number of elements in the whole list. */
  readonly total: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface CategoryPrice {
  /** Market of the listings: `info`, `task` or `capability`. */
  readonly market: string;
  /** The category under which the listings were published. */
  readonly category: string;
  /** What the price is for, as the leases say; null: one unit of goods, or a task. */
  readonly unit: string | null;
  /** Trades at these prices. */
  readonly trades: number;
  /** Average of the trades, rounded; Tokens. */
  readonly average: number;
}

/** One record of the journal: an event and everything that follows from it. */
export interface CheckedEntry {
  /** Number in the journal: from 1, without gaps. */
  readonly seq: number;
  readonly event: Event;
  /** DID of the node that sequenced it. */
  readonly home: string;
  /** The node’s clock, epoch milliseconds: never decreasing, but for a `clock.corrected`. */
  readonly time: number;
  /** Version of the definition that decided, and of the workflow behind a `+`. */
  readonly law: string;
  /** The new version of each resource that it changed. */
  readonly versions: readonly {
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** 1 for the creation, then without gaps. */
    readonly version: number;
    /** Hash of the resource’s previous event; null at its creation. */
    readonly prev: string | null;
    /** The definition version under which it was accepted. */
    readonly machine: string;
    /** States gone through: `["created", "funded"]`. */
    readonly path: readonly string[];
    /** The event at each state of `path`, if the request was about another resource. */
    readonly via?: readonly string[];
    /** SHA-256 of the RFC 8785 form of `{ context, sealed, state }` after it, hex: the public members of the context, and the salted hash of the others. */
    readonly stateHash: string;
  }[];
  /** Resources that the decision depends on but does not write, in order of kind and id. */
  readonly reads: readonly {
    /** Kind of the resource. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** Version that was read; 0 if it did not exist. */
    readonly version: number;
  }[];
  /** Accounts debited in `available`, frozen or unfrozen, at their new version. */
  readonly accounts: readonly {
    /** A DID, or `fees`. */
    readonly did: string;
    /** Counts its debits and freezes, from 1. */
    readonly version: number;
  }[];
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
  /** How Tokens moved, in this order. */
  readonly moves: readonly Move[];
  /** What each account gained or lost; they sum to zero. */
  readonly postings: readonly (readonly [string, number])[];
  /** SHA-256 of the RFC 8785 form of the immutable part, hex. */
  readonly entryHash: string;
  /** `chainHash` of the entry before; zeros before the first. */
  readonly prevEntry: string;
  /** SHA-256 of `svc:journal:v1:<seq>:<prevEntry>:<entryHash>`, hex. */
  readonly chainHash: string;
  /** Proof of settlement; null without one. */
  readonly receipt: Receipt | null;
  /** The request, with those members of its input that the caller may see. */
  readonly payload?: {
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** The action that was asked for: `release`. */
    readonly action: string;
    /** The input of the action; null in the place of an erased text. */
    readonly input: { readonly [member: string]: unknown };
    /** Ids of further resources, by their part. */
    readonly ids?: { readonly [name: string]: string };
  };
  /** The erasable texts in `payload.input`, by JSON pointer: what the signed payload has in their place. */
  readonly leaves?: { readonly [name: string]: Leaf };
  /** Members of `payload.input` that only its readers see. */
  readonly confidential?: readonly string[];
  /** Salt of the hash of the confidential members, for their readers. */
  readonly salt?: string;
  /** Salted hash of the confidential members, for callers that do not see them. */
  readonly sealed?: string;
  /** Members that the node cannot show to anyone because its database is damaged; absent: none. */
  readonly unreadable?: readonly ('payload' | 'receipt')[];
  /** Of another home’s: up to when this node has read that home’s feed, epoch milliseconds, or when the home was asked; absent before the first checkpoint. */
  readonly asOf?: number;
  /** Of another home’s: what this node has found in it. */
  readonly checked?: {
    /** What is wrong with it: do not believe it. Null: nothing that this node can see. */
    readonly violation: string | null;
    /** Whether it was verified. False for a part of a proof, or one with over 100 entries. */
    readonly isWhole: boolean;
    /** Entries of it that are in the journal which this node follows. It remembers the newest ones only. */
    readonly followed: number;
    /** The signed checkpoint of the home up to which this node follows it. */
    readonly checkpoint: { readonly [member: string]: unknown } | null;
  };
}

export interface Checkpoint {
  /** The home whose journal the checkpoint is about. */
  readonly home: string;
  /** Its network: devnet, testnet or mainnet. */
  readonly network: string;
  /** Number of the newest entry of the journal. */
  readonly seq: number;
  /** `chainHash` of that entry. */
  readonly chainHash: string;
  /** The home’s clock, epoch milliseconds. */
  readonly time: number;
  /** Ed25519 by the home’s key, over `svc:checkpoint:v1:` and the RFC 8785 form of the other members. */
  readonly sig: string;
}

export interface CitedRule {
  /** Id of the rule, which `ruleId` names. */
  readonly id: string;
  /** Any other type: the request must name the rule. */
  readonly type: string;
  /** Whether `evidence` is required too. */
  readonly requiresEvidence?: boolean;
  /** Whether `reason` is required too. */
  readonly requiresReason?: boolean;
  readonly [member: string]: unknown;
}

export interface CitedRuleInput {
  /** Id of the rule, which `ruleId` names; default: `rule-1`, `rule-2`, … */
  readonly id?: string;
  /** Whether `evidence` is required too. */
  readonly requiresEvidence?: boolean;
  /** Whether `reason` is required too. */
  readonly requiresReason?: boolean;
  /** Any other word, unless it is nearly one of those above (`Time`, `signatures`): the rule is satisfied if the depositor or the arbiter names it. */
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface ClaimFaucetRequest {
  /** Who gets the Tokens: a DID or an address. */
  readonly did?: string;
  /** The same as `did`. */
  readonly address?: string;
  /** Not read: no proof is needed to be given Tokens. */
  readonly signature?: string;
  /** Not read, as `signature`. */
  readonly timestamp?: number | string;
}

export interface CollectMove {
  /** The operation. */
  readonly op: 'collect';
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
}

export interface CompleteContractRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface ConfiguredVariable {
  /** Name of the variable: `SVC_PORT`. */
  readonly name: string;
  /** `set` for a secret; null if it has no value. */
  readonly value: string | null;
  /** Where the value comes from. `file`: the data directory’s `node.json`, or SVC_STORE_FILE; `flag`: the command line. */
  readonly from: 'default' | 'file' | 'environment' | 'flag';
}

export interface ConfirmInfoOrderRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
  /** The order. Default: the signer’s only order on the listing that is waiting for this action. */
  readonly orderId?: string;
}

export interface ConfirmTaskOrderRequest {
  /** The submission to decide about, which must be the newest. Default: the newest. */
  readonly submissionId?: string;
  /** What you say about it. */
  readonly feedback?: string;
  /** `false` rejects it; default true. */
  readonly approved?: boolean;
  /** The delivery that you mean: the node refuses the request if it is not that of the newest submission. */
  readonly delivery?: {
    /** Its envelope, as the order shows it. */
    readonly envelope?: { readonly [member: string]: unknown };
    /** Its content in base64, which is compared with `contentHash`. */
    readonly content?: string;
  };
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
  /** Default: the order of the task. */
  readonly orderId?: string;
}

export interface ConsentContractRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface Contract {
  /** Id of the contract. */
  readonly contractId: string;
  /** The same as `contractId`. */
  readonly id: string;
  /** State in the life cycle. */
  readonly state: 'draft' | 'signed' | 'active' | 'completed' | 'terminated' | 'disputed';
  /** The status that lists filter by: signed is draft, terminated is cancelled. */
  readonly status: 'draft' | 'active' | 'completed' | 'disputed' | 'cancelled';
  /** DID that orders and pays. */
  readonly client: string;
  /** DID that does the work. */
  readonly provider: string;
  /** Client and provider. */
  readonly parties: readonly {
    /** DID of the party. */
    readonly did: string;
    /** Which party it is. */
    readonly role: 'client' | 'provider';
  }[];
  /** DID that decides disputes: `terms.arbiter`, or else the network’s arbiter. */
  readonly arbiter: string | null;
  /** The agreed terms. Only the parties and the arbiter can see it. */
  readonly terms?: { readonly [member: string]: unknown };
  /** Salt of `termsHash`, hex. Only the parties and the arbiter can see it. */
  readonly salt?: string;
  /** What the client pays; null if not stated. */
  readonly payment: {
    /** Tokens. */
    readonly totalAmount?: number;
    readonly [member: string]: unknown;
  } | null;
  /** Parts of the work that are paid separately. */
  readonly milestones: readonly Milestone[];
  /** SHA-256 of the RFC 8785 form of `{ milestones: [{ id, title, description, amount, criteria, deadline }], parties, payment, salt, terms }`, with the leaves of texts (getMachineState): what is signed. */
  readonly termsHash: string;
  /** Signatures of the parties. */
  readonly signatures: readonly {
    /** DID of the party. */
    readonly did: string;
    /** Which party it is. */
    readonly role: 'client' | 'provider';
    /** Ed25519 over `svc:contract:v2:<network>:<home>:<contractId>:<termsHash>`. */
    readonly signature: string;
    /** The `termsHash` that was signed. */
    readonly termsHash: string;
    /** The same as `did`. */
    readonly signer: string;
    /** When it was signed; epoch milliseconds. */
    readonly signedAt: number;
  }[];
  /** When the last party signed; null until then. */
  readonly signedAt: number | null;
  /** When it was completed; null until then. */
  readonly completedAt: number | null;
  /** `terms.deadline`: from then on the client may terminate. */
  readonly deadline: number | null;
  /** Tokens that activation locked; 0 before it. */
  readonly amount: number;
  /** Of these, Tokens paid to the provider. */
  readonly released: number;
  /** Of these, Tokens returned to the client. */
  readonly refunded: number;
  /** Still locked: `amount` - `released` - `refunded`. */
  readonly remaining: number;
  /** The escrow that holds its Tokens; null before it is active. */
  readonly escrowId: string | null;
  /** The open dispute. */
  readonly disputeId: string | null;
  /** Whether the provider allows the client to terminate. */
  readonly consented: boolean;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** While `active`: ongoing, or the provider lets the client terminate. */
  readonly substate?: 'ongoing' | 'consented';
  /** What is agreed, in a line: `terms.title`, else the title of the only milestone; absent if there is neither. Only the parties and the arbiter can see it. */
  readonly title?: string | null;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
}

export type ContractDispute = Dispute & WriteFields & {
  /** Id of the contract. */
  readonly contractId: string;
  /** The contract after it. */
  readonly contract: ContractWritten;
};

export type ContractWritten = Contract & WriteFields;

export interface CreateApiKeyRequest {
  /** Your description. */
  readonly label?: string;
  /** What the key may do: `admin` includes `write`, which includes `read`. */
  readonly scope: 'read' | 'write' | 'admin';
  /** DID for which the key reads and signs; default: none. */
  readonly did?: string;
  /** When it expires: ISO 8601 with an offset, or epoch milliseconds. Default: never. */
  readonly expiresAt?: number | string | null;
  /** Quotas of this key; default: those of all keys. */
  readonly limits?: {
    /** Reads per minute. */
    readonly reads?: number;
    /** Writes per minute. */
    readonly writes?: number;
  } | null;
}

/** Also accepted: `amount` for `price`, `message` for `approach`. */
export interface CreateBidRequest {
  /** Tokens for the whole task. */
  readonly price: number;
  /** When you would deliver, as free text. */
  readonly timeline?: unknown;
  /** How you would do it. */
  readonly approach?: string;
  /** Further details of the offer, in a form of your choice. */
  readonly proposal?: unknown;
  /** Must be null, because the resource has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of your choice. */
  readonly bidId?: string;
}

export interface CreateCapabilityListingRequest {
  /** Any other data; the node stores it unchanged. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Title of the listing. Searches match it. */
  readonly title: string;
  /** Full description of the offer or request. */
  readonly description: string;
  /** A category of your choice that searches can filter by. */
  readonly category: string;
  /** Words that searches can filter by. */
  readonly tags?: readonly string[];
  /** The price, in at least one form. Also accepted: `basePrice` for `price`, `model` for `type`. */
  readonly pricing: PricingInput;
  /** Number of units; default: unlimited. */
  readonly stock?: number;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When the listing expires: ISO 8601 with an offset, or epoch milliseconds. Default: never. */
  readonly expiresAt?: number | string;
  /** Type of capability, a word of your choice. */
  readonly capabilityType: string;
  /** What the capability can do, in members of your choice. */
  readonly capability: { readonly [member: string]: unknown };
  /** The usage limit of each lease. */
  readonly quota: QuotaInput;
  /** How to call the capability, in members of your choice. */
  readonly access: {
    /** Method of access, a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** Who records the calls of a lease; default: the lessee. */
  readonly meteredBy?: 'lessee' | 'lessor';
  /** Must be null, because the resource has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of your choice. */
  readonly listingId?: string;
}

/** Also accepted: `arbiter` for `terms.arbiter`. */
export interface CreateContractRequest {
  /** DID that does the work. */
  readonly provider: string;
  /** What was agreed; members that the node does not know are kept, and signed like the others. */
  readonly terms: TermsInput;
  /** What the client pays; members that the node does not know are kept, and signed like the others. */
  readonly payment?: PaymentInput;
  /** Parts of the work that are paid one by one; absent: it is paid as a whole. */
  readonly milestones?: readonly MilestoneInput[];
  /** Must be null, because the resource has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of your choice. */
  readonly contractId?: string;
}

export interface CreateEscrowRequest {
  /** DID or address that a release pays. */
  readonly beneficiary: string;
  /** Tokens. */
  readonly amount: number;
  /** The rules for a release, of which one must be satisfied. */
  readonly releaseRules: readonly RuleInput[];
  /** DID that may release and refund; default: none. */
  readonly arbiter?: string;
  /** The rules under which the depositor can take Tokens back. If absent or empty, the depositor can do so at any time. */
  readonly refundRules?: readonly RuleInput[];
  /** When the rest goes back to the depositor: ISO 8601 with an offset, or epoch milliseconds. Absent: never. */
  readonly expiresAt?: number | string;
  /** Whether to fund the escrow at once; default false. */
  readonly autoFund?: boolean;
  /** Must be null, because the resource has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of your choice. */
  readonly escrowId?: string;
}

export interface CreateIdentityRequest {
  /** The passphrase that encrypts the key in the keystore. You need it for each write. */
  readonly passphrase: string;
}

/** Also accepted: `contentFormat` for `content.format`. */
export interface CreateInfoListingRequest {
  /** Any other data; the node stores it unchanged. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Title of the listing. Searches match it. */
  readonly title: string;
  /** Full description of the offer or request. */
  readonly description: string;
  /** A category of your choice that searches can filter by. */
  readonly category: string;
  /** Words that searches can filter by. */
  readonly tags?: readonly string[];
  /** The price, in at least one form. Also accepted: `basePrice` for `price`, `model` for `type`. */
  readonly pricing: PricingInput;
  /** Number of units; default: unlimited. */
  readonly stock?: number;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When the listing expires: ISO 8601 with an offset, or epoch milliseconds. Default: never. */
  readonly expiresAt?: number | string;
  /** Type of information, a word of your choice. */
  readonly infoType: string;
  /** The content for sale. A text in its place is its `data`. */
  readonly content: {
    /** Media type: `text/csv`. */
    readonly format: string;
    /** Encoding of `data`: utf8 (default), base64 or hex. For content that is stored elsewhere, any word. */
    readonly encoding?: string;
    /** The content. The node stores it encrypted, and never shows it unencrypted. */
    readonly data?: string;
    /** Bytes of the content. */
    readonly size?: number;
    /** Given: SHA-256 of the content. Shown where `data` came along: salted with what its key derives. */
    readonly hash?: string;
    /** A public sample. */
    readonly preview?: string;
  };
  /** How a buyer gets the content, in members of your choice. */
  readonly accessMethod: {
    /** Method of access, a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** The least time to deliver that a purchase must leave you, in milliseconds; default an hour, at most 7 days. */
  readonly minDeliveryMs?: number;
  /** What a buyer may do with the content, in members of your choice. */
  readonly license: LicenseInput;
  /** Must be null, because the resource has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of your choice. */
  readonly listingId?: string;
}

export interface CreateInfoOrderRequest {
  /** Units; default 1. */
  readonly quantity?: number;
  /** Tokens for one unit, if the listing has a range of prices. */
  readonly unitPrice?: number;
  /** The unit price that you expect. If the price differs, the node refuses the request and returns the current price. */
  readonly expectedPrice?: number;
  /** When an order that was not delivered is cancelled: an hour ahead (or the listing’s `minDeliveryMs`) to a year, ISO 8601 with an offset, or epoch milliseconds. */
  readonly deliverBy?: number | string;
  /** X25519 key to encrypt the content key for; default: the X25519 form of the DID’s own key. */
  readonly buyerPublicKeyHex?: string;
  /** Must be null, because the resource has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of your choice. */
  readonly orderId?: string;
}

/** Also accepted: `expiresAt` for `plan.endsAt`. */
export interface CreateLeaseRequest {
  /** The plan of the lease. Also accepted: members of `details`. */
  readonly plan: {
    /** How it is paid: by use (`pay_per_use`, `credits`) or by time (`time_based`, `subscription`); absent: as the listing offers. */
    readonly type?: 'pay_per_use' | 'credits' | 'time_based' | 'subscription';
    /** Paid by use: Tokens that all calls together may charge. */
    readonly budget?: number;
    /** The most units in one call; default 1,000. */
    readonly maxUnitsPerCall?: number;
    /** The most units of an hour, counted from the start; absent: no such limit where the lessee meters. */
    readonly maxUnitsPerHour?: number;
    /** Paid by use: when the lease ends, ISO 8601 with an offset or epoch milliseconds; default: after 30 days. */
    readonly endsAt?: number | string;
    /** Paid by time: number of periods to pay for; default 1. */
    readonly periods?: number;
    /** Tokens for one unit, if the listing has a range of prices. */
    readonly unitPrice?: number;
  };
  /** What the lessor needs to know to let you in. The node keeps it encrypted for the lessor’s key. */
  readonly credentials?: { readonly [member: string]: unknown };
  /** The price per unit or period that you expect. If the price differs, the node refuses the request and returns the current price. */
  readonly expectedPrice?: number;
  /** Must be null, because the resource has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of your choice. */
  readonly leaseId?: string;
}

export interface CreateOwnApiKeyRequest {
  /** Unlocks the key of the DID. */
  readonly passphrase: string;
  /** Your description. */
  readonly label?: string;
  /** What it may do; default `read`. `write` includes `read`. */
  readonly scope?: 'read' | 'write';
  /** When it expires: ISO 8601 with an offset, or epoch milliseconds. Default: after 90 days. */
  readonly expiresAt?: number | string | null;
}

export interface CreateReviewRequest {
  /** DID that the review is about; default: the DID in the path. */
  readonly target?: string;
  /** Dimension of the review. */
  readonly dimension: 'transaction' | 'fulfillment' | 'quality' | 'social' | 'behavior';
  /** 0 to 1000. */
  readonly score: number;
  /** Id of the finished order or contract between both. */
  readonly ref: string;
  /** Your comment. */
  readonly comment?: string;
  /** Further details, in members of your choice. */
  readonly aspects?: { readonly [member: string]: unknown };
  /** Null or absent, because the review has no event yet. */
  readonly resourcePrev?: string | null;
}

export interface CreateTaskListingRequest {
  /** Any other data; the node stores it unchanged. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Title of the listing. Searches match it. */
  readonly title: string;
  /** Full description of the offer or request. */
  readonly description: string;
  /** A category of your choice that searches can filter by. */
  readonly category: string;
  /** Words that searches can filter by. */
  readonly tags?: readonly string[];
  /** The price, in at least one form. Also accepted: `basePrice` for `price`, `model` for `type`. */
  readonly pricing: PricingInput;
  /** Number of units; default: unlimited. */
  readonly stock?: number;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When the listing expires: ISO 8601 with an offset, or epoch milliseconds. Default: never. */
  readonly expiresAt?: number | string;
  /** Type of task, a word of your choice. */
  readonly taskType: string;
  /** The work to do, in members of your choice; searches find its `skills`. */
  readonly task: {
    /** Required skills: words, or objects with a `name`. */
    readonly skills?: unknown;
    readonly [member: string]: unknown;
  };
  /** When it is due. */
  readonly timeline: TimelineInput;
  /** Required skills, as words that searches can filter by. */
  readonly skills?: readonly string[];
  /** Rules of the bidding. Also accepted: `bidDeadline` for `closesAt`. */
  readonly bidding?: {
    /** When bidding ends: ISO 8601 with an offset, or epoch milliseconds. Absent: `timeline.bidDeadline`. */
    readonly closesAt?: number | string;
    /** The most bids, withdrawn ones included; default 100. */
    readonly maxBids?: number;
  };
  /** Must be null, because the resource has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of your choice. */
  readonly listingId?: string;
}

export interface CreateWebhookRequest {
  /** Where to post to: http or https. */
  readonly url: string;
  /** Your description. */
  readonly label?: string;
  /** Only these [types of events](/guide/generated.events): `escrow.released`, `escrow.*`. Default: all. */
  readonly types?: readonly string[];
  /** Only entries that change a resource of these kinds. Default: all. */
  readonly kinds?: readonly string[];
  /** Only entries that this DID or address signed, or that moved its Tokens. */
  readonly did?: string;
  /** Only entries that change this resource: `<kind>/<id>`. */
  readonly resource?: string;
  /** The secret that signs deliveries; default: the node creates one. */
  readonly secret?: string;
  /** The number of the entry after which to begin; default: the newest. */
  readonly after?: number;
}

export interface CreatedApiKey {
  /** Id of the key, which is not the key itself. */
  readonly id: string;
  /** The creator’s description of the key; may be empty. */
  readonly label: string;
  /** What the key may do: `admin` includes `write`, which includes `read`. */
  readonly scope: 'read' | 'write' | 'admin';
  /** The first characters of the key, by which you can recognise it. */
  readonly prefix: string;
  /** `active`; `revoked`, permanently; or `expired`. */
  readonly status: 'active' | 'revoked' | 'expired';
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; null if never. */
  readonly expiresAt: number | null;
  /** Whether it is active, and expires within 14 days. */
  readonly expiresSoon: boolean;
  /** Epoch milliseconds, to the minute; null if not yet used. */
  readonly lastUsedAt: number | null;
  /** Quotas of this key, in requests per minute. */
  readonly limits: {
    /** Reads per minute. */
    readonly reads?: number;
    /** Writes per minute. */
    readonly writes?: number;
  } | null;
  /** The key; shown only once, null in a replay. */
  readonly key: string | null;
  /** The DID for which the key reads and signs. */
  readonly did?: string;
}

export interface CreatedWebhook {
  /** Id of the webhook. */
  readonly id: string;
  /** Where deliveries are posted to. */
  readonly url: string;
  /** The creator’s description of the webhook; may be empty. */
  readonly label: string;
  /** `disabled`: the node delivers nothing until you enable the webhook. */
  readonly status: 'active' | 'disabled';
  /** Why it is disabled. */
  readonly reason: string | null;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Epoch milliseconds until which deliveries have a second signature, by the previous secret; null if there is none. */
  readonly previousSecretUntil: number | null;
  /** Number of the entry up to which every event is delivered, given up, or excluded by the filters. */
  readonly deliveredUpTo: number;
  /** Deliveries that have failed and will be tried again. */
  readonly waiting: number;
  /** Epoch milliseconds since when all deliveries fail; null if they succeed. */
  readonly failingSince: number | null;
  /** Epoch milliseconds of the last successful delivery; null if there is none yet. */
  readonly deliveredAt: number | null;
  /** The secret that signs deliveries; shown only once, null in a replay. */
  readonly secret: string | null;
  /** Types of events: `escrow.released`, `escrow.*`. */
  readonly types?: readonly string[];
  /** Kinds of resources that the entry wrote. */
  readonly kinds?: readonly string[];
  /** DID that signed the event, or whose Tokens moved. */
  readonly did?: string;
  /** `<kind>/<id>` */
  readonly resource?: string;
}

export interface DeliverInfoOrderRequest {
  /** Key of the content, 32 bytes in hex; absent: the one that the node keeps for the seller. */
  readonly contentKeyHex?: string;
  /** The buyer’s X25519 key, as a check: it must be the key of the order. */
  readonly buyerPublicKeyHex?: string;
  /** An access token. The node encrypts it for the buyer. */
  readonly accessToken?: string;
  /** URL of the content. The node encrypts it for the buyer. */
  readonly accessUrl?: string;
  /** Until when what it opens is there: ISO 8601 with an offset, or epoch milliseconds. Absent: for good. */
  readonly expiresAt?: number | string;
  /** Further details of the delivery, in members of your choice. */
  readonly deliveryData?: {
    /** A deliverable envelope, which the node completes and signs. */
    readonly envelope?: {
      /** Type of the deliverable. */
      readonly type: 'text' | 'data' | 'document' | 'code' | 'model' | 'binary' | 'stream' | 'composite' | 'other';
      /** Media type. */
      readonly format?: string;
      /** Name of the file. */
      readonly name?: string;
      /** SHA-256 of the content, hex; absent: the node hashes `transport.data`. */
      readonly contentHash?: string;
      /** Bytes of the content; absent: of `transport.data`. */
      readonly size?: number;
      /** How the content is delivered. */
      readonly transport?: {
        /** `inline`: in `data`; the others: at `uri`. */
        readonly method: 'inline' | 'external' | 'stream' | 'endpoint';
        /** Where the content is. */
        readonly uri?: string;
        /** The content itself, written as `encoding` says. */
        readonly data?: string;
        /** Encoding of `data`; default utf8. */
        readonly encoding?: 'utf8' | 'base64' | 'hex';
        readonly [member: string]: unknown;
      };
      /** Id of the envelope; default: the node creates one. */
      readonly id?: string;
      /** The order, or `<contract>/<milestone>`, that it is for; absent: this one. */
      readonly contextId?: string;
      /** DID that produced it; default: the signer. */
      readonly producer?: string;
      /** When it was made: ISO 8601 with an offset, or epoch milliseconds; absent: now. */
      readonly createdAt?: number | string;
      /** What the signature covers; absent: the node computes it. */
      readonly digest?: string;
      /** The producer’s Ed25519 signature of `svc:deliverable:v2:<network>:<home>:<digest>`, base64url; absent: the node signs. */
      readonly signature?: string;
      readonly [member: string]: unknown;
    };
    /** SHA-256 of the envelope; the node adds it. */
    readonly envelopeDigest?: string;
    readonly [member: string]: unknown;
  };
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
  /** The order. Default: the signer’s only order on the listing that is waiting for this action. */
  readonly orderId?: string;
  readonly [member: string]: unknown;
}

/** Also accepted: `submission` for `deliverables[]`, `message` for `notes`. */
export interface DeliverTaskOrderRequest {
  /** The deliverables: texts or objects of any form. May be `[]` where `delivery.envelope` is given. */
  readonly deliverables: readonly unknown[];
  /** Id of the submission; default: the node creates one. */
  readonly submissionId?: string;
  /** A note to the requester. */
  readonly notes?: string;
  /** A delivery whose form the node checks. */
  readonly delivery?: {
    /** A deliverable envelope, which the node completes and signs. */
    readonly envelope?: {
      /** Type of the deliverable. */
      readonly type: 'text' | 'data' | 'document' | 'code' | 'model' | 'binary' | 'stream' | 'composite' | 'other';
      /** Media type. */
      readonly format?: string;
      /** Name of the file. */
      readonly name?: string;
      /** SHA-256 of the content, hex; absent: the node hashes `transport.data`. */
      readonly contentHash?: string;
      /** Bytes of the content; absent: of `transport.data`. */
      readonly size?: number;
      /** How the content is delivered. */
      readonly transport?: {
        /** `inline`: in `data`; the others: at `uri`. */
        readonly method: 'inline' | 'external' | 'stream' | 'endpoint';
        /** Where the content is. */
        readonly uri?: string;
        /** The content itself, written as `encoding` says. */
        readonly data?: string;
        /** Encoding of `data`; default utf8. */
        readonly encoding?: 'utf8' | 'base64' | 'hex';
        readonly [member: string]: unknown;
      };
      /** Id of the envelope; default: the node creates one. */
      readonly id?: string;
      /** The order, or `<contract>/<milestone>`, that it is for; absent: this one. */
      readonly contextId?: string;
      /** DID that produced it; default: the signer. */
      readonly producer?: string;
      /** When it was made: ISO 8601 with an offset, or epoch milliseconds; absent: now. */
      readonly createdAt?: number | string;
      /** What the signature covers; absent: the node computes it. */
      readonly digest?: string;
      /** The producer’s Ed25519 signature of `svc:deliverable:v2:<network>:<home>:<digest>`, base64url; absent: the node signs. */
      readonly signature?: string;
      readonly [member: string]: unknown;
    };
    /** SHA-256 of the envelope; the node adds it. */
    readonly envelopeDigest?: string;
    readonly [member: string]: unknown;
  };
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
  /** Default: the order of the task. */
  readonly orderId?: string;
}

export interface Delivery {
  /** The same in each attempt: the header `Svc-Webhook-Id`. */
  readonly id: string;
  /** Of the event; `webhook.test` for a test. */
  readonly type: string;
  /** Number of the entry; null for a test. */
  readonly seq: number | null;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The result. A failed attempt is repeated. */
  readonly outcome: 'delivered' | 'failed' | 'given-up';
  /** HTTP status; null if no answer arrived. */
  readonly status: number | null;
  /** Why it failed. */
  readonly error: string | null;
  /** When it was sent; epoch milliseconds. */
  readonly sentAt: number;
  /** Milliseconds that the attempt took. */
  readonly durationMs: number;
}

export interface DepositMove {
  /** The operation. */
  readonly op: 'deposit';
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
  /** Number of the deposit on chain. */
  readonly ref: number;
}

export interface DidName {
  /** A DID. */
  readonly did: string;
  /** The name in its identity document. Two DIDs can have the same name. */
  readonly displayName: string | null;
  /** The other home whose feed shows this name; null if the name is known here. */
  readonly home: string | null;
  /** Its task for this node: `node` is the node’s own DID, `system` signs for the clock and the faucet, `arbiter` is the arbiter of the network. */
  readonly part: 'node' | 'system' | 'arbiter' | null;
}

export interface Dispute {
  /** Id of the dispute. */
  readonly disputeId: string;
  /** The same as `disputeId`. */
  readonly id: string;
  /** State of the dispute. */
  readonly status: 'open' | 'resolved';
  /** The contract or order that it is about. */
  readonly subject: {
    /** Its kind: `contract`. */
    readonly kind: string;
    /** Its id. */
    readonly id: string;
  };
  /** The escrow that holds the Tokens; null: none. */
  readonly escrowId: string | null;
  /** DID whose Tokens are locked. */
  readonly client: string;
  /** DID that a release pays. */
  readonly provider: string;
  /** DID that decides; null if there is none. */
  readonly arbiter: string | null;
  /** The party that opened it. */
  readonly openedBy: string;
  /** Subject of the dispute. */
  readonly reason: 'non_delivery' | 'quality' | 'deadline' | 'other';
  /** The problem, in the words of the party that opened the dispute. Only the parties and the arbiter can see it. */
  readonly description?: string | null;
  /** The evidence as given; a piece without a hash gets the hash of its content. Only the parties and the arbiter can see it. */
  readonly evidence?: readonly ({
    /** SHA-256 of the piece, hex. */
    readonly hash: string;
    readonly [member: string]: unknown;
  } | null)[];
  /** Tokens in question. */
  readonly amount: number;
  /** The outcome that either party may request after 60 days. */
  readonly fallback: 'refund' | 'release' | 'split';
  /** The newest proposal of each party. */
  readonly proposals: {
    /** The client’s proposal; null if there is none. */
    readonly client: Proposal | null;
    /** The provider’s proposal; null if there is none. */
    readonly provider: Proposal | null;
  };
  /** How it ended; null while it is open. */
  readonly resolution: 'release' | 'refund' | 'split' | 'resume' | null;
  /** Tokens that the provider got; null while it is open. */
  readonly providerPayment: number | null;
  /** Tokens that the client got back; null while it is open. */
  readonly clientRefund: number | null;
  /** Note to the decision. Only the parties and the arbiter can see it. */
  readonly note?: string | null;
  /** Who decided, or the party that agreed; null if the clock ended it. */
  readonly resolvedBy: string | null;
  /** When it ended; epoch milliseconds, null before. */
  readonly resolvedAt: number | null;
  /** From this time on the network’s arbiter may decide too. */
  readonly networkArbiterFrom: number;
  /** From this time on either party may request the fallback. For an order, the clock applies it. */
  readonly fallbackFrom: number;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** The contract that it is about; absent: an order. */
  readonly contractId?: string;
  /** The order that it is about; absent: a contract. */
  readonly orderId?: string;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** In reads: the present title of the listing or contract that it is about; absent where you may not see that, or the operator hides it. */
  readonly title?: string | null;
}

export interface DisputeContractRequest {
  /** Subject of the dispute. */
  readonly reason: 'non_delivery' | 'quality' | 'deadline' | 'other';
  /** Your description of the problem. */
  readonly description?: string;
  /** Pieces of evidence. */
  readonly evidence?: readonly unknown[];
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface DisputeOrderRequest {
  /** Subject of the dispute. */
  readonly reason: 'non_delivery' | 'quality' | 'deadline' | 'other';
  /** Your description of the problem. */
  readonly description?: string;
  /** Pieces of evidence. */
  readonly evidence?: readonly unknown[];
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export type DisputeWritten = Dispute & WriteFields;

export interface EnableWebhookRequest {
  /** Continue after this entry; absent: where it stopped. */
  readonly after?: number;
}

export interface EncryptedInfoContent {
  /** Id of the listing. */
  readonly listingId: string;
  /** Hash of the unencrypted content. */
  readonly contentHash: string | null;
  /** How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the content’s key (no salt, info `svc:content-salt:v1`), so that the content cannot be found by guessing. */
  readonly hashAlgorithm: 'SHA-256' | 'SHA-256-SALTED' | null;
  /** Bytes of the content. */
  readonly size: number | null;
  /** Media type. */
  readonly format: string;
  /** The encoding in which the content was given: utf8, base64 or hex. */
  readonly encoding: string | null;
  /** AES-256-GCM; null if this node does not store the content. */
  readonly algorithm: string | null;
  /** Nonce of AES-256-GCM, 12 bytes; null if this node does not store the content. */
  readonly nonceHex: string | null;
  /** The content, encrypted; null if this node does not store it. */
  readonly ciphertextHex: string | null;
  /** Tag of AES-256-GCM, 16 bytes; null if this node does not store the content. */
  readonly tagHex: string | null;
  /** When the listing was published; epoch milliseconds. */
  readonly createdAt: number;
}

/** One record of the journal: an event and everything that follows from it. */
export interface Entry {
  /** Number in the journal: from 1, without gaps. */
  readonly seq: number;
  readonly event: Event;
  /** DID of the node that sequenced it. */
  readonly home: string;
  /** The node’s clock, epoch milliseconds: never decreasing, but for a `clock.corrected`. */
  readonly time: number;
  /** Version of the definition that decided, and of the workflow behind a `+`. */
  readonly law: string;
  /** The new version of each resource that it changed. */
  readonly versions: readonly {
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** 1 for the creation, then without gaps. */
    readonly version: number;
    /** Hash of the resource’s previous event; null at its creation. */
    readonly prev: string | null;
    /** The definition version under which it was accepted. */
    readonly machine: string;
    /** States gone through: `["created", "funded"]`. */
    readonly path: readonly string[];
    /** The event at each state of `path`, if the request was about another resource. */
    readonly via?: readonly string[];
    /** SHA-256 of the RFC 8785 form of `{ context, sealed, state }` after it, hex: the public members of the context, and the salted hash of the others. */
    readonly stateHash: string;
  }[];
  /** Resources that the decision depends on but does not write, in order of kind and id. */
  readonly reads: readonly {
    /** Kind of the resource. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** Version that was read; 0 if it did not exist. */
    readonly version: number;
  }[];
  /** Accounts debited in `available`, frozen or unfrozen, at their new version. */
  readonly accounts: readonly {
    /** A DID, or `fees`. */
    readonly did: string;
    /** Counts its debits and freezes, from 1. */
    readonly version: number;
  }[];
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
  /** How Tokens moved, in this order. */
  readonly moves: readonly Move[];
  /** What each account gained or lost; they sum to zero. */
  readonly postings: readonly (readonly [string, number])[];
  /** SHA-256 of the RFC 8785 form of the immutable part, hex. */
  readonly entryHash: string;
  /** `chainHash` of the entry before; zeros before the first. */
  readonly prevEntry: string;
  /** SHA-256 of `svc:journal:v1:<seq>:<prevEntry>:<entryHash>`, hex. */
  readonly chainHash: string;
  /** Proof of settlement; null without one. */
  readonly receipt: Receipt | null;
  /** The request, with those members of its input that the caller may see. */
  readonly payload?: {
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** The action that was asked for: `release`. */
    readonly action: string;
    /** The input of the action; null in the place of an erased text. */
    readonly input: { readonly [member: string]: unknown };
    /** Ids of further resources, by their part. */
    readonly ids?: { readonly [name: string]: string };
  };
  /** The erasable texts in `payload.input`, by JSON pointer: what the signed payload has in their place. */
  readonly leaves?: { readonly [name: string]: Leaf };
  /** Members of `payload.input` that only its readers see. */
  readonly confidential?: readonly string[];
  /** Salt of the hash of the confidential members, for their readers. */
  readonly salt?: string;
  /** Salted hash of the confidential members, for callers that do not see them. */
  readonly sealed?: string;
  /** Members that the node cannot show to anyone because its database is damaged; absent: none. */
  readonly unreadable?: readonly ('payload' | 'receipt')[];
}

export interface EntryAnchor {
  /** Number of the first entry under the anchor. */
  readonly firstEntry: number;
  /** Number of the last entry under the anchor. */
  readonly lastEntry: number;
  /** Root of the Merkle tree (RFC 6962) over the entries from first to last. */
  readonly root: string;
  /** Sibling hashes on the path from the entry to the root, in this order. */
  readonly path: readonly string[];
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** Block that recorded the anchor. */
  readonly blockNumber: number;
  /** Chain id (EIP-155). */
  readonly chainId: number;
  /** The Settlement contract. */
  readonly contract: string;
}

export interface EntryCore {
  /** Version of the entry. */
  readonly v: 2;
  readonly event: Event;
  /** DID of the node that sequenced it. */
  readonly home: string;
  /** The node’s clock, epoch milliseconds: never decreasing, but for a `clock.corrected`. */
  readonly time: number;
  /** Version of the definition that decided, and of the workflow behind a `+`. */
  readonly law: string;
  /** The new version of each resource that it changed. */
  readonly versions: readonly {
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** 1 for the creation, then without gaps. */
    readonly version: number;
    /** Hash of the resource’s previous event; null at its creation. */
    readonly prev: string | null;
    /** The definition version under which it was accepted. */
    readonly machine: string;
    /** States gone through: `["created", "funded"]`. */
    readonly path: readonly string[];
    /** The event at each state of `path`, if the request was about another resource. */
    readonly via?: readonly string[];
    /** SHA-256 of the RFC 8785 form of `{ context, sealed, state }` after it, hex: the public members of the context, and the salted hash of the others. */
    readonly stateHash: string;
  }[];
  /** Resources that the decision depends on but does not write, in order of kind and id. */
  readonly reads: readonly {
    /** Kind of the resource. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** Version that was read; 0 if it did not exist. */
    readonly version: number;
  }[];
  /** Accounts debited in `available`, frozen or unfrozen, at their new version. */
  readonly accounts: readonly {
    /** A DID, or `fees`. */
    readonly did: string;
    /** Counts its debits and freezes, from 1. */
    readonly version: number;
  }[];
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
  /** How Tokens moved, in this order. */
  readonly moves: readonly Move[];
  /** What each account gained or lost; they sum to zero. */
  readonly postings: readonly (readonly [string, number])[];
}

export interface ErasedLeaf {
  /** Hash of the text. */
  readonly leaf: string;
  /** Why. */
  readonly reason: string;
  /** Who. */
  readonly operator: string;
}

export type ErasedLeafWritten = ErasedLeaf & WriteFields;

export interface ErrorClass {
  /** `type` of the problem documents. */
  readonly type: string;
  /** `error.code` of the problem documents. */
  readonly constant: string;
  /** The class in words. */
  readonly title: string;
  /** What it means. */
  readonly meaning: string;
  /** What to do about it. */
  readonly advice: string;
  /** The codes of the class. */
  readonly codes: readonly {
    /** The code. */
    readonly code: string;
    /** HTTP status. */
    readonly status: number;
  }[];
}

export interface ErrorCode {
  /** The code. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  /** `type` of its problem documents: its class. */
  readonly type: string;
  /** The class in words. */
  readonly title: string;
  /** What it means. */
  readonly meaning: string;
  /** What to do about it. */
  readonly advice: string;
  /** A problem document with it. */
  readonly example: Problem;
}

export interface Escrow {
  /** Id of the escrow. */
  readonly escrowId: string;
  /** The same as `escrowId`. */
  readonly id: string;
  /** `created`: reserved; `funded`: locked; the others are final. */
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
  /** The rules for a release, of which one must be satisfied. */
  readonly releaseRules: readonly EscrowRule[];
  /** The first of `releaseRules`. */
  readonly releaseRule: EscrowRule | null;
  /** The rules under which the depositor can take Tokens back. */
  readonly refundRules: readonly EscrowRule[];
  /** True if the escrow has no refund rules: the depositor can take back what remains. */
  readonly revocable: boolean;
  /** When the rest goes back to the depositor; epoch milliseconds. */
  readonly expiresAt: number | null;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** The order, lease or contract that controls the escrow. */
  readonly purpose?: {
    /** Its kind: `contract`. */
    readonly kind: string;
    /** Its id. */
    readonly id: string;
  };
  /** While `created`: open, cancelled by the depositor, or lapsed because it was not funded in time. */
  readonly substate?: 'open' | 'cancelled' | 'lapsed';
  /** True if the escrow was cancelled, or not funded in time; the reservation was given back. */
  readonly lapsed?: boolean;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** In reads: the present title of the listing or contract that it is about; absent where you may not see that, or the operator hides it. */
  readonly title?: string | null;
}

/** A rule as it was given; members that the node does not know are kept. */
export type EscrowRule = EvaluatedRule | CitedRule;

export type EscrowTransfer = TransferResult & {
  /** Id of the escrow. */
  readonly escrowId: string;
  /** The escrow after it. */
  readonly escrow: EscrowWritten;
  /** Send it as `resourcePrev` with your next write on the escrow. */
  readonly resourcePrev: string;
};

export type EscrowWritten = Escrow & WriteFields;

export interface EvaluatedRule {
  /** Id of the rule, which `ruleId` names. */
  readonly id: string;
  /** Type of the rule. */
  readonly type: 'manual' | 'time' | 'hash' | 'signature';
  /** manual: the roles (depositor, beneficiary, arbiter) or DIDs that may act. */
  readonly by?: readonly string[];
  /** time: the rule is satisfied from this time on; epoch milliseconds. */
  readonly after?: number;
  /** hash: the SHA-256 of `evidence.preimage`, hex. */
  readonly hash?: string;
  /** signature: DIDs whose signatures count. */
  readonly signers?: readonly string[];
  /** signature: how many of them must sign; default all. */
  readonly threshold?: number;
  /** Whether `evidence` is required too. */
  readonly requiresEvidence?: boolean;
  /** Whether `reason` is required too. */
  readonly requiresReason?: boolean;
  readonly [member: string]: unknown;
}

export interface EvaluatedRuleInput {
  /** Id of the rule, which `ruleId` names; default: `rule-1`, `rule-2`, … */
  readonly id?: string;
  /** Whether `evidence` is required too. */
  readonly requiresEvidence?: boolean;
  /** Whether `reason` is required too. */
  readonly requiresReason?: boolean;
  /** What satisfies the rule: `manual`, a decision of someone in `by`; `time`, the time `after`; `hash`, a text whose hash is `hash`; `signature`, signatures of `signers`. */
  readonly type: 'manual' | 'time' | 'hash' | 'signature';
  /** manual: who may act, as roles (depositor, beneficiary, arbiter) or DIDs; default: depositor and arbiter. */
  readonly by?: readonly string[];
  /** time: the rule is satisfied from this time on. ISO 8601 with an offset, or epoch milliseconds. */
  readonly after?: number | string;
  /** hash: SHA-256 of the required `evidence.preimage`, hex. */
  readonly hash?: string;
  /** signature: DIDs whose signatures count. */
  readonly signers?: readonly string[];
  /** signature: how many of them must sign; default all. */
  readonly threshold?: number;
}

/** What the signer signs, its hash and the signature. */
export interface Event {
  /** Version of the event. */
  readonly v: number;
  /** Dotted, past tense: `escrow.released`. */
  readonly type: string;
  /** DID that signed. */
  readonly issuer: string;
  /** DID of the home for whose journal it is signed. */
  readonly home: string;
  /** The issuer’s count of its events, from 1. */
  readonly nonce: number;
  /** The signer’s statement of the time; epoch milliseconds. */
  readonly ts: number;
  /** Hash of the issuer’s previous event; null for its first. */
  readonly prev: string | null;
  /** Network that it is for: devnet, testnet or mainnet. */
  readonly network: string;
  /** SHA-256 of the RFC 8785 form of `{ public, sealed }`, hex. */
  readonly payloadHash: string;
  /** The Ed25519 public key that signed, hex: the issuer’s own. */
  readonly pub: string;
  /** Tokens that the act may cost its signer at most; absent: any number. */
  readonly most?: number;
  /** Latest time of an entry with this event; epoch milliseconds; absent: any time. */
  readonly until?: number;
  /** SHA-256 of the RFC 8785 form without `hash` and `sig`, hex. */
  readonly hash: string;
  /** Ed25519 over `svc:event:v3:` and that form, or its SHA-256 in hex where it is longer than 1 KiB; base64url. */
  readonly sig: string;
}

export interface ExpireEscrowRequest {
  /** What becomes of the rest: it goes back to the depositor. */
  readonly action?: 'refund';
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface ExpireMove {
  /** The operation. */
  readonly op: 'expire';
  /** Id of the escrow. */
  readonly escrow: string;
  /** A DID. */
  readonly from: string;
  /** Tokens. */
  readonly amount: number;
}

export interface FacetCount {
  /** The value. */
  readonly key: string;
  /** Number of listings in the whole result with this value. */
  readonly count: number;
}

export interface FoundLeaf {
  /** Its hash, which names it. */
  readonly leaf: string;
  /** Bytes of the text. */
  readonly size: number;
  /** The event that it came with. */
  readonly eventHash: string;
  /** Its place in the input of that event, as a JSON pointer. */
  readonly pointer: string;
  /** Whether it is erased. */
  readonly erased: boolean;
}

export interface FreezeMove {
  /** The operation. */
  readonly op: 'freeze';
  /** A DID. */
  readonly did: string;
}

export interface FundEscrowRequest {
  /** Tokens. */
  readonly amount: number;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev: string;
}

export interface Home {
  /** DID of the home. */
  readonly home: string;
  /** Its network: devnet, testnet or mainnet. */
  readonly network: string;
  /** Root of the URLs of its API. */
  readonly url: string;
  /** When it has said so, by its own clock; epoch milliseconds. */
  readonly time?: number;
  /** Ed25519 by the home’s key, over `svc:home:v1:` and the RFC 8785 form of `home`, `network`, `time` and `url`. Absent, with `time`, where a process answers that does not have the key. */
  readonly sig?: string;
  /** Only of another home: when it was asked; epoch milliseconds. */
  readonly asOf?: number;
}

export interface HomeWallet {
  /** DID of the home. */
  readonly home: string;
  /** Tokens: `availableBalance` + `reserved` + `escrowed`. */
  readonly balance?: number;
  /** Tokens that the DID can spend there now. */
  readonly availableBalance?: number;
  /** Tokens that unfunded escrows hold. */
  readonly reserved?: number;
  /** Tokens that funded escrows hold. */
  readonly escrowed?: number;
  /** Tokens that it has sent this node there, to be paid onward, and that are neither paid nor given back. */
  readonly waiting?: number;
  /** Only of another home: when it said so; epoch milliseconds. */
  readonly asOf?: number;
  /** Why it has said nothing that can be shown; only with `home`. */
  readonly error?: string;
}

export interface Identity {
  /** The DID. */
  readonly did: string;
  /** Ed25519 public key, hex. */
  readonly publicKey: string;
  /** The account address: the other spelling of the DID. */
  readonly address: string;
  /** EVM address that stands for the DID on chain, checksummed hex; null where it was revoked. */
  readonly controller: string | null;
  /** Accounts on other platforms. */
  readonly platformLinks: readonly {
    /** Name of the platform. */
    readonly platform: string;
    /** The account there. */
    readonly url: string;
  }[] | null;
  /** Whether the key is in the keystore of this node now, which signs with it; else its holder signs. */
  readonly keptHere: boolean;
  /** Epoch milliseconds; null if neither an event nor the key shows it. */
  readonly created: number | null;
  /** Epoch milliseconds. */
  readonly updated: number | null;
  /** SHA-256 of the RFC 8785 form of the document, hex: the next `prevDocHash`. */
  readonly docHash: string;
  /** Hash of its last event; null before the first. */
  readonly resourcePrev: string | null;
  /** Capability credentials that it has registered. */
  readonly capabilities: readonly (Capability | null)[];
  /** Name that it has given itself; absent: none. */
  readonly displayName?: string | null;
  /** Its own description; absent if it has none. */
  readonly bio?: string | null;
  /** URL of a picture; absent: none. */
  readonly avatar?: string | null;
  /** Why the operator of this node hides name, bio, avatar and links: only the DID sees them. */
  readonly hidden?: string;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
  /** Of each credential, at its place, whether it or its proof has expired. */
  readonly expired: readonly boolean[];
  /** DID of the home that it belongs to; absent: it is this node’s own. */
  readonly home?: string;
  /** Of another home’s: up to when this node has read that home’s feed, epoch milliseconds, or when the home was asked; absent before the first checkpoint. */
  readonly asOf?: number;
}

export type IdentityWritten = Identity & WriteFields;

export interface InfoDeliveryRecord {
  /** Id of the order. */
  readonly orderId: string;
  /** Id of the listing. */
  readonly listingId: string;
  /** State of the order. */
  readonly status: string;
  /** DID that buys. */
  readonly buyer: string;
  /** DID that sells. */
  readonly seller: string;
  /** When it was delivered; epoch milliseconds. */
  readonly deliveredAt: number;
  /** When the clock confirms a delivery; null if none waits. */
  readonly confirmBy: number | null;
  /** Until when the access is valid; null: permanently. */
  readonly expiresAt: number | null;
  /** Hash of the content, made as `hashAlgorithm` says; null if this node does not store the content. */
  readonly contentHash: string | null;
  /** How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the content’s key (no salt, info `svc:content-salt:v1`), so that the content cannot be found by guessing. */
  readonly hashAlgorithm: 'SHA-256' | 'SHA-256-SALTED' | null;
  /** X25519 key that everything is encrypted for. */
  readonly buyerPublicKeyHex: string;
  /** The content’s key. */
  readonly keyEnvelope: KeyEnvelope | null;
  /** A token, as UTF-8. */
  readonly accessTokenEnvelope: KeyEnvelope | null;
  /** An address, as UTF-8. */
  readonly accessUrlEnvelope: KeyEnvelope | null;
  /** Further details from the seller. */
  readonly deliveryData: { readonly [member: string]: unknown } | null;
  /** The deliverable envelope, complete and signed. */
  readonly envelope: { readonly [member: string]: unknown } | null;
  /** SHA-256 of the RFC 8785 form of the envelope; null without one. */
  readonly envelopeDigest: string | null;
  /** Hash of the order’s last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
}

export interface InfoListing {
  /** Id of the listing. */
  readonly listingId: string;
  /** The same as `listingId`. */
  readonly id: string;
  /** info, task or capability. */
  readonly marketType: string;
  /** The same as `marketType`. */
  readonly type: string;
  /** DID that published it. */
  readonly seller: string;
  /** Title of the listing. */
  readonly title: string | null;
  /** Full description of the offer or request. */
  readonly description: string | null;
  /** Category that searches can filter by. */
  readonly category: string;
  /** Words that searches can filter by. */
  readonly tags: readonly string[];
  /** The price; `currency` is TOKEN. */
  readonly pricing: {
    /** Kind of payment, a word of your choice; for leases `pay_per_use`, `credits`, `time_based` or `subscription`. */
    readonly type?: string;
    /** Always TOKEN. */
    readonly currency?: 'TOKEN';
    /** Tokens for one unit; 0: free. */
    readonly price?: number;
    /** The same as `price`. */
    readonly fixedPrice?: number;
    /** The same as `price`. */
    readonly amount?: number;
    /** The same as `price`: the requester’s budget for a task. */
    readonly budget?: number;
    /** Bounds within which a unit price is agreed, instead of `price`. */
    readonly priceRange?: {
      /** The lowest price, in Tokens. */
      readonly min: number;
      /** The highest price, in Tokens. */
      readonly max: number;
    };
    /** Price by use. */
    readonly usagePrice?: {
      /** Name of the unit, a word of your choice, such as `call`. */
      readonly unit: string;
      /** Tokens for each. */
      readonly pricePerUnit: number;
    };
    /** Price by time. */
    readonly subscriptionPrice?: {
      /** Length of a period; a month has 30 days, a year 365. */
      readonly period: 'hour' | 'day' | 'week' | 'month' | 'year';
      /** Tokens for each period. */
      readonly price: number;
    };
    /** Whether the price is negotiable. For readers only: it has no effect. */
    readonly negotiable?: boolean;
  };
  /** The current status, which takes `expiresAt` into account. */
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  /** Only the owner can see a private listing. */
  readonly visibility: 'public' | 'private';
  /** Orders and ratings so far. */
  readonly stats: ListingStats;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Null if never. */
  readonly expiresAt: number | null;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** Type of information, a word of your choice. */
  readonly infoType: string;
  /** The content for sale. */
  readonly content: {
    /** Media type: `text/csv`. */
    readonly format: string;
    /** Encoding of `data`: utf8 (default), base64 or hex. For content that is stored elsewhere, any word. */
    readonly encoding?: string;
    /** The content. The node stores it encrypted, and never shows it unencrypted. */
    readonly data?: string;
    /** Bytes of the content. */
    readonly size?: number;
    /** Given: SHA-256 of the content. Shown where `data` came along: salted with what its key derives. */
    readonly hash?: string;
    /** A public sample. */
    readonly preview?: string | null;
    /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
    readonly erased?: readonly string[];
  };
  /** How a buyer gets the content, in members of your choice. */
  readonly accessMethod: {
    /** Method of access, a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** What a buyer may do with the content, in members of your choice. */
  readonly license: {
    /** Name of the licence. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** Why the operator of this node hides it: only its seller and those who have dealt see it. */
  readonly hidden?: string;
  /** Units left; if absent, unlimited. */
  readonly stock?: number;
  /** The least time to deliver that a purchase must leave you, in milliseconds; default an hour, at most 7 days. */
  readonly minDeliveryMs?: number;
  /** Any other data; the node stores it unchanged. */
  readonly metadata?: { readonly [member: string]: unknown } | null;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** DID of the home that it belongs to; absent: it is this node’s own. */
  readonly home?: string;
  /** Of another home’s: up to when this node has read that home’s feed, epoch milliseconds, or when the home was asked; absent before the first checkpoint. */
  readonly asOf?: number;
}

export type InfoListingCreated = InfoListing & WriteFields & {
  /** Key of the encrypted content, 32 bytes in hex: keep it. */
  readonly contentKeyHex?: string | null;
};

export type InfoListingWritten = InfoListing & WriteFields;

/** `facets` only with `includeFacets=true`, over the whole result. */
export interface InfoMarketSearchResult {
  /** The elements of this page. */
  readonly listings: readonly InfoListing[];
  /** Number of elements in the whole list. */
  readonly total: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface InfoOrder {
  /** Id of the order. */
  readonly orderId: string;
  /** The same as `orderId`. */
  readonly id: string;
  /** Market of the order. */
  readonly marketType: 'info';
  /** State of the order. */
  readonly status: 'pending' | 'paid' | 'delivered' | 'confirmed' | 'reviewed' | 'cancelled' | 'disputed';
  /** The listing that was bought. */
  readonly listingId: string;
  /** DID that buys. */
  readonly buyer: string;
  /** DID that sells. */
  readonly seller: string;
  /** Units. */
  readonly quantity: number;
  /** Tokens for one unit. */
  readonly unitPrice: number;
  /** Tokens for all units. */
  readonly price: number;
  /** Always Tokens. */
  readonly currency: 'TOKEN';
  /** Escrow that holds the price; null if the price is 0. */
  readonly escrowId: string | null;
  /** Its dispute, if there is or was one. */
  readonly disputeId: string | null;
  /** X25519 key that a delivery is encrypted for. */
  readonly buyerPublicKeyHex: string;
  /** When the clock cancels and refunds an order that is not delivered. */
  readonly deliverBy: number;
  /** When it was delivered; epoch milliseconds, null before. */
  readonly deliveredAt: number | null;
  /** When the clock confirms a delivery; null if none waits. */
  readonly confirmBy: number | null;
  /** When it was confirmed; epoch milliseconds, null before. */
  readonly confirmedAt: number | null;
  /** Of the deliverable envelope, where one was delivered. */
  readonly envelopeDigest: string | null;
  /** The reviews that the parties have written. */
  readonly reviews: readonly BuyerSellerReview[];
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** In reads: the present title of the listing or contract that it is about; absent where you may not see that, or the operator hides it. */
  readonly title?: string | null;
}

export type InfoOrderDispute = Dispute & WriteFields & {
  /** Id of the info-order. */
  readonly orderId: string;
  /** The info-order after it. */
  readonly order: InfoOrderWritten;
};

export type InfoOrderWritten = InfoOrder & WriteFields;

export interface InvokeLeaseRequest {
  /** What was called, as free text. */
  readonly resource?: string;
  /** How long it took, in milliseconds. */
  readonly latency?: number;
  /** Whether it succeeded; default true. */
  readonly success?: boolean;
  /** Units that it used; default 1. */
  readonly units?: number;
  /** Tokens that you expect it to charge. If it charges another amount, the node refuses the request. */
  readonly cost?: number;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface KeyEnvelope {
  /** X25519-HKDF-SHA256-AES-256-GCM: the AES key is HKDF-SHA256 (no salt, info `svc:key-envelope:v1`, 32 bytes) of what the X25519 keys of sender and receiver agree on. */
  readonly algorithm: 'X25519-HKDF-SHA256-AES-256-GCM';
  /** X25519 public key, made for this envelope. */
  readonly senderPublicKeyHex: string;
  /** 12 bytes. */
  readonly nonceHex: string;
  /** The secret, encrypted. */
  readonly ciphertextHex: string;
  /** 16 bytes. */
  readonly tagHex: string;
}

export interface Leaf {
  /** SHA-256 of salt and text: the RFC 8785 form of the value. */
  readonly leaf: string;
  /** Bytes of the text. */
  readonly size: number;
  /** 16 bytes, hex; absent once it is erased. */
  readonly salt?: string;
  /** It is erased: the value is null. */
  readonly erased?: boolean;
}

export interface Lease {
  /** Id of the lease. */
  readonly leaseId: string;
  /** The same as `leaseId`. */
  readonly id: string;
  /** State of the lease. */
  readonly status: 'active' | 'paused' | 'exhausted' | 'expired' | 'terminated';
  /** The listing that was leased. */
  readonly listingId: string;
  /** DID that uses and pays. */
  readonly lessee: string;
  /** DID that offers the capability and is paid. */
  readonly lessor: string;
  /** The escrow with its Tokens; null if there is nothing to pay. */
  readonly escrowId: string | null;
  /** The lessee’s credentials as JSON, encrypted for the lessor; null if not given. */
  readonly credentialsEnvelope: KeyEnvelope | null;
  /** The plan of the lease. */
  readonly plan: {
    /** How it is paid. */
    readonly type: 'pay_per_use' | 'credits' | 'time_based' | 'subscription';
    /** Paid by use: Tokens that all calls together may charge. */
    readonly budget: number | null;
    /** By time: how many were paid for. */
    readonly periods: number | null;
    /** The most units of one call. */
    readonly maxUnitsPerCall: number;
    /** Units that calls may use within an hour, counted from the start: one more limit of `quota`. Null: no such limit. */
    readonly maxUnitsPerHour: number | null;
  };
  /** Tokens for a unit, or a period, as the listing said when the lease started. */
  readonly unitPrice: number;
  /** What `unitPrice` is for. */
  readonly unit: string;
  /** Who records calls. */
  readonly meteredBy: 'lessee' | 'lessor';
  /** The limits of the lease, and how much of them is used. */
  readonly quota: readonly {
    /** The most calls; null: no limit. */
    readonly maxCalls: number | null;
    /** The most units; null: no limit. */
    readonly maxUnits: number | null;
    /** Counted from the start of the lease; null: over all of it. */
    readonly periodMs: number | null;
    /** In the newest period with a call. */
    readonly usedCalls: number;
    /** The same for units. */
    readonly usedUnits: number;
  }[];
  /** Tokens that the escrow began with: the budget, or the price of all periods. */
  readonly amount: number;
  /** Tokens that the lessor has earned so far, for calls or for periods that have started. */
  readonly accrued: number;
  /** Tokens that have not accrued; 0 once the lease has ended and paid. */
  readonly remaining: number;
  /** Tokens that the lessor was paid when it ended. */
  readonly released: number;
  /** Tokens that the lessee got back when it ended. */
  readonly refunded: number;
  /** The newest call; earlier ones are in the history of the lease (getMachineHistory). */
  readonly usage: readonly LeaseUsage[];
  /** Figures of its calls. */
  readonly stats: {
    /** Calls recorded. */
    readonly calls: number;
    /** Of these, those that succeeded. */
    readonly succeeded: number;
    /** Of these, those that failed. */
    readonly failed: number;
    /** Units used. */
    readonly units: number;
    /** Null before the first call. */
    readonly successRate: number | null;
    /** At most a sixteenth off; null if no call stated a latency. */
    readonly p50LatencyMs: number | null;
    /** The latency that 95 percent of calls do not exceed. */
    readonly p95LatencyMs: number | null;
  };
  /** When it began; epoch milliseconds. */
  readonly startedAt: number;
  /** When the clock ends the lease. */
  readonly endsAt: number;
  /** When its Tokens were divided. */
  readonly endedAt: number | null;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** In reads: the present title of the listing or contract that it is about; absent where you may not see that, or the operator hides it. */
  readonly title?: string | null;
}

export type LeaseActed = Lease & WriteFields & {
  /** The action that was taken. */
  readonly action: string;
};

export type LeaseDetail = Lease & {
  /** The same again. */
  readonly lease: Lease;
};

export type LeaseRecorded = Lease & WriteFields & {
  /** The action that was taken. */
  readonly action: string;
} & {
  /** The record that was made. */
  readonly usage: LeaseUsage;
};

export interface LeaseUsage {
  /** As the call stated it. */
  readonly resource: string | null;
  /** Whether it succeeded. */
  readonly success: boolean;
  /** Milliseconds, as the call stated them. */
  readonly latency: number | null;
  /** Units that it used. */
  readonly units: number;
  /** Tokens that it charged. */
  readonly cost: number;
  /** When it was recorded; epoch milliseconds. */
  readonly recordedAt: number;
}

export type LeaseWritten = Lease & WriteFields;

export interface LicenseInput {
  /** Name of the licence. */
  readonly type?: string;
  readonly [member: string]: unknown;
}

export interface LimitPeerRequest {
  /** The most Tokens of that home, beyond those that it has paid out there; 0: none. */
  readonly tokens: number;
}

export interface ListingStats {
  /** Number of orders so far. */
  readonly orders: number;
  /** Number of completed orders. */
  readonly completedOrders: number;
  /** Mean rating; null until the first review. */
  readonly averageRating: number | null;
  /** Number of ratings in the average. */
  readonly ratingCount: number;
}

export interface LockMove {
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
  /** True: the account `from` is versioned; absent if the entry reserves what it locks. */
  readonly versioned?: boolean;
}

export interface LoggedRequest {
  /** Number of the request since the start of the process, from 1. */
  readonly number: number;
  /** As in `X-Request-Id`. */
  readonly requestId: string;
  /** When it was answered; epoch milliseconds. */
  readonly answeredAt: number;
  /** Method: `GET`. */
  readonly method: string;
  /** Pattern of the route; `(none)` if there is no such route. */
  readonly route: string;
  /** Status of the answer; 499 if the client had closed the connection. */
  readonly status: number;
  /** Code of the refusal: `NOT_FOUND`; null if it was not refused. */
  readonly code: string | null;
  /** Milliseconds from its head to the answer. */
  readonly ms: number;
  /** Id of the API key, or the address; empty if it was refused before that was known. */
  readonly caller: string;
}

export interface LookupMatch {
  /** An entry of the journal, a DID, or a resource. */
  readonly what: 'entry' | 'identity' | 'resource';
  /** Number of the entry, the DID, or id of the resource. */
  readonly id: string;
  /** Of a resource. */
  readonly kind?: string;
  /** Of a resource. */
  readonly state?: string;
  /** Only of an entry: what the hash is. It is the hash of its event, of its transaction on chain, of itself, of the chain up to it, of its payload, or of a state that it produced. `memo`: it was found by its memo. */
  readonly by?: 'event' | 'transaction' | 'entry' | 'chain' | 'payload' | 'state' | 'memo';
  /** Of a listing or identity of another home: DID of that home. */
  readonly home?: string;
  /** Of an identity that was found by its name. */
  readonly displayName?: string;
  /** Of an entry that was found by its memo: that of a transfer from or to the DID of the API key. */
  readonly memo?: string;
}

export interface MachineChart {
  /** The sort of resource: `escrow`. */
  readonly kind: string;
  /** Name of the kind, for people. */
  readonly title: string;
  /** Definition version: what entries and resources name as `machine`. */
  readonly version: string;
  /** Counts the versions of the definition, from 1. */
  readonly revision: number;
  /** False: it has a history but no life cycle. */
  readonly isMachine: boolean;
  /** Path of the state that a new resource begins in; null without a life cycle. */
  readonly initial: string | null;
  /** All states, nested ones included. */
  readonly states: readonly {
    /** Its own name: the last part of `path`. */
    readonly name: string;
    /** Its own in the chart: `created.open` is nested in `created`, `milestone/pending` is inside the machine `milestone`. */
    readonly path: string;
    /** `compound`: states are nested in it; `machine`: the frame of one inside the context. */
    readonly type: 'atomic' | 'final' | 'compound' | 'machine';
    /** A new resource, or the state around it, begins here. */
    readonly initial: boolean;
    /** Path of the state that it is nested in. */
    readonly parent?: string;
    /** What it means, in a sentence. */
    readonly description?: string;
    /** What it means: a good end, another end, or trouble. Absent: under way. */
    readonly tone?: 'good' | 'neutral' | 'trouble';
    /** Names of the effects on entering it. */
    readonly entry?: readonly string[];
    /** Names of the effects on leaving it. */
    readonly exit?: readonly string[];
  }[];
  /** All transitions. */
  readonly transitions: readonly {
    /** `<from>.<action>.<to>`, or `create`. */
    readonly id: string;
    /** Null for a creation. */
    readonly from: string | null;
    /** Path of the target state. */
    readonly to: string;
    /** The action. */
    readonly event: string;
    /** All must hold. */
    readonly guards: readonly {
      /** Name of the guard. */
      readonly name: string;
      /** The error code that it refuses with. */
      readonly refusal: string;
      /** Why it refuses, in words. */
      readonly meaning: string;
    }[];
    /** Names of its effects. */
    readonly effects: readonly string[];
    /** Tokens that it moves: by its effects, or by the workflow of the request. */
    readonly moves: readonly {
      /** How many Tokens, in words: `amount`, `what remains`. */
      readonly amount: string;
      /** The account debited, in words: `depositor, escrowed`. */
      readonly from: string;
      /** The account credited, in words. */
      readonly to: string;
    }[];
    /** Members of the context that it changes; a creation makes all of them. */
    readonly changes: readonly {
      /** Name of the member. */
      readonly member: string;
      /** What it becomes, in words. */
      readonly to: string;
    }[];
    /** The roles that may request it. */
    readonly roles: readonly string[];
    /** What it does, in a sentence. */
    readonly description?: string;
  }[];
  /** Layout from left to right, in pixels; null if the definition has no layout. */
  readonly layout: MachineLayout | null;
  /** The same from top to bottom, for narrow windows. */
  readonly layoutDown: MachineLayout | null;
}

export interface MachineLayout {
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  /** The boxes, one for each state. */
  readonly nodes: readonly {
    /** Path of the state. */
    readonly state: string;
    /** Pixels from the left. */
    readonly x: number;
    /** Pixels from the top. */
    readonly y: number;
    /** Width in pixels. */
    readonly width: number;
    /** Height in pixels. */
    readonly height: number;
    /** Baseline of the name: its middle; its beginning where something stands below it. */
    readonly title: {
      /** Pixels from the left. */
      readonly x: number;
      /** Pixels from the top. */
      readonly y: number;
    };
    /** Transitions that stay in the state. */
    readonly inside: readonly {
      /** Id of the transition. */
      readonly transition: string;
      /** Pixels from the left. */
      readonly x: number;
      /** Pixels from the top. */
      readonly y: number;
      /** Width in pixels. */
      readonly width: number;
      /** Height in pixels. */
      readonly height: number;
      /** Baseline; `x` is the middle of the text, in a state its beginning. */
      readonly action: {
        /** The text itself. */
        readonly text: string;
        /** Pixels from the left. */
        readonly x: number;
        /** Pixels from the top. */
        readonly y: number;
      };
      /** Who may, at most two lines. */
      readonly roles: readonly {
        /** The text itself. */
        readonly text: string;
        /** Pixels from the left. */
        readonly x: number;
        /** Pixels from the top. */
        readonly y: number;
      }[];
      /** Where the numbers of steps go: their middle, in a state their right end. */
      readonly badge: {
        /** Pixels from the left. */
        readonly x: number;
        /** Pixels from the top. */
        readonly y: number;
      };
      /** The number of its guards. */
      readonly chip?: {
        /** The text itself. */
        readonly text: string;
        /** Pixels from the left. */
        readonly x: number;
        /** Pixels from the top. */
        readonly y: number;
        /** Width in pixels. */
        readonly width: number;
        /** Height in pixels. */
        readonly height: number;
      };
    }[];
  }[];
  /** The lines between them. */
  readonly edges: readonly {
    /** Ids of those that share the line. */
    readonly transitions: readonly string[];
    /** Null: it begins at a dot. */
    readonly from: string | null;
    /** Path of the state where it ends. */
    readonly to: string;
    /** Corners of the line, from its beginning to its end. */
    readonly points: readonly {
      /** Pixels from the left. */
      readonly x: number;
      /** Pixels from the top. */
      readonly y: number;
    }[];
    /** Names of the actions, a line each. */
    readonly label: string;
    /** Middle of the labels. */
    readonly labelAt: {
      /** Pixels from the left. */
      readonly x: number;
      /** Pixels from the top. */
      readonly y: number;
    };
    /** Size of all labels together. */
    readonly labelSize: {
      /** Width in pixels. */
      readonly width: number;
      /** Height in pixels. */
      readonly height: number;
    };
    /** They stand on the line, one for each transition. */
    readonly labels: readonly {
      /** Id of the transition. */
      readonly transition: string;
      /** Pixels from the left. */
      readonly x: number;
      /** Pixels from the top. */
      readonly y: number;
      /** Width in pixels. */
      readonly width: number;
      /** Height in pixels. */
      readonly height: number;
      /** Baseline; `x` is the middle of the text, in a state its beginning. */
      readonly action: {
        /** The text itself. */
        readonly text: string;
        /** Pixels from the left. */
        readonly x: number;
        /** Pixels from the top. */
        readonly y: number;
      };
      /** Who may, at most two lines. */
      readonly roles: readonly {
        /** The text itself. */
        readonly text: string;
        /** Pixels from the left. */
        readonly x: number;
        /** Pixels from the top. */
        readonly y: number;
      }[];
      /** Where the numbers of steps go: their middle, in a state their right end. */
      readonly badge: {
        /** Pixels from the left. */
        readonly x: number;
        /** Pixels from the top. */
        readonly y: number;
      };
      /** The number of its guards. */
      readonly chip?: {
        /** The text itself. */
        readonly text: string;
        /** Pixels from the left. */
        readonly x: number;
        /** Pixels from the top. */
        readonly y: number;
        /** Width in pixels. */
        readonly width: number;
        /** Height in pixels. */
        readonly height: number;
      };
    }[];
  }[];
}

export interface MachineState {
  /** The sort of resource: `escrow`. */
  readonly kind: string;
  /** Id of the resource. */
  readonly id: string;
  /** The newest. */
  readonly version: number;
  /** Its definition version. */
  readonly machine: string;
  /** Path of its state. */
  readonly state: string;
  /** As the definition of its kind keeps it. */
  readonly context: { readonly [member: string]: unknown };
  /** Of the event that made this version: its entry has the `stateHash`. */
  readonly eventHash: string;
  /** The erasable texts in `context`, by JSON pointer: what `stateHash` covers in their place. */
  readonly leaves?: { readonly [name: string]: Leaf };
  /** Members of `context` that `stateHash` covers by a salted hash. */
  readonly confidential?: readonly string[];
  /** Its salt. */
  readonly salt?: string;
}

export interface MachineStep {
  /** From 1, without gaps. */
  readonly step: number;
  /** Version of the resource after it. */
  readonly version: number;
  /** The definition version that accepted it. */
  readonly machine: string;
  /** Null if several are possible by the chart. */
  readonly action: string | null;
  /** Id in the chart of that version: the last of `transitions`. */
  readonly transition: string | null;
  /** All that the entry went through. */
  readonly transitions: readonly (string | null)[];
  /** What moved inside the context. */
  readonly nested: {
    /** Name of the machine: `milestone`. */
    readonly machine: string;
    /** Id of what moved: of the milestone. */
    readonly id: string;
    /** Id of the transition in the chart. */
    readonly transition: string;
    /** Path of its state before. */
    readonly from: string;
    /** Path of its state after. */
    readonly to: string;
  } | null;
  /** `workflow`: the request was about another resource. */
  readonly role: string | null;
  /** Path of the state before; null for the creation. */
  readonly from: string | null;
  /** Path of the state after. */
  readonly to: string;
  /** States gone through. */
  readonly path: readonly string[];
  /** The node's clock when it was accepted; epoch milliseconds. */
  readonly recordedAt: number;
  /** DID that signed. */
  readonly signer: string;
  /** The signer’s count of its events. */
  readonly nonce: number;
  /** Type of the event: `escrow.released`. */
  readonly eventType: string;
  /** Hash of the event. */
  readonly eventHash: string;
  /** Hash of the entry that has it. */
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
  /** Name of the kind, for people. */
  readonly title: string;
  /** Definition version: what entries and resources name as `machine`. */
  readonly version: string;
  /** False: it has a history but no life cycle. */
  readonly isMachine: boolean;
  /** Paths of its states. */
  readonly states: readonly string[];
  /** By state path, what the state means: a good end, another end, or trouble. Absent: under way. */
  readonly tones: { readonly [name: string]: 'good' | 'neutral' | 'trouble' };
  /** Names of its actions. */
  readonly actions: readonly string[];
  /** Where to read its charts and its resources. */
  readonly links: {
    /** Path of the chart. */
    readonly self: string;
    /** By format. */
    readonly formats: { readonly [name: string]: string };
    /** Where its resources are listed; each is read below it by its id. */
    readonly resources?: string;
  };
}

/** How often values occur in the whole result. */
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
  /** The elements of this page. */
  readonly listings: readonly (InfoListing | TaskListing | CapabilityListing)[];
  /** Number of elements in the whole list. */
  readonly total: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface Milestone {
  /** Id of the milestone. */
  readonly id: string;
  /** The same as `id`. */
  readonly milestoneId: string;
  /** Title of the milestone. Only the parties and the arbiter can see it. */
  readonly title?: string | null;
  /** What is to be done. Only the parties and the arbiter can see it. */
  readonly description?: string | null;
  /** Tokens that its approval releases. */
  readonly amount: number;
  /** When it is met, as the parties put it. Only the parties and the arbiter can see it. */
  readonly criteria?: unknown;
  /** If the milestone is not submitted by this time, the client may terminate. */
  readonly deadline: number | null;
  /** State of the milestone. */
  readonly status: 'pending' | 'submitted' | 'approved' | 'rejected';
  /** Number of submissions. */
  readonly submissionCount: number;
  /** Of the newest submission, as the provider gave them. Only the parties and the arbiter can see it. */
  readonly deliverables?: readonly unknown[];
  /** The provider’s note to it; null: none. Only the parties and the arbiter can see it. */
  readonly notes?: string | null;
  /** The deliverable envelope of the newest submission. Only the parties and the arbiter can see it. */
  readonly envelope?: { readonly [member: string]: unknown } | null;
  /** SHA-256 of the RFC 8785 form of the envelope. */
  readonly envelopeDigest: string | null;
  /** When it was last submitted; epoch milliseconds, null until then. */
  readonly submittedAt: number | null;
  /** When a submission in time is approved and paid unless it is answered before; null if none waits. */
  readonly reviewBy: number | null;
  /** Of a rejected milestone that was submitted by its deadline: until then the client can’t terminate, and it can be submitted again in time. */
  readonly resubmitBy: number | null;
  /** 1 to 5, given with the approval. Only the parties and the arbiter can see it. */
  readonly rating?: number | null;
  /** The client’s words to its approval or rejection. Only the parties and the arbiter can see it. */
  readonly feedback?: string | null;
  /** When the client approved or rejected it; epoch milliseconds, null before. */
  readonly decidedAt: number | null;
  /** The actions that each role may take now, computed when you read the resource; absent if not requested. */
  readonly permittedActions?: {
    readonly [name: string]: readonly {
      /** What state and time allow now. */
      readonly action: string;
      /** Error codes that may still result from the input. */
      readonly open: readonly string[];
    }[];
  };
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

export interface MilestoneInput {
  /** Id of the milestone; absent: `ms-1`, `ms-2`, … */
  readonly id?: string;
  /** Headline. */
  readonly title?: string;
  /** What is to be done. */
  readonly description?: string;
  /** Tokens that its approval releases. */
  readonly amount: number;
  /** When it is met, in the parties’ own words. */
  readonly criteria?: unknown;
  /** Where it is not handed in by then, the client may terminate. */
  readonly deadline?: number | string;
}

export type MilestoneWritten = Milestone & WriteFields & {
  /** Id of the contract. */
  readonly contractId: string;
  /** The contract after it. */
  readonly contract: ContractWritten;
  /** Send it as `resourcePrev` with your next write on the contract. */
  readonly resourcePrev: string;
};

export interface MintMove {
  /** The operation. */
  readonly op: 'mint';
  /** A DID. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
}

export interface MirrorPeerRequest {
  /** True: it is sent nothing more, and keeps what it has. Default: it becomes a mirror. */
  readonly remove?: boolean;
}

/** One settlement operation: a way in which Tokens move. */
export type Move = MintMove | TransferMove | ReserveMove | UnreserveMove | LockMove | ReleaseMove | RefundMove | ExpireMove | CollectMove | FreezeMove | UnfreezeMove | DepositMove | WithdrawMove;

export interface Moves {
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Number of blocks from that block on, including it. */
  readonly confirmations: number;
  /** The elements of this page. */
  readonly transactions: readonly SettledMove[];
  /** Number of elements in the whole list. */
  readonly total: number;
  readonly pagination: Pagination;
}

export interface NodeConfig {
  /** Network of the node: devnet, testnet or mainnet. */
  readonly network: 'devnet' | 'testnet' | 'mainnet';
  /** Address that the API listens on. */
  readonly host: string;
  /** As configured; 0 means any free port. */
  readonly port: number;
  /** `embedded` or `mongodb`; for keys that may see paths the URL of the store, without credentials. */
  readonly store: string;
  /** SVC_CHAIN. `auto`: the RPC URL if there is one, else embedded. */
  readonly chain: 'auto' | 'embedded' | 'none';
  /** Chain id (EIP-155); null without a chain. */
  readonly chainId: number | null;
  /** Number of blocks after which a settlement counts. */
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
  /** Log level, such as `info`: messages of this level and above are logged. */
  readonly logLevel: string;
  /** Whether the API speaks TLS. */
  readonly tls: boolean;
  /** Limits of requests. */
  readonly limits: {
    /** The longest body, in bytes. */
    readonly bodyBytes: number;
    /** How deep its JSON may be nested. */
    readonly jsonDepth: number;
    /** The most elements on a page. */
    readonly pageLimit: number;
    /** The largest `offset` of a list. */
    readonly pageOffset: number;
    /** How far ahead of its predecessor a nonce may wait. */
    readonly nonceAhead: number;
  };
  /** Requests, wrong passphrases, and passphrases that had to be checked, in a window. */
  readonly rateLimits: {
    /** Length of a window, in seconds. */
    readonly windowSeconds: number;
    /** Reads of one address in a window. */
    readonly originReads: number;
    /** Writes of one address in a window. */
    readonly originWrites: number;
    /** Reads of one API key in a window. */
    readonly keyReads: number;
    /** Writes of one API key in a window. */
    readonly keyWrites: number;
    /** Wrong passphrases of one caller for one DID in a window. */
    readonly passphraseFailures: number;
    /** Wrong passphrases of all callers for one DID in a window. */
    readonly passphraseFailuresPerDid: number;
    /** Passphrases of one caller in a window that had to be checked. */
    readonly kdfRuns: number;
  };
  /** Tokens a claim, and quotas; null on mainnet. */
  readonly faucet: {
    /** Tokens of one claim. */
    readonly tokens: number;
    /** Milliseconds between two claims for one DID. */
    readonly recipientCooldownMs: number;
    /** Claims for one DID in `perDidWindowMs`. */
    readonly perDid: number;
    /** Length of that window, in milliseconds. */
    readonly perDidWindowMs: number;
    /** Claims of one address in a day. */
    readonly perOriginDaily: number;
    /** Claims of one IPv6 /48 in a day. */
    readonly perSiteDaily: number;
    /** Claims of one IPv6 /32 in a day. */
    readonly perProviderDaily: number;
    /** Tokens of all claims in a day. */
    readonly networkDailyTokens: number;
  } | null;
  /** This member and the following: only for local callers and admin keys. */
  readonly dataDir?: string;
  /** Paths of certificate and key; null without TLS. */
  readonly tlsFiles?: {
    /** Path of the certificate. */
    readonly cert: string;
    /** Path of its key. */
    readonly key: string;
  } | null;
  /** Addresses of proxies whose `X-Forwarded-For` counts. */
  readonly trustedProxies?: readonly string[];
  /** Origins that browsers may call from. */
  readonly corsOrigins?: readonly string[];
  /** All variables, with their origins; not as a member of the node’s status. */
  readonly variables?: readonly ConfiguredVariable[];
}

export interface NodeStatus {
  /** The node's own DID. */
  readonly did: string;
  /** Home of the journal: what is signed here names it. The DID of the node, or of the first of several. */
  readonly home: string;
  /** The peer id of its DID, in libp2p’s form. */
  readonly peerId: string;
  /** Network of the node: devnet, testnet or mainnet. */
  readonly network: 'devnet' | 'testnet' | 'mainnet';
  /** Release of svc-node. */
  readonly version: string;
  /** All projections stand at the journal's end, and every feed that is connected is followed up to what its home has announced. */
  readonly synced: boolean;
  /** Number of the newest entry of the journal. */
  readonly height: number;
  /** Newest block of the chain. */
  readonly blockHeight: number | null;
  /** Connected peers. */
  readonly peers: number;
  /** Seconds. */
  readonly uptime: number;
  /** Where it settles. */
  readonly chain: {
    /** The chain on which it settles: none, one at an RPC URL, or the one inside the process. */
    readonly kind: 'none' | 'rpc' | 'embedded';
    /** Chain id (EIP-155); null without a chain. */
    readonly chainId: number | null;
    /** Newest block; null if none is known. */
    readonly blockNumber: number | null;
    /** Whether the chain answers. */
    readonly connected: boolean;
    /** Operations that are committed but not settled. */
    readonly lag: number;
    /** `off`: there is no chain; `halted`: an operator must act. */
    readonly settlement: 'off' | 'running' | 'halted';
    /** SVC_RPC_URL, for admin keys; a chain inside the process has none. */
    readonly rpcUrl?: string;
  };
  /** Where the journal is kept. */
  readonly store: {
    /** `sqlite` or `mongo`. */
    readonly kind: string;
    /** What is guaranteed when a write is acknowledged. */
    readonly durability: string;
  };
  /** Its configuration, without secrets. */
  readonly config: NodeConfig;
}

export interface Nonce {
  /** The answer. */
  readonly data: {
    /** EVM address of the DID, or the one asked about. */
    readonly address: string;
    /** Transactions that the address has sent on chain. */
    readonly nonce: number;
    /** This member and the following: only if the request named a DID. */
    readonly did?: string;
    /** The `nonce` of the DID's next signed write. */
    readonly nextNonce?: number;
    /** Nonce of the DID's newest event up to which nothing waits for the chain. */
    readonly settlementNonce?: number;
    /** The registry on chain knows the DID. */
    readonly registered?: boolean;
  };
  /** Path to read it again. */
  readonly links: {
    /** Path of this answer, the DID URL-encoded. */
    readonly self: string;
  };
}

export interface OpenLeaseRequest {
  /** Who signs. */
  readonly did: string;
  /** Unlocks the signer’s key. */
  readonly passphrase: string;
  /** The home where the write is made: a peer’s, or by default this one. */
  readonly home?: string;
}

export interface OpenOrderRequest {
  /** Who signs. */
  readonly did: string;
  /** Unlocks the signer’s key. */
  readonly passphrase: string;
  /** The home where the write is made: a peer’s, or by default this one. */
  readonly home?: string;
}

export interface OpenedDelivery {
  /** Id of the order. */
  readonly orderId: string;
  /** Id of the listing. */
  readonly listingId: string;
  /** Hash of the content, made as `hashAlgorithm` says; null if this node does not store the content. */
  readonly contentHash: string | null;
  /** How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the content’s key (no salt, info `svc:content-salt:v1`), so that the content cannot be found by guessing. */
  readonly hashAlgorithm: 'SHA-256' | 'SHA-256-SALTED' | null;
  /** The salt of `contentHash`; null if it has none. */
  readonly contentSaltHex: string | null;
  /** Bytes of the content; null if this node does not store it. */
  readonly size: number | null;
  /** Encoding of `content`: utf8, base64 or hex. */
  readonly encoding: string | null;
  /** The content; null if this node does not store it. */
  readonly content: string | null;
  /** Key of the content, 32 bytes in hex; null if none was delivered. */
  readonly contentKeyHex: string | null;
  /** The token that was delivered; null: none. */
  readonly accessToken: string | null;
  /** The address that was delivered; null: none. */
  readonly accessUrl: string | null;
}

export interface OpenedLease {
  /** Id of the lease. */
  readonly leaseId: string;
  /** What the lessee gave when the lease began. */
  readonly credentials: { readonly [member: string]: unknown };
}

/** Position of this page in the list. */
export interface Pagination {
  /** Number of elements in the whole list. */
  readonly total: number;
  /** The most elements on a page. A page of large elements has fewer: continue with `after`. */
  readonly limit: number;
  /** Elements before this page. */
  readonly offset: number;
  /** Whether there is another page. */
  readonly hasMore: boolean;
  /** Number of this page, from 1. */
  readonly page: number;
  /** The same as `limit`. */
  readonly pageSize: number;
  /** Cursor of the next page; null on the last. */
  readonly after: string | null;
}

export interface PauseCapabilityListingRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface PauseInfoListingRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface PauseLeaseRequest {
  /** Your reason. */
  readonly reason?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface PauseTaskListingRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface PaymentInput {
  /** Tokens that activation locks. */
  readonly totalAmount?: number;
  readonly [member: string]: unknown;
}

export interface Peer {
  /** The peer id of its DID, in libp2p’s form. */
  readonly peerId: string;
  /** DID of the peer. */
  readonly did: string;
  /** The address that the node connects to; empty except for admin keys. */
  readonly multiaddrs: readonly string[];
  /** Which side opened the connections. */
  readonly direction: 'outbound' | 'inbound' | 'both' | 'none';
  /** Start of the connection; null if there is none. */
  readonly connectedAt: number | null;
  /** Smoothed latency of answers; null before the first. */
  readonly latencyMs: number | null;
  /** Number of the newest entry that it has announced. */
  readonly head: number;
  /** Number of the newest entry whose hash this node has followed. */
  readonly followed: number;
  /** Age of the newest checkpoint of that entry; null before the first. */
  readonly lagMs: number | null;
  /** Its clock minus this node’s at its newest checkpoint, ms; null before the first. */
  readonly clockAheadMs: number | null;
  /** `current`: everything that it has announced is followed; `behind`: the node is catching up; `unreachable`: no connection; `clock-ahead`: its clock is more than ten minutes ahead, and nothing is taken from it until the clocks agree; `stopped`: it sent a bad line; `forked`: it has signed two journals. */
  readonly status: 'unreachable' | 'clock-ahead' | 'behind' | 'current' | 'stopped' | 'forked';
  /** Tokens of its home that this node takes in at most, for as many here, beyond those that it has paid out there. */
  readonly limit: number;
  /** Why the node no longer follows the feed: the entry, the problem, and when the node detected it. */
  readonly violation?: {
    /** Number of the entry. */
    readonly seq: number;
    /** What is wrong with it. */
    readonly what: string;
    /** When the node detected it; epoch milliseconds. */
    readonly detectedAt: number;
  };
  /** Number of the last entry of this node’s journal that it keeps, encrypted; absent: it is no mirror of this node, or has not answered yet. */
  readonly mirrored?: number;
  /** Bytes of its journal that this node keeps for it, encrypted; absent: this node is no mirror of it. */
  readonly kept?: number;
}

export interface PeerEvidence {
  /** The home. */
  readonly did: string;
  /** `bad-line`: its feed has a bad line, which proves nothing; `equivocation`: it has signed two journals. */
  readonly cause: 'bad-line' | 'equivocation';
  /** The entry at which the feed has stopped, or at which two journals differ. */
  readonly seq: number;
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** When this node detected it; epoch milliseconds. */
  readonly detectedAt: number;
  /** Two checkpoints that can’t be of one journal; `svc-node verify-equivocation` checks them. */
  readonly proof?: {
    /** The earlier checkpoint. */
    readonly first: Checkpoint;
    /** The later checkpoint, which does not continue from the first. */
    readonly second: Checkpoint;
    /** From an entry of the first one’s number, with another chain hash, to the second. */
    readonly links?: {
      /** `chainHash` of that entry. */
      readonly chainHash: string;
      /** Of each entry behind it, oldest first. */
      readonly entryHashes: readonly string[];
    };
  };
  /** DID of the peer that sent the proof; this node’s own DID if it found the fork itself. */
  readonly from?: string;
  /** The journal that this node’s operator has decided for, by its chain hash at `seq`. */
  readonly accepted?: {
    /** SHA-256: 64 lower-case hexadecimal digits. */
    readonly chainHash: string;
    /** Epoch milliseconds. */
    readonly acceptedAt: number;
  };
  /** The home’s checkpoint behind the bad line, if it sent one. */
  readonly checkpoint?: Checkpoint;
  /** The bad line as received. */
  readonly line?: string;
}

export interface Permission {
  /** What state and time allow now. */
  readonly action: string;
  /** Error codes of the guards that the input may still fail. */
  readonly open: readonly string[];
}

export interface PricingInput {
  /** Kind of payment, a word of your choice; for leases `pay_per_use`, `credits`, `time_based` or `subscription`. */
  readonly type?: string;
  /** Always TOKEN. */
  readonly currency?: 'TOKEN';
  /** Tokens for one unit; 0: free. */
  readonly price?: number;
  /** The same as `price`. */
  readonly fixedPrice?: number;
  /** The same as `price`. */
  readonly amount?: number;
  /** The same as `price`: the requester’s budget for a task. */
  readonly budget?: number;
  /** Bounds within which a unit price is agreed, instead of `price`. */
  readonly priceRange?: {
    /** The lowest price, in Tokens. */
    readonly min: number;
    /** The highest price, in Tokens. */
    readonly max: number;
  };
  /** Price by use. */
  readonly usagePrice?: {
    /** Name of the unit, a word of your choice, such as `call`. */
    readonly unit: string;
    /** Tokens for each. */
    readonly pricePerUnit: number;
  };
  /** Price by time. */
  readonly subscriptionPrice?: {
    /** Length of a period; a month has 30 days, a year 365. */
    readonly period: 'hour' | 'day' | 'week' | 'month' | 'year';
    /** Tokens for each period. */
    readonly price: number;
  };
  /** Whether the price is negotiable. For readers only: it has no effect. */
  readonly negotiable?: boolean;
}

/** RFC 9457 problem document. Match on `type` or `code`; `detail` may change. */
export interface Problem {
  /** URI of the class of the error, which leads to a page about it. */
  readonly type: string;
  /** The class in words. */
  readonly title: string;
  /** HTTP status. */
  readonly status: number;
  /** The problem, for people; may change. */
  readonly detail: string;
  /** The problem, for programs: a stable code. */
  readonly code: 'INVALID_REQUEST' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'CONFLICT' | 'UNPROCESSABLE' | 'RATE_LIMITED' | 'INTERNAL_ERROR' | 'INSUFFICIENT_BALANCE' | 'TRANSFER_NOT_ALLOWED' | 'ESCROW_NOT_FOUND' | 'ESCROW_INVALID_STATE' | 'ESCROW_RULE_NOT_MET' | 'LISTING_NOT_FOUND' | 'LISTING_NOT_ACTIVE' | 'ORDER_NOT_FOUND' | 'ORDER_INVALID_STATE' | 'BID_NOT_ALLOWED' | 'SUBMISSION_NOT_ALLOWED' | 'LEASE_NOT_FOUND' | 'LEASE_INVALID_STATE' | 'LEASE_QUOTA_EXCEEDED' | 'CONTRACT_NOT_FOUND' | 'CONTRACT_INVALID_STATE' | 'CONTRACT_NOT_SIGNED' | 'CONTRACT_MILESTONE_INVALID' | 'DISPUTE_NOT_ALLOWED' | 'DID_NOT_FOUND' | 'DID_INVALID' | 'DID_UPDATE_CONFLICT' | 'CAPABILITY_INVALID' | 'REPUTATION_NOT_FOUND' | 'REPUTATION_INVALID' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'SERVICE_UNAVAILABLE';
  /** The class of the error, beside the finer `code`. */
  readonly error: {
    /** The class of the error, for programs: a stable constant. */
    readonly code: 'VALIDATION' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'CONFLICT' | 'UNPROCESSABLE' | 'TOO_MANY_REQUESTS' | 'INTERNAL' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'SERVICE_UNAVAILABLE';
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
  /** Only with a nonce conflict: the nonce of the next signed write. */
  readonly nextNonce?: number;
  /** Only if the price differs from the expected one: the current price. */
  readonly currentPrice?: number;
  /** Only if the listing is another home’s: DID of that home, where to deal with it. */
  readonly home?: string;
  /** Only if the write costs more than `most`: what it would take from the signer. */
  readonly taken?: number;
  /** Only if the write costs more than `most`: what the signer’s escrows would pay. */
  readonly paid?: number;
  /** The committed event. */
  readonly eventHash?: string;
  /** The nonce of the committed event. */
  readonly nonce?: number;
  /** Only if the journal has no entry as `after` names it: the number of its newest. */
  readonly head?: number;
  /** True if the event is committed in spite of the failure. */
  readonly committed?: boolean;
}

export interface Proof {
  /** Version of the format. */
  readonly v: 1;
  /** Network of the node: devnet, testnet or mainnet. */
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
  /** Where its root is on chain; null until it is anchored. */
  readonly anchor: EntryAnchor | null;
}

export interface Proposal {
  /** The resolution. */
  readonly outcome: 'release' | 'refund' | 'split' | 'resume';
  /** Tokens for the provider. */
  readonly providerPayment: number;
  /** Tokens for the client. */
  readonly clientRefund: number;
  /** Why, in the party’s words; null: nothing. Only the parties and the arbiter can see it. */
  readonly note?: string | null;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

export interface ProvenEntry {
  readonly entry: Entry;
  /** Where its root is on chain; null until it is anchored. */
  readonly anchor: EntryAnchor | null;
}

export interface QuotaInput {
  /** The most calls in a period; default: no limit. */
  readonly maxCalls?: number;
  /** The most units in a period; default: no limit. */
  readonly maxUnits?: number;
  /** How long a limit lasts, from the start of the lease on; a month has 30 days. Default total: the whole lease. */
  readonly period?: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'quarter' | 'total';
  /** Further limits of the same form, which also apply. */
  readonly limits?: readonly {
    /** The most calls in a period; default: no limit. */
    readonly maxCalls?: number;
    /** The most units in a period; default: no limit. */
    readonly maxUnits?: number;
    /** How long a limit lasts, from the start of the lease on; a month has 30 days. Default total: the whole lease. */
    readonly period?: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'quarter' | 'total';
  }[];
}

export interface Receipt {
  /** Hash of the entry that was settled. */
  readonly entryHash: string;
  /** Number of the entry. */
  readonly seq: number;
  /** `confirmed`: settled on chain; `pending`: its block is not deep enough; `reverted`: the chain refused it. */
  readonly status: 'confirmed' | 'pending' | 'reverted';
  /** Block that has the transaction. */
  readonly blockNumber: number;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** Blocks since, its own included. */
  readonly confirmations: number;
  /** Further details from the chain. */
  readonly detail?: unknown;
}

export interface RedactLeafRequest {
  /** Why; all callers can read it in the journal. */
  readonly reason: string;
  /** Who; all callers can read it. Default: the id of the API key. */
  readonly operator?: string;
}

export interface RedeliverEventRequest {
  /** Number of the entry. */
  readonly seq: number;
}

export interface RefundEscrowRequest {
  /** Tokens. */
  readonly amount: number;
  /** Id of the rule to apply; default: any satisfied rule. */
  readonly ruleId?: string;
  /** The same as `ruleId`. */
  readonly rule?: string;
  /** Evidence that satisfies the rule: `{ preimage }`, `{ signatures: [{ did, signature }] }`, or any JSON. */
  readonly evidence?: unknown;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev: string;
  /** Your reason. */
  readonly reason: string;
}

export interface RefundMove {
  /** The operation. */
  readonly op: 'refund';
  /** Id of the escrow. */
  readonly escrow: string;
  /** A DID. */
  readonly from: string;
  /** Tokens. */
  readonly amount: number;
}

export interface RegisterCapabilityRequest {
  /** A W3C Verifiable Credential of the DID about itself; without a proof the node adds one. */
  readonly credential: { readonly [member: string]: unknown };
  /** Hash of the last event of the identity: another is refused. Absent or null: not checked. */
  readonly resourcePrev?: string | null;
}

export interface RegisterControllerRequest {
  /** Unlocks the key of the DID. */
  readonly passphrase: string;
}

/** The credential, and what every write answers. */
export interface RegisteredCapability {
  /** The credential as stored. */
  readonly credential: Capability | null;
  /** Send it as `resourcePrev` with the identity's next write. */
  readonly resourcePrev: string;
  /** Hash of the event of this write: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce of the event, counted for the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

export interface Registration {
  /** A DID. */
  readonly did: string;
  /** The registry on chain knows the DID. */
  readonly registered: boolean;
  /** Address that acts for the DID on chain; null if it was revoked. */
  readonly controller: string | null;
}

export interface RejectBidRequest {
  /** Your reason. */
  readonly reason?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

/** Also accepted: `reason` for `feedback`. */
export interface RejectContractRequest {
  /** What you say about it. */
  readonly feedback?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

/** Also accepted: `reason` for `feedback`. */
export interface RejectTaskOrderRequest {
  /** The submission to decide about, which must be the newest. Default: the newest. */
  readonly submissionId?: string;
  /** What you say about it. */
  readonly feedback?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
  /** Default: the order of the task. */
  readonly orderId?: string;
}

export interface ReleaseEscrowRequest {
  /** Tokens. */
  readonly amount: number;
  /** Id of the rule to apply; default: any satisfied rule. */
  readonly ruleId?: string;
  /** The same as `ruleId`. */
  readonly rule?: string;
  /** Evidence that satisfies the rule: `{ preimage }`, `{ signatures: [{ did, signature }] }`, or any JSON. */
  readonly evidence?: unknown;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
  /** Your reason. */
  readonly reason?: string;
}

export interface ReleaseMove {
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
}

export interface RemoveCapabilityListingRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface RemoveInfoListingRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface RemoveTaskListingRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface Reputation {
  /** The DID that it is about. */
  readonly did: string;
  /** Weighted mean, 0 to 1000; null if all its records have lost their weight. */
  readonly score: number | null;
  /** The score as a word. */
  readonly level: 'unrated' | 'poor' | 'fair' | 'good' | 'excellent';
  /** The level as a number: 0 is `unrated`. */
  readonly levelNumber: number;
  /** Those with records. */
  readonly dimensions: {
    /** What is recorded of its transaction. */
    readonly transaction?: ReputationDimension;
    /** What is recorded of its fulfillment. */
    readonly fulfillment?: ReputationDimension;
    /** What is recorded of its quality. */
    readonly quality?: ReputationDimension;
    /** What is recorded of its social. */
    readonly social?: ReputationDimension;
    /** What is recorded of its behavior. */
    readonly behavior?: ReputationDimension;
  };
  /** Finished orders and contracts for which something was paid. */
  readonly totalTransactions: number;
  /** Share of them in which the DID lost no dispute, 0 to 1; null if there are none. */
  readonly successRate: number | null;
  /** Mean of all reviews, in stars; null if there are none. */
  readonly averageRating: number | null;
  /** When the newest record was made, epoch milliseconds. */
  readonly updatedAt: number;
}

export interface ReputationDimension {
  /** Weighted mean, 0 to 1000; null if all its records have lost their weight. */
  readonly score: number | null;
  /** Records of it. */
  readonly count: number;
  /** When the newest of them was made; epoch milliseconds. */
  readonly updatedAt: number;
}

export interface ReputationRecord {
  /** Id of the record. */
  readonly id: string;
  /** DID of the reviewer. */
  readonly issuer: string;
  /** DID that the record is about. */
  readonly target: string;
  /** The same as `issuer`. */
  readonly reviewer: string;
  /** The same as `target`. */
  readonly reviewee: string;
  /** Dimension of the record. */
  readonly dimension: 'transaction' | 'fulfillment' | 'quality' | 'social' | 'behavior';
  /** 0 to 1000. */
  readonly score: number;
  /** The score in stars, 0 to 5. */
  readonly rating: number;
  /** `review`: a party says it; `deal`: the node has recorded it by itself. */
  readonly source: 'review' | 'deal';
  /** Id of the order or contract that it is about. */
  readonly ref: string;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** Hash of the event that made it. A review never changes. */
  readonly resourcePrev: string;
  /** The reviewer’s comment; null if there is none. */
  readonly comment: string | null;
  /** Further details from the reviewer; null if there are none. */
  readonly aspects: { readonly [member: string]: unknown } | null;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

export type ReputationRecordResult = ReputationRecord & WriteFields & {
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** The same as `createdAt`. */
  readonly timestamp: number;
};

export interface RequesterProviderReview {
  /** Who wrote it. */
  readonly role: 'requester' | 'provider';
  /** 1 to 5 stars. */
  readonly rating: number;
  /** The reviewer’s comment; null if there is none. */
  readonly comment: string | null;
  /** Further details from the reviewer; null if there are none. */
  readonly aspects: { readonly [member: string]: unknown } | null;
  /** When it was written; epoch milliseconds. */
  readonly createdAt: number;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

export interface ReserveMove {
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
}

/** Also accepted: `decision` for `resolution`, `buyerRefund` for `clientRefund`, `sellerPayment` for `providerPayment`. */
export interface ResolveContractRequest {
  /** release: the rest to the provider; refund: to the client; split: according to the two amounts; resume: the contract continues; fallback: what was agreed for a dispute of 60 days. */
  readonly resolution: 'release' | 'refund' | 'split' | 'resume' | 'fallback';
  /** split: Tokens for the client. */
  readonly clientRefund?: number;
  /** split: Tokens for the provider. Both amounts must add up to the rest. */
  readonly providerPayment?: number;
  /** Why; shown with the ruling, or with the proposal of a party. */
  readonly note?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

/** Also accepted: `decision` for `resolution`, `buyerRefund` for `clientRefund`, `sellerPayment` for `providerPayment`. */
export interface ResolveDisputeRequest {
  /** release: the rest to the provider; refund: to the client; split: according to the two amounts; resume: the contract continues; fallback: what was agreed for a dispute of 60 days. */
  readonly resolution: 'release' | 'refund' | 'split' | 'resume' | 'fallback';
  /** split: Tokens for the client. */
  readonly clientRefund?: number;
  /** split: Tokens for the provider. Both amounts must add up to the rest. */
  readonly providerPayment?: number;
  /** Why; shown with the ruling, or with the proposal of a party. */
  readonly note?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

/** Also accepted: `decision` for `resolution`, `buyerRefund` for `clientRefund`, `sellerPayment` for `providerPayment`. */
export interface ResolveOrderRequest {
  /** release: the rest to the provider; refund: to the client; split: according to the two amounts; resume: the contract continues; fallback: what was agreed for a dispute of 60 days. */
  readonly resolution: 'release' | 'refund' | 'split' | 'resume' | 'fallback';
  /** split: Tokens for the client. */
  readonly clientRefund?: number;
  /** split: Tokens for the provider. Both amounts must add up to the rest. */
  readonly providerPayment?: number;
  /** Why; shown with the ruling, or with the proposal of a party. */
  readonly note?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface ResumeCapabilityListingRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface ResumeInfoListingRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface ResumeLeaseRequest {
  /** Your reason. */
  readonly reason?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface ResumeTaskListingRequest {
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface ReviewInfoOrderRequest {
  /** 1 to 5 stars. */
  readonly rating: number;
  /** Your comment. */
  readonly comment?: string;
  /** Further details, in members of your choice. */
  readonly aspects?: { readonly [member: string]: unknown };
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
  /** The order. Default: the signer’s only order on the listing that is waiting for this action. */
  readonly orderId?: string;
}

export interface ReviewTaskOrderRequest {
  /** 1 to 5 stars. */
  readonly rating: number;
  /** Your comment. */
  readonly comment?: string;
  /** Further details, in members of your choice. */
  readonly aspects?: { readonly [member: string]: unknown };
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
  /** Default: the order of the task. */
  readonly orderId?: string;
}

export interface RotateWebhookSecretRequest {
  /** The secret that signs deliveries; default: the node creates one. */
  readonly secret?: string;
  /** How long deliveries are also signed with the previous secret; default: a day. */
  readonly overlapMs?: number;
}

export type RuleInput = EvaluatedRuleInput | CitedRuleInput;

export interface SettledMove {
  /** Hash of the event of this write: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce of the event, counted for the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** DID, id of an escrow, or `fees`; null if the Tokens are new. */
  readonly from: string | null;
  /** DID, id of an escrow, or the EVM address of a withdrawal; null if nothing is paid. */
  readonly to: string | null;
  /** Tokens. */
  readonly amount: number;
  /** Fee that the sender paid in addition to the amount, Tokens. */
  readonly fee: number;
  /** The sender’s note; null if there is none. */
  readonly memo: string | null;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Number of blocks from that block on, including it. */
  readonly confirmations: number;
  /** When the node accepted it; epoch milliseconds. */
  readonly timestamp: number;
  /** What moved the Tokens: see Move. */
  readonly op: string;
  /** DID that signed the event. */
  readonly issuer: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
  /** What the receiver is asked to pay at another home; absent if nothing. */
  readonly onward?: {
    /** The home where the receiver shall pay. */
    readonly home: string;
    /** DID or address that it shall pay there. */
    readonly to: string;
  };
  /** The transfer for which this pays, or which this gives back; absent if none. */
  readonly onwardOf?: {
    /** The home where that transfer was made. */
    readonly home: string;
    /** Hash of its event. */
    readonly event: string;
  };
  /** The escrow that it is about; absent if there is none. */
  readonly escrowId?: string;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

export interface SignContractRequest {
  /** `termsHash` of the contract that you have read. The node refuses any other hash. If absent, it is not checked. */
  readonly termsHash?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface SignedEntry {
  /** The entry around the event. */
  readonly entry: Entry;
  /** The home’s statement that its journal has this entry at this number. */
  readonly checkpoint: Checkpoint;
}

export interface StartAuditRequest {
  /** Verify also what an earlier audit of the node has verified. */
  readonly full?: boolean;
}

export interface Statistics {
  /** The period. */
  readonly period: 'day' | 'week' | 'month';
  /** Length of a point, ms. */
  readonly everyMs: number;
  /** Number of the newest entry that is counted. */
  readonly upTo: number;
  /** Transfers. */
  readonly transfers: number;
  /** Tokens that they moved. */
  readonly transferred: number;
  /** Orders, leases and contracts for which Tokens were locked. */
  readonly trades: number;
  /** Tokens that were locked for them. */
  readonly traded: number;
  /** Tokens that escrows paid out to beneficiaries. */
  readonly released: number;
  /** Tokens that funded escrows hold now. */
  readonly escrowed: number;
  /** Disputes without a ruling now. */
  readonly openDisputes: number;
  /** Oldest first; the last one has begun. */
  readonly points: readonly StatisticsPoint[];
  /** Prices agreed on the UTC days of the points, by category with 3 buyers or more; most Tokens first, at most 50. */
  readonly prices: readonly CategoryPrice[];
}

export interface StatisticsPoint {
  /** Start of the point; epoch milliseconds. */
  readonly startedAt: number;
  /** Transfers. */
  readonly transfers: number;
  /** Tokens that they moved. */
  readonly transferred: number;
  /** Orders, leases and contracts for which Tokens were locked. */
  readonly trades: number;
  /** Tokens that were locked for them. */
  readonly traded: number;
  /** Tokens that escrows paid out to beneficiaries. */
  readonly released: number;
  /** Tokens that funded escrows hold at its end. */
  readonly escrowed: number;
  /** Disputes without a ruling at its end. */
  readonly openDisputes: number;
}

export interface Submission {
  /** Id of the submission. */
  readonly submissionId: string;
  /** Its current state. */
  readonly status: 'submitted' | 'approved' | 'rejected';
  /** SHA-256 of the signed envelope. */
  readonly envelopeDigest: string | null;
  /** When it was delivered; epoch milliseconds. */
  readonly deliveredAt: number;
  /** When it was approved or rejected; epoch milliseconds, null until then. */
  readonly decidedAt: number | null;
  /** As they came. Only the parties and the arbiter can see it. */
  readonly deliverables?: readonly unknown[];
  /** The provider’s note; null: none. Only the parties and the arbiter can see it. */
  readonly notes?: string | null;
  /** The deliverable envelope, completed and signed. Only the parties and the arbiter can see it. */
  readonly envelope?: { readonly [member: string]: unknown } | null;
  /** What the requester said about it; null: nothing. Only the parties and the arbiter can see it. */
  readonly feedback?: string | null;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

/** Also accepted: `message` for `notes`. */
export interface SubmitContractRequest {
  /** The deliverables: texts or objects of any form. */
  readonly deliverables?: readonly unknown[];
  /** A note to the client. */
  readonly notes?: string;
  /** A delivery whose form the node checks. */
  readonly delivery?: {
    /** A deliverable envelope, which the node completes and signs. */
    readonly envelope?: {
      /** Type of the deliverable. */
      readonly type: 'text' | 'data' | 'document' | 'code' | 'model' | 'binary' | 'stream' | 'composite' | 'other';
      /** Media type. */
      readonly format?: string;
      /** Name of the file. */
      readonly name?: string;
      /** SHA-256 of the content, hex; absent: the node hashes `transport.data`. */
      readonly contentHash?: string;
      /** Bytes of the content; absent: of `transport.data`. */
      readonly size?: number;
      /** How the content is delivered. */
      readonly transport?: {
        /** `inline`: in `data`; the others: at `uri`. */
        readonly method: 'inline' | 'external' | 'stream' | 'endpoint';
        /** Where the content is. */
        readonly uri?: string;
        /** The content itself, written as `encoding` says. */
        readonly data?: string;
        /** Encoding of `data`; default utf8. */
        readonly encoding?: 'utf8' | 'base64' | 'hex';
        readonly [member: string]: unknown;
      };
      /** Id of the envelope; default: the node creates one. */
      readonly id?: string;
      /** The order, or `<contract>/<milestone>`, that it is for; absent: this one. */
      readonly contextId?: string;
      /** DID that produced it; default: the signer. */
      readonly producer?: string;
      /** When it was made: ISO 8601 with an offset, or epoch milliseconds; absent: now. */
      readonly createdAt?: number | string;
      /** What the signature covers; absent: the node computes it. */
      readonly digest?: string;
      /** The producer’s Ed25519 signature of `svc:deliverable:v2:<network>:<home>:<digest>`, base64url; absent: the node signs. */
      readonly signature?: string;
      readonly [member: string]: unknown;
    };
  };
  /** SHA-256 of an envelope that is kept elsewhere. */
  readonly envelopeDigest?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface SubmitEventRequest {
  /** The event, signed by its issuer. */
  readonly event: {
    /** Version of the event. */
    readonly v: number;
    /** Dotted, past tense: `escrow.released`. */
    readonly type: string;
    /** DID that signed. */
    readonly issuer: string;
    /** DID of the home for whose journal it is signed. */
    readonly home: string;
    /** The issuer’s count of its events, from 1. */
    readonly nonce: number;
    /** The signer’s statement of the time; epoch milliseconds. */
    readonly ts: number;
    /** Hash of the issuer’s previous event; null for its first. */
    readonly prev: string | null;
    /** Network that it is for: devnet, testnet or mainnet. */
    readonly network: string;
    /** SHA-256 of the RFC 8785 form of `{ public, sealed }`, hex. */
    readonly payloadHash: string;
    /** The Ed25519 public key that signed, hex: the issuer’s own. */
    readonly pub: string;
    /** Tokens that the act may cost its signer at most; absent: any number. */
    readonly most?: number;
    /** Latest time of its entry: at most ten minutes after `ts`. */
    readonly until: number | string;
    /** SHA-256 of the RFC 8785 form without `hash` and `sig`, hex. */
    readonly hash: string;
    /** Ed25519 over `svc:event:v3:` and that form, or its SHA-256 in hex where it is longer than 1 KiB; base64url. */
    readonly sig: string;
  };
  /** What the event asks for. */
  readonly payload: {
    /** Kind of the resource. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** The action; `create` makes the resource. */
    readonly action: string;
    /** The members that the event is signed for, with the texts of leaves. */
    readonly input: { readonly [member: string]: unknown };
    /** Ids of the further resources that it makes. */
    readonly ids?: { readonly [member: string]: unknown };
  };
  /** The leaves in `payload.input`: `{ leaf, size, salt }` by JSON pointer. */
  readonly leaves?: { readonly [member: string]: unknown };
  /** Salt of the confidential members, if there are any; hex. */
  readonly salt?: string;
  /** Encrypted contents whose SHA-256 the input names. */
  readonly contents?: readonly {
    /** The bytes, in base64. */
    readonly dataBase64: string;
  }[];
}

export interface Supply {
  /** Network of the node: devnet, testnet or mainnet. */
  readonly network: string;
  /** Number of the newest entry that the sums contain; null while entries are added too fast. */
  readonly seq: number | null;
  /** Tokens in the ledger: the sum of the following members. */
  readonly supply: number;
  /** Tokens that you can spend now. */
  readonly available: number;
  /** Tokens that unfunded escrows hold. */
  readonly reserved: number;
  /** Tokens that funded escrows hold. */
  readonly escrowed: number;
  /** Collected fees that are not yet withdrawn. */
  readonly fees: number;
  /** Null if the node does not settle on a chain. */
  readonly chain: {
    /** `rpc`: a chain that the node reaches over JSON-RPC; `embedded`: the one that runs inside the process. */
    readonly kind: 'rpc' | 'embedded';
    /** Chain id (EIP-155); null while it is not known. */
    readonly chainId: number | null;
    /** The block at which all of this was read. */
    readonly blockNumber: number;
    /** Address of the token contract. */
    readonly token: string;
    /** Address of the registry of DIDs. */
    readonly registry: string;
    /** Address of the vault that holds the Tokens. */
    readonly vault: string;
    /** Address of the settlement contract. */
    readonly settlement: string;
    /** Tokens in existence on chain. */
    readonly tokenSupply: number;
    /** Tokens in the vault. */
    readonly holdings: number;
    /** Of these, the Tokens of accounts, escrows and fees. */
    readonly owed: number;
    /** Of the amount owed: fees that are not yet withdrawn. */
    readonly fees: number;
    /** Of the holdings: deposits that are not yet credited. */
    readonly waiting: number;
    /** Of the holdings: withdrawals that could not be paid yet. */
    readonly heldBack: number;
    /** Operations that are committed but not settled. */
    readonly lag: number;
  } | null;
  /** Ledger and vault agree; null while operations are on their way, or without a chain. */
  readonly balanced: boolean | null;
}

export interface SystemFields {
  /** Hash of the event of this write: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** The system key of the node, which signed the event. */
  readonly issuer: string;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
}

export interface TaskBid {
  /** Id of the bid. */
  readonly bidId: string;
  /** The same as `bidId`. */
  readonly id: string;
  /** Id of the task’s listing. */
  readonly listingId: string;
  /** The same as `listingId`. */
  readonly taskId: string;
  /** DID that offers to do the task. */
  readonly bidder: string;
  /** DID whose task it is. */
  readonly requester: string;
  /** Tokens that go into escrow when the bid is accepted. */
  readonly price: number;
  /** The bidder’s timeline; null if not given. */
  readonly timeline: unknown;
  /** The bidder’s approach; null if not given. */
  readonly approach: string | null;
  /** Further details of the offer; null if not given. */
  readonly proposal: unknown;
  /** State of the bid. */
  readonly status: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
  /** Why it was rejected or withdrawn, if a reason was given. */
  readonly reason: string | null;
  /** The order that resulted from its acceptance. */
  readonly orderId: string | null;
  /** The escrow that holds its price. */
  readonly escrowId: string | null;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** In reads: the present title of the listing or contract that it is about; absent where you may not see that, or the operator hides it. */
  readonly title?: string | null;
}

export type TaskBidTaskOrder = TaskOrder & WriteFields & {
  /** Id of the bid. */
  readonly bidId: string;
  /** The bid after it. */
  readonly bid: TaskBidWritten;
};

export type TaskBidWritten = TaskBid & WriteFields;

export interface TaskListing {
  /** Id of the listing. */
  readonly listingId: string;
  /** The same as `listingId`. */
  readonly id: string;
  /** info, task or capability. */
  readonly marketType: string;
  /** The same as `marketType`. */
  readonly type: string;
  /** DID that published it. */
  readonly seller: string;
  /** Title of the listing. */
  readonly title: string | null;
  /** Full description of the offer or request. */
  readonly description: string | null;
  /** Category that searches can filter by. */
  readonly category: string;
  /** Words that searches can filter by. */
  readonly tags: readonly string[];
  /** The price; `currency` is TOKEN. */
  readonly pricing: {
    /** Kind of payment, a word of your choice; for leases `pay_per_use`, `credits`, `time_based` or `subscription`. */
    readonly type?: string;
    /** Always TOKEN. */
    readonly currency?: 'TOKEN';
    /** Tokens for one unit; 0: free. */
    readonly price?: number;
    /** The same as `price`. */
    readonly fixedPrice?: number;
    /** The same as `price`. */
    readonly amount?: number;
    /** The same as `price`: the requester’s budget for a task. */
    readonly budget?: number;
    /** Bounds within which a unit price is agreed, instead of `price`. */
    readonly priceRange?: {
      /** The lowest price, in Tokens. */
      readonly min: number;
      /** The highest price, in Tokens. */
      readonly max: number;
    };
    /** Price by use. */
    readonly usagePrice?: {
      /** Name of the unit, a word of your choice, such as `call`. */
      readonly unit: string;
      /** Tokens for each. */
      readonly pricePerUnit: number;
    };
    /** Price by time. */
    readonly subscriptionPrice?: {
      /** Length of a period; a month has 30 days, a year 365. */
      readonly period: 'hour' | 'day' | 'week' | 'month' | 'year';
      /** Tokens for each period. */
      readonly price: number;
    };
    /** Whether the price is negotiable. For readers only: it has no effect. */
    readonly negotiable?: boolean;
  };
  /** The current status, which takes `expiresAt` into account. */
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  /** Only the owner can see a private listing. */
  readonly visibility: 'public' | 'private';
  /** Orders and ratings so far. */
  readonly stats: ListingStats;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Null if never. */
  readonly expiresAt: number | null;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** Type of task, a word of your choice. */
  readonly taskType: string;
  /** The work to do, in members of your choice; searches find its `skills`. */
  readonly task: {
    /** Required skills: words, or objects with a `name`. */
    readonly skills?: unknown;
    readonly [member: string]: unknown;
  };
  /** When it is due. */
  readonly timeline: {
    /** When bidding ends: ISO 8601 with an offset, or epoch milliseconds. */
    readonly bidDeadline?: number;
    /** When the work is due: ISO 8601 with an offset, or epoch milliseconds. */
    readonly deadline?: number;
    /** When the work may begin: kept as you write it. */
    readonly start?: unknown;
    /** How long the work takes: kept as you write it. */
    readonly duration?: unknown;
    /** Days that you expect: kept as you write it. */
    readonly estimatedDays?: unknown;
    /** Stored unchanged. */
    readonly notes?: unknown;
    /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
    readonly erased?: readonly string[];
  };
  /** State of the bidding. */
  readonly bidding: {
    /** When bidding ends; null: never. */
    readonly closesAt: number | null;
    /** The most bids, withdrawn ones included. */
    readonly maxBids: number;
    /** Bids that count towards `maxBids`, withdrawn ones included. */
    readonly bidCount: number;
    /** Whether the deadline and the limit allow another bid. */
    readonly open: boolean;
    /** The order that resulted from the accepted bid. */
    readonly orderId: string | null;
  };
  /** Why the operator of this node hides it: only its seller and those who have dealt see it. */
  readonly hidden?: string;
  /** Units left; if absent, unlimited. */
  readonly stock?: number;
  /** While `active`: open for bids, or a bid was accepted. */
  readonly substate?: 'open' | 'awarded';
  /** Required skills, as words that searches can filter by. */
  readonly skills?: readonly string[];
  /** Any other data; the node stores it unchanged. */
  readonly metadata?: { readonly [member: string]: unknown } | null;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** DID of the home that it belongs to; absent: it is this node’s own. */
  readonly home?: string;
  /** Of another home’s: up to when this node has read that home’s feed, epoch milliseconds, or when the home was asked; absent before the first checkpoint. */
  readonly asOf?: number;
}

export type TaskListingWritten = TaskListing & WriteFields;

/** `facets` only with `includeFacets=true`, over the whole result. */
export interface TaskMarketSearchResult {
  /** The elements of this page. */
  readonly listings: readonly TaskListing[];
  /** Number of elements in the whole list. */
  readonly total: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface TaskOrder {
  /** Id of the order. */
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
  /** Tokens for the whole task. */
  readonly price: number;
  /** Always Tokens. */
  readonly currency: 'TOKEN';
  /** The escrow that holds the price. */
  readonly escrowId: string;
  /** Its current state. */
  readonly status: 'open' | 'accepted' | 'delivered' | 'confirmed' | 'reviewed' | 'cancelled' | 'disputed';
  /** When the work was due, as agreed; epoch milliseconds. */
  readonly dueAt: number;
  /** When the clock cancels an order that is not delivered; a rejection may postpone it. */
  readonly deliverBy: number;
  /** When the newest submission was delivered; epoch milliseconds, null before. */
  readonly deliveredAt: number | null;
  /** When the clock confirms a delivery; null if none waits. */
  readonly confirmBy: number | null;
  /** The newest submission. */
  readonly submissionId: string | null;
  /** All that was delivered, oldest first. */
  readonly submissions: readonly Submission[];
  /** How many of them were rejected. */
  readonly rejections: number;
  /** When it was confirmed; epoch milliseconds, null before. */
  readonly confirmedAt: number | null;
  /** When it was cancelled; epoch milliseconds, null before. */
  readonly cancelledAt: number | null;
  /** Its dispute, if there is or was one. */
  readonly disputeId: string | null;
  /** The reviews that the parties have written. */
  readonly reviews: readonly RequesterProviderReview[];
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: send it as `resourcePrev` with your next write. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** In reads: the present title of the listing or contract that it is about; absent where you may not see that, or the operator hides it. */
  readonly title?: string | null;
}

export type TaskOrderDispute = Dispute & WriteFields & {
  /** Id of the task-order. */
  readonly orderId: string;
  /** The task-order after it. */
  readonly order: TaskOrderWritten;
};

export type TaskOrderWritten = TaskOrder & WriteFields;

export interface TerminateContractRequest {
  /** Your reason. */
  readonly reason?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface TerminateLeaseRequest {
  /** Your reason. */
  readonly reason?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface TermsInput {
  /** What is agreed, in a line: the title that the contract’s lists show. */
  readonly title?: string;
  /** Decides disputes; without it the network’s arbiter does. */
  readonly arbiter?: string;
  /** From then on the client may terminate. */
  readonly deadline?: number | string;
  /** What either party may ask for after 60 days of dispute; default split. */
  readonly fallback?: 'refund' | 'release' | 'split';
  /** Days in which the client answers a submission in time; then it is approved and paid. Default 7. */
  readonly reviewDays?: number;
  readonly [member: string]: unknown;
}

export interface TimelineInput {
  /** When bidding ends: ISO 8601 with an offset, or epoch milliseconds. */
  readonly bidDeadline?: number | string;
  /** When the work is due: ISO 8601 with an offset, or epoch milliseconds. */
  readonly deadline?: number | string;
  /** When the work may begin: kept as you write it. */
  readonly start?: unknown;
  /** How long the work takes: kept as you write it. */
  readonly duration?: unknown;
  /** Days that you expect: kept as you write it. */
  readonly estimatedDays?: unknown;
  /** Stored unchanged. */
  readonly notes?: unknown;
}

export interface Transaction {
  /** Hash of the event of this write: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce of the event, counted for the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** DID, id of an escrow, or `fees`; null if the Tokens are new. */
  readonly from: string | null;
  /** DID, id of an escrow, or the EVM address of a withdrawal; null if nothing is paid. */
  readonly to: string | null;
  /** Tokens. */
  readonly amount: number;
  /** Fee that the sender paid in addition to the amount, Tokens. */
  readonly fee: number;
  /** The sender’s note; null if there is none. */
  readonly memo: string | null;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Number of blocks from that block on, including it. */
  readonly confirmations: number;
  /** When the node accepted it; epoch milliseconds. */
  readonly timestamp: number;
  /** What moved the Tokens: see Move. */
  readonly op: string;
  /** DID that signed the event. */
  readonly issuer: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
  /** The direction, seen from the wallet: `sent`, `received`, or `escrow` (into or out of an escrow). */
  readonly type: 'sent' | 'received' | 'escrow';
  /** What the receiver is asked to pay at another home; absent if nothing. */
  readonly onward?: {
    /** The home where the receiver shall pay. */
    readonly home: string;
    /** DID or address that it shall pay there. */
    readonly to: string;
  };
  /** The transfer for which this pays, or which this gives back; absent if none. */
  readonly onwardOf?: {
    /** The home where that transfer was made. */
    readonly home: string;
    /** Hash of its event. */
    readonly event: string;
  };
  /** The escrow that it is about; absent if there is none. */
  readonly escrowId?: string;
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

export interface TransferMove {
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
}

export interface TransferRequest {
  /** DID or address that receives the Tokens. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
  /** Tokens for the operator, in addition to the amount; default: none. */
  readonly fee?: number;
  /** A note for the receiver. All readers of the journal can see it. */
  readonly memo?: string;
  /** Asks the receiver to pay the amount at another home, to whom this says. */
  readonly onward?: {
    /** The home where the receiver shall pay. */
    readonly home: string;
    /** DID or address that it shall pay there. */
    readonly to: string;
  };
  /** The transfer for which this pays, or which this gives back: CONFLICT if the signer has paid for it before. */
  readonly onwardOf?: {
    /** The home where that transfer was made. */
    readonly home: string;
    /** Hash of its event. */
    readonly event: string;
  };
}

export interface TransferResult {
  /** Hash of the event of this write: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce of the event, counted for the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** DID, id of an escrow, or `fees`; null if the Tokens are new. */
  readonly from: string | null;
  /** DID, id of an escrow, or the EVM address of a withdrawal; null if nothing is paid. */
  readonly to: string | null;
  /** Tokens. */
  readonly amount: number;
  /** Fee that the sender paid in addition to the amount, Tokens. */
  readonly fee: number;
  /** The sender’s note; null if there is none. */
  readonly memo: string | null;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Number of blocks from that block on, including it. */
  readonly confirmations: number;
  /** When the node accepted it; epoch milliseconds. */
  readonly timestamp: number;
  /** What the receiver is asked to pay at another home; absent if nothing. */
  readonly onward?: {
    /** The home where the receiver shall pay. */
    readonly home: string;
    /** DID or address that it shall pay there. */
    readonly to: string;
  };
  /** The transfer for which this pays, or which this gives back; absent if none. */
  readonly onwardOf?: {
    /** The home where that transfer was made. */
    readonly home: string;
    /** Hash of its event. */
    readonly event: string;
  };
  /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
  readonly erased?: readonly string[];
}

export interface UnfreezeMove {
  /** The operation. */
  readonly op: 'unfreeze';
  /** A DID. */
  readonly did: string;
}

export interface UnlockIdentityRequest {
  /** Unlocks the key of the DID. */
  readonly passphrase: string;
}

export interface UnreserveMove {
  /** The operation. */
  readonly op: 'unreserve';
  /** Id of the escrow. */
  readonly escrow: string;
  /** A DID. */
  readonly from: string;
  /** Tokens. */
  readonly amount: number;
}

export interface UpdateCapabilityListingRequest {
  /** Any other data; the node stores it unchanged. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Title of the listing. Searches match it. */
  readonly title?: string;
  /** Full description of the offer or request. */
  readonly description?: string;
  /** A category of your choice that searches can filter by. */
  readonly category?: string;
  /** Words that searches can filter by. */
  readonly tags?: readonly string[];
  /** The price, in at least one form. Also accepted: `basePrice` for `price`, `model` for `type`. */
  readonly pricing?: PricingInput;
  /** Number of units; null: unlimited. */
  readonly stock?: number | null;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When the listing expires: ISO 8601 with an offset, or epoch milliseconds. Null: never. */
  readonly expiresAt?: number | string | null;
  /** What the capability can do, in members of your choice. */
  readonly capability?: { readonly [member: string]: unknown };
  /** The usage limit of each lease. */
  readonly quota?: QuotaInput;
  /** How to call the capability, in members of your choice. */
  readonly access?: {
    /** Method of access, a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

/** Also accepted: `arbiter` for `terms.arbiter`. */
export interface UpdateContractRequest {
  /** What was agreed; members that the node does not know are kept, and signed like the others. */
  readonly terms?: TermsInput;
  /** What the client pays; members that the node does not know are kept, and signed like the others. */
  readonly payment?: PaymentInput;
  /** Parts of the work that are paid one by one; absent: it is paid as a whole. */
  readonly milestones?: readonly MilestoneInput[];
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface UpdateIdentityRequest {
  /** The new document, which replaces the old one as a whole. */
  readonly document: {
    /** Display name. */
    readonly displayName?: string;
    /** The holder’s own description. */
    readonly bio?: string;
    /** http(s) URL of a picture. */
    readonly avatar?: string;
    /** Accounts on other platforms. */
    readonly platformLinks?: readonly {
      /** Name of the platform. */
      readonly platform: string;
      /** http(s) URL of the account there. */
      readonly url: string;
    }[];
  };
  /** `docHash` of the document that you replace. The node refuses any other hash. */
  readonly prevDocHash: string;
  /** Hash of the last event of the identity: another is refused. Absent or null: not checked. */
  readonly resourcePrev?: string | null;
}

export interface UpdateInfoListingRequest {
  /** Any other data; the node stores it unchanged. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Title of the listing. Searches match it. */
  readonly title?: string;
  /** Full description of the offer or request. */
  readonly description?: string;
  /** A category of your choice that searches can filter by. */
  readonly category?: string;
  /** Words that searches can filter by. */
  readonly tags?: readonly string[];
  /** The price, in at least one form. Also accepted: `basePrice` for `price`, `model` for `type`. */
  readonly pricing?: PricingInput;
  /** Number of units; null: unlimited. */
  readonly stock?: number | null;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When the listing expires: ISO 8601 with an offset, or epoch milliseconds. Null: never. */
  readonly expiresAt?: number | string | null;
  /** What a buyer may do with the content, in members of your choice. */
  readonly license?: LicenseInput;
  /** The least time to deliver that a purchase must leave you, in milliseconds; default an hour, at most 7 days. */
  readonly minDeliveryMs?: number;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface UpdateTaskListingRequest {
  /** Any other data; the node stores it unchanged. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Title of the listing. Searches match it. */
  readonly title?: string;
  /** Full description of the offer or request. */
  readonly description?: string;
  /** A category of your choice that searches can filter by. */
  readonly category?: string;
  /** Words that searches can filter by. */
  readonly tags?: readonly string[];
  /** The price, in at least one form. Also accepted: `basePrice` for `price`, `model` for `type`. */
  readonly pricing?: PricingInput;
  /** Number of units; null: unlimited. */
  readonly stock?: number | null;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When the listing expires: ISO 8601 with an offset, or epoch milliseconds. Null: never. */
  readonly expiresAt?: number | string | null;
  /** The work to do, in members of your choice; searches find its `skills`. */
  readonly task?: {
    /** Required skills: words, or objects with a `name`. */
    readonly skills?: unknown;
    readonly [member: string]: unknown;
  };
  /** When it is due. */
  readonly timeline?: TimelineInput;
  /** Required skills, as words that searches can filter by. */
  readonly skills?: readonly string[];
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface Webhook {
  /** Id of the webhook. */
  readonly id: string;
  /** Where deliveries are posted to. */
  readonly url: string;
  /** The creator’s description of the webhook; may be empty. */
  readonly label: string;
  /** `disabled`: the node delivers nothing until you enable the webhook. */
  readonly status: 'active' | 'disabled';
  /** Why it is disabled. */
  readonly reason: string | null;
  /** When it was created; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Epoch milliseconds until which deliveries have a second signature, by the previous secret; null if there is none. */
  readonly previousSecretUntil: number | null;
  /** Number of the entry up to which every event is delivered, given up, or excluded by the filters. */
  readonly deliveredUpTo: number;
  /** Deliveries that have failed and will be tried again. */
  readonly waiting: number;
  /** Epoch milliseconds since when all deliveries fail; null if they succeed. */
  readonly failingSince: number | null;
  /** Epoch milliseconds of the last successful delivery; null if there is none yet. */
  readonly deliveredAt: number | null;
  /** Types of events: `escrow.released`, `escrow.*`. */
  readonly types?: readonly string[];
  /** Kinds of resources that the entry wrote. */
  readonly kinds?: readonly string[];
  /** DID that signed the event, or whose Tokens moved. */
  readonly did?: string;
  /** `<kind>/<id>` */
  readonly resource?: string;
}

export interface WithdrawBidRequest {
  /** Your reason. */
  readonly reason?: string;
  /** Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the request if the resource has changed since. */
  readonly resourcePrev?: string | null;
}

export interface WithdrawFeesRequest {
  /** DID or address that gets the fees. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
}

export interface WithdrawMove {
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
}

export interface WithdrawRequest {
  /** Tokens. */
  readonly amount: number;
  /** Tokens for the operator, in addition to the amount; default: none. */
  readonly fee?: number;
  /** EVM address that receives the Tokens; default: the address of the DID. */
  readonly to?: string;
}

export interface WriteFields {
  /** Hash of the event of this write: `GET /api/v1/events/{hash}`. */
  readonly eventHash: string;
  /** Nonce of the event, counted for the DID that signed it. */
  readonly nonce: number;
  /** Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event. */
  readonly txHash: string;
  /** Members of the body that were ignored, with `Prefer: handling=lenient`. */
  readonly ignored?: readonly string[];
}

export interface XstateMachine {
  /** The sort of resource: `escrow`. */
  readonly id: string;
  /** Name of the kind, for people. */
  readonly description: string;
  /** Name of the first state. */
  readonly initial: string;
  /** By name, as `createMachine` of XState takes them. */
  readonly states: { readonly [member: string]: unknown };
  /** Data that XState does not need. */
  readonly meta: {
    /** The sort of resource: `escrow`. */
    readonly kind: string;
    /** Definition version: what entries and resources name as `machine`. */
    readonly version: string;
    /** Machines inside the context, by name. */
    readonly nested?: { readonly [member: string]: unknown };
  };
  /** Effects of a creation. */
  readonly entry?: readonly {
    /** Name of the effect. */
    readonly type: string;
  }[];
}

/** Parameters of every list. */
export interface Paging {
  /** The most elements on a page; default 20. */
  readonly limit?: number;
  /** Number of elements to skip, at most 10,000; after that use `after`. */
  readonly offset?: number;
  /** Number of the page, from 1: an alternative to `offset`. */
  readonly page?: number;
  /** An alternative to `limit`. */
  readonly pageSize?: number;
  /** The same as `pageSize`. */
  readonly per_page?: number;
  /** Cursor from `pagination.after` of an earlier page. */
  readonly after?: string;
}

/** Bodies by operation, without the members that name and prove the signer. */
export interface Requests {
  readonly acceptBid: AcceptBidRequest;
  readonly activateContract: ActivateContractRequest;
  readonly approveContract: ApproveContractRequest;
  readonly batch: BatchRequest;
  readonly cancelEscrow: CancelEscrowRequest;
  readonly claimFaucet: ClaimFaucetRequest;
  readonly completeContract: CompleteContractRequest;
  readonly confirmInfoOrder: ConfirmInfoOrderRequest;
  readonly confirmTaskOrder: ConfirmTaskOrderRequest;
  readonly consentContract: ConsentContractRequest;
  readonly createApiKey: CreateApiKeyRequest;
  readonly createBid: CreateBidRequest;
  readonly createCapabilityListing: CreateCapabilityListingRequest;
  readonly createContract: CreateContractRequest;
  readonly createEscrow: CreateEscrowRequest;
  readonly createIdentity: CreateIdentityRequest;
  readonly createInfoListing: CreateInfoListingRequest;
  readonly createInfoOrder: CreateInfoOrderRequest;
  readonly createLease: CreateLeaseRequest;
  readonly createOwnApiKey: CreateOwnApiKeyRequest;
  readonly createReview: CreateReviewRequest;
  readonly createTaskListing: CreateTaskListingRequest;
  readonly createWebhook: CreateWebhookRequest;
  readonly deliverInfoOrder: DeliverInfoOrderRequest;
  readonly deliverTaskOrder: DeliverTaskOrderRequest;
  readonly disputeContract: DisputeContractRequest;
  readonly disputeOrder: DisputeOrderRequest;
  readonly enableWebhook: EnableWebhookRequest;
  readonly expireEscrow: ExpireEscrowRequest;
  readonly fundEscrow: FundEscrowRequest;
  readonly invokeLease: InvokeLeaseRequest;
  readonly limitPeer: LimitPeerRequest;
  readonly mirrorPeer: MirrorPeerRequest;
  readonly openLease: OpenLeaseRequest;
  readonly openOrder: OpenOrderRequest;
  readonly pauseCapabilityListing: PauseCapabilityListingRequest;
  readonly pauseInfoListing: PauseInfoListingRequest;
  readonly pauseLease: PauseLeaseRequest;
  readonly pauseTaskListing: PauseTaskListingRequest;
  readonly redactLeaf: RedactLeafRequest;
  readonly redeliverEvent: RedeliverEventRequest;
  readonly refundEscrow: RefundEscrowRequest;
  readonly registerCapability: RegisterCapabilityRequest;
  readonly registerController: RegisterControllerRequest;
  readonly rejectBid: RejectBidRequest;
  readonly rejectContract: RejectContractRequest;
  readonly rejectTaskOrder: RejectTaskOrderRequest;
  readonly releaseEscrow: ReleaseEscrowRequest;
  readonly removeCapabilityListing: RemoveCapabilityListingRequest;
  readonly removeInfoListing: RemoveInfoListingRequest;
  readonly removeTaskListing: RemoveTaskListingRequest;
  readonly resolveContract: ResolveContractRequest;
  readonly resolveDispute: ResolveDisputeRequest;
  readonly resolveOrder: ResolveOrderRequest;
  readonly resumeCapabilityListing: ResumeCapabilityListingRequest;
  readonly resumeInfoListing: ResumeInfoListingRequest;
  readonly resumeLease: ResumeLeaseRequest;
  readonly resumeTaskListing: ResumeTaskListingRequest;
  readonly reviewInfoOrder: ReviewInfoOrderRequest;
  readonly reviewTaskOrder: ReviewTaskOrderRequest;
  readonly rotateWebhookSecret: RotateWebhookSecretRequest;
  readonly signContract: SignContractRequest;
  readonly startAudit: StartAuditRequest;
  readonly submitContract: SubmitContractRequest;
  readonly submitEvent: SubmitEventRequest;
  readonly terminateContract: TerminateContractRequest;
  readonly terminateLease: TerminateLeaseRequest;
  readonly transfer: TransferRequest;
  readonly unlockIdentity: UnlockIdentityRequest;
  readonly updateCapabilityListing: UpdateCapabilityListingRequest;
  readonly updateContract: UpdateContractRequest;
  readonly updateIdentity: UpdateIdentityRequest;
  readonly updateInfoListing: UpdateInfoListingRequest;
  readonly updateTaskListing: UpdateTaskListingRequest;
  readonly withdraw: WithdrawRequest;
  readonly withdrawBid: WithdrawBidRequest;
  readonly withdrawFees: WithdrawFeesRequest;
}

/** Query parameters by operation. Lists go as one text with commas. */
export interface Queries {
  readonly getIdentity: {
    /** `store` (default) reads the stored result; `log` computes it from the events. Both agree. */
    readonly source?: 'store' | 'log';
  };
  readonly getMachine: {
    /** `xstate`: the argument of `createMachine`. Default: by `Accept`, or else JSON. */
    readonly format?: 'json' | 'xstate' | 'mermaid' | 'svg' | 'csv' | 'markdown';
    /** A past definition version that entries still name. */
    readonly version?: string;
  };
  readonly getMachineHistory: {
    /** Number of the entry of the last step that you have read: `next` of a page. */
    readonly after?: number;
    /** The most steps on a page; default 20. */
    readonly limit?: number;
  };
  readonly getReputation: {
    /** `store` (default) reads the stored records; `log` checks each record against its entry. Both agree. */
    readonly source?: 'store' | 'log';
    /** If there is no record: answer 200 without a score and with `updatedAt` 0, instead of REPUTATION_NOT_FOUND. */
    readonly orEmpty?: boolean;
  };
  readonly getResourceProof: {
    /** Number of the last entry that you have read: `next` of a page. */
    readonly after?: number;
    /** The most entries on a page; default 100. */
    readonly limit?: number;
  };
  readonly getStatistics: {
    /** The last 24 hours (`day`), the last 7 days, or the last 30; default `day`. */
    readonly period?: 'day' | 'week' | 'month';
  };
  readonly getTransaction: Paging;
  readonly listAdminLog: Paging;
  readonly listApiKeys: Paging & {
    /** Keys that are bound to this DID. */
    readonly did?: string;
    /** Only those that expire within 14 days, or only all others. */
    readonly expiresSoon?: boolean;
  };
  readonly listAuditReports: Paging;
  readonly listBids: Paging & {
    /** Only resources of which this DID is a party. Also accepted: `party`. */
    readonly did?: string;
    /** The role of `did` in them. Without `did`, the role of the API key’s DID. */
    readonly role?: 'all' | 'bidder' | 'requester';
    /** `did`, in the role `bidder`. */
    readonly bidder?: string;
    /** `did`, in the role `requester`. */
    readonly requester?: string;
    /** Only resources with this status. */
    readonly status?: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
    /** Only resources in this state. */
    readonly state?: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
    /** Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** An alternative to `sort`, with `sortOrder`. `date` is `createdAt`, and `price` is `amount`. Default: createdAt. */
    readonly sortBy?: 'createdAt' | 'date' | 'updatedAt' | 'amount' | 'price';
    /** The direction of `sortBy`. Default: `desc` for times, `asc` for amounts. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Only resources created at this time or later. */
    readonly createdFrom?: number | string;
    /** Only resources created at this time or earlier. */
    readonly createdTo?: number | string;
    /** Only resources last changed at this time or later. */
    readonly updatedFrom?: number | string;
    /** Only resources last changed at this time or earlier. */
    readonly updatedTo?: number | string;
    /** The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted. */
    readonly minAmount?: number;
    /** The largest amount in Tokens. Resources without an amount are omitted. */
    readonly maxAmount?: number;
    /** DID or tag of another home: what the API key’s DID has there, which it must have acted at. */
    readonly home?: string;
  };
  readonly listCapabilities: Paging;
  readonly listCapabilityListings: Paging & {
    /** Each word must match the beginning of a word in the title, tags, category or description. */
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
    /** Type, in any market, or the name of a market for all its types: any of these, separated by commas. */
    readonly type?: readonly string[];
    /** `content.format`: any of these, separated by commas. */
    readonly contentFormats?: readonly string[];
    /** Type of the access method: any of these, separated by commas. */
    readonly accessMethods?: readonly string[];
    /** In Tokens. A listing without a fixed price counts with its lowest price. */
    readonly minPrice?: number;
    /** In Tokens. A listing without a fixed price counts with its lowest price. */
    readonly maxPrice?: number;
    /** Average of the listing’s ratings, in stars. */
    readonly minRating?: number;
    /** Reputation score of the seller. */
    readonly minReputation?: number;
    /** Any of these; default active. Also accepted: `state`. */
    readonly statuses?: readonly ('active' | 'paused' | 'expired' | 'removed')[];
    /** The same as `statuses`. */
    readonly status?: readonly ('active' | 'paused' | 'expired' | 'removed')[];
    /** Default public; private ones are shown to their owner. */
    readonly visibility?: readonly ('public' | 'private')[];
    /** DID or address of the DID that published it. */
    readonly seller?: string;
    /** The same as `seller`. Also accepted: `party`. */
    readonly did?: string;
    /** `seller`: those of `did`, or of the API key’s DID. */
    readonly role?: 'all' | 'seller';
    /** Default: relevance. Equal results are sorted newest first, then by id. */
    readonly sort?: 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'rating' | 'popular' | 'reputation';
    /** An alternative to `sort`, with `sortOrder`. Price ascends by default; the others can only descend. */
    readonly sortBy?: 'price' | 'createdAt' | 'date' | 'newest' | 'rating' | 'popular' | 'popularity' | 'reputation' | 'relevance';
    /** The direction of `sortBy`. */
    readonly sortOrder?: 'asc' | 'desc';
    /** `own`, or DID or tag of a home: only listings of that home. Default: of all homes. */
    readonly home?: string;
    /** Whether to count values over the whole result; default false. */
    readonly includeFacets?: boolean;
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
  };
  readonly listContractDisputes: Paging & {
    /** Only resources of which this DID is a party. Also accepted: `party`. */
    readonly did?: string;
    /** The role of `did` in them. Without `did`, the role of the API key’s DID. */
    readonly role?: 'all' | 'client' | 'provider' | 'arbiter';
    /** `did`, in the role `client`. */
    readonly client?: string;
    /** `did`, in the role `provider`. */
    readonly provider?: string;
    /** `did`, in the role `arbiter`. */
    readonly arbiter?: string;
    /** Only resources with this status. */
    readonly status?: 'open' | 'resolved';
    /** Only resources in this state. */
    readonly state?: 'open' | 'resolved';
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
    /** Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** An alternative to `sort`, with `sortOrder`. `date` is `createdAt`, and `price` is `amount`. Default: createdAt. */
    readonly sortBy?: 'createdAt' | 'date' | 'updatedAt' | 'amount' | 'price';
    /** The direction of `sortBy`. Default: `desc` for times, `asc` for amounts. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Only resources created at this time or later. */
    readonly createdFrom?: number | string;
    /** Only resources created at this time or earlier. */
    readonly createdTo?: number | string;
    /** Only resources last changed at this time or later. */
    readonly updatedFrom?: number | string;
    /** Only resources last changed at this time or earlier. */
    readonly updatedTo?: number | string;
    /** The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted. */
    readonly minAmount?: number;
    /** The largest amount in Tokens. Resources without an amount are omitted. */
    readonly maxAmount?: number;
  };
  readonly listContracts: Paging & {
    /** Only resources of which this DID is a party. Also accepted: `party`. */
    readonly did?: string;
    /** The role of `did` in them. Without `did`, the role of the API key’s DID. */
    readonly role?: 'all' | 'client' | 'provider';
    /** `did`, in the role `client`. */
    readonly client?: string;
    /** `did`, in the role `provider`. */
    readonly provider?: string;
    /** Only resources with this status. */
    readonly status?: 'draft' | 'active' | 'completed' | 'disputed' | 'cancelled' | 'signed' | 'terminated';
    /** Only resources in this state. */
    readonly state?: 'draft' | 'signed' | 'active' | 'disputed' | 'completed' | 'terminated';
    /** Those that show it. */
    readonly substate?: 'ongoing' | 'consented';
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
    /** Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** An alternative to `sort`, with `sortOrder`. `date` is `createdAt`, and `price` is `amount`. Default: createdAt. */
    readonly sortBy?: 'createdAt' | 'date' | 'updatedAt' | 'amount' | 'price';
    /** The direction of `sortBy`. Default: `desc` for times, `asc` for amounts. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Only resources created at this time or later. */
    readonly createdFrom?: number | string;
    /** Only resources created at this time or earlier. */
    readonly createdTo?: number | string;
    /** Only resources last changed at this time or later. */
    readonly updatedFrom?: number | string;
    /** Only resources last changed at this time or earlier. */
    readonly updatedTo?: number | string;
    /** The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted. */
    readonly minAmount?: number;
    /** The largest amount in Tokens. Resources without an amount are omitted. */
    readonly maxAmount?: number;
    /** DID or tag of another home: what the API key’s DID has there, which it must have acted at. */
    readonly home?: string;
  };
  readonly listDeliveries: Paging;
  readonly listDisputes: Paging & {
    /** Only resources of which this DID is a party. Also accepted: `party`. */
    readonly did?: string;
    /** The role of `did` in them. Without `did`, the role of the API key’s DID. */
    readonly role?: 'all' | 'client' | 'provider' | 'arbiter';
    /** `did`, in the role `client`. */
    readonly client?: string;
    /** `did`, in the role `provider`. */
    readonly provider?: string;
    /** `did`, in the role `arbiter`. */
    readonly arbiter?: string;
    /** Only resources with this status. */
    readonly status?: 'open' | 'resolved';
    /** Only resources in this state. */
    readonly state?: 'open' | 'resolved';
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
    /** Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** An alternative to `sort`, with `sortOrder`. `date` is `createdAt`, and `price` is `amount`. Default: createdAt. */
    readonly sortBy?: 'createdAt' | 'date' | 'updatedAt' | 'amount' | 'price';
    /** The direction of `sortBy`. Default: `desc` for times, `asc` for amounts. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Only resources created at this time or later. */
    readonly createdFrom?: number | string;
    /** Only resources created at this time or earlier. */
    readonly createdTo?: number | string;
    /** Only resources last changed at this time or later. */
    readonly updatedFrom?: number | string;
    /** Only resources last changed at this time or earlier. */
    readonly updatedTo?: number | string;
    /** The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted. */
    readonly minAmount?: number;
    /** The largest amount in Tokens. Resources without an amount are omitted. */
    readonly maxAmount?: number;
    /** DID or tag of another home: what the API key’s DID has there, which it must have acted at. */
    readonly home?: string;
  };
  readonly listEscrows: Paging & {
    /** Only resources of which this DID is a party. Also accepted: `party`. */
    readonly did?: string;
    /** The role of `did` in them. Without `did`, the role of the API key’s DID. */
    readonly role?: 'all' | 'depositor' | 'beneficiary' | 'arbiter';
    /** `did`, in the role `depositor`. */
    readonly depositor?: string;
    /** `did`, in the role `beneficiary`. */
    readonly beneficiary?: string;
    /** `did`, in the role `arbiter`. */
    readonly arbiter?: string;
    /** Only resources with this status. */
    readonly status?: 'created' | 'funded' | 'released' | 'refunded' | 'expired';
    /** Only resources in this state. */
    readonly state?: 'created' | 'funded' | 'released' | 'refunded' | 'expired';
    /** Those that show it. */
    readonly substate?: 'open' | 'cancelled' | 'lapsed';
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
    /** Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** An alternative to `sort`, with `sortOrder`. `date` is `createdAt`, and `price` is `amount`. Default: createdAt. */
    readonly sortBy?: 'createdAt' | 'date' | 'updatedAt' | 'amount' | 'price';
    /** The direction of `sortBy`. Default: `desc` for times, `asc` for amounts. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Only resources created at this time or later. */
    readonly createdFrom?: number | string;
    /** Only resources created at this time or earlier. */
    readonly createdTo?: number | string;
    /** Only resources last changed at this time or later. */
    readonly updatedFrom?: number | string;
    /** Only resources last changed at this time or earlier. */
    readonly updatedTo?: number | string;
    /** The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted. */
    readonly minAmount?: number;
    /** The largest amount in Tokens. Resources without an amount are omitted. */
    readonly maxAmount?: number;
    /** DID or tag of another home: what the API key’s DID has there, which it must have acted at. */
    readonly home?: string;
  };
  readonly listEvents: {
    /** Entries that this DID or address signed. */
    readonly issuer?: string;
    /** Entries that changed this resource: `<kind>/<id>`. */
    readonly resource?: string;
    /** Entries of these types of events, separated by commas in one parameter: `escrow.released`, or `escrow.*` for all of escrows. */
    readonly type?: string;
    /** Default oldest first. */
    readonly order?: 'oldest' | 'newest';
    /** With `order=newest`: entries with a smaller number. */
    readonly before?: number;
    /** Entries of this time or later. */
    readonly since?: number | string;
    /** Entries of this time or earlier. */
    readonly until?: number | string;
    /** Entries that moved at least this many Tokens. */
    readonly minAmount?: number;
    /** The largest amount in Tokens. Resources without an amount are omitted. */
    readonly maxAmount?: number;
    /** The last entry that you have read, by its number or its id in the stream: continues after it. */
    readonly after?: number | string;
    /** Entries a page at most. */
    readonly limit?: number;
  };
  readonly listHomeWallets: Paging;
  readonly listInfoListings: Queries['listCapabilityListings'];
  readonly listLeases: Paging & {
    /** Only resources of which this DID is a party. Also accepted: `party`. */
    readonly did?: string;
    /** The role of `did` in them. Without `did`, the role of the API key’s DID. */
    readonly role?: 'all' | 'lessee' | 'lessor';
    /** `did`, in the role `lessee`. */
    readonly lessee?: string;
    /** `did`, in the role `lessor`. */
    readonly lessor?: string;
    /** Only resources with this status. */
    readonly status?: 'active' | 'paused' | 'exhausted' | 'expired' | 'terminated';
    /** Only resources in this state. */
    readonly state?: 'active' | 'paused' | 'exhausted' | 'expired' | 'terminated';
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
    /** Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** An alternative to `sort`, with `sortOrder`. `date` is `createdAt`, and `price` is `amount`. Default: createdAt. */
    readonly sortBy?: 'createdAt' | 'date' | 'updatedAt' | 'amount' | 'price';
    /** The direction of `sortBy`. Default: `desc` for times, `asc` for amounts. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Only resources created at this time or later. */
    readonly createdFrom?: number | string;
    /** Only resources created at this time or earlier. */
    readonly createdTo?: number | string;
    /** Only resources last changed at this time or later. */
    readonly updatedFrom?: number | string;
    /** Only resources last changed at this time or earlier. */
    readonly updatedTo?: number | string;
    /** The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted. */
    readonly minAmount?: number;
    /** The largest amount in Tokens. Resources without an amount are omitted. */
    readonly maxAmount?: number;
    /** DID or tag of another home: what the API key’s DID has there, which it must have acted at. */
    readonly home?: string;
  };
  readonly listLeaves: {
    /** A resource: `<kind>/<id>`. */
    readonly resource?: string;
    /** Hash of an event: of a transfer with a memo. */
    readonly event?: string;
    /** Number of the last entry that you have seen: `next` of a page. */
    readonly after?: number;
  };
  readonly listMachines: Paging;
  readonly listNames: {
    /** DIDs, separated by commas. */
    readonly dids: readonly string[];
  };
  readonly listOrders: Paging & {
    /** Only resources of which this DID is a party. Also accepted: `party`. */
    readonly did?: string;
    /** The role of `did` in them. Without `did`, the role of the API key’s DID. */
    readonly role?: 'all' | 'buyer' | 'seller' | 'requester' | 'provider';
    /** `did`, in the role `buyer`. */
    readonly buyer?: string;
    /** `did`, in the role `seller`. */
    readonly seller?: string;
    /** `did`, in the role `requester`. */
    readonly requester?: string;
    /** `did`, in the role `provider`. */
    readonly provider?: string;
    /** Only resources with this status. */
    readonly status?: 'pending' | 'paid' | 'delivered' | 'confirmed' | 'reviewed' | 'cancelled' | 'disputed' | 'open' | 'accepted';
    /** Only resources in this state. */
    readonly state?: 'pending' | 'paid' | 'delivered' | 'disputed' | 'confirmed' | 'reviewed' | 'cancelled' | 'open' | 'accepted';
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
    /** Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** An alternative to `sort`, with `sortOrder`. `date` is `createdAt`, and `price` is `amount`. Default: createdAt. */
    readonly sortBy?: 'createdAt' | 'date' | 'updatedAt' | 'amount' | 'price';
    /** The direction of `sortBy`. Default: `desc` for times, `asc` for amounts. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Only resources created at this time or later. */
    readonly createdFrom?: number | string;
    /** Only resources created at this time or earlier. */
    readonly createdTo?: number | string;
    /** Only resources last changed at this time or later. */
    readonly updatedFrom?: number | string;
    /** Only resources last changed at this time or earlier. */
    readonly updatedTo?: number | string;
    /** The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted. */
    readonly minAmount?: number;
    /** The largest amount in Tokens. Resources without an amount are omitted. */
    readonly maxAmount?: number;
    /** DID or tag of another home: what the API key’s DID has there, which it must have acted at. */
    readonly home?: string;
  };
  readonly listOwnApiKeys: Paging;
  readonly listPeers: Paging;
  readonly listRequests: {
    /** Method. */
    readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
    /** Pattern of the route: `/api/v1/escrows/:escrowId`. */
    readonly route?: string;
    /** Id of the API key, or the address without a key. */
    readonly caller?: string;
    /** Only answers with this status or a higher one: 400 for all that failed. */
    readonly minStatus?: number;
    /** Only those that were refused with this code. */
    readonly code?: 'INVALID_REQUEST' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'CONFLICT' | 'UNPROCESSABLE' | 'RATE_LIMITED' | 'INTERNAL_ERROR' | 'INSUFFICIENT_BALANCE' | 'TRANSFER_NOT_ALLOWED' | 'ESCROW_NOT_FOUND' | 'ESCROW_INVALID_STATE' | 'ESCROW_RULE_NOT_MET' | 'LISTING_NOT_FOUND' | 'LISTING_NOT_ACTIVE' | 'ORDER_NOT_FOUND' | 'ORDER_INVALID_STATE' | 'BID_NOT_ALLOWED' | 'SUBMISSION_NOT_ALLOWED' | 'LEASE_NOT_FOUND' | 'LEASE_INVALID_STATE' | 'LEASE_QUOTA_EXCEEDED' | 'CONTRACT_NOT_FOUND' | 'CONTRACT_INVALID_STATE' | 'CONTRACT_NOT_SIGNED' | 'CONTRACT_MILESTONE_INVALID' | 'DISPUTE_NOT_ALLOWED' | 'DID_NOT_FOUND' | 'DID_INVALID' | 'DID_UPDATE_CONFLICT' | 'CAPABILITY_INVALID' | 'REPUTATION_NOT_FOUND' | 'REPUTATION_INVALID' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'SERVICE_UNAVAILABLE';
    /** Only those that took so many milliseconds or more. */
    readonly minMs?: number;
    /** `next` of the page before: continues with older ones. */
    readonly before?: number;
    /** Requests a page at most; default 50. */
    readonly limit?: number;
  };
  readonly listReviews: Paging & {
    /** `store` (default) reads the stored records; `log` checks each record against its entry. Both agree. */
    readonly source?: 'store' | 'log';
  };
  readonly listTaskBids: Paging & {
    /** Only resources of which this DID is a party. Also accepted: `party`. */
    readonly did?: string;
    /** The role of `did` in them. Without `did`, the role of the API key’s DID. */
    readonly role?: 'all' | 'bidder' | 'requester';
    /** `did`, in the role `bidder`. */
    readonly bidder?: string;
    /** `did`, in the role `requester`. */
    readonly requester?: string;
    /** Only resources with this status. */
    readonly status?: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
    /** Only resources in this state. */
    readonly state?: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
    /** Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending. */
    readonly sort?: 'newest' | 'oldest' | 'updated' | 'amount_desc' | 'amount_asc';
    /** An alternative to `sort`, with `sortOrder`. `date` is `createdAt`, and `price` is `amount`. Default: createdAt. */
    readonly sortBy?: 'createdAt' | 'date' | 'updatedAt' | 'amount' | 'price';
    /** The direction of `sortBy`. Default: `desc` for times, `asc` for amounts. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Only resources created at this time or later. */
    readonly createdFrom?: number | string;
    /** Only resources created at this time or earlier. */
    readonly createdTo?: number | string;
    /** Only resources last changed at this time or later. */
    readonly updatedFrom?: number | string;
    /** Only resources last changed at this time or earlier. */
    readonly updatedTo?: number | string;
    /** The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted. */
    readonly minAmount?: number;
    /** The largest amount in Tokens. Resources without an amount are omitted. */
    readonly maxAmount?: number;
  };
  readonly listTaskListings: Queries['listCapabilityListings'];
  readonly listTransactions: Paging & {
    /** Only moves of this type: `sent`, `received`, or `escrow` (into or out of an escrow). Default: all. */
    readonly type?: 'all' | 'sent' | 'received' | 'escrow';
  };
  readonly listWallets: Paging;
  readonly listWebhooks: Paging;
  readonly lookUp: {
    /** A number, hash, DID, address, name or memo, or the beginning of an id. */
    readonly text: string;
  };
  readonly searchMarkets: Paging & {
    /** Only these markets, separated by commas; default all. */
    readonly markets?: readonly ('info' | 'task' | 'capability')[];
    /** Each word must match the beginning of a word in the title, tags, category or description. */
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
    /** Type, in any market, or the name of a market for all its types: any of these, separated by commas. */
    readonly type?: readonly string[];
    /** `content.format`: any of these, separated by commas. */
    readonly contentFormats?: readonly string[];
    /** Type of the access method: any of these, separated by commas. */
    readonly accessMethods?: readonly string[];
    /** In Tokens. A listing without a fixed price counts with its lowest price. */
    readonly minPrice?: number;
    /** In Tokens. A listing without a fixed price counts with its lowest price. */
    readonly maxPrice?: number;
    /** Average of the listing’s ratings, in stars. */
    readonly minRating?: number;
    /** Reputation score of the seller. */
    readonly minReputation?: number;
    /** Any of these; default active. Also accepted: `state`. */
    readonly statuses?: readonly ('active' | 'paused' | 'expired' | 'removed')[];
    /** The same as `statuses`. */
    readonly status?: readonly ('active' | 'paused' | 'expired' | 'removed')[];
    /** Default public; private ones are shown to their owner. */
    readonly visibility?: readonly ('public' | 'private')[];
    /** DID or address of the DID that published it. */
    readonly seller?: string;
    /** The same as `seller`. Also accepted: `party`. */
    readonly did?: string;
    /** `seller`: those of `did`, or of the API key’s DID. */
    readonly role?: 'all' | 'seller';
    /** Default: relevance. Equal results are sorted newest first, then by id. */
    readonly sort?: 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'rating' | 'popular' | 'reputation';
    /** An alternative to `sort`, with `sortOrder`. Price ascends by default; the others can only descend. */
    readonly sortBy?: 'price' | 'createdAt' | 'date' | 'newest' | 'rating' | 'popular' | 'popularity' | 'reputation' | 'relevance';
    /** The direction of `sortBy`. */
    readonly sortOrder?: 'asc' | 'desc';
    /** `own`, or DID or tag of a home: only listings of that home. Default: of all homes. */
    readonly home?: string;
    /** Whether to count values over the whole result; default false. */
    readonly includeFacets?: boolean;
    /** Members to include that a list omits by default. */
    readonly include?: 'permittedActions';
  };
  readonly streamEvents: {
    /** Entries that this DID or address signed. */
    readonly issuer?: string;
    /** Entries that changed this resource: `<kind>/<id>`. */
    readonly resource?: string;
    /** Entries of these types of events, separated by commas in one parameter: `escrow.released`, or `escrow.*` for all of escrows. */
    readonly type?: string;
    /** The last entry that you have read, by its number or its id in the stream: continues after it. */
    readonly after?: number | string;
    /** `false` sends events without a name, for readers that only use `onmessage`; the type is then in `data.event.type`. */
    readonly named?: boolean;
  };
}

/** JSON of successful replies by operation. */
export interface Replies {
  readonly acceptBid: TaskBidTaskOrder;
  readonly activateContract: ContractWritten;
  readonly approveContract: MilestoneWritten;
  readonly batch: {
    /** The answers, in the places of the writes. */
    readonly items: readonly {
      /** The HTTP status that the write alone would have had. */
      readonly status: number;
      /** Its reply, or the problem document. */
      readonly body: { readonly [member: string]: unknown };
      /** Those that only this answer has. */
      readonly headers?: {
        /** Path of the new resource. */
        readonly Location?: string;
        /** `true` if its `idempotencyKey` was known. */
        readonly 'Idempotent-Replayed'?: string;
        /** Seconds to wait. */
        readonly 'Retry-After'?: string;
      };
    }[];
  };
  readonly cancelEscrow: EscrowTransfer;
  readonly claimFaucet: TransferResult & {
    /** The system key of the node, which signed the event. */
    readonly issuer: string;
    /** Who got the Tokens: the same as `to`. */
    readonly did: string;
    /** The account address: the other spelling of the DID. */
    readonly address: string;
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
  readonly expireEscrow: EscrowTransfer;
  readonly explainError: ErrorClass | ErrorCode;
  readonly freezeAccount: BalanceBySystem;
  readonly fundEscrow: EscrowTransfer;
  readonly getApiKey: ApiKey;
  readonly getAudit: {
    /** The audit that this process is running. */
    readonly running: AuditRun | null;
    /** The newest finished audit; it survives restarts. */
    readonly last: AuditRun | null;
  };
  readonly getAuditReport: AuditReport;
  readonly getBid: TaskBid;
  readonly getCapabilityListing: CapabilityListing;
  readonly getContract: Contract;
  readonly getDispute: Dispute;
  readonly getEscrow: Escrow;
  readonly getEvent: CheckedEntry;
  readonly getEventProof: Proof;
  readonly getHome: Home;
  readonly getIdentity: Identity;
  readonly getInfoContent: EncryptedInfoContent;
  readonly getInfoDelivery: InfoDeliveryRecord;
  readonly getInfoListing: InfoListing;
  readonly getLease: LeaseDetail;
  readonly getMachine: MachineChart;
  readonly getMachineHistory: {
    /** The sort of resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** Path of its current state. */
    readonly state: string;
    /** The newest. */
    readonly version: number;
    /** Its definition version. */
    readonly machine: string;
    /** The steps of this page, oldest first. */
    readonly steps: readonly MachineStep[];
    /** Number of steps in the whole history. */
    readonly total: number;
    /** The `after` of the next page; null at the end. */
    readonly next: number | null;
    /** Whether there are later steps. */
    readonly hasMore: boolean;
    /** Whether you may read its whole state: `/state` answers, else it is FORBIDDEN. */
    readonly stateReadable: boolean;
  };
  readonly getMachineState: MachineState;
  readonly getNode: NodeStatus;
  readonly getNodeActivity: {
    /** Time between two points. */
    readonly everyMs: number;
    /** Oldest first. */
    readonly points: readonly ActivityPoint[];
  };
  readonly getNodeConfig: NodeConfig;
  readonly getNonce: Nonce;
  readonly getOrder: InfoOrder | TaskOrder;
  readonly getOwnApiKey: ApiKey;
  readonly getPeerEvidence: PeerEvidence;
  readonly getPermittedActions: {
    /** The sort of resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** Path of its state. */
    readonly state: string;
    /** The newest. */
    readonly version: number;
    /** Its definition version. */
    readonly machine: string;
    /** The time that the answer applies to; epoch milliseconds. */
    readonly time: number;
    /** All actions of its kind. */
    readonly actions: readonly {
      /** Name of the action. */
      readonly action: string;
      /** Type of the event that it records: `escrow.released`. */
      readonly event: string;
      /** What it does. */
      readonly summary: string;
      /** Not available over HTTP. */
      readonly internal: boolean;
      /** For each role, whether it may take the action. */
      readonly roles: readonly {
        /** The role: `depositor`. */
        readonly role: string;
        /** Whether the state and the time allow it now. */
        readonly permitted: boolean;
        /** Error codes that may still result from the input. */
        readonly open?: readonly string[];
        /** The error code with which the node would refuse it now. */
        readonly code?: string;
        /** Name of the guard that refuses it. */
        readonly guard?: string;
        /** Why it is refused, in words. */
        readonly reason?: string;
      }[];
    }[];
  };
  readonly getReputation: Reputation;
  readonly getResourceProof: {
    /** Version of the format. */
    readonly v: 1;
    /** Type of the document. */
    readonly type: 'resource-proof';
    /** Network of the node: devnet, testnet or mainnet. */
    readonly network: string;
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** After the newest version. */
    readonly state: string;
    /** Number of versions, which is the number of entries in all pages. */
    readonly total: number;
    /** Entry 1 of the journal: it names whose journal it is. */
    readonly first: ProvenEntry;
    /** The entries that made its versions, oldest first. */
    readonly entries: readonly ProvenEntry[];
    /** Corrections of clocks among them: after each, times with the same `home` may be lower than before. */
    readonly corrections: readonly ProvenEntry[];
    /** The chart of each definition version. A version is `<kind>-<revision>-<first 12 digits of the SHA-256 of the RFC 8785 form of the chart>`. */
    readonly definitions: { readonly [name: string]: { readonly [member: string]: unknown } };
    /** The `after` of the next page; null at the end. */
    readonly next: number | null;
    /** Whether there are later entries. */
    readonly hasMore: boolean;
    /** DID of the home that it belongs to; absent: it is this node’s own. */
    readonly home?: string;
    /** Of another home’s: up to when this node has read that home’s feed, epoch milliseconds, or when the home was asked; absent before the first checkpoint. */
    readonly asOf?: number;
    /** Of another home’s: what this node has found in it. */
    readonly checked?: {
      /** What is wrong with it: do not believe it. Null: nothing that this node can see. */
      readonly violation: string | null;
      /** Whether it was verified. False for a part of a proof, or one with over 100 entries. */
      readonly isWhole: boolean;
      /** Entries of it that are in the journal which this node follows. It remembers the newest ones only. */
      readonly followed: number;
      /** The signed checkpoint of the home up to which this node follows it. */
      readonly checkpoint: { readonly [member: string]: unknown } | null;
    };
  };
  readonly getSelf: Identity;
  readonly getSignedEvent: SignedEntry;
  readonly getStatistics: Statistics;
  readonly getSupply: Supply;
  readonly getTaskListing: TaskListing;
  readonly getTransaction: Moves;
  readonly getWallet: Balance;
  readonly getWebhook: Webhook;
  readonly health: {
    /** The process answers. */
    readonly status: 'ok';
  };
  readonly invokeLease: LeaseRecorded;
  readonly limitPeer: {
    /** DID of the peer. */
    readonly did: string;
    /** Its limit. */
    readonly tokens: number;
  };
  readonly listAdminLog: {
    /** The elements of this page. */
    readonly acts: readonly AdminAct[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listApiKeys: {
    /** The elements of this page. */
    readonly apiKeys: readonly ApiKey[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listAuditReports: {
    /** The elements of this page. */
    readonly reports: readonly AuditReport[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listBids: {
    /** The elements of this page. */
    readonly bids: readonly TaskBid[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listCapabilities: {
    /** Capability credentials of this page. */
    readonly capabilities: readonly (Capability | null)[];
    /** Of each credential, at its place, whether it or its proof has expired. */
    readonly expired: readonly boolean[];
    readonly pagination: Pagination;
    /** DID of the home that it belongs to; absent: it is this node’s own. */
    readonly home?: string;
    /** Of another home’s: up to when this node has read that home’s feed, epoch milliseconds, or when the home was asked; absent before the first checkpoint. */
    readonly asOf?: number;
    /** Members that are null because their text was erased, or a member and an index: `evidence/0`. */
    readonly erased?: readonly string[];
  };
  readonly listCapabilityListings: CapabilityMarketSearchResult;
  readonly listContractDisputes: {
    /** The elements of this page. */
    readonly disputes: readonly Dispute[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listContracts: {
    /** The elements of this page. */
    readonly contracts: readonly Contract[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listDeliveries: {
    /** The elements of this page. */
    readonly deliveries: readonly Delivery[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listDisputes: Replies['listContractDisputes'];
  readonly listErrors: {
    /** All classes. */
    readonly errors: readonly ErrorClass[];
  };
  readonly listEscrows: {
    /** The elements of this page. */
    readonly escrows: readonly Escrow[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listEvents: {
    /** The entries of this page. */
    readonly events: readonly Entry[];
    /** The `after` of the next page, or with `order=newest` its `before`; null at the end. */
    readonly next: number | null;
    /** Whether there is another page. */
    readonly hasMore: boolean;
    /** Number of the newest entry. */
    readonly head: number;
  };
  readonly listHomeWallets: {
    /** The elements of this page. */
    readonly homes: readonly HomeWallet[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listInfoListings: InfoMarketSearchResult;
  readonly listLeases: {
    /** The elements of this page. */
    readonly leases: readonly Lease[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listLeaves: {
    /** The texts, oldest first. */
    readonly leaves: readonly FoundLeaf[];
    /** The `after` of the next page; null at the end. */
    readonly next: number | null;
  };
  readonly listMachines: {
    /** The elements of this page. */
    readonly machines: readonly MachineSummary[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listNames: {
    /** One element for each DID, in the order of the request. */
    readonly names: readonly DidName[];
  };
  readonly listOrders: {
    /** The elements of this page. */
    readonly orders: readonly (InfoOrder | TaskOrder)[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listOwnApiKeys: Replies['listApiKeys'];
  readonly listPeers: {
    /** The elements of this page. */
    readonly peers: readonly Peer[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listRequests: {
    /** Newest first. */
    readonly requests: readonly LoggedRequest[];
    /** Send as `before` for the next page; null on the last. */
    readonly next: number | null;
  };
  readonly listReviews: {
    /** The elements of this page. */
    readonly reviews: readonly ReputationRecord[];
    /** Number of elements in the whole list. */
    readonly total: number;
    /** Mean of all reviews, in stars; null if there are none. */
    readonly averageRating: number | null;
    readonly pagination: Pagination;
  };
  readonly listTaskBids: Replies['listBids'];
  readonly listTaskListings: TaskMarketSearchResult;
  readonly listTransactions: {
    /** The elements of this page. */
    readonly transactions: readonly Transaction[];
    /** Number of elements in the whole list. */
    readonly total: number;
    /** Whether there is another page. */
    readonly hasMore: boolean;
    readonly pagination: Pagination;
  };
  readonly listWallets: {
    /** The elements of this page. */
    readonly wallets: readonly Balance[];
    /** Number of elements in the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listWebhooks: {
    /** The elements of this page. */
    readonly webhooks: readonly Webhook[];
    /** Number of elements in the whole list. */
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
    /** What the text refers to; empty if it refers to nothing. */
    readonly matches: readonly LookupMatch[];
    /** There are more matches: use a longer text. */
    readonly hasMore: boolean;
  };
  readonly mirrorPeer: {
    /** DID of the peer. */
    readonly did: string;
  };
  readonly openApi: {
    /** Version of the format. */
    readonly openapi: '3.1.0';
    /** Title, version and introduction. */
    readonly info: { readonly [member: string]: unknown };
    /** The operations, by path and method. */
    readonly paths: { readonly [member: string]: unknown };
    /** Schemas, headers and shared replies, by name. */
    readonly components: { readonly [member: string]: unknown };
    readonly [member: string]: unknown;
  };
  readonly openLease: OpenedLease;
  readonly openOrder: OpenedDelivery;
  readonly pauseCapabilityListing: CapabilityListingWritten;
  readonly pauseInfoListing: InfoListingWritten;
  readonly pauseLease: LeaseActed;
  readonly pauseTaskListing: TaskListingWritten;
  readonly readiness: {
    /** `ready`; or `degraded`: it serves requests, and `reasons` has the problems. */
    readonly status: 'ready' | 'degraded';
    /** The problems, in sentences; empty if the node is ready. */
    readonly reasons: readonly string[];
    /** What is guaranteed when a write is acknowledged. */
    readonly durability?: string;
  };
  readonly redactLeaf: ErasedLeafWritten;
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
  readonly resumeLease: LeaseActed;
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
  readonly submitEvent: { readonly [member: string]: unknown } & WriteFields;
  readonly terminateContract: ContractWritten;
  readonly terminateLease: LeaseActed;
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
  readonly withdrawFees: TransferResult & {
    /** The system key of the node, which signed the event. */
    readonly issuer: string;
  };
}
