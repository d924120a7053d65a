/**
 * When a request is sent again (docs/reference/errors.md#handling-errors-in-a-client): reads on what passes by itself;
 * writes only where the node is certain to have refused before anything happened, or an Idempotency-Key makes it one
 * write.
 */
import { ApiError } from './errors.js';

export interface Repeatable {
  readonly method: string;
  readonly idempotencyKey?: string | undefined;
}

/** Retries after the first attempt. */
export const mostRetries = 3;
/** A server that asks for more patience than this is answered by giving up. */
export const longestWaitMs = 60_000;
const firstDelayMs = 200;
const longestDelayMs = 5_000;

/** @param failure an ApiError, or whatever fetch failed with */
export function mayRepeat({ method, idempotencyKey }: Repeatable, failure: unknown): boolean {
  const safe = method === 'GET' || idempotencyKey !== undefined;
  if (!(failure instanceof ApiError)) return safe;
  switch (failure.status) {
    case 429:
      return true; // refused before anything was looked at
    case 500:
      return method === 'GET'; // a write's event may stand in spite of it
    case 502:
    case 503:
    case 504:
      return safe;
    case 409:
      // The first request with this key is still under way: its reply will be ours.
      return idempotencyKey !== undefined && failure.retryAfter !== undefined && failure.nextNonce === undefined;
    default:
      return false;
  }
}

/**
 * Milliseconds until the next attempt: exponential with jitter, never earlier than the server asks; undefined where
 * that is too long.
 * @param attempt 0 after the first failure
 * @param random from 0 to 1
 */
export function delayOf(attempt: number, failure: unknown, random: number): number | undefined {
  const backOff = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt) * (0.5 + random / 2);
  const asked = failure instanceof ApiError ? (failure.retryAfter ?? 0) * 1000 : 0;
  if (asked > longestWaitMs) return undefined;
  return asked > 0 ? asked + random * firstDelayMs : backOff;
}
