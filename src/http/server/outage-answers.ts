/**
 * Answers 503 after a bounded time while the database is unreachable, so that no caller waits for the end of the
 * outage. A write that has reached the store still completes, so its outcome is reported as unknown; a write that has
 * not is dropped.
 */

import type { Environment } from '../../core/environment.js';
import { type Refusal, RefusedError, refuse } from '../../core/refusal.js';
import type { ItemContext } from './batch-item.js';
import type { RequestContext } from './request-context.js';

export interface OutageAnswersOptions {
  readonly world: Environment;
  readonly isAway: () => boolean;
  /** How long a request waits for an unreachable database, ms. */
  readonly waitMs: number;
}

/** Interval between further checks after that time. */
const lookMs = 500;
const retryAfter = 5;

const unread = refuse('SERVICE_UNAVAILABLE', 'the database does not answer', { retryAfter });
const unknown = 'the database does not answer, and whether this request took effect is unknown:';
const askAgain = refuse(
  'SERVICE_UNAVAILABLE',
  `${unknown} send the same request again, with the same Idempotency-Key or nonce, to find out`,
  { retryAfter },
);
const lookFirst = refuse(
  'SERVICE_UNAVAILABLE',
  `${unknown} look at what it was to change before you send it again; an Idempotency-Key makes that safe`,
  { retryAfter },
);

export class OutageAnswers {
  constructor(private readonly options: OutageAnswersOptions) {}

  /** Resolves with the outcome, or after the time limit with a refusal that says what is known about it. */
  inTime<T>(context: RequestContext | ItemContext, isRead: boolean, outcome: Promise<T>): Promise<T | Refusal> {
    const { world, isAway, waitMs } = this.options;
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!isAway()) {
          timer = world.after(lookMs, look);
          return;
        }
        context.abandoned = true;
        resolve(isRead ? unread : unknownOutcome(context));
      };
      let timer = world.after(waitMs, look);
      const end = () => timer.cancel();
      // A committed write may not be readable yet, so the caller must not read that nothing was written.
      const refused = (error: unknown) =>
        isRead || !isOutage(error) ? reject(error) : resolve(unknownOutcome(context));
      outcome.then(resolve, refused).then(end, end);
    });
  }
}

const isOutage = (error: unknown): boolean =>
  error instanceof RefusedError && error.refusal.code === 'SERVICE_UNAVAILABLE';

const unknownOutcome = (context: RequestContext | ItemContext): Refusal =>
  context.header('idempotency-key') !== undefined || context.body.nonce !== undefined ? askAgain : lookFirst;
