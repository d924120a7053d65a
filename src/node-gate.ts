/**
 * What a node lets through while something is wrong with it, and what `/readyz` says of that.
 */
import { bounds } from './config.js';
import type { Housekeeping } from './housekeeping.js';
import type { Scope } from './http/route.js';
import type { Readiness } from './http/routes/system.js';
import { type Refusal, refuse } from './machines/kernel/refusal.js';
import type { Works } from './node-works.js';
import type { Store } from './store/store.js';

export type Gate = (scope: Scope) => Refusal | undefined;

/** Reads go on while the disk is full or writes queue up; nothing does once the store is away. */
export function gateOf(store: Store, { fault, actors }: Works, house: Housekeeping): Gate {
  return (scope) => {
    if (fault()) return refuse('SERVICE_UNAVAILABLE', 'the store has failed', { retryAfter: 30 });
    if ((store.shared?.awayForMs ?? 0) > bounds.storeAwayMs) {
      return refuse('SERVICE_UNAVAILABLE', 'the database does not answer', { retryAfter: 5 });
    }
    if (scope === 'read') return undefined;
    if ((house.freeBytes ?? bounds.freeDiskBytes) < bounds.freeDiskBytes) {
      return refuse('SERVICE_UNAVAILABLE', 'the disk is nearly full', { retryAfter: 60 });
    }
    if (actors.committer.inFlight >= bounds.commandsInFlight) {
      return refuse('SERVICE_UNAVAILABLE', 'too many writes are in flight', { retryAfter: 1 });
    }
    return undefined;
  };
}

/** What `/readyz` says: 503 while the store is away, 200 `degraded` where something else is wrong. */
export function readiness({ durability }: Store, { alarms, settlement, follower }: Works, gate: Gate): Readiness {
  const flaws = [alarms.halted, ...settlement.flaws(), ...(follower?.flaws() ?? [])];
  const away = gate('read');
  const reasons = [gate('write')?.detail, ...flaws].filter((reason) => reason !== undefined);
  const status = away ? 'unavailable' : reasons.length > 0 ? 'degraded' : 'ready';
  return { status, reasons, durability };
}
