/** How JSON-RPC questions reach a chain: over HTTP, or into a thread of this process. */

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
  /** One answer for each call, in their order. Rejects with ChainAway; never tries twice. */
  request(calls: readonly RpcCall[], timeoutMs?: number): Promise<readonly RpcAnswer[]>;
  close(): void;
}
