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
  readonly via?: readonly string[];
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

/** `GET /api/v1/machines`. */
export interface MachineSummary {
  readonly kind: string;
  readonly title: string;
  readonly version: string;
  /** False: it has a history but no life cycle. */
  readonly isMachine: boolean;
  readonly states: readonly string[];
}

export interface ChartState {
  readonly name: string;
  readonly path: string;
  readonly type: 'atomic' | 'final' | 'machine';
  readonly initial: boolean;
  readonly parent?: string;
  readonly description?: string;
}

export interface ChartTransition {
  readonly id: string;
  /** Null for a creation. */
  readonly from: string | null;
  readonly to: string;
  readonly event: string;
  readonly guards: readonly { readonly name: string; readonly refusal: string; readonly meaning?: string }[];
  readonly effects: readonly string[];
  readonly roles: readonly string[];
  readonly description?: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface ChartEdge {
  readonly transitions: readonly string[];
  readonly from: string | null;
  readonly to: string;
  readonly points: readonly Point[];
  readonly labelAt: Point;
  readonly labelSize: { readonly width: number; readonly height: number };
}

export interface ChartNode extends Point {
  readonly state: string;
  readonly width: number;
  readonly height: number;
}

export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly ChartNode[];
  readonly edges: readonly ChartEdge[];
}

/** `GET /api/v1/machines/{kind}`: a law. */
export interface Chart {
  readonly kind: string;
  readonly title: string;
  readonly version: string;
  readonly revision: number;
  readonly isMachine: boolean;
  readonly initial: string | null;
  readonly states: readonly ChartState[];
  readonly transitions: readonly ChartTransition[];
  readonly layout: ChartLayout | null;
}

/** One step of `GET /api/v1/machines/{kind}/{id}/history`. */
export interface Step {
  readonly step: number;
  readonly version: number;
  readonly machine: string;
  readonly action: string | null;
  readonly transitions: readonly (string | null)[];
  readonly nested: {
    readonly machine: string;
    readonly id: string;
    readonly transition: string;
    readonly from: string;
    readonly to: string;
  } | null;
  readonly role: string | null;
  readonly from: string | null;
  readonly to: string;
  readonly path: readonly string[];
  readonly at: number;
  readonly signer: string;
  readonly nonce: number;
  readonly eventType: string;
  readonly eventHash: string;
  readonly entryHash: string;
  readonly seq: number;
  readonly postings: readonly Posting[];
  readonly txHash: string | null;
  readonly receipt: Receipt | null;
}

export interface History {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  readonly version: number;
  readonly machine: string;
  readonly steps: readonly Step[];
  readonly total: number;
  readonly next: number | null;
  readonly hasMore: boolean;
}

export interface Verdict {
  readonly role: string;
  readonly permitted: boolean;
  readonly open?: readonly string[];
  readonly code?: string;
  readonly guard?: string;
  readonly reason?: string;
}

/** `GET /api/v1/machines/{kind}/{id}/state`. */
export interface Held {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly context: JsonObject;
  readonly eventHash: string;
}

/** `GET /api/v1/machines/{kind}/{id}/permitted`. */
export interface Permitted {
  readonly state: string;
  readonly version: number;
  readonly time: number;
  readonly actions: readonly {
    readonly action: string;
    readonly event: string;
    readonly summary: string;
    readonly internal: boolean;
    readonly roles: readonly Verdict[];
  }[];
}
