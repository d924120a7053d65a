/** What the console reads, as far as it looks at it (docs/generated/openapi.json has all of it). */

export type JsonObject = { readonly [name: string]: unknown };

export interface NodeStatus {
  readonly did: string;
  readonly network: 'devnet' | 'testnet' | 'mainnet';
  readonly version: string;
  readonly synced: boolean;
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
    /** Operations committed and not settled. */
    readonly lag: number;
    readonly settlement: 'off' | 'running' | 'halted';
  };
  readonly store: { readonly kind: string; readonly durability: string };
}

export interface SignedEvent {
  readonly v: 1;
  readonly type: string;
  readonly issuer: string;
  readonly nonce: number;
  readonly ts: number;
  readonly prev: string | null;
  readonly network: string;
  readonly payloadHash: string;
  readonly pub: string;
  readonly hash: string;
  readonly sig: string;
}

/** `available/<did>`, `reserved/<did>`, `escrowed/<did>`, `supply`, `fees`; the deltas of an entry sum to zero. */
export type Posting = readonly [account: string, delta: number];

export interface Version {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly prev: string | null;
  readonly machine: string;
  readonly path: readonly string[];
  readonly stateHash: string;
}

export interface Receipt {
  readonly status: 'confirmed' | 'pending' | 'reverted';
  readonly txHash: string;
  readonly blockNumber: number;
  readonly confirmations?: number;
}

/** An entry of the journal, as the events endpoints show it. */
export interface Entry {
  readonly seq: number;
  readonly event: SignedEvent;
  /** Absent for whoever may not read the resource, and once redacted. */
  readonly payload?: {
    readonly kind: string;
    readonly id: string;
    readonly action: string;
    readonly input: JsonObject;
  };
  readonly salt?: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly home: string;
  readonly law: string;
  readonly versions: readonly Version[];
  readonly reads: readonly JsonObject[];
  readonly accounts: readonly JsonObject[];
  readonly moves: readonly JsonObject[];
  readonly postings: readonly Posting[];
  readonly idem: JsonObject | null;
  readonly entryHash: string;
  readonly prevEntry: string;
  readonly chainHash: string;
  readonly receipt: Receipt | null;
}
