/**
 * One route definition serves the server, OpenAPI, the client and the conformance walk.
 */
import type { Json, JsonObject } from '../../core/canonical.js';
import type { Refusal } from '../../core/refusal.js';
import type { JsonSchema, Scalar } from '../../core/schema/scalar.js';

export type Scope = 'read' | 'write' | 'admin';

/** Who calls, as far as the transport knows (docs/reference/access.md#loopback). */
export interface Caller {
  /** The address of origin: an IP (IPv6 as its /64), after trusted proxies. */
  readonly origin: string;
  /** The loopback privilege holds: no key needed, write scope, never admin. */
  readonly loopback: boolean;
  /** The caller is on this machine in the sense of the loopback rule, with a key or without. */
  readonly local?: true;
  /** Id of the API key; absent for keyless callers. */
  readonly keyId?: string;
  /** Scope of the key, or `write` by loopback privilege; absent for remote keyless callers. */
  readonly scope?: Scope;
  /** The DID that the key is bound to: the reader's identity. */
  readonly did?: string;
}

export interface Call {
  readonly caller: Caller;
  readonly requestId: string;
  /** The request path, without query. */
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  /** Validated by the route's `query` scalar, normalised; `{}` without one. */
  // biome-ignore lint/suspicious/noExplicitAny: each route knows its own query type
  readonly query: any;
  /** Parsed JSON, guarded against hostile shapes, validated by the route's `body` scalar when it has one. */
  readonly body: JsonObject;
  /** Its caller was answered already: nothing new may begin. */
  readonly abandoned: boolean;
  header(name: string): string | undefined;
  /** Aborts when the client goes away or the server stops; its reason is the refusal to answer with. */
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  /** A JSON object; absent: no content. */
  readonly body?: { readonly [key: string]: unknown };
  /** In place of `body`: the same as JSON text. */
  readonly text?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Instead of `body`: a stream of text (SSE), or of its bytes, a page or a file, with its media type. */
  readonly stream?: {
    readonly type: string;
    readonly chunks: AsyncIterable<string | Uint8Array> | string | Uint8Array;
    /** Of a stream that ends by itself: as many bytes of it are in memory at a time. */
    readonly window?: number;
    /** The bytes are in memory anyway: many replies are made of the same ones. */
    readonly shared?: boolean;
  };
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT';
  /** With `:name` parameters: `/api/v1/escrows/:escrowId/actions/fund`. */
  readonly path: string;
  /** `fundEscrow`: OpenAPI operationId and the client's method. */
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  readonly scope: Scope;
  /** 'Authentication optional': remote keyless callers may, on devnet and testnet. */
  readonly open?: boolean;
  /** Schemas of path parameters that are neither any text nor a DID. */
  readonly parameters?: { readonly [name: string]: JsonSchema };
  readonly query?: Scalar<unknown>;
  readonly body?: Scalar<unknown>;
  readonly success: {
    readonly status: 200 | 201 | 204;
    /** Of a JSON reply. */
    readonly schema?: JsonSchema;
    /** Types of replies that are text, instead of JSON or beside it. */
    readonly media?: readonly string[];
    /** Of those that are JSON under a type of their own. */
    readonly mediaSchemas?: { readonly [type: string]: JsonSchema };
    readonly description: string;
  };
  /** Statuses of refusals that its method and path do not suggest. */
  readonly failures?: readonly number[];
  /** An example body for OpenAPI and the conformance walk. */
  readonly example?: { readonly [key: string]: Json };
  handle(call: Call): Promise<Reply | Refusal> | Reply | Refusal;
}
