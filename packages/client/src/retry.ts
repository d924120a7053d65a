/**
 * Which failures are retried (docs/reference/errors.md#handling-errors-in-a-client): for reads, temporary ones; for
 * writes, only those where the node certainly refused before it did anything, or where an Idempotency-Key prevents a
 * second write.
 */
import { ApiError } from './errors.js';

export interface Repeatable {
  readonly method: string;
  readonly idempotencyKey?: string | undefined;
}

/** Retries after the first attempt. */
export const mostRetries = 3;
/** If the server asks for a longer wait than this, the request fails. */
export const longestWaitMs = 60_000;
const firstDelayMs = 200;
const longestDelayMs = 5_000;

/** @param failure an ApiError, or what fetch rejected with */
export function mayRepeat({ method, idempotencyKey }: Repeatable, failure: unknown): boolean {
  const safe = method === 'GET' || idempotencyKey !== undefined;
  if (!(failure instanceof ApiError)) return safe;
  switch (failure.status) {
    case 429:
      return true; // refused before the request was looked at
    case 500:
      return method === 'GET'; // the write may have been committed nevertheless
    case 502:
    case 503:
    case 504:
      return safe;
    case 409:
      // The first request with this key is still in progress; a retry gets its reply.
      return idempotencyKey !== undefined && failure.retryAfter !== undefined && failure.nextNonce === undefined;
    default:
      return false;
  }
}

/**
 * Milliseconds until the next attempt: exponential with jitter, and never earlier than the server asks; undefined if
 * that is too long.
 * @param attempt 0 after the first failure
 * @param random from 0 to 1
 */
export function retryDelay(attempt: number, failure: unknown, random: number): number | undefined {
  const backOff = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt) * (0.5 + random / 2);
  const asked = failure instanceof ApiError ? (failure.retryAfter ?? 0) * 1000 : 0;
  if (asked > longestWaitMs) return undefined;
  return asked > 0 ? asked + random * firstDelayMs : backOff;
}
