/**
 * What the client throws (docs/reference/errors.md#handling-errors-in-a-client): `ApiError` for an answer that is a
 * failure, `UnreachableError` where there was no answer.
 */
import type { Problem } from './wire.js';

/** Constants of the type URIs, by the suffix of the URI (docs/reference/errors.md#type-uris). */
const constants = {
  'validation-error': 'VALIDATION',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  'method-not-allowed': 'METHOD_NOT_ALLOWED',
  conflict: 'CONFLICT',
  'unprocessable-entity': 'UNPROCESSABLE',
  'too-many-requests': 'TOO_MANY_REQUESTS',
  'internal-error': 'INTERNAL',
  'payload-too-large': 'PAYLOAD_TOO_LARGE',
  'unsupported-media-type': 'UNSUPPORTED_MEDIA_TYPE',
  'service-unavailable': 'SERVICE_UNAVAILABLE',
} as const;

export type ErrorCode = (typeof constants)[keyof typeof constants];

/** Where something between us and the node answers, there is a status and no type URI. */
const byStatus: { readonly [status: number]: ErrorCode } = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE',
  429: 'TOO_MANY_REQUESTS',
  502: 'SERVICE_UNAVAILABLE',
  503: 'SERVICE_UNAVAILABLE',
  504: 'SERVICE_UNAVAILABLE',
};

export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Stable: the constant behind the problem's `type`, such as VALIDATION or NOT_FOUND. */
  readonly code: ErrorCode;
  /** Stable and finer: INSUFFICIENT_BALANCE, ESCROW_RULE_NOT_MET, …; absent where no node answered. */
  readonly refusal: Problem['code'] | undefined;
  /** The whole problem document; absent where no node answered. */
  readonly problem: Problem | undefined;
  /** On nonce conflicts: what the DID's next signed write carries. */
  readonly nextNonce: number | undefined;
  /** Seconds to wait, as the server says. */
  readonly retryAfter: number | undefined;
  /** Of a write that may have been accepted by an attempt before: as in UnreachableError. */
  idempotencyKey: string | undefined;
  nonce: number | undefined;

  constructor(status: number, problem: Problem | undefined, retryAfter?: number) {
    super(problem?.detail ?? `the server answered ${status} without a problem document`);
    this.status = status;
    this.problem = problem;
    this.refusal = problem?.code;
    this.code = codeOf(status, problem?.type);
    this.nextNonce = problem?.nextNonce;
    this.retryAfter = retryAfter;
  }
}

function codeOf(status: number, type: string | undefined): ErrorCode {
  const suffix = type?.slice(type.lastIndexOf('/') + 1) ?? '';
  if (Object.hasOwn(constants, suffix)) return constants[suffix as keyof typeof constants];
  return byStatus[status] ?? (status < 500 ? 'VALIDATION' : 'INTERNAL');
}

/**
 * No answer: the connection failed, or the time was up. A write may have been accepted all the same; sending it
 * again with the same `idempotencyKey` and `nonce` finds out, and does nothing twice. Where that nonce has gone to another
 * write meanwhile, the same key without it makes the write anew, unless it was made after all: then the answer is 422.
 */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
  idempotencyKey: string | undefined;
  nonce: number | undefined;

  constructor(url: string, cause: unknown) {
    super(`no answer from ${url}: ${reasonOf(cause)}`, { cause });
  }
}

/** Node's fetch says 'fetch failed' and keeps the reason inside. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message ? cause.cause.message : cause.message;
};

/** An answer that is a failure, read: also one that is no problem document. Rejects where its body breaks off and would tell more than the status. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch((error: unknown) => {
    if (response.status < 500) throw error;
    return ''; // the status tells enough
  });
  return new ApiError(response.status, problemIn(text), secondsOf(response.headers.get('retry-after')));
}

function problemIn(text: string): Problem | undefined {
  try {
    const body = JSON.parse(text) as Problem | null;
    return typeof body?.type === 'string' && typeof body.detail === 'string' ? body : undefined;
  } catch {
    return undefined; // a page of some proxy
  }
}

/** Retry-After in seconds; the form with a date is none of our node's. */
const secondsOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
