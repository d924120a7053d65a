/** The transport of JSON-RPC: HTTP, or messages to a thread of this process. */

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError };

export interface Transport {
  /** Sends calls once. Resolves with one reply for each, in order; rejects with ChainAway. */
  request(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]>;
  close(): void;
}
