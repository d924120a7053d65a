/**
 * The health of a node: what is monitored while it serves, which requests it refuses while a part of it fails, and what
 * `/readyz` reports.
 */

import type { WritePath } from '../actors/write-path.js';
import { bounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import { type Refusal, refuse } from '../core/refusal.js';
import type { Scope } from '../http/access/caller.js';
import { forgetOldQuotas } from '../http/access/quotas.js';
import { forgetOldReplies } from '../http/routes/replayable.js';
import type { Readiness } from '../http/routes/system.js';
import { Activity } from '../http/server/metrics.js';
import type { Peering } from '../peers/peering/peering.js';
import type { SharedStore, Store } from '../store/store.js';
import type { NodeComponents } from './components.js';
import type { Dependencies, NodeOptions } from './dependencies.js';
import { Housekeeping } from './housekeeping.js';
import { storeMetrics } from './metrics.js';

export interface Health {
  readonly housekeeping: Housekeeping;
  readonly activity: Activity;
  readonly admission: AdmissionCheck;
  readonly readiness: () => Readiness;
  /** Adds problems: while one of them has a text, the node is `degraded`, with the text as a reason. */
  readonly report: (...problems: readonly Trouble[]) => void;
}

type Trouble = () => string | undefined;

/** Builds the monitors and asks for the free disk space once; their rounds begin with `start`. */
export async function openHealth(
  { world, log, silent }: NodeOptions,
  { store, peers }: Dependencies,
  components: NodeComponents,
): Promise<Health> {
  const { actors, feed, metrics, settlement, searchRanks } = components;
  const housekeeping = new Housekeeping({
    ...{ store, world, log, registry: actors.registry },
    forget: () => forgetExpired(actors, store, world),
    age: () => searchRanks.age(),
  });
  await housekeeping.look();
  storeMetrics(metrics, store, housekeeping);
  const peering = peers?.peering;
  const admission = admissionCheck(store, components, { housekeeping, silent, peering });
  const activity = new Activity({ world, height: () => feed.head, lag: () => settlement.status().lag });
  metrics.watch({ observe: (status, seconds) => activity.answered(status, seconds) });
  const reported: Trouble[] = [];
  const now = () =>
    readiness(store, components, admission, [...(peering?.problems() ?? []), ...reported.map((problem) => problem())]);
  metrics.gauge('svc_ready', '1 when /readyz reports ready, 0 when it reports degraded or unavailable.', () =>
    now().status === 'ready' ? 1 : 0,
  );
  const report: Health['report'] = (...problems) => void reported.push(...problems);
  return { housekeeping, activity, admission, readiness: now, report };
}

/** Deletes expired records, unless the clock that would tell is in doubt. */
export async function forgetExpired(
  { clock }: Pick<WritePath, 'clock'>,
  store: Store,
  world: Environment,
): Promise<void> {
  if (clock.doubt !== undefined) return;
  await forgetOldReplies(store, world);
  await forgetOldQuotas(store, world);
}

export interface AdmissionOptions {
  readonly housekeeping: Housekeeping;
  /** The name of a thread that has stopped answering; undefined while all answer. */
  readonly silent?: NodeOptions['silent'];
  readonly peering?: Pick<Peering, 'refusal'> | undefined;
}

type AdmissionCheck = (scope: Scope) => Refusal | undefined;

/** Refuses writes while the disk is nearly full or too many writes are in flight, and every request while the store fails. */
function admissionCheck(
  store: Store,
  { fault, actors }: NodeComponents,
  { housekeeping, silent, peering }: AdmissionOptions,
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
    const held = actors.clock.refusal ?? peering?.refusal();
    if (held) return held;
    if (housekeeping.isFull) {
      return refuse('SERVICE_UNAVAILABLE', 'the disk is nearly full', { retryAfter: 60 });
    }
    if (actors.committer.inFlight >= bounds.commandsInFlight) {
      return refuse('SERVICE_UNAVAILABLE', 'too many writes are in flight', { retryAfter: 1 });
    }
    return undefined;
  };
}

/** The reply of `/readyz`: 503 while reads are refused; 200 `degraded` with the reasons when anything else is wrong. */
function readiness(
  { durability, shared }: Store,
  { actors, settlement, follower }: NodeComponents,
  admission: AdmissionCheck,
  others: readonly (string | undefined)[],
): Readiness {
  const silentMs = shared?.silentForMs ?? 0;
  const problems = [
    silentMs > bounds.storeSilentMs ? `the database has not answered for ${Math.floor(silentMs / 1_000)} s` : undefined,
    clockWarning(actors, shared),
    ...settlement.problems(),
    ...(follower?.problems() ?? []),
    ...others,
  ];
  const outage = admission('read');
  const reasons = [admission('write')?.detail, ...problems].filter((reason) => reason !== undefined);
  const status = outage ? 'unavailable' : reasons.length > 0 ? 'degraded' : 'ready';
  return { status, reasons, durability };
}

/** What an operator should know of clocks that hold no write. */
function clockWarning({ clock }: WritePath, shared: SharedStore | undefined): string | undefined {
  if ((shared?.skewMs ?? 0) > bounds.clockSkewMs) {
    return 'the clock of another process on this database is more than ten minutes away from this one';
  }
  const waitMs = clock.deadlinesWaitMs;
  if (waitMs === 0 || clock.doubt !== undefined) return undefined;
  return `deadlines wait for another ${Math.ceil(waitMs / 60_000)} minutes, because the clock was in doubt`;
}
