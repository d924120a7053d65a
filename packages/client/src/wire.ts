/** Generated from docs/generated/openapi.json by `npm run generate`: types of what the API takes and answers. */

export interface AcceptBidRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
  /** An id of one’s own. */
  readonly orderId?: string;
}

export interface ActivateContractRequest {
  /** Tokens to lock: `payment.totalAmount`, or what the milestones cost. */
  readonly amount: number;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface ActivityPoint {
  /** End of the time that it covers. */
  readonly at: number;
  /** Answers a second. */
  readonly requests: number;
  /** Of them those with a status of 500 and above. */
  readonly failures: number;
  /** Entries committed a second. */
  readonly entries: number;
  /** Milliseconds; null if there were no replies. */
  readonly p50Ms: number | null;
  /** Milliseconds; null if there were no replies. */
  readonly p99Ms: number | null;
  /** Number of the newest entry. */
  readonly height: number;
  /** Operations committed and not settled. */
  readonly lag: number;
}

export interface AdminAct {
  /** Id of the act. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Dotted: `api-key.create`, `account.freeze`, `identity.unlock`. */
  readonly act: string;
  /** Id of the API key, or the origin of the act: `cli`, `control`, an address. */
  readonly by: string;
  /** What it was about; nothing secret. */
  readonly details: { readonly [member: string]: unknown };
  /** `begun`: in progress, failed, or the process ended before the outcome was recorded. */
  readonly outcome: 'begun' | 'done';
}

export interface ApiKey {
  /** Id of the key, which is not the key itself. */
  readonly id: string;
  /** What the key is for, in its maker’s words; may be empty. */
  readonly label: string;
  /** What it may do: `admin` includes `write`, which includes `read`. */
  readonly scope: 'read' | 'write' | 'admin';
  /** The first characters of the key, to recognise it by. */
  readonly prefix: string;
  /** `active`; `revoked`: for good; `expired`: its time has passed. */
  readonly status: 'active' | 'revoked' | 'expired';
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Epoch milliseconds, to the minute; null: not yet. */
  readonly lastUsedAt: number | null;
  /** Own quotas, requests a minute. */
  readonly limits: {
    /** Reads a minute. */
    readonly reads?: number;
    /** Writes a minute. */
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
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface AuditReport {
  /** Version of the format. */
  readonly v: 1;
  /** Says what the document is. */
  readonly type: 'audit-report';
  /** Id of the audit. */
  readonly id: string;
  /** The node that audited, whose key signs. */
  readonly node: string;
  /** Network of the node: devnet, testnet or mainnet. */
  readonly network: string;
  /** `unfinished`: there was no verdict; `note` says why. */
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  /** When it began; epoch milliseconds. */
  readonly startedAt: number;
  /** When it ended; epoch milliseconds. Null while it runs. */
  readonly finishedAt: number | null;
  /** Entries checked and sound. */
  readonly checked: number;
  /** Entries that there are. */
  readonly total: number;
  /** Totals of the checked entries; null until it is finished. */
  readonly journal: {
    /** Resources that the entries checked have made. */
    readonly resources: number;
    /** Accounts that they have touched. */
    readonly accounts: number;
    /** Tokens that exist. */
    readonly supply: number;
    /** `chainHash` of the last entry checked. */
    readonly head: string;
  } | null;
  /** The first violation; null if there is none. */
  readonly flaw: {
    /** Number of the invalid entry; 0 if the violation concerns no single entry. */
    readonly seq: number;
    /** Hash of its event; null if there is none that can be read. */
    readonly eventHash: string | null;
    /** What failed. Of an entry: its place in the chain, its form, a hash, the signature, its place among the events of its signer and resources, the replay of its step, the index that leads to it. Of all: where the journal ends, what the store made of the entries, receipts, sums, and what is settled on chain. */
    readonly check: 'file' | 'chain' | 'form' | 'hash' | 'signature' | 'sequence' | 'replay' | 'index' | 'head' | 'projection' | 'receipts' | 'sums' | 'search' | 'settlement';
    /** What is wrong, in a sentence. */
    readonly what: string;
  } | null;
  /** What could not be checked, and why. */
  readonly note: string | null;
  /** What the journal was held against; null: no chain. */
  readonly chain: {
    /** Chain id (EIP-155). */
    readonly chainId: number;
    /** The block at which the chain was read. */
    readonly blockNumber: number;
    /** Operations that the chain has settled. */
    readonly settled: number;
    /** Entries that are anchored on it. */
    readonly anchored: number;
    /** How many anchors those are. */
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
  /** When it began; epoch milliseconds. */
  readonly startedAt: number;
  /** When it ended; epoch milliseconds. Null while it runs. */
  readonly finishedAt: number | null;
  /** Entries checked and sound. */
  readonly checked: number;
  /** Entries that there are. */
  readonly total: number;
  /** Totals of the checked entries; null until it is finished. */
  readonly journal: {
    /** Resources that the entries checked have made. */
    readonly resources: number;
    /** Accounts that they have touched. */
    readonly accounts: number;
    /** Tokens that exist. */
    readonly supply: number;
    /** `chainHash` of the last entry checked. */
    readonly head: string;
  } | null;
  /** The first violation; null if there is none. */
  readonly flaw: {
    /** Number of the invalid entry; 0 if the violation concerns no single entry. */
    readonly seq: number;
    /** Hash of its event; null if there is none that can be read. */
    readonly eventHash: string | null;
    /** What failed. Of an entry: its place in the chain, its form, a hash, the signature, its place among the events of its signer and resources, the replay of its step, the index that leads to it. Of all: where the journal ends, what the store made of the entries, receipts, sums, and what is settled on chain. */
    readonly check: 'file' | 'chain' | 'form' | 'hash' | 'signature' | 'sequence' | 'replay' | 'index' | 'head' | 'projection' | 'receipts' | 'sums' | 'search' | 'settlement';
    /** What is wrong, in a sentence. */
    readonly what: string;
  } | null;
  /** What could not be checked, and why. */
  readonly note: string | null;
  /** What the journal was held against; null: no chain. */
  readonly chain: {
    /** Chain id (EIP-155). */
    readonly chainId: number;
    /** The block at which the chain was read. */
    readonly blockNumber: number;
    /** Operations that the chain has settled. */
    readonly settled: number;
    /** Entries that are anchored on it. */
    readonly anchored: number;
    /** How many anchors those are. */
    readonly anchors: number;
    /** Tokens that the vault has. */
    readonly holdings: number;
    /** Of these: what the accounts have, escrows and fees included. */
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

export interface CancelEscrowRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
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
  /** Headline. */
  readonly title: string;
  /** What is offered or wanted, in full. */
  readonly description: string;
  /** One word that searches filter by. */
  readonly category: string;
  /** Words that searches filter by. */
  readonly tags: readonly string[];
  /** What it costs; `currency` is TOKEN. */
  readonly pricing: {
    /** How it is paid, in your word; for leases `pay_per_use`, `credits`, `time_based` or `subscription`. */
    readonly type?: string;
    /** Always TOKEN. */
    readonly currency?: 'TOKEN';
    /** Tokens for one unit; 0: free. */
    readonly price?: number;
    /** The same as `price`. */
    readonly fixedPrice?: number;
    /** The same as `price`. */
    readonly amount?: number;
    /** The same as `price`: what a requester has for a task. */
    readonly budget?: number;
    /** Bounds within which a unit price is agreed, instead of `price`. */
    readonly priceRange?: {
      /** The least, in Tokens. */
      readonly min: number;
      /** The most, in Tokens. */
      readonly max: number;
    };
    /** Price by use. */
    readonly usagePrice?: {
      /** What a unit is, in your word: `call`. */
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
    /** Whether the price is open to offers; the node does not read it. */
    readonly negotiable?: boolean;
  };
  /** As of now, `expiresAt` considered. */
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  /** Private ones are shown to their owner only. */
  readonly visibility: 'public' | 'private';
  /** Orders and ratings so far. */
  readonly stats: ListingStats;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Type of capability, a word of your choice. */
  readonly capabilityType: string;
  /** What it can do, in your own members. */
  readonly capability: { readonly [member: string]: unknown };
  /** What each lease may use. */
  readonly quota: {
    /** The most calls in a period; absent: no limit. */
    readonly maxCalls?: number;
    /** The most units in a period; absent: no limit. */
    readonly maxUnits?: number;
    /** minute, hour, day, week, month, quarter, year, or total (default): the whole lease. */
    readonly period?: string;
    /** Further limits of the same form, which hold besides. */
    readonly limits?: readonly {
      /** The most calls in a period; absent: no limit. */
      readonly maxCalls?: number;
      /** The most units in a period; absent: no limit. */
      readonly maxUnits?: number;
      /** minute, hour, day, week, month, quarter, year, or total (default): the whole lease. */
      readonly period?: string;
    }[];
  };
  /** How it is reached, in your own members. */
  readonly access: {
    /** How it is accessed: a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** Units left; absent: unlimited. */
  readonly stock?: number;
  /** Who records the calls of a lease; default the lessee. */
  readonly meteredBy?: 'lessee' | 'lessor';
  /** Anything else, kept as you write it. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type CapabilityListingWritten = CapabilityListing & WriteFields;

/** `facets` only with `includeFacets=true`, over the whole result. */
export interface CapabilityMarketSearchResult {
  /** The elements of this page. */
  readonly listings: readonly CapabilityListing[];
  /** Elements of the whole list. */
  readonly total: number;
  /** Number of this page, from 1. */
  readonly page: number;
  /** Listings a page at most. */
  readonly pageSize: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface Checkpoint {
  /** The home whose journal it is about. */
  readonly home: string;
  /** Its network: devnet, testnet or mainnet. */
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

export interface ClaimFaucetRequest {
  /** Who gets the Tokens: a DID or an address. */
  readonly did?: string;
  /** The same as `did`. */
  readonly address?: string;
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
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface ConfirmInfoOrderRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
  /** Default: the signer’s only order on the listing that waits for this action. */
  readonly orderId?: string;
}

export interface ConfirmTaskOrderRequest {
  /** The submission that is judged: only the newest. Absent: that one. */
  readonly submissionId?: string;
  /** What you say about it. */
  readonly feedback?: string;
  /** `false` rejects it; default true. */
  readonly approved?: boolean;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
  /** Default: the order of the task. */
  readonly orderId?: string;
}

export interface ConsentContractRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface Contract {
  /** Id of the contract. */
  readonly contractId: string;
  /** The same as `contractId`. */
  readonly id: string;
  /** Of the life cycle. */
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
  /** Decides disputes: `terms.arbiter`, else the network’s. */
  readonly arbiter: string | null;
  /** What was agreed. For the parties and the arbiter only. */
  readonly terms?: { readonly [member: string]: unknown };
  /** What the client pays; null if not stated. */
  readonly payment: {
    /** Tokens. */
    readonly totalAmount?: number;
    readonly [member: string]: unknown;
  } | null;
  /** Parts of the work that are paid one by one. */
  readonly milestones: readonly Milestone[];
  /** SHA-256 of the RFC 8785 form of `{ milestones: [{ id, title, description, amount, criteria, deadline }], parties, payment, terms }`, as this view shows them: what is signed. */
  readonly termsHash: string;
  /** Who has signed. */
  readonly signatures: readonly {
    /** DID of the party. */
    readonly did: string;
    /** Which party it is. */
    readonly role: 'client' | 'provider';
    /** Ed25519 over `svc:contract:v2:<network>:<home>:<contractId>:<termsHash>`; `v1` and no home where the event that signed is of version 1. */
    readonly signature: string;
    /** The `termsHash` that was signed. */
    readonly termsHash: string;
    /** The same as `did`. */
    readonly signer: string;
    /** When it was signed; epoch milliseconds. */
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
  /** The escrow that holds its Tokens; null before it is active. */
  readonly escrowId: string | null;
  /** The dispute that is open. */
  readonly disputeId: string | null;
  /** The provider lets the client terminate. */
  readonly consented: boolean;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** While `active`: ongoing, or the provider lets the client terminate. */
  readonly substate?: 'ongoing' | 'consented';
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type ContractDispute = Dispute & WriteFields & {
  /** Id of the contract. */
  readonly contractId: string;
  /** The contract after it. */
  readonly contract: ContractWritten;
};

export type ContractWritten = Contract & WriteFields;

export interface CreateApiKeyRequest {
  /** What it is for, in your words. */
  readonly label?: string;
  /** What it may do: `admin` includes `write`, which includes `read`. */
  readonly scope: 'read' | 'write' | 'admin';
  /** DID for which it reads and signs; absent: none. */
  readonly did?: string;
  /** When it stops working: ISO 8601 with an offset, or epoch milliseconds; absent: never. */
  readonly expiresAt?: number | string | null;
  /** Own quotas; absent: those of all keys. */
  readonly limits?: {
    /** Reads a minute. */
    readonly reads?: number;
    /** Writes a minute. */
    readonly writes?: number;
  } | null;
}

/** Also accepted: `amount` for `price`, `message` for `approach`. */
export interface CreateBidRequest {
  /** Tokens for the whole task. */
  readonly price: number;
  /** When you would deliver, in any form. */
  readonly timeline?: unknown;
  /** How you would do it. */
  readonly approach?: string;
  /** null: it has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of one’s own. */
  readonly bidId?: string;
}

export interface CreateCapabilityListingRequest {
  /** Anything else, kept as you write it. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Headline, which searches read. */
  readonly title: string;
  /** What is offered or wanted, in full. */
  readonly description: string;
  /** One word of yours that searches filter by. */
  readonly category: string;
  /** Words that searches filter by. */
  readonly tags?: readonly string[];
  /** What it costs, in one way at least. */
  readonly pricing: PricingInput;
  /** Units that there are; absent: unlimited. */
  readonly stock?: number;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When it leaves the market: ISO 8601 with an offset, or epoch milliseconds. Absent: never. */
  readonly expiresAt?: number | string;
  /** Type of capability, a word of your choice. */
  readonly capabilityType: string;
  /** What it can do, in your own members. */
  readonly capability: { readonly [member: string]: unknown };
  /** What each lease may use. */
  readonly quota: QuotaInput;
  /** How it is reached, in your own members. */
  readonly access: {
    /** How it is accessed: a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** Who records the calls of a lease; default the lessee. */
  readonly meteredBy?: 'lessee' | 'lessor';
  /** null: it has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of one’s own. */
  readonly listingId?: string;
}

/** Also accepted: `arbiter` for `terms.arbiter`. */
export interface CreateContractRequest {
  /** DID that does the work. */
  readonly provider: string;
  /** What was agreed; members that the node does not know are kept, and signed like the others. */
  readonly terms: TermsInput;
  /** What the client pays. */
  readonly payment?: PaymentInput;
  /** Parts of the work that are paid one by one; absent: it is paid as a whole. */
  readonly milestones?: readonly MilestoneInput[];
  /** null: it has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of one’s own. */
  readonly contractId?: string;
}

export interface CreateEscrowRequest {
  /** DID or address that a release pays. */
  readonly beneficiary: string;
  /** Tokens. */
  readonly amount: number;
  /** A release needs one of them to be met. */
  readonly releaseRules: readonly RuleInput[];
  /** DID that may release and refund; absent: none. */
  readonly arbiter?: string;
  /** What lets the depositor take Tokens back; absent or empty: the depositor may at any time. */
  readonly refundRules?: readonly RuleInput[];
  /** When the rest goes back to the depositor: ISO 8601 with an offset, or epoch milliseconds. Absent: never. */
  readonly expiresAt?: number | string;
  /** Fund it at once; default false. */
  readonly autoFund?: boolean;
  /** null: it has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of one’s own. */
  readonly escrowId?: string;
}

export interface CreateIdentityRequest {
  /** Encrypts the key in the keystore: you need it for each write. */
  readonly passphrase: string;
}

/** Also accepted: `contentFormat` for `content.format`. */
export interface CreateInfoListingRequest {
  /** Anything else, kept as you write it. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Headline, which searches read. */
  readonly title: string;
  /** What is offered or wanted, in full. */
  readonly description: string;
  /** One word of yours that searches filter by. */
  readonly category: string;
  /** Words that searches filter by. */
  readonly tags?: readonly string[];
  /** What it costs, in one way at least. */
  readonly pricing: PricingInput;
  /** Units that there are; absent: unlimited. */
  readonly stock?: number;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When it leaves the market: ISO 8601 with an offset, or epoch milliseconds. Absent: never. */
  readonly expiresAt?: number | string;
  /** Type of information, a word of your choice. */
  readonly infoType: string;
  /** What is for sale. */
  readonly content: {
    /** Media type: `text/csv`. */
    readonly format: string;
    /** How `data` is written: utf8 (default), base64 or hex. For content that is kept elsewhere, any word. */
    readonly encoding?: string;
    /** The content. The node keeps it encrypted, and never shows it in the clear. */
    readonly data?: string;
    /** Bytes of the content. */
    readonly size?: number;
    /** Given: SHA-256 of the content. Shown where `data` came along: salted with what its key derives. */
    readonly hash?: string;
    /** A public sample. */
    readonly preview?: string;
  };
  /** How a buyer gets it, in your own members. */
  readonly accessMethod: {
    /** How it is accessed: a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** What a buyer may do with it, in your own members. */
  readonly license: LicenseInput;
  /** null: it has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of one’s own. */
  readonly listingId?: string;
}

export interface CreateInfoOrderRequest {
  /** Units; default 1. */
  readonly quantity?: number;
  /** Tokens for one unit, where the listing has a range of prices. */
  readonly unitPrice?: number;
  /** The unit price that you expect: any other is refused, with the current one. */
  readonly expectedPrice?: number;
  /** When an order that was not delivered is cancelled, at most a year ahead: ISO 8601 with an offset, or epoch milliseconds. */
  readonly deliverBy?: number | string;
  /** X25519 key that the content’s key is wrapped for; absent: the form of the DID’s own key. */
  readonly buyerPublicKeyHex?: string;
  /** null: it has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of one’s own. */
  readonly orderId?: string;
}

/** Also accepted: `expiresAt` for `plan.endsAt`. */
export interface CreateLeaseRequest {
  /** What is leased, and for how much. */
  readonly plan: {
    /** How it is paid: by use (`pay_per_use`, `credits`) or by time (`time_based`, `subscription`); absent: as the listing offers. */
    readonly type?: 'pay_per_use' | 'credits' | 'time_based' | 'subscription';
    /** By use: Tokens that calls may charge in all. */
    readonly budget?: number;
    /** The most units of one call; default 1,000. */
    readonly maxUnitsPerCall?: number;
    /** The most units of an hour, counted from the start; absent: no such limit where the lessee meters. */
    readonly maxUnitsPerHour?: number;
    /** By use: when it ends, ISO 8601 with an offset or epoch milliseconds; default after 30 days. */
    readonly endsAt?: number | string;
    /** By time: periods to pay for; default 1. */
    readonly periods?: number;
    /** Tokens for one unit, where the listing has a range of prices. */
    readonly unitPrice?: number;
  };
  /** The price that you expect, of a unit or period: any other is refused, with the current one. */
  readonly expectedPrice?: number;
  /** null: it has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of one’s own. */
  readonly leaseId?: string;
}

export interface CreateOwnApiKeyRequest {
  /** Unlocks the key of the DID. */
  readonly passphrase: string;
  /** What it is for, in your words. */
  readonly label?: string;
  /** What it may do; default `read`. `write` includes `read`. */
  readonly scope?: 'read' | 'write';
  /** When it stops working: ISO 8601 with an offset, or epoch milliseconds; absent: never. */
  readonly expiresAt?: number | string | null;
}

export interface CreateReviewRequest {
  /** Whom it is about: without it, the DID of the path. */
  readonly target?: string;
  /** Which side of the trade it is about. */
  readonly dimension: 'transaction' | 'fulfillment' | 'quality' | 'social' | 'behavior';
  /** 0 to 1000. */
  readonly score: number;
  /** Id of the finished order or contract between both. */
  readonly ref: string;
  /** In your words. */
  readonly comment?: string;
  /** Anything else about it, in your own members. */
  readonly aspects?: { readonly [member: string]: unknown };
  /** There is no event of a review yet: null, or absent. */
  readonly resourcePrev?: string | null;
}

export interface CreateTaskListingRequest {
  /** Anything else, kept as you write it. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Headline, which searches read. */
  readonly title: string;
  /** What is offered or wanted, in full. */
  readonly description: string;
  /** One word of yours that searches filter by. */
  readonly category: string;
  /** Words that searches filter by. */
  readonly tags?: readonly string[];
  /** What it costs, in one way at least. */
  readonly pricing: PricingInput;
  /** Units that there are; absent: unlimited. */
  readonly stock?: number;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When it leaves the market: ISO 8601 with an offset, or epoch milliseconds. Absent: never. */
  readonly expiresAt?: number | string;
  /** Type of task, a word of your choice. */
  readonly taskType: string;
  /** What is to be done, in your own members. */
  readonly task: { readonly [member: string]: unknown };
  /** When it is due. */
  readonly timeline: TimelineInput;
  /** What it takes, in words that searches filter by. */
  readonly skills?: readonly string[];
  /** Bounds of the bidding. */
  readonly bidding?: {
    /** When bidding ends: ISO 8601 with an offset, or epoch milliseconds. Absent: `timeline.bidDeadline`. */
    readonly closesAt?: number | string;
    /** The most bids, withdrawn ones included; default 100. */
    readonly maxBids?: number;
  };
  /** null: it has no event yet. */
  readonly resourcePrev?: string | null;
  /** An id of one’s own. */
  readonly listingId?: string;
}

export interface CreateWebhookRequest {
  /** Where to post to: http or https. */
  readonly url: string;
  /** What it is for, in your words. */
  readonly label?: string;
  /** Only these [types of events](/guide/generated.events): `escrow.released`, `escrow.*`. Absent: all. */
  readonly types?: readonly string[];
  /** Only entries that change a resource of these kinds. Absent: all. */
  readonly kinds?: readonly string[];
  /** Only entries that this DID or address signed, or that moved its Tokens. */
  readonly did?: string;
  /** Only entries that change this resource: `<kind>/<id>`. */
  readonly resource?: string;
  /** What deliveries are signed with; absent: the node makes one. */
  readonly secret?: string;
  /** Begin after this entry; default: after the newest. */
  readonly after?: number;
}

export interface CreatedApiKey {
  /** Id of the key, which is not the key itself. */
  readonly id: string;
  /** What the key is for, in its maker’s words; may be empty. */
  readonly label: string;
  /** What it may do: `admin` includes `write`, which includes `read`. */
  readonly scope: 'read' | 'write' | 'admin';
  /** The first characters of the key, to recognise it by. */
  readonly prefix: string;
  /** `active`; `revoked`: for good; `expired`: its time has passed. */
  readonly status: 'active' | 'revoked' | 'expired';
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Epoch milliseconds, to the minute; null: not yet. */
  readonly lastUsedAt: number | null;
  /** Own quotas, requests a minute. */
  readonly limits: {
    /** Reads a minute. */
    readonly reads?: number;
    /** Writes a minute. */
    readonly writes?: number;
  } | null;
  /** The key; shown this once, null in a replay. */
  readonly key: string | null;
  /** The DID for which the key reads and signs. */
  readonly did?: string;
}

export interface CreatedWebhook {
  /** Id of the webhook. */
  readonly id: string;
  /** Where deliveries are posted to. */
  readonly url: string;
  /** What it is for, in its maker’s words; may be empty. */
  readonly label: string;
  /** `disabled`: nothing is delivered until it is enabled. */
  readonly status: 'active' | 'disabled';
  /** Why it is disabled. */
  readonly reason: string | null;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Epoch milliseconds until which deliveries have a second signature, by the previous secret; null if there is none. */
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

export interface DeliverInfoOrderRequest {
  /** Key of the content, 32 bytes in hex; absent: the one that the node keeps for the seller. */
  readonly contentKeyHex?: string;
  /** The buyer’s X25519 key, to make sure: another than the order’s is refused. */
  readonly buyerPublicKeyHex?: string;
  /** A token that gives access. The node wraps it for the buyer. */
  readonly accessToken?: string;
  /** Address of the content. The node wraps it for the buyer. */
  readonly accessUrl?: string;
  /** Until when what it opens is there: ISO 8601 with an offset, or epoch milliseconds. Absent: for good. */
  readonly expiresAt?: number | string;
  /** What else you say about the delivery, in your own members. */
  readonly deliveryData?: {
    /** A deliverable envelope, which the node completes and signs. */
    readonly envelope?: {
      /** What sort of thing is delivered. */
      readonly type: 'text' | 'data' | 'document' | 'code' | 'model' | 'binary' | 'stream' | 'composite' | 'other';
      /** Media type. */
      readonly format?: string;
      /** Name of the file. */
      readonly name?: string;
      /** SHA-256 of the content, hex; absent: the node hashes `transport.data`. */
      readonly contentHash?: string;
      /** Bytes of the content; absent: of `transport.data`. */
      readonly size?: number;
      /** How the content is handed over. */
      readonly transport?: {
        /** `inline`: in `data`; the others: at `uri`. */
        readonly method: 'inline' | 'external' | 'stream' | 'endpoint';
        /** Where the content is. */
        readonly uri?: string;
        /** The content itself, written as `encoding` says. */
        readonly data?: string;
        /** How `data` is written; default utf8. */
        readonly encoding?: 'utf8' | 'base64' | 'hex';
        readonly [member: string]: unknown;
      };
      /** Id of the envelope; absent: the node makes one. */
      readonly id?: string;
      /** The order, or `<contract>/<milestone>`, that it is for; absent: this one. */
      readonly contextId?: string;
      /** DID that made it; absent: the signer. */
      readonly producer?: string;
      /** When it was made: ISO 8601 with an offset, or epoch milliseconds; absent: now. */
      readonly createdAt?: number | string;
      /** The producer’s Ed25519 signature, base58btc; absent: the node signs. */
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
}

/** Also accepted: `submission` for `deliverables[]`, `message` for `notes`. */
export interface DeliverTaskOrderRequest {
  /** What is delivered: texts or objects of any form. */
  readonly deliverables: readonly unknown[];
  /** Id of the submission; absent: the node makes one. */
  readonly submissionId?: string;
  /** A note to the requester. */
  readonly notes?: string;
  /** A delivery whose form the node checks. */
  readonly delivery?: {
    /** A deliverable envelope, which the node completes and signs. */
    readonly envelope?: {
      /** What sort of thing is delivered. */
      readonly type: 'text' | 'data' | 'document' | 'code' | 'model' | 'binary' | 'stream' | 'composite' | 'other';
      /** Media type. */
      readonly format?: string;
      /** Name of the file. */
      readonly name?: string;
      /** SHA-256 of the content, hex; absent: the node hashes `transport.data`. */
      readonly contentHash?: string;
      /** Bytes of the content; absent: of `transport.data`. */
      readonly size?: number;
      /** How the content is handed over. */
      readonly transport?: {
        /** `inline`: in `data`; the others: at `uri`. */
        readonly method: 'inline' | 'external' | 'stream' | 'endpoint';
        /** Where the content is. */
        readonly uri?: string;
        /** The content itself, written as `encoding` says. */
        readonly data?: string;
        /** How `data` is written; default utf8. */
        readonly encoding?: 'utf8' | 'base64' | 'hex';
        readonly [member: string]: unknown;
      };
      /** Id of the envelope; absent: the node makes one. */
      readonly id?: string;
      /** The order, or `<contract>/<milestone>`, that it is for; absent: this one. */
      readonly contextId?: string;
      /** DID that made it; absent: the signer. */
      readonly producer?: string;
      /** When it was made: ISO 8601 with an offset, or epoch milliseconds; absent: now. */
      readonly createdAt?: number | string;
      /** The producer’s Ed25519 signature, base58btc; absent: the node signs. */
      readonly signature?: string;
      readonly [member: string]: unknown;
    };
    readonly [member: string]: unknown;
  };
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
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
  /** From its identity document, which only its key writes: nothing keeps two DIDs from the same name. */
  readonly displayName: string | null;
  /** What it does for this node: its own key, the key that signs for clock and faucet, the arbiter of the network. */
  readonly part: 'node' | 'system' | 'arbiter' | null;
}

export interface Dispute {
  /** Id of the dispute. */
  readonly disputeId: string;
  /** The same as `disputeId`. */
  readonly id: string;
  /** State of the dispute. */
  readonly status: 'open' | 'resolved';
  /** The same as `status`. */
  readonly state: 'open' | 'resolved';
  /** The contract or order that it is about. */
  readonly subject: {
    /** Its kind: `contract`. */
    readonly kind: string;
    /** Its id. */
    readonly id: string;
  };
  /** The escrow that holds the Tokens; null: none. */
  readonly escrowId: string | null;
  /** Whose Tokens are locked. */
  readonly client: string;
  /** Whom a release pays. */
  readonly provider: string;
  /** DID that decides; null: none. */
  readonly arbiter: string | null;
  /** The party that opened it. */
  readonly openedBy: string;
  /** What it is about. */
  readonly reason: 'non_delivery' | 'quality' | 'deadline' | 'other';
  /** What is wrong, in the words of who opened it. For the parties and the arbiter only. */
  readonly description?: string;
  /** As it was given; what came without a hash has that of its own content. For the parties and the arbiter only. */
  readonly evidence?: readonly {
    /** SHA-256 of the piece, hex. */
    readonly hash: string;
    readonly [member: string]: unknown;
  }[];
  /** Tokens in question. */
  readonly amount: number;
  /** The outcome that either party may request after 60 days. */
  readonly fallback: 'refund' | 'release' | 'split';
  /** What each party has asked for last. */
  readonly proposals: {
    /** The client’s; null: none. */
    readonly client: Proposal | null;
    /** The provider’s; null: none. */
    readonly provider: Proposal | null;
  };
  /** How it ended; null while it is open. */
  readonly resolution: 'release' | 'refund' | 'split' | 'resume' | null;
  /** Tokens that the provider got; null while it is open. */
  readonly providerPayment: number | null;
  /** Tokens that the client got back; null while it is open. */
  readonly clientRefund: number | null;
  /** With the ruling. For the parties and the arbiter only. */
  readonly note?: string | null;
  /** Who decided, or the party that agreed; null if the clock ended it. */
  readonly resolvedBy: string | null;
  /** When it ended; epoch milliseconds, null before. */
  readonly resolvedAt: number | null;
  /** From then on the network’s arbiter may decide, too. */
  readonly networkArbiterFrom: number;
  /** From then on either party may request the fallback; for an order the clock does. */
  readonly fallbackFrom: number;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** The contract that it is about; absent: an order. */
  readonly contractId?: string;
  /** The order that it is about; absent: a contract. */
  readonly orderId?: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export interface DisputeContractRequest {
  /** What it is about. */
  readonly reason: 'non_delivery' | 'quality' | 'deadline' | 'other';
  /** What is wrong, in your words. */
  readonly description?: string;
  /** Pieces of evidence. */
  readonly evidence?: readonly unknown[];
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface DisputeOrderRequest {
  /** What it is about. */
  readonly reason: 'non_delivery' | 'quality' | 'deadline' | 'other';
  /** What is wrong, in your words. */
  readonly description?: string;
  /** Pieces of evidence. */
  readonly evidence?: readonly unknown[];
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
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
  /** Of the content, in the clear. */
  readonly contentHash: string | null;
  /** How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the content’s key (no salt, info `svc:content-salt:v1`), so that the content cannot be found by guessing. */
  readonly hashAlgorithm: 'SHA-256' | 'SHA-256-SALTED' | null;
  /** Bytes of the content. */
  readonly size: number | null;
  /** Media type. */
  readonly format: string;
  /** In what the content was given: utf8, base64 or hex. */
  readonly encoding: string | null;
  /** AES-256-GCM; null where the content is not kept here. */
  readonly algorithm: string | null;
  /** Nonce of AES-256-GCM, 12 bytes; null where the content is not kept here. */
  readonly nonceHex: string | null;
  /** The content, encrypted; null where it is not kept here. */
  readonly ciphertextHex: string | null;
  /** Tag of AES-256-GCM, 16 bytes; null where the content is not kept here. */
  readonly tagHex: string | null;
  /** When the listing was published; epoch milliseconds. */
  readonly createdAt: number;
}

/** One record of the journal: an event and everything that follows from it. */
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
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
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
  readonly reads: readonly {
    /** Kind of the resource. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** Version that was read; 0 if it did not exist. */
    readonly version: number;
  }[];
  /** Accounts debited, frozen or unfrozen, at their new version. */
  readonly accounts: readonly {
    /** A DID, or `fees`. */
    readonly did: string;
    /** Counts its debits and freezes, from 1. */
    readonly version: number;
  }[];
  /** How Tokens moved, in this order. */
  readonly moves: readonly Move[];
  /** What each account gained or lost; they sum to zero. */
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
  /** The request; absent if the reader may not see it, or it was redacted. */
  readonly payload?: {
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** The action that was asked for: `release`. */
    readonly action: string;
    /** The input of the action. */
    readonly input: { readonly [member: string]: unknown };
    /** Ids of further resources, by their part. */
    readonly ids?: { readonly [name: string]: string };
  };
  /** 16 random bytes, hex, stored with the payload. */
  readonly salt?: string;
  /** The home whose journal it is of, if that is another one. */
  readonly journal?: string;
  /** Members that the node cannot show to anyone because its database is damaged; absent: none. */
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
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
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
  readonly reads: readonly {
    /** Kind of the resource. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** Version that was read; 0 if it did not exist. */
    readonly version: number;
  }[];
  /** Accounts debited, frozen or unfrozen, at their new version. */
  readonly accounts: readonly {
    /** A DID, or `fees`. */
    readonly did: string;
    /** Counts its debits and freezes, from 1. */
    readonly version: number;
  }[];
  /** How Tokens moved, in this order. */
  readonly moves: readonly Move[];
  /** What each account gained or lost; they sum to zero. */
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
  /** `created`: reserved; `funded`: locked; the others are ends. */
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
  /** A release needs one of them to be met. */
  readonly releaseRules: readonly EscrowRule[];
  /** The first of `releaseRules`. */
  readonly releaseRule: EscrowRule | null;
  /** What lets the depositor take Tokens back. */
  readonly refundRules: readonly EscrowRule[];
  /** Made without refund rules: the depositor may take back what is left. */
  readonly revocable: boolean;
  /** When the rest goes back to the depositor; epoch milliseconds. */
  readonly expiresAt: number | null;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** The order, lease or contract that moves it. */
  readonly purpose?: {
    /** Its kind: `contract`. */
    readonly kind: string;
    /** Its id. */
    readonly id: string;
  };
  /** While `created`: open, cancelled by the depositor, or lapsed as it was not funded in time. */
  readonly substate?: 'open' | 'cancelled' | 'lapsed';
  /** True: it was cancelled, or not funded in time, and the reservation was given back. */
  readonly lapsed?: boolean;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
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
  /** How it is met. */
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
  /** Whether `evidence` must be given, too. */
  readonly requiresEvidence?: boolean;
  /** Whether `reason` must be given, too. */
  readonly requiresReason?: boolean;
  readonly [member: string]: unknown;
} | {
  /** What `ruleId` names. */
  readonly id: string;
  /** Any other: it must be cited. */
  readonly type: string;
  /** Whether `evidence` must be given, too. */
  readonly requiresEvidence?: boolean;
  /** Whether `reason` must be given, too. */
  readonly requiresReason?: boolean;
  readonly [member: string]: unknown;
};

export type EscrowTransfer = TransferResult & {
  /** Id of the escrow. */
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
  /** The issuer’s count of its events, from 1. */
  readonly nonce: number;
  /** The signer's statement of the time; epoch milliseconds. */
  readonly ts: number;
  /** Hash of the issuer's previous event; null for its first. */
  readonly prev: string | null;
  /** Network that it is for: devnet, testnet or mainnet. */
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

export interface ExpireEscrowRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
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
  /** The value that they have. */
  readonly key: string;
  /** Listings of the whole result that have it. */
  readonly count: number;
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
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev: string;
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
  }[];
  /** Epoch milliseconds; null if neither an event nor the key shows it. */
  readonly created: number | null;
  /** Epoch milliseconds. */
  readonly updated: number | null;
  /** SHA-256 of the RFC 8785 form of the document, hex: the next `prevDocHash`. */
  readonly docHash: string;
  /** Hash of its last event; null before the first. */
  readonly resourcePrev: string | null;
  /** Capability credentials that it has registered. */
  readonly capabilities: readonly Capability[];
  /** Name that it has given itself; absent: none. */
  readonly displayName?: string;
  /** Its own description; absent if it has none. */
  readonly bio?: string;
  /** URL of a picture; absent: none. */
  readonly avatar?: string;
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
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
  /** When what was delivered counts as confirmed; epoch milliseconds, null once it is. */
  readonly confirmBy: number | null;
  /** Until when what it opens is there; null: for good. */
  readonly expiresAt: number | null;
  /** Hash of the content, made as `hashAlgorithm` says; null where the content is not kept here. */
  readonly contentHash: string | null;
  /** How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the content’s key (no salt, info `svc:content-salt:v1`), so that the content cannot be found by guessing. */
  readonly hashAlgorithm: 'SHA-256' | 'SHA-256-SALTED' | null;
  /** X25519 key that all of it is wrapped for. */
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
  /** Hash of the order’s last event: what the next write sends as `resourcePrev`. */
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
  /** Headline. */
  readonly title: string;
  /** What is offered or wanted, in full. */
  readonly description: string;
  /** One word that searches filter by. */
  readonly category: string;
  /** Words that searches filter by. */
  readonly tags: readonly string[];
  /** What it costs; `currency` is TOKEN. */
  readonly pricing: {
    /** How it is paid, in your word; for leases `pay_per_use`, `credits`, `time_based` or `subscription`. */
    readonly type?: string;
    /** Always TOKEN. */
    readonly currency?: 'TOKEN';
    /** Tokens for one unit; 0: free. */
    readonly price?: number;
    /** The same as `price`. */
    readonly fixedPrice?: number;
    /** The same as `price`. */
    readonly amount?: number;
    /** The same as `price`: what a requester has for a task. */
    readonly budget?: number;
    /** Bounds within which a unit price is agreed, instead of `price`. */
    readonly priceRange?: {
      /** The least, in Tokens. */
      readonly min: number;
      /** The most, in Tokens. */
      readonly max: number;
    };
    /** Price by use. */
    readonly usagePrice?: {
      /** What a unit is, in your word: `call`. */
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
    /** Whether the price is open to offers; the node does not read it. */
    readonly negotiable?: boolean;
  };
  /** As of now, `expiresAt` considered. */
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  /** Private ones are shown to their owner only. */
  readonly visibility: 'public' | 'private';
  /** Orders and ratings so far. */
  readonly stats: ListingStats;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Type of information, a word of your choice. */
  readonly infoType: string;
  /** What is for sale. */
  readonly content: {
    /** Media type: `text/csv`. */
    readonly format: string;
    /** How `data` is written: utf8 (default), base64 or hex. For content that is kept elsewhere, any word. */
    readonly encoding?: string;
    /** The content. The node keeps it encrypted, and never shows it in the clear. */
    readonly data?: string;
    /** Bytes of the content. */
    readonly size?: number;
    /** Given: SHA-256 of the content. Shown where `data` came along: salted with what its key derives. */
    readonly hash?: string;
    /** A public sample. */
    readonly preview?: string;
  };
  /** How a buyer gets it, in your own members. */
  readonly accessMethod: {
    /** How it is accessed: a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** What a buyer may do with it, in your own members. */
  readonly license: {
    /** Name of the licence. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** Units left; absent: unlimited. */
  readonly stock?: number;
  /** Anything else, kept as you write it. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
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
  /** The elements of this page. */
  readonly listings: readonly InfoListing[];
  /** Elements of the whole list. */
  readonly total: number;
  /** Number of this page, from 1. */
  readonly page: number;
  /** Listings a page at most. */
  readonly pageSize: number;
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
  /** Tokens, of all units. */
  readonly price: number;
  /** Always Tokens. */
  readonly currency: 'TOKEN';
  /** Escrow that holds the price; null if the price is 0. */
  readonly escrowId: string | null;
  /** Its dispute, if there is or was one. */
  readonly disputeId: string | null;
  /** X25519 key that a delivery is wrapped for. */
  readonly buyerPublicKeyHex: string;
  /** When what was not delivered is cancelled and paid back. */
  readonly deliverBy: number;
  /** When it was delivered; epoch milliseconds, null before. */
  readonly deliveredAt: number | null;
  /** When what was delivered counts as confirmed. */
  readonly confirmBy: number | null;
  /** When it was confirmed; epoch milliseconds, null before. */
  readonly confirmedAt: number | null;
  /** Of the deliverable envelope, where one was delivered. */
  readonly envelopeDigest: string | null;
  /** By who has written them. */
  readonly reviews: {
    /** The buyer’s review. */
    readonly buyer?: OrderReview;
    /** The seller’s review. */
    readonly seller?: OrderReview;
  };
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type InfoOrderDispute = Dispute & WriteFields & {
  /** Id of the info-order. */
  readonly orderId: string;
  /** The info-order after it. */
  readonly order: InfoOrderWritten;
};

export type InfoOrderWritten = InfoOrder & WriteFields;

export interface InvokeLeaseRequest {
  /** What was called, in your words. */
  readonly resource?: string;
  /** How long it took, in milliseconds. */
  readonly latency?: number;
  /** Whether it succeeded; default true. */
  readonly success?: boolean;
  /** Units that it used; default 1. */
  readonly units?: number;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface KeyEnvelope {
  /** X25519-HKDF-SHA256-AES-256-GCM: the AES key is HKDF-SHA256 (no salt, info `svc:key-envelope:v1`, 32 bytes) of what the X25519 keys of sender and receiver agree on. */
  readonly algorithm: string;
  /** X25519 public key, made for this envelope. */
  readonly senderPublicKeyHex: string;
  /** 12 bytes. */
  readonly nonceHex: string;
  /** The secret, encrypted. */
  readonly ciphertextHex: string;
  /** 16 bytes. */
  readonly tagHex: string;
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
  /** The escrow with its Tokens; null where nothing is to be paid. */
  readonly escrowId: string | null;
  /** What was leased, and for how much. */
  readonly plan: {
    /** How it is paid. */
    readonly type: 'pay_per_use' | 'credits' | 'time_based' | 'subscription';
    /** By use: Tokens that calls may charge in all. */
    readonly budget: number | null;
    /** By time: how many were paid for. */
    readonly periods: number | null;
    /** The most units of one call. */
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
  /** What it may use, and has used. */
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
  /** Calls so far. */
  readonly usage: {
    /** Calls recorded. */
    readonly calls: number;
    /** Of these, those that succeeded. */
    readonly succeeded: number;
    /** Of these, those that failed. */
    readonly failed: number;
    /** Units used. */
    readonly units: number;
    /** The newest call. */
    readonly last: {
      /** When it was recorded; epoch milliseconds. */
      readonly at: number;
      /** As the call named it. */
      readonly resource: string | null;
      /** Whether it succeeded. */
      readonly success: boolean;
      /** As the call stated it. */
      readonly latencyMs: number | null;
      /** Units that it used. */
      readonly units: number;
      /** Tokens that it charged. */
      readonly cost: number;
    } | null;
  };
  /** Figures of its calls. */
  readonly stats: {
    /** Calls recorded. */
    readonly calls: number;
    /** Null before the first call. */
    readonly successRate: number | null;
    /** At most a sixteenth off; null where no call stated a latency. */
    readonly p50LatencyMs: number | null;
    /** The same of the slowest twentieth. */
    readonly p95LatencyMs: number | null;
    /** The same as `accrued`. */
    readonly cost: number;
  };
  /** When it began; epoch milliseconds. */
  readonly startedAt: number;
  /** When the clock ends it. */
  readonly endsAt: number;
  /** When its Tokens were shared out. */
  readonly endedAt: number | null;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type LeaseWritten = Lease & WriteFields;

export interface LicenseInput {
  /** Name of the licence. */
  readonly type?: string;
  readonly [member: string]: unknown;
}

export interface ListingStats {
  /** Orders of it so far. */
  readonly orders: number;
  /** Of these, completed ones. */
  readonly completedOrders: number;
  /** Null until the first review. */
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
  /** True: the account `from` is versioned; absent where the entry reserves what it locks. */
  readonly versioned?: boolean;
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
  /** Of an entry: the hash was that of its event, of its transaction on chain, of itself, of the chain up to it, of its payload, or of a state that it made. */
  readonly by?: 'event' | 'transaction' | 'entry' | 'chain' | 'payload' | 'state';
  /** Of an identity that was found by its name. */
  readonly displayName?: string;
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
  /** From left to right, in pixels; null where the definition has no drawing. */
  readonly layout: MachineLayout | null;
  /** The same from top to bottom, for narrow places. */
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
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
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
  readonly at: number;
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
  /** Elements of the whole list. */
  readonly total: number;
  /** Number of this page, from 1. */
  readonly page: number;
  /** Listings a page at most. */
  readonly pageSize: number;
  readonly pagination: Pagination;
  readonly facets?: MarketFacets;
}

export interface Milestone {
  /** Id of the milestone. */
  readonly id: string;
  /** The same as `id`. */
  readonly milestoneId: string;
  /** Headline. For the parties and the arbiter only. */
  readonly title?: string;
  /** What is to be done. For the parties and the arbiter only. */
  readonly description?: string;
  /** Tokens that its approval releases. */
  readonly amount: number;
  /** When it is met, as the parties put it. For the parties and the arbiter only. */
  readonly criteria?: unknown;
  /** Where it is not handed in by then, the client may terminate. */
  readonly deadline: number | null;
  /** State of the milestone. */
  readonly state: 'pending' | 'submitted' | 'approved' | 'rejected';
  /** The same as `state`. */
  readonly status: 'pending' | 'submitted' | 'approved' | 'rejected';
  /** How often it was handed in. */
  readonly submissions: number;
  /** Of the newest submission, as the provider gave them. For the parties and the arbiter only. */
  readonly deliverables?: readonly unknown[];
  /** The provider’s note to it; null: none. For the parties and the arbiter only. */
  readonly notes?: string | null;
  /** The deliverable envelope of the newest submission. For the parties and the arbiter only. */
  readonly envelope?: { readonly [member: string]: unknown } | null;
  /** SHA-256 of the RFC 8785 form of the envelope. */
  readonly envelopeDigest: string | null;
  /** When it was handed in last; epoch milliseconds, null before. */
  readonly submittedAt: number | null;
  /** 1 to 5, with the approval. For the parties and the arbiter only. */
  readonly rating?: number | null;
  /** The client’s words to its approval or rejection. For the parties and the arbiter only. */
  readonly feedback?: string | null;
  /** When the client approved or rejected it; epoch milliseconds, null before. */
  readonly answeredAt: number | null;
  /** By role: the actions permitted now. Computed when it is read; absent if not requested. */
  readonly permittedActions?: {
    readonly [name: string]: readonly {
      /** What state and time allow now. */
      readonly action: string;
      /** Error codes that the input may still meet. */
      readonly open: readonly string[];
    }[];
  };
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
  /** What the next write on the contract sends as `resourcePrev`. */
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

/** One settlement operation: a way in which Tokens move. */
export type Move = MintMove | TransferMove | ReserveMove | UnreserveMove | LockMove | ReleaseMove | RefundMove | ExpireMove | CollectMove | FreezeMove | UnfreezeMove | DepositMove | WithdrawMove;

export interface Moves {
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Blocks on top of it, that one included. */
  readonly confirmations: number;
  /** The elements of this page. */
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
  /** Network of the node: devnet, testnet or mainnet. */
  readonly network: 'devnet' | 'testnet' | 'mainnet';
  /** Address that the API listens on. */
  readonly host: string;
  /** As configured: 0 takes a free one. */
  readonly port: number;
  /** `embedded` or `mongodb`; for keys that may see paths the URL of the store, without credentials. */
  readonly store: string;
  /** SVC_CHAIN. `auto`: the RPC URL if there is one, else embedded. */
  readonly chain: 'auto' | 'embedded' | 'none';
  /** Chain id (EIP-155); null without a chain. */
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
  /** What is logged: `info` and what is more serious. */
  readonly logLevel: string;
  /** Whether the API speaks TLS. */
  readonly tls: boolean;
  /** Bounds of requests. */
  readonly limits: {
    /** The longest body, in bytes. */
    readonly bodyBytes: number;
    /** How deep its JSON may be nested. */
    readonly jsonDepth: number;
    /** The most elements of a page. */
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
  /** This and what follows: for loopback and admin keys. */
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
  /** Where it settles. */
  readonly chain: {
    /** The chain on which it settles: none, one at an RPC URL, or the one inside the process. */
    readonly kind: 'none' | 'rpc' | 'embedded';
    /** Chain id (EIP-155); null without a chain. */
    readonly chainId: number | null;
    /** Newest block; null where none is known. */
    readonly blockNumber: number | null;
    /** Whether the chain answers. */
    readonly connected: boolean;
    /** Operations committed and not settled. */
    readonly lag: number;
    /** `off`: there is no chain; `halted`: an operator has to act. */
    readonly settlement: 'off' | 'running' | 'halted';
    /** SVC_RPC_URL, for admin keys; a chain inside the process has none. */
    readonly rpcUrl?: string;
  };
  /** Where the journal is kept. */
  readonly store: {
    /** `sqlite` or `mongo`. */
    readonly kind: string;
    /** What an acknowledged write has survived. */
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
    /** This and what follows: where a DID was asked for. */
    readonly did?: string;
    /** What the DID's next signed write carries as `nonce`. */
    readonly nextNonce?: number;
    /** Nonce of the DID's newest event up to which nothing waits for the chain. */
    readonly settlementNonce?: number;
    /** The registry on chain knows the DID. */
    readonly registered?: boolean;
  };
  /** Where to read it again. */
  readonly links: {
    /** Path of this answer, the DID URL-encoded. */
    readonly self: string;
  };
}

export interface OpenOrderRequest {
  /** Who signs. */
  readonly did: string;
  /** Unlocks the signer’s key. */
  readonly passphrase: string;
}

export interface OpenedDelivery {
  /** Id of the order. */
  readonly orderId: string;
  /** Id of the listing. */
  readonly listingId: string;
  /** Hash of the content, made as `hashAlgorithm` says; null where the content is not kept here. */
  readonly contentHash: string | null;
  /** How `contentHash` is made. SHA-256-SALTED: SHA-256 of 32 bytes of salt and the content; the salt is HKDF-SHA256 of the content’s key (no salt, info `svc:content-salt:v1`), so that the content cannot be found by guessing. */
  readonly hashAlgorithm: 'SHA-256' | 'SHA-256-SALTED' | null;
  /** What `contentHash` is salted with; null where it is not. */
  readonly contentSaltHex: string | null;
  /** Bytes of the content; null where it is not kept here. */
  readonly size: number | null;
  /** How `content` is spelled: utf8, base64 or hex. */
  readonly encoding: string | null;
  /** The content; null where it is not kept here. */
  readonly content: string | null;
  /** Key of the content, 32 bytes in hex; null where none was delivered. */
  readonly contentKeyHex: string | null;
  /** The token that was delivered; null: none. */
  readonly accessToken: string | null;
  /** The address that was delivered; null: none. */
  readonly accessUrl: string | null;
}

export interface OrderReview {
  /** 1 to 5 stars. */
  readonly rating: number;
  /** When it was written; epoch milliseconds. */
  readonly at: number;
  /** In the reviewer’s words. */
  readonly comment?: string;
  /** What else the reviewer said. */
  readonly aspects?: { readonly [member: string]: unknown };
}

/** Position of this page in the list. */
export interface Pagination {
  /** Elements of the whole list. */
  readonly total: number;
  /** Elements a page at most: a page of large ones has fewer; go on with `after`. */
  readonly limit: number;
  /** Elements before this page. */
  readonly offset: number;
  /** Whether a page follows. */
  readonly hasMore: boolean;
  /** Number of this page, from 1. */
  readonly page: number;
  /** The same as `limit`. */
  readonly pageSize: number;
  /** Cursor of the next page; null on the last. */
  readonly after: string | null;
}

export interface PauseCapabilityListingRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface PauseInfoListingRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface PauseLeaseRequest {
  /** Why, in your words. */
  readonly reason?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface PauseTaskListingRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface PaymentInput {
  /** Tokens that activation locks. */
  readonly totalAmount?: number;
  /** Kept as you write it; the node pays Tokens. */
  readonly currency?: unknown;
  /** Kept as you write it. */
  readonly method?: unknown;
  /** Kept as you write it; milestones are paid as they are approved. */
  readonly schedule?: unknown;
  /** Kept as you write it. */
  readonly notes?: unknown;
}

export interface Peer {
  /** The peer id of its DID, in libp2p’s form. */
  readonly peerId: string;
  /** DID of the peer. */
  readonly did: string;
  /** The multiaddr that is dialled. */
  readonly address: string;
  /** Who has opened the connections. */
  readonly direction: 'outbound' | 'inbound' | 'both' | 'none';
  /** Start of the connection; null if there is none. */
  readonly connectedAt: number | null;
  /** Of an answer, smoothed; null before the first. */
  readonly latencyMs: number | null;
  /** Number of the newest entry that it has announced. */
  readonly head: number;
  /** Number of the newest entry that is verified and on disk here. */
  readonly adopted: number;
  /** Age of the newest adopted checkpoint; null before the first. */
  readonly lagMs: number | null;
  /** `current`: adopted up to what it has shown; `behind`: catching up; `unreachable`: no connection; `stopped`: it sent an invalid entry; `outdated`: it runs a newer release; `forked`: it has shown two journals. */
  readonly status: 'unreachable' | 'behind' | 'current' | 'stopped' | 'outdated' | 'forked';
  /** Payloads that it did not show, because they are for the parties only. */
  readonly withheld: number;
  /** Why its feed is followed no further: the entry, what is wrong with it, and when that was seen. */
  readonly violation?: {
    /** Number of the entry. */
    readonly seq: number;
    /** What is wrong with it. */
    readonly what: string;
    /** When that was seen; epoch milliseconds. */
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
    /** The earlier one. */
    readonly first: Checkpoint;
    /** The later one, which does not go on from it. */
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

export interface PricingInput {
  /** How it is paid, in your word; for leases `pay_per_use`, `credits`, `time_based` or `subscription`. */
  readonly type?: string;
  /** Always TOKEN. */
  readonly currency?: 'TOKEN';
  /** Tokens for one unit; 0: free. */
  readonly price?: number;
  /** The same as `price`. */
  readonly fixedPrice?: number;
  /** The same as `price`. */
  readonly amount?: number;
  /** The same as `price`: what a requester has for a task. */
  readonly budget?: number;
  /** Bounds within which a unit price is agreed, instead of `price`. */
  readonly priceRange?: {
    /** The least, in Tokens. */
    readonly min: number;
    /** The most, in Tokens. */
    readonly max: number;
  };
  /** Price by use. */
  readonly usagePrice?: {
    /** What a unit is, in your word: `call`. */
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
  /** Whether the price is open to offers; the node does not read it. */
  readonly negotiable?: boolean;
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
  /** The committed event. */
  readonly eventHash?: string;
  /** The nonce that it used up. */
  readonly nonce?: number;
  /** True: the event is committed in spite of the failure. */
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
  /** Where its root is on chain; null until it is. */
  readonly anchor: {
    /** Number of the first entry under the anchor. */
    readonly firstEntry: number;
    /** Number of the last entry under the anchor. */
    readonly lastEntry: number;
    /** Root of the Merkle tree (RFC 6962) over the entries from first to last. */
    readonly root: string;
    /** Sibling hashes on the path from the entry to the root, in this order. */
    readonly path: readonly string[];
    /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
    readonly txHash: string;
    /** Block that recorded the anchor. */
    readonly blockNumber: number;
    /** Chain id (EIP-155). */
    readonly chainId: number;
    /** The Settlement contract. */
    readonly contract: string;
  } | null;
}

export interface Proposal {
  /** How it shall end. */
  readonly outcome: 'release' | 'refund' | 'split' | 'resume';
  /** Tokens to the provider. */
  readonly providerPayment: number;
  /** Tokens back to the client. */
  readonly clientRefund: number;
  /** Why, in the party’s words; null: nothing. For the parties and the arbiter only. */
  readonly note?: string | null;
}

export interface QuotaInput {
  /** The most calls in a period; absent: no limit. */
  readonly maxCalls?: number;
  /** The most units in a period; absent: no limit. */
  readonly maxUnits?: number;
  /** minute, hour, day, week, month, quarter, year, or total (default): the whole lease. */
  readonly period?: string;
  /** Further limits of the same form, which hold besides. */
  readonly limits?: readonly {
    /** The most calls in a period; absent: no limit. */
    readonly maxCalls?: number;
    /** The most units in a period; absent: no limit. */
    readonly maxUnits?: number;
    /** minute, hour, day, week, month, quarter, year, or total (default): the whole lease. */
    readonly period?: string;
  }[];
}

export interface Receipt {
  /** Hash of the entry that was settled. */
  readonly entryHash: string;
  /** Number of the entry. */
  readonly seq: number;
  /** `confirmed`: settled on chain; `pending`: its block is not deep enough; `reverted`: the chain refused it. */
  readonly status: 'confirmed' | 'pending' | 'reverted';
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** Block that has the transaction. */
  readonly blockNumber: number;
  /** Blocks since, its own included. */
  readonly confirmations: number;
  /** Further details from the chain. */
  readonly detail?: unknown;
}

export interface RedeliverEventRequest {
  /** Number of the entry. */
  readonly seq: number;
}

export interface RefundEscrowRequest {
  /** Tokens. */
  readonly amount: number;
  /** Id of the rule that it is based on; absent: any that is met. */
  readonly ruleId?: string;
  /** The same as `ruleId`. */
  readonly rule?: string;
  /** What meets the rule: `{ preimage }`, `{ signatures: [{ did, signature }] }`, or any JSON. */
  readonly evidence?: unknown;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev: string;
  /** Why, in your words. */
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
  /** The capability; `id`, if present, is the DID. */
  readonly credentialSubject?: { readonly [member: string]: unknown };
  /** W3C Data Integrity proof; the node adds one if it is missing. */
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
  /** The registry on chain knows the DID. */
  readonly registered: boolean;
  /** Address that acts for the DID on chain; null if it was revoked. */
  readonly controller: string | null;
}

export interface RejectBidRequest {
  /** Why, in your words. */
  readonly reason?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

/** Also accepted: `reason` for `feedback`. */
export interface RejectContractRequest {
  /** What you say about it. */
  readonly feedback?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

/** Also accepted: `reason` for `feedback`. */
export interface RejectTaskOrderRequest {
  /** The submission that is judged: only the newest. Absent: that one. */
  readonly submissionId?: string;
  /** What you say about it. */
  readonly feedback?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
  /** Default: the order of the task. */
  readonly orderId?: string;
}

export interface ReleaseEscrowRequest {
  /** Tokens. */
  readonly amount: number;
  /** Id of the rule that it is based on; absent: any that is met. */
  readonly ruleId?: string;
  /** The same as `ruleId`. */
  readonly rule?: string;
  /** What meets the rule: `{ preimage }`, `{ signatures: [{ did, signature }] }`, or any JSON. */
  readonly evidence?: unknown;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
  /** Why, in your words. */
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
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface RemoveInfoListingRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface RemoveTaskListingRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface Reputation {
  /** The DID that it is about. */
  readonly did: string;
  /** Weighted mean, 0 to 1000; null if all its records have lost their weight. */
  readonly score: number | null;
  /** The score as a word. */
  readonly level: 'excellent' | 'good' | 'fair' | 'poor' | 'unrated';
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
  /** Who says so. */
  readonly issuer: string;
  /** Whom it is about. */
  readonly target: string;
  /** The same as `issuer`. */
  readonly reviewer: string;
  /** The same as `target`. */
  readonly reviewee: string;
  /** Which side of a trade it is about. */
  readonly dimension: 'transaction' | 'fulfillment' | 'quality' | 'social' | 'behavior';
  /** 0 to 1000. */
  readonly score: number;
  /** The score in stars, 0 to 5. */
  readonly rating: number;
  /** Id of the order or contract that it is about. */
  readonly ref: string;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** Hash of the event that made it. A review never changes. */
  readonly resourcePrev: string;
  /** In the reviewer’s words; absent: nothing. */
  readonly comment?: string;
  /** What else the reviewer said; absent: nothing. */
  readonly aspects?: { readonly [member: string]: unknown };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type ReputationRecordResult = ReputationRecord & WriteFields;

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

/** Also accepted: `decision` for `resolution`. */
export interface ResolveContractRequest {
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
}

/** Also accepted: `decision` for `resolution`. */
export interface ResolveDisputeRequest {
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
}

/** Also accepted: `decision` for `resolution`. */
export interface ResolveOrderRequest {
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
}

export interface ResumeCapabilityListingRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface ResumeInfoListingRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface ResumeLeaseRequest {
  /** Why, in your words. */
  readonly reason?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface ResumeTaskListingRequest {
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface ReviewInfoOrderRequest {
  /** 1 to 5 stars. */
  readonly rating: number;
  /** In your words. */
  readonly comment?: string;
  /** Anything else about it, in your own members. */
  readonly aspects?: { readonly [member: string]: unknown };
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
  /** Default: the signer’s only order on the listing that waits for this action. */
  readonly orderId?: string;
}

export interface ReviewTaskOrderRequest {
  /** 1 to 5 stars. */
  readonly rating: number;
  /** In your words. */
  readonly comment?: string;
  /** Anything else about it, in your own members. */
  readonly aspects?: { readonly [member: string]: unknown };
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
  /** Default: the order of the task. */
  readonly orderId?: string;
}

export interface RotateWebhookSecretRequest {
  /** What deliveries are signed with; absent: the node makes one. */
  readonly secret?: string;
  /** For so long deliveries are signed with the secret before, too; default: a day. */
  readonly overlapMs?: number;
}

export type RuleInput = {
  /** Name of the rule, which `ruleId` cites; absent: `rule-1`, `rule-2`, … */
  readonly id?: string;
  /** `evidence` must be given, too. */
  readonly requiresEvidence?: boolean;
  /** `reason` must be given, too. */
  readonly requiresReason?: boolean;
  /** How it is met: `manual`, by one who may; `time`, from `after` on; `hash`, by what hashes to `hash`; `signature`, by signatures of `signers`. */
  readonly type: 'manual' | 'time' | 'hash' | 'signature';
  /** manual: who may act, as roles (depositor, beneficiary, arbiter) or DIDs; default depositor and arbiter. */
  readonly by?: readonly string[];
  /** time: met from then on. ISO 8601 with an offset, or epoch milliseconds. */
  readonly after?: number | string;
  /** hash: SHA-256 of what `evidence.preimage` must be, hex. */
  readonly hash?: string;
  /** signature: DIDs whose signatures count. */
  readonly signers?: readonly string[];
  /** signature: how many of them must sign; default all. */
  readonly threshold?: number;
} | {
  /** Name of the rule, which `ruleId` cites; absent: `rule-1`, `rule-2`, … */
  readonly id?: string;
  /** `evidence` must be given, too. */
  readonly requiresEvidence?: boolean;
  /** `reason` must be given, too. */
  readonly requiresReason?: boolean;
  /** Any other word, unless it is nearly one of those above (`Time`, `signatures`): the rule is met where the depositor or the arbiter cites it. */
  readonly type: string;
  readonly [member: string]: unknown;
};

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
  /** Fee that the sender paid in addition to the amount, Tokens. */
  readonly fee: number;
  /** The sender’s note; null if there is none. */
  readonly memo: string | null;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Blocks on top of it, that one included. */
  readonly confirmations: number;
  /** When it was accepted; epoch milliseconds. */
  readonly timestamp: number;
  /** What moved the Tokens: see Move. */
  readonly op: string;
  /** DID that signed the event. */
  readonly issuer: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
  /** The escrow that it is about; absent where there is none. */
  readonly escrowId?: string;
}

export interface SignContractRequest {
  /** `termsHash` of the contract that you have read: another is refused. Absent: not checked. */
  readonly termsHash?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
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
  /** When it was judged; epoch milliseconds, null before. */
  readonly decidedAt: number | null;
  /** As they came. For the parties and the arbiter only. */
  readonly deliverables?: readonly unknown[];
  /** The provider’s note; null: none. For the parties and the arbiter only. */
  readonly notes?: string | null;
  /** The deliverable envelope, completed and signed. For the parties and the arbiter only. */
  readonly envelope?: { readonly [member: string]: unknown } | null;
  /** What the requester said about it; null: nothing. For the parties and the arbiter only. */
  readonly feedback?: string | null;
}

/** Also accepted: `message` for `notes`. */
export interface SubmitContractRequest {
  /** What is handed in: texts or objects of any form. */
  readonly deliverables?: readonly unknown[];
  /** A note to the client. */
  readonly notes?: string;
  /** A delivery whose form the node checks. */
  readonly delivery?: {
    /** A deliverable envelope, which the node completes and signs. */
    readonly envelope?: {
      /** What sort of thing is delivered. */
      readonly type: 'text' | 'data' | 'document' | 'code' | 'model' | 'binary' | 'stream' | 'composite' | 'other';
      /** Media type. */
      readonly format?: string;
      /** Name of the file. */
      readonly name?: string;
      /** SHA-256 of the content, hex; absent: the node hashes `transport.data`. */
      readonly contentHash?: string;
      /** Bytes of the content; absent: of `transport.data`. */
      readonly size?: number;
      /** How the content is handed over. */
      readonly transport?: {
        /** `inline`: in `data`; the others: at `uri`. */
        readonly method: 'inline' | 'external' | 'stream' | 'endpoint';
        /** Where the content is. */
        readonly uri?: string;
        /** The content itself, written as `encoding` says. */
        readonly data?: string;
        /** How `data` is written; default utf8. */
        readonly encoding?: 'utf8' | 'base64' | 'hex';
        readonly [member: string]: unknown;
      };
      /** Id of the envelope; absent: the node makes one. */
      readonly id?: string;
      /** The order, or `<contract>/<milestone>`, that it is for; absent: this one. */
      readonly contextId?: string;
      /** DID that made it; absent: the signer. */
      readonly producer?: string;
      /** When it was made: ISO 8601 with an offset, or epoch milliseconds; absent: now. */
      readonly createdAt?: number | string;
      /** The producer’s Ed25519 signature, base58btc; absent: the node signs. */
      readonly signature?: string;
      readonly [member: string]: unknown;
    };
  };
  /** SHA-256 of an envelope that is kept elsewhere. */
  readonly envelopeDigest?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface Supply {
  /** Network of the node: devnet, testnet or mainnet. */
  readonly network: string;
  /** Tokens in the ledger: what follows, summed. */
  readonly supply: number;
  /** Tokens that can be spent. */
  readonly available: number;
  /** Tokens that unfunded escrows hold. */
  readonly reserved: number;
  /** Tokens that funded escrows hold. */
  readonly escrowed: number;
  /** Fees that no one has collected. */
  readonly fees: number;
  /** null where the node settles on no chain. */
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
  /** Id of the bid. */
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
  /** In the bidder’s words; null if not given. */
  readonly timeline: unknown;
  /** The bidder’s approach; null if not given. */
  readonly approach: string | null;
  /** State of the bid. */
  readonly status: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
  /** Why it was rejected or withdrawn, if a reason was given. */
  readonly reason: string | null;
  /** The order that accepting it made. */
  readonly orderId: string | null;
  /** The escrow that holds its price. */
  readonly escrowId: string | null;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
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
  /** Headline. */
  readonly title: string;
  /** What is offered or wanted, in full. */
  readonly description: string;
  /** One word that searches filter by. */
  readonly category: string;
  /** Words that searches filter by. */
  readonly tags: readonly string[];
  /** What it costs; `currency` is TOKEN. */
  readonly pricing: {
    /** How it is paid, in your word; for leases `pay_per_use`, `credits`, `time_based` or `subscription`. */
    readonly type?: string;
    /** Always TOKEN. */
    readonly currency?: 'TOKEN';
    /** Tokens for one unit; 0: free. */
    readonly price?: number;
    /** The same as `price`. */
    readonly fixedPrice?: number;
    /** The same as `price`. */
    readonly amount?: number;
    /** The same as `price`: what a requester has for a task. */
    readonly budget?: number;
    /** Bounds within which a unit price is agreed, instead of `price`. */
    readonly priceRange?: {
      /** The least, in Tokens. */
      readonly min: number;
      /** The most, in Tokens. */
      readonly max: number;
    };
    /** Price by use. */
    readonly usagePrice?: {
      /** What a unit is, in your word: `call`. */
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
    /** Whether the price is open to offers; the node does not read it. */
    readonly negotiable?: boolean;
  };
  /** As of now, `expiresAt` considered. */
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  /** Private ones are shown to their owner only. */
  readonly visibility: 'public' | 'private';
  /** Orders and ratings so far. */
  readonly stats: ListingStats;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Type of task, a word of your choice. */
  readonly taskType: string;
  /** What is to be done, in your own members. */
  readonly task: { readonly [member: string]: unknown };
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
    /** Kept as you write it. */
    readonly notes?: unknown;
  };
  /** State of the bidding. */
  readonly bidding: {
    /** When bidding ends; null: never. */
    readonly closesAt: number | null;
    /** The most bids, withdrawn ones included. */
    readonly maxBids: number;
    /** Bids so far, withdrawn ones included. */
    readonly bidCount: number;
    /** Whether the deadline and the limit permit another bid. */
    readonly open: boolean;
    /** The order that an accepted bid has made. */
    readonly orderId: string | null;
  };
  /** Units left; absent: unlimited. */
  readonly stock?: number;
  /** While `active`: open for bids, or a bid was accepted. */
  readonly substate?: 'open' | 'awarded';
  /** What it takes, in words that searches filter by. */
  readonly skills?: readonly string[];
  /** Anything else, kept as you write it. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type TaskListingWritten = TaskListing & WriteFields;

/** `facets` only with `includeFacets=true`, over the whole result. */
export interface TaskMarketSearchResult {
  /** The elements of this page. */
  readonly listings: readonly TaskListing[];
  /** Elements of the whole list. */
  readonly total: number;
  /** Number of this page, from 1. */
  readonly page: number;
  /** Listings a page at most. */
  readonly pageSize: number;
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
  /** When the clock cancels what is not delivered; a rejection may put it off. */
  readonly deliverBy: number;
  /** When the clock confirms what was delivered and not judged. */
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
  /** By who has written them. */
  readonly reviews: {
    /** The requester’s review. */
    readonly requester?: OrderReview;
    /** The provider’s review. */
    readonly provider?: OrderReview;
  };
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event: what the next write sends as `resourcePrev`. */
  readonly resourcePrev: string;
  /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
  readonly txHash: string;
  /** By role: the actions permitted now. Computed when it is read; in lists only with `include=permittedActions`. */
  readonly permittedActions?: { readonly [name: string]: readonly Permission[] };
  /** The home that it is of, if that is another one. */
  readonly home?: string;
  /** With `home`: time of the newest checkpoint up to which its journal is known here. */
  readonly asOf?: number;
}

export type TaskOrderDispute = Dispute & WriteFields & {
  /** Id of the task-order. */
  readonly orderId: string;
  /** The task-order after it. */
  readonly order: TaskOrderWritten;
};

export type TaskOrderWritten = TaskOrder & WriteFields;

export interface TerminateContractRequest {
  /** Why, in your words. */
  readonly reason?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface TerminateLeaseRequest {
  /** Why, in your words. */
  readonly reason?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface TermsInput {
  /** Decides disputes; without it the network’s arbiter does. */
  readonly arbiter?: string;
  /** From then on the client may terminate. */
  readonly deadline?: number | string;
  /** What either party may ask for after 60 days of dispute; default split. */
  readonly fallback?: 'refund' | 'release' | 'split';
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
  /** Kept as you write it. */
  readonly notes?: unknown;
}

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
  /** Fee that the sender paid in addition to the amount, Tokens. */
  readonly fee: number;
  /** The sender’s note; null if there is none. */
  readonly memo: string | null;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Blocks on top of it, that one included. */
  readonly confirmations: number;
  /** When it was accepted; epoch milliseconds. */
  readonly timestamp: number;
  /** What moved the Tokens: see Move. */
  readonly op: string;
  /** DID that signed the event. */
  readonly issuer: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
  /** From the wallet’s side: `sent`, `received`, or `escrow`: into an escrow or out of one. */
  readonly type: 'sent' | 'received' | 'escrow';
  /** The escrow that it is about; absent where there is none. */
  readonly escrowId?: string;
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
  /** DID or address that is paid. */
  readonly to: string;
  /** Tokens. */
  readonly amount: number;
  /** Tokens for the operator, in addition to the amount; absent: none. */
  readonly fee?: number;
  /** A note for the receiver, which all readers of the journal see. */
  readonly memo?: string;
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
  /** Fee that the sender paid in addition to the amount, Tokens. */
  readonly fee: number;
  /** The sender’s note; null if there is none. */
  readonly memo: string | null;
  /** `pending` until it is settled on chain. */
  readonly status: 'confirmed' | 'pending';
  /** Block of the chain that settled it. */
  readonly blockNumber: number | null;
  /** Blocks on top of it, that one included. */
  readonly confirmations: number;
  /** When it was accepted; epoch milliseconds. */
  readonly timestamp: number;
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
  /** Anything else, kept as you write it. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Headline, which searches read. */
  readonly title?: string;
  /** What is offered or wanted, in full. */
  readonly description?: string;
  /** One word of yours that searches filter by. */
  readonly category?: string;
  /** Words that searches filter by. */
  readonly tags?: readonly string[];
  /** What it costs, in one way at least. */
  readonly pricing?: PricingInput;
  /** Units that there are; null: unlimited. */
  readonly stock?: number | null;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When it leaves the market: ISO 8601 with an offset, or epoch milliseconds. Null: never. */
  readonly expiresAt?: number | string | null;
  /** What it can do, in your own members. */
  readonly capability?: { readonly [member: string]: unknown };
  /** What each lease may use. */
  readonly quota?: QuotaInput;
  /** How it is reached, in your own members. */
  readonly access?: {
    /** How it is accessed: a word of your choice. */
    readonly type?: string;
    readonly [member: string]: unknown;
  };
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

/** Also accepted: `arbiter` for `terms.arbiter`. */
export interface UpdateContractRequest {
  /** What was agreed; members that the node does not know are kept, and signed like the others. */
  readonly terms?: TermsInput;
  /** What the client pays. */
  readonly payment?: PaymentInput;
  /** Parts of the work that are paid one by one; absent: it is paid as a whole. */
  readonly milestones?: readonly MilestoneInput[];
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
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
  /** `docHash` of the document that it replaces: another is refused. */
  readonly prevDocHash: string;
  /** Hash of the last event of the identity: another is refused. Absent or null: not checked. */
  readonly resourcePrev?: string | null;
}

export interface UpdateInfoListingRequest {
  /** Anything else, kept as you write it. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Headline, which searches read. */
  readonly title?: string;
  /** What is offered or wanted, in full. */
  readonly description?: string;
  /** One word of yours that searches filter by. */
  readonly category?: string;
  /** Words that searches filter by. */
  readonly tags?: readonly string[];
  /** What it costs, in one way at least. */
  readonly pricing?: PricingInput;
  /** Units that there are; null: unlimited. */
  readonly stock?: number | null;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When it leaves the market: ISO 8601 with an offset, or epoch milliseconds. Null: never. */
  readonly expiresAt?: number | string | null;
  /** What a buyer may do with it, in your own members. */
  readonly license?: LicenseInput;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface UpdateTaskListingRequest {
  /** Anything else, kept as you write it. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Headline, which searches read. */
  readonly title?: string;
  /** What is offered or wanted, in full. */
  readonly description?: string;
  /** One word of yours that searches filter by. */
  readonly category?: string;
  /** Words that searches filter by. */
  readonly tags?: readonly string[];
  /** What it costs, in one way at least. */
  readonly pricing?: PricingInput;
  /** Units that there are; null: unlimited. */
  readonly stock?: number | null;
  /** `private`: only the owner sees it; default `public`. */
  readonly visibility?: 'public' | 'private';
  /** When it leaves the market: ISO 8601 with an offset, or epoch milliseconds. Null: never. */
  readonly expiresAt?: number | string | null;
  /** What is to be done, in your own members. */
  readonly task?: { readonly [member: string]: unknown };
  /** When it is due. */
  readonly timeline?: TimelineInput;
  /** What it takes, in words that searches filter by. */
  readonly skills?: readonly string[];
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
  readonly resourcePrev?: string | null;
}

export interface Webhook {
  /** Id of the webhook. */
  readonly id: string;
  /** Where deliveries are posted to. */
  readonly url: string;
  /** What it is for, in its maker’s words; may be empty. */
  readonly label: string;
  /** `disabled`: nothing is delivered until it is enabled. */
  readonly status: 'active' | 'disabled';
  /** Why it is disabled. */
  readonly reason: string | null;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Epoch milliseconds until which deliveries have a second signature, by the previous secret; null if there is none. */
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

export interface WithdrawBidRequest {
  /** Why, in your words. */
  readonly reason?: string;
  /** Hash of the resource’s last event, as its view says, or of the transaction that settled it: refused where something has happened to it since. */
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
  /** Tokens for the operator, in addition to the amount; absent: none. */
  readonly fee?: number;
  /** EVM address that is paid; absent: the one of the DID. */
  readonly to?: string;
}

export interface Withheld {
  /** True: its home showed its content to others only. */
  readonly withheld: boolean;
  /** Kind of the resource: `contract`. */
  readonly kind: string;
  /** Id of the resource. */
  readonly id: string;
  /** Path of its state. */
  readonly state: string;
  /** The newest. */
  readonly version: number;
  /** When it was made; epoch milliseconds. */
  readonly createdAt: number;
  /** When it last changed; epoch milliseconds. */
  readonly updatedAt: number;
  /** Hash of its last event. */
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
  readonly acceptBid: AcceptBidRequest;
  readonly activateContract: ActivateContractRequest;
  readonly approveContract: ApproveContractRequest;
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
  readonly openOrder: OpenOrderRequest;
  readonly pauseCapabilityListing: PauseCapabilityListingRequest;
  readonly pauseInfoListing: PauseInfoListingRequest;
  readonly pauseLease: PauseLeaseRequest;
  readonly pauseTaskListing: PauseTaskListingRequest;
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
  readonly submitContract: SubmitContractRequest;
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
    /** `store` (default) reads what is kept; `log` works it out from the events. Both agree. */
    readonly source?: 'store' | 'log';
  };
  readonly getMachine: {
    /** `xstate`: what `createMachine` takes. Without it `Accept` decides, else JSON. */
    readonly format?: 'json' | 'xstate' | 'mermaid' | 'svg' | 'csv' | 'markdown';
    /** A past definition version that entries still name. */
    readonly version?: string;
  };
  readonly getMachineHistory: {
    /** Number of the entry of the last step seen: `next` of a page. */
    readonly after?: number;
    /** Steps a page at most; default 20. */
    readonly limit?: number;
  };
  readonly getReputation: {
    /** `store` (default) reads what is kept; `log` checks each record against its entry. Both agree. */
    readonly source?: 'store' | 'log';
    /** Without any record: 200 with no score and `updatedAt` 0, not REPUTATION_NOT_FOUND. */
    readonly orEmpty?: boolean;
  };
  readonly getResourceProof: {
    /** Number of the last entry seen: `next` of a page. */
    readonly after?: number;
    /** Entries a page at most; default 100. */
    readonly limit?: number;
  };
  readonly getTransaction: Paging;
  readonly getWallet: {
    /** Reads the ledger of another home, by its DID or tag. Each home has its own; without it, this node’s. */
    readonly home?: string;
  };
  readonly listAdminLog: Paging;
  readonly listApiKeys: Paging & {
    /** Keys that are bound to this DID. */
    readonly did?: string;
  };
  readonly listBids: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'bidder' | 'requester';
    /** Only those of this status. */
    readonly status?: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
    /** Members that each resource shows only on request. */
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
    /** Alternative to `sort`, with `sortOrder`: price ascends by default, all others only descend. */
    readonly sortBy?: 'price' | 'createdAt' | 'date' | 'newest' | 'rating' | 'popular' | 'popularity' | 'reputation' | 'relevance';
    /** The direction of `sortBy`. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Counts over the whole result; default false. */
    readonly includeFacets?: boolean;
    /** Members that each resource shows only on request. */
    readonly include?: 'permittedActions';
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly listContractDisputes: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'client' | 'provider' | 'arbiter';
    /** Only those of this status. */
    readonly status?: 'open' | 'resolved';
    /** Members that each resource shows only on request. */
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
    /** Only those of this status. */
    readonly status?: 'draft' | 'active' | 'completed' | 'disputed' | 'cancelled' | 'signed' | 'terminated';
    /** Those that show it. */
    readonly substate?: 'ongoing' | 'consented';
    /** Members that each resource shows only on request. */
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
    /** Only those of this status. */
    readonly status?: 'open' | 'resolved';
    /** Members that each resource shows only on request. */
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
    /** Only those of this status. */
    readonly status?: 'created' | 'funded' | 'released' | 'refunded' | 'expired';
    /** Those that show it. */
    readonly substate?: 'open' | 'cancelled' | 'lapsed';
    /** Members that each resource shows only on request. */
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
    /** Entries that this DID or address signed. */
    readonly issuer?: string;
    /** Entries that changed this resource: `<kind>/<id>`. */
    readonly resource?: string;
    /** Entries of this type of event: `escrow.released`, or `escrow.*`. */
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
    /** Entries that moved at least this many Tokens. */
    readonly minAmount?: number;
    /** The same, at most. */
    readonly maxAmount?: number;
    /** Number of the last entry seen; the stream continues after it. */
    readonly after?: number;
    /** Entries a page at most. */
    readonly limit?: number;
  };
  readonly listInfoListings: Queries['listCapabilityListings'];
  readonly listLeases: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'lessee' | 'lessor';
    /** Only those of this status. */
    readonly status?: 'active' | 'paused' | 'exhausted' | 'expired' | 'terminated';
    /** Members that each resource shows only on request. */
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
    /** Only those of this status. */
    readonly status?: 'pending' | 'paid' | 'delivered' | 'confirmed' | 'reviewed' | 'cancelled' | 'disputed' | 'open' | 'accepted';
    /** Members that each resource shows only on request. */
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
  readonly listReviews: Paging & {
    /** `store` (default) reads what is kept; `log` checks each record against its entry. Both agree. */
    readonly source?: 'store' | 'log';
  };
  readonly listTaskBids: Paging & {
    /** Those that it has a part in; `party` is the same. */
    readonly did?: string;
    /** The part that `did` has in them, else the DID of the API key. */
    readonly role?: 'all' | 'bidder' | 'requester';
    /** Only those of this status. */
    readonly status?: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
    /** Members that each resource shows only on request. */
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
    /** Only those: `sent`, `received`, or `escrow` (in or out of one); default all. */
    readonly type?: 'all' | 'sent' | 'received' | 'escrow';
    /** Reads the ledger of another home, by its DID or tag. Each home has its own; without it, this node’s. */
    readonly home?: string;
  };
  readonly listWallets: Paging & {
    /** Reads the ledger of another home, by its DID or tag. Each home has its own; without it, this node’s. */
    readonly home?: string;
  };
  readonly listWebhooks: Paging;
  readonly lookUp: {
    /** A number, hash, DID, address or name, or the beginning of an id. */
    readonly text: string;
  };
  readonly searchMarkets: Paging & {
    /** Only these markets, separated by commas; default all. */
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
    /** Alternative to `sort`, with `sortOrder`: price ascends by default, all others only descend. */
    readonly sortBy?: 'price' | 'createdAt' | 'date' | 'newest' | 'rating' | 'popular' | 'popularity' | 'reputation' | 'relevance';
    /** The direction of `sortBy`. */
    readonly sortOrder?: 'asc' | 'desc';
    /** Counts over the whole result; default false. */
    readonly includeFacets?: boolean;
    /** Members that each resource shows only on request. */
    readonly include?: 'permittedActions';
    /** Only those of one home: `own`, or the DID or tag of one that this node follows. Without it, of all homes. */
    readonly home?: string;
  };
  readonly streamEvents: {
    /** Entries that this DID or address signed. */
    readonly issuer?: string;
    /** Entries that changed this resource: `<kind>/<id>`. */
    readonly resource?: string;
    /** Entries of this type of event: `escrow.released`, or `escrow.*`. */
    readonly type?: string;
    /** Number of the last entry seen; the stream continues after it. */
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
  readonly explainError: ErrorClass | ErrorCode;
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
  readonly getCapabilityListing: CapabilityListing;
  readonly getContract: Contract | Withheld;
  readonly getDispute: Dispute | Withheld;
  readonly getEscrow: Escrow;
  readonly getEvent: Entry;
  readonly getEventProof: Proof;
  readonly getIdentity: Identity;
  readonly getInfoContent: EncryptedInfoContent;
  readonly getInfoDelivery: InfoDeliveryRecord;
  readonly getInfoListing: InfoListing;
  readonly getLease: Lease;
  readonly getMachine: MachineChart;
  readonly getMachineHistory: {
    /** The sort of resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** Path of its state now. */
    readonly state: string;
    /** The newest. */
    readonly version: number;
    /** Its definition version. */
    readonly machine: string;
    /** The steps of this page, oldest first. */
    readonly steps: readonly MachineStep[];
    /** Steps of the whole history. */
    readonly total: number;
    /** The `after` of the next page; null at the end. */
    readonly next: number | null;
    /** Whether there are later steps. */
    readonly hasMore: boolean;
    /** Whether you may read its whole state: `/state` answers, else it is FORBIDDEN. */
    readonly stateReadable: boolean;
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
    /** Oldest first. */
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
    /** Id of the resource. */
    readonly id: string;
    /** Path of its state. */
    readonly state: string;
    /** The newest. */
    readonly version: number;
    /** Its definition version. */
    readonly machine: string;
    /** The time that the answer is for; epoch milliseconds. */
    readonly time: number;
    /** All actions of its kind. */
    readonly actions: readonly {
      /** Name of the action. */
      readonly action: string;
      /** Type of the event that it makes: `escrow.released`. */
      readonly event: string;
      /** What it does. */
      readonly summary: string;
      /** Not available over HTTP. */
      readonly internal: boolean;
      /** For each role, whether it may. */
      readonly roles: readonly {
        /** The role: `depositor`. */
        readonly role: string;
        /** Whether state and time allow it now. */
        readonly permitted: boolean;
        /** Error codes that the input may still meet. */
        readonly open?: readonly string[];
        /** The error code that it is refused with now. */
        readonly code?: string;
        /** Name of the guard that refuses it. */
        readonly guard?: string;
        /** Why it is refused, in words. */
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
    /** Version of the format. */
    readonly v: 1;
    /** Says what the document is. */
    readonly type: 'resource-proof';
    /** Network of the node: devnet, testnet or mainnet. */
    readonly network: string;
    /** Kind of the resource: `escrow`. */
    readonly kind: string;
    /** Id of the resource. */
    readonly id: string;
    /** After the newest version. */
    readonly state: string;
    /** Number of versions, and so of entries in all pages. */
    readonly total: number;
    /** Entry 1 of the journal: it names whose journal it is. */
    readonly first: {
      readonly entry: Entry;
      /** Where its root is on chain; null until it is. */
      readonly anchor: {
        /** Number of the first entry under the anchor. */
        readonly firstEntry: number;
        /** Number of the last entry under the anchor. */
        readonly lastEntry: number;
        /** Root of the Merkle tree (RFC 6962) over the entries from first to last. */
        readonly root: string;
        /** Sibling hashes on the path from the entry to the root, in this order. */
        readonly path: readonly string[];
        /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
        readonly txHash: string;
        /** Block that recorded the anchor. */
        readonly blockNumber: number;
        /** Chain id (EIP-155). */
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
        /** Number of the first entry under the anchor. */
        readonly firstEntry: number;
        /** Number of the last entry under the anchor. */
        readonly lastEntry: number;
        /** Root of the Merkle tree (RFC 6962) over the entries from first to last. */
        readonly root: string;
        /** Sibling hashes on the path from the entry to the root, in this order. */
        readonly path: readonly string[];
        /** Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event. */
        readonly txHash: string;
        /** Block that recorded the anchor. */
        readonly blockNumber: number;
        /** Chain id (EIP-155). */
        readonly chainId: number;
        /** The Settlement contract. */
        readonly contract: string;
      } | null;
    })[];
    /** By definition version, the chart whose hash it is: `<kind>-<revision>-<first 12 digits of SHA-256 of its RFC 8785 form>`. */
    readonly definitions: { readonly [name: string]: { readonly [member: string]: unknown } };
    /** The `after` of the next page; null at the end. */
    readonly next: number | null;
    /** Whether there are later entries. */
    readonly hasMore: boolean;
    /** The home that it is of, if that is another one. */
    readonly home?: string;
    /** With `home`: time of the newest checkpoint up to which its journal is known here. */
    readonly asOf?: number;
  };
  readonly getSelf: Identity;
  readonly getSupply: Supply;
  readonly getTaskListing: TaskListing;
  readonly getTransaction: Moves;
  readonly getWallet: Balance;
  readonly getWebhook: Webhook;
  readonly health: {
    /** The process answers. */
    readonly status: 'ok';
  };
  readonly invokeLease: LeaseWritten;
  readonly listAdminLog: {
    /** The elements of this page. */
    readonly acts: readonly AdminAct[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listApiKeys: {
    /** The elements of this page. */
    readonly apiKeys: readonly ApiKey[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listAuditReports: {
    /** Newest first; the newest 100 are kept. */
    readonly reports: readonly AuditReport[];
    /** Reports that are kept. */
    readonly total: number;
  };
  readonly listBids: {
    /** The elements of this page. */
    readonly bids: readonly TaskBid[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listCapabilities: {
    /** Capability credentials of this page. */
    readonly capabilities: readonly Capability[];
    readonly pagination: Pagination;
  };
  readonly listCapabilityListings: CapabilityMarketSearchResult;
  readonly listContractDisputes: {
    /** The elements of this page. */
    readonly disputes: readonly (Dispute | Withheld)[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listContracts: {
    /** The elements of this page. */
    readonly contracts: readonly (Contract | Withheld)[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listDeliveries: {
    /** The elements of this page. */
    readonly deliveries: readonly Delivery[];
    /** Elements of the whole list. */
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
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listEvents: {
    /** The entries of this page. */
    readonly events: readonly Entry[];
    /** The `after` of the next page, newest first its `before`; null at the end. */
    readonly next: number | null;
    /** Whether a page follows. */
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
    /** The elements of this page. */
    readonly leases: readonly Lease[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listMachines: {
    /** The kinds of resources. */
    readonly machines: readonly MachineSummary[];
    /** Number of kinds. */
    readonly total: number;
  };
  readonly listNames: {
    /** One for each DID, in the order asked. */
    readonly names: readonly DidName[];
  };
  readonly listOrders: {
    /** The elements of this page. */
    readonly orders: readonly (InfoOrder | Withheld | TaskOrder | Withheld)[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listOwnApiKeys: Replies['listApiKeys'];
  readonly listPeers: {
    /** The elements of this page. */
    readonly peers: readonly Peer[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listReviews: {
    /** The elements of this page. */
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
    /** The elements of this page. */
    readonly transactions: readonly Transaction[];
    /** Elements of the whole list. */
    readonly total: number;
    /** Whether a page follows. */
    readonly hasMore: boolean;
    readonly pagination: Pagination;
  };
  readonly listWallets: {
    /** The elements of this page. */
    readonly wallets: readonly Balance[];
    /** Elements of the whole list. */
    readonly total: number;
    readonly pagination: Pagination;
  };
  readonly listWebhooks: {
    /** The elements of this page. */
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
    /** What the text names; an empty list: nothing. */
    readonly matches: readonly LookupMatch[];
    /** More begin like this: a longer text finds fewer. */
    readonly hasMore: boolean;
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
  readonly openOrder: OpenedDelivery;
  readonly pauseCapabilityListing: CapabilityListingWritten;
  readonly pauseInfoListing: InfoListingWritten;
  readonly pauseLease: LeaseWritten;
  readonly pauseTaskListing: TaskListingWritten;
  readonly readiness: {
    /** `ready`; or `degraded`: it serves requests, and `reasons` has the problems. */
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
