/**
 * One route definition serves the server, OpenAPI, the client and the conformance walk.
 */
import type { Accepted } from '../../actors/command.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import type { Code, Refusal } from '../../core/refusal.js';
import type { JsonSchema, Scalar } from '../../core/schema/scalar.js';
import type { Request } from '../../machines/kernel/resource.js';
import type { Content } from '../../store/store.js';
import type { Caller, Scope } from '../access/caller.js';

export interface Call {
  readonly caller: Caller;
  readonly requestId: string;
  /** The request path, without query. */
  readonly path: string;
  /** Decoded. */
  params: { readonly [name: string]: string };
  /** Validated by the route's `query` scalar, normalised; `{}` without one. */
  // biome-ignore lint/suspicious/noExplicitAny: each route knows its own query type
  readonly query: any;
  /** Parsed JSON, guarded against hostile shapes, validated by the route's `body` scalar when it has one. */
  readonly body: JsonObject;
  /** Set if the caller was answered already: start nothing new. */
  readonly abandoned: boolean;
  /** Whether the signer's key could be unlocked; undefined until it is requested. */
  unlocked: boolean | undefined;
  header(name: string): string | undefined;
  /** Performs an item of a batch; only where the call is a request. */
  perform?(item: BatchItem): Promise<string>;
  /** The DID that an item of a batch names as its signer. */
  namedSigner?(item: Pick<BatchItem, 'path' | 'body'>): string | undefined;
  /** Of an item of a batch. */
  readonly onPlaced?: BatchItem['onPlaced'];
  readonly mayWait?: boolean;
  /** Of an item of a batch: resolves when its reply may be rendered. */
  rendersInTurn?(): Promise<void>;
  /** Aborts when the client disconnects or the server stops; its reason is the refusal to answer with. */
  readonly signal: AbortSignal;
}

/** One write of a batch. */
export interface BatchItem {
  /** Place in the batch. */
  readonly index: number;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly body: JsonObject;
  /** Called once later writes of the same signer can no longer come before this one. */
  readonly onPlaced: (isRefused: boolean) => void;
  /** False if the item of its signer before it was refused. */
  readonly mayWait: boolean;
}

export interface Reply {
  readonly status: number;
  /** A JSON object; absent: no content. */
  readonly body?: { readonly [key: string]: unknown };
  /** What was written with the body's entry: texts that need not be read from the store. */
  readonly contents?: readonly Content[] | undefined;
  /** The body as JSON text, instead of `body`. */
  readonly text?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Instead of `body`: a stream of text (SSE), or of the bytes of a page or a file, with its media type. */
  readonly stream?: {
    readonly type: string;
    readonly chunks: AsyncIterable<string | Uint8Array> | string | Uint8Array;
    /** For a finite stream: the bytes that it keeps in memory at a time. */
    readonly window?: number;
    /** Set if several replies share these bytes in memory. */
    readonly shared?: boolean;
  };
}

/** Renders the reply of a write without entry again, for a known Idempotency-Key. */
export interface RecordedReply {
  /** The proof that a caller must give before a recorded reply is shown. */
  readonly authorise?: (call: Call) => Promise<Refusal | undefined>;
  /** Checks that the request's passphrase unlocks what was made; otherwise it is a different request. */
  readonly opens?: (call: Call, made: string) => Promise<Refusal | undefined>;
  /** The id of what a reply made. */
  readonly madeBy: (body: JsonObject) => string;
  /** Renders the reply's body again; secret members are null. */
  readonly again: (made: string) => Promise<JsonObject | Refusal>;
}

/** An action that a signer asks for with an event (docs/signing.md), as this route would. */
export interface SubmittedWrite {
  readonly kind: string;
  readonly action: string;
  /** The refusal of what no machine can check: rules of this node, hashes and signatures inside the input. */
  readonly admits?: (request: Request, signer: string) => Promise<Refusal | undefined> | Refusal | undefined;
  /** The reply once it is accepted. */
  readonly answer: (accepted: Accepted, call: Call) => Promise<Reply | Refusal>;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT';
  /** With `:name` parameters: `/api/v1/escrows/:escrowId/actions/fund`. */
  readonly path: string;
  /** A second path, known to other clients. Parameters that it lacks are members of its body. */
  readonly alsoAt?: string;
  /** `fundEscrow`: OpenAPI operationId and the client's method. */
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  readonly scope: Scope;
  /** Authentication is optional: remote keyless callers may use it on devnet and testnet. */
  readonly open?: boolean;
  /** Schemas of path parameters that are more specific than a text or a DID. */
  readonly parameters?: { readonly [name: string]: JsonSchema };
  /** Members of the body that default to a parameter of the path, by the parameter's name. */
  readonly fromPath?: { readonly [member: string]: string };
  /** Parameters that members of the body replace, because the path lacks them. */
  readonly fromBody?: readonly string[];
  readonly query?: Scalar<unknown>;
  readonly body?: Scalar<unknown>;
  readonly success: {
    readonly status: 200 | 201 | 204;
    /** Schema of a JSON reply. */
    readonly schema?: JsonSchema;
    /** Media types of non-JSON replies, instead of JSON or in addition to it. */
    readonly media?: readonly string[];
    /** Schemas of JSON replies that have their own media type. */
    readonly mediaSchemas?: { readonly [type: string]: JsonSchema };
    readonly description: string;
    /** Callers that accept HTML are led to a page instead. */
    readonly hasPage?: true;
    /** The reply has an `ETag`, and honours `If-None-Match`. */
    readonly tagged?: true;
  };
  /** Codes of refusals that the shape of the route does not imply (http/openapi/problems.ts). */
  readonly refuses?: readonly Code[];
  /** Documentation of the operation, as paragraphs in Markdown. */
  readonly about?: readonly string[];
  /** An example body for OpenAPI and the conformance walk. */
  readonly example?: { readonly [key: string]: Json };
  /** Absent for reads, and for writes with an entry. */
  readonly replay?: RecordedReply;
  /** The signed actions behind it; several kinds may share a route. */
  readonly writes?: readonly SubmittedWrite[];
  /** The body of a request to prepare one, with `prepare: true`. */
  readonly prepares?: Scalar<unknown>;
  handle(call: Call): Promise<Reply | Refusal> | Reply | Refusal;
}
