/** Admission control: which requests a node accepts while a part of it fails, and what `/readyz` reports then. */
import { bounds } from '../core/bounds.js';
import { type Refusal, refuse } from '../core/refusal.js';
import type { Readiness } from '../http/routes/system.js';
import type { Scope } from '../http/server/route.js';
import type { Store } from '../store/store.js';
import type { NodeComponents } from './components.js';
import type { NodeOptions } from './dependencies.js';
import type { Housekeeping } from './housekeeping.js';

export interface AdmissionOptions {
  readonly housekeeping: Housekeeping;
  /** The name of a thread that has stopped answering; undefined while all answer. */
  readonly silent?: NodeOptions['silent'];
}

export type AdmissionCheck = (scope: Scope) => Refusal | undefined;

/** Refuses writes while the disk is nearly full or too many writes are in flight, and every request while the store fails. */
export function admissionCheck(
  store: Store,
  { fault, actors }: NodeComponents,
  { housekeeping, silent }: AdmissionOptions,
): AdmissionCheck {
  return (scope) => {
    const thread = silent?.();
    if (thread !== undefined) {
      return refuse('SERVICE_UNAVAILABLE', `the thread ${thread} does not answer; the node is exiting`, {
        retryAfter: 5,
      });
    }
    if (fault()) return refuse('SERVICE_UNAVAILABLE', 'the store has failed', { retryAfter: 30 });
    if ((store.shared?.awayForMs ?? 0) > bounds.storeAwayMs) {
      return refuse('SERVICE_UNAVAILABLE', 'the database does not answer', { retryAfter: 5 });
    }
    if (scope === 'read') return undefined;
    if ((housekeeping.freeBytes ?? bounds.freeDiskBytes) < bounds.freeDiskBytes) {
      return refuse('SERVICE_UNAVAILABLE', 'the disk is nearly full', { retryAfter: 60 });
    }
    if (actors.committer.inFlight >= bounds.commandsInFlight) {
      return refuse('SERVICE_UNAVAILABLE', 'too many writes are in flight', { retryAfter: 1 });
    }
    return undefined;
  };
}

/** The reply of `/readyz`: 503 while reads are refused; 200 `degraded` with the reasons when anything else is wrong. */
export function readiness(
  { durability }: Store,
  { alarms, settlement, follower }: NodeComponents,
  admission: AdmissionCheck,
): Readiness {
  const problems = [alarms.halted, ...settlement.problems(), ...(follower?.problems() ?? [])];
  const outage = admission('read');
  const reasons = [admission('write')?.detail, ...problems].filter((reason) => reason !== undefined);
  const status = outage ? 'unavailable' : reasons.length > 0 ? 'degraded' : 'ready';
  return { status, reasons, durability };
}
