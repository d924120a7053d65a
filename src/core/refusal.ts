/**
 * Refusals: typed values that say why a request is not accepted, in every layer.
 * A refusal is something that a caller can cause; it is a value, returned up to the route and rendered there as an RFC
 * 9457 problem document (docs/reference/errors.md#problem-documents). What cannot happen is an assertion instead.
 */

/** HTTP status and type suffix of each code (docs/reference/errors.md#codes). */
export const codes = {
  INVALID_REQUEST: [400, 'validation-error'],
  UNAUTHORIZED: [401, 'unauthorized'],
  FORBIDDEN: [403, 'forbidden'],
  NOT_FOUND: [404, 'not-found'],
  METHOD_NOT_ALLOWED: [405, 'method-not-allowed'],
  CONFLICT: [409, 'conflict'],
  UNPROCESSABLE: [422, 'unprocessable-entity'],
  RATE_LIMITED: [429, 'too-many-requests'],
  INTERNAL_ERROR: [500, 'internal-error'],
  INSUFFICIENT_BALANCE: [402, 'validation-error'],
  TRANSFER_NOT_ALLOWED: [403, 'forbidden'],
  ESCROW_NOT_FOUND: [404, 'not-found'],
  ESCROW_INVALID_STATE: [409, 'conflict'],
  ESCROW_RULE_NOT_MET: [409, 'conflict'],
  LISTING_NOT_FOUND: [404, 'not-found'],
  LISTING_NOT_ACTIVE: [409, 'conflict'],
  ORDER_NOT_FOUND: [404, 'not-found'],
  ORDER_INVALID_STATE: [409, 'conflict'],
  BID_NOT_ALLOWED: [403, 'forbidden'],
  SUBMISSION_NOT_ALLOWED: [403, 'forbidden'],
  LEASE_NOT_FOUND: [404, 'not-found'],
  LEASE_INVALID_STATE: [409, 'conflict'],
  LEASE_QUOTA_EXCEEDED: [409, 'conflict'],
  CONTRACT_NOT_FOUND: [404, 'not-found'],
  CONTRACT_INVALID_STATE: [409, 'conflict'],
  CONTRACT_NOT_SIGNED: [409, 'conflict'],
  CONTRACT_MILESTONE_INVALID: [400, 'validation-error'],
  DISPUTE_NOT_ALLOWED: [409, 'conflict'],
  DID_NOT_FOUND: [404, 'not-found'],
  DID_INVALID: [400, 'validation-error'],
  DID_UPDATE_CONFLICT: [409, 'conflict'],
  CAPABILITY_INVALID: [400, 'validation-error'],
  REPUTATION_NOT_FOUND: [404, 'not-found'],
  REPUTATION_INVALID: [400, 'validation-error'],
  PAYLOAD_TOO_LARGE: [413, 'payload-too-large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'unsupported-media-type'],
  SERVICE_UNAVAILABLE: [503, 'service-unavailable'],
} as const satisfies Record<string, readonly [status: number, type: string]>;

export type Code = keyof typeof codes;

/** One offending field of an INVALID_REQUEST. */
export interface FieldError {
  field: string;
  message: string;
}

/**
 * Further members of a refusal besides its code and detail; each becomes an extension member of the problem document.
 */
export interface RefusalExtras {
  errors?: readonly FieldError[];
  nextNonce?: number;
  /** Seconds, with 429 and 503. */
  retryAfter?: number;
  /** Permitted methods, with 405. */
  allow?: readonly string[];
  eventHash?: string;
  nonce?: number;
  committed?: true;
  /** The number of the newest entry, if the journal has no entry as the caller named it. */
  head?: number;
  /** The present price, if the caller expected another. */
  currentPrice?: number;
  /** DID of the home where the caller can do this. */
  home?: string;
  /** Tokens that the act would take from its signer, and that the signer's escrows would pay, if it costs more than agreed. */
  taken?: number;
  paid?: number;
}

export class Refusal {
  constructor(
    readonly code: Code,
    readonly detail: string,
    readonly extras: RefusalExtras = {},
  ) {}

  get status(): number {
    return codes[this.code][0];
  }
}

export const refuse = (code: Code, detail: string, extras?: RefusalExtras): Refusal =>
  new Refusal(code, detail, extras);

/** An INVALID_REQUEST that names the field. */
export const invalid = (field: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', `${field}: ${message}`, { errors: [{ field, message }] });

export const isRefusal = (value: unknown): value is Refusal => value instanceof Refusal;

/** Carries a refusal across layers that can only throw (Koa middleware, promise chains). */
export class RefusedError extends Error {
  override name = 'RefusedError';
  constructor(readonly refusal: Refusal) {
    super(`${refusal.code}: ${refusal.detail}`);
  }
}

/** A bug: a state that should be impossible. */
export class AssertionError extends Error {
  override name = 'AssertionError';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}
