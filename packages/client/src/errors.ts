/**
 * The errors that the client throws (docs/reference/errors.md#handling-errors-in-a-client): `ApiError` for an error
 * response, `UnreachableError` if there was no response.
 */
import type { Problem } from './wire.js';

export type ErrorCode = Problem['error']['code'];

/** Error codes by status, for a proxy's responses, which have no type URI. */
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

interface AnswerFacts {
  readonly retryAfter?: number | undefined;
  readonly at?: string | undefined;
}

export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Stable code of the error's class: VALIDATION, NOT_FOUND, … */
  readonly code: ErrorCode;
  /**
   * Stable and more specific code: INSUFFICIENT_BALANCE, ESCROW_RULE_NOT_MET, …; absent if the response is not the
   * node's.
   */
  readonly refusal: Problem['code'] | undefined;
  /** The whole problem document; absent if the response is not the node's. */
  readonly problem: Problem | undefined;
  /** After a nonce conflict: the nonce that the DID's next signed write must have. */
  readonly nextNonce: number | undefined;
  /** Seconds to wait, from the Retry-After header. */
  readonly retryAfter: number | undefined;
  /** DID of the home that has answered, if the client is at another home than its own. */
  readonly at: string | undefined;
  /**
   * Hash of an event that the caller's key has signed for it. It can still be in the journal of the home that it names, whatever
   * the node says, until its `until` is over.
   */
  signedHash: string | undefined;
  /** Whether the request was sent before, so that an earlier attempt may have been accepted. */
  isRepeated = false;
  /** Set for a write that an earlier attempt may have got accepted, as in UnreachableError. */
  idempotencyKey: string | undefined;
  nonce: number | undefined;

  constructor(status: number, problem: Problem | undefined, { retryAfter, at }: AnswerFacts = {}) {
    const detail = problem?.detail ?? `the server answered ${status} without a problem document`;
    const where = problem?.code === 'INSUFFICIENT_BALANCE' ? `${at}, where Tokens of other homes do not count` : at;
    super(at === undefined ? detail : `${detail} (at ${where})`);
    this.at = at;
    this.status = status;
    this.problem = problem;
    this.refusal = problem?.code;
    this.code = problem?.error.code ?? byStatus[status] ?? (status < 500 ? 'VALIDATION' : 'INTERNAL');
    this.nextNonce = problem?.nextNonce;
    this.retryAfter = retryAfter;
  }
}

/**
 * No response: the connection failed or the request timed out. A write may have been accepted nevertheless. Sending it
 * again with the same `idempotencyKey` and `nonce` shows whether it was, and never writes twice. If another write has
 * used that nonce in the meantime, repeat with the key alone: the write is made with a new nonce, or answered with 422
 * if it was accepted after all.
 */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
  idempotencyKey: string | undefined;
  nonce: number | undefined;

  constructor(url: string, cause: unknown) {
    super(`no answer from ${url}: ${reasonOf(cause)}`, { cause });
  }
}

/** Node's fetch reports 'fetch failed', with the reason as its `cause`. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message ? cause.cause.message : cause.message;
};

/**
 * Reads an error response, also one that is not a problem document. Rejects if the body breaks off and would have contained
 * more than the status.
 */
export async function errorOf(response: Response, at?: string): Promise<ApiError> {
  const text = await response.text().catch((error: unknown) => {
    if (response.status < 500) throw error;
    return ''; // the status is enough
  });
  return new ApiError(response.status, problemIn(text), {
    retryAfter: secondsOf(response.headers.get('retry-after')),
    at,
  });
}

function problemIn(text: string): Problem | undefined {
  try {
    const body = JSON.parse(text) as Problem | null;
    return typeof body?.error?.code === 'string' && typeof body.detail === 'string' ? body : undefined;
  } catch {
    return undefined; // a proxy's error page
  }
}

/** Reads Retry-After in seconds. A node never sends the form with a date. */
const secondsOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** A write that the caller's key cannot sign as it was asked for; nothing was signed. */
export class SigningError extends Error {
  override readonly name: string = 'SigningError';
}

/** What is shown of an event of another home is not in the journal that the client's own node follows, or was not compared with it. */
export class UncheckedError extends Error {
  override name = 'UncheckedError';
}
