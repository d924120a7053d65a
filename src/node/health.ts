/** The health of a node: what is monitored while it serves, which requests that turns away, and what `/readyz` reports. */

import { forgetOldQuotas } from '../http/access/quotas.js';
import { forgetOldReplies } from '../http/access/replayable.js';
import type { Readiness } from '../http/routes/system.js';
import { Activity } from '../http/server/activity.js';
import { type AdmissionCheck, admissionCheck, readiness } from './admission.js';
import type { NodeComponents } from './components.js';
import type { Dependencies, NodeOptions } from './dependencies.js';
import { Housekeeping } from './housekeeping.js';
import { storeMetrics } from './metrics.js';

export interface Health {
  readonly housekeeping: Housekeeping;
  readonly activity: Activity;
  readonly admission: AdmissionCheck;
  readonly readiness: () => Readiness;
}

/** Builds the monitors and asks for the free disk space once; their rounds begin with `start`. */
export async function openHealth(
  { world, log, silent }: NodeOptions,
  { store }: Dependencies,
  components: NodeComponents,
): Promise<Health> {
  const { actors, feed, metrics, settlement, searchRanks } = components;
  const housekeeping = new Housekeeping({
    ...{ store, world, log, registry: actors.registry },
    forget: async () => {
      await forgetOldReplies(store, world);
      await forgetOldQuotas(store, world);
    },
    age: () => searchRanks.age(),
  });
  await housekeeping.look();
  storeMetrics(metrics, store, housekeeping);
  const admission = admissionCheck(store, components, { housekeeping, silent });
  const activity = new Activity({ world, height: () => feed.head, lag: () => settlement.status().lag });
  metrics.watch({ observe: (status, seconds) => activity.answered(status, seconds) });
  const now = () => readiness(store, components, admission);
  metrics.gauge('svc_ready', '1 when /readyz reports ready, 0 when it reports degraded or unavailable.', () =>
    now().status === 'ready' ? 1 : 0,
  );
  return { housekeeping, activity, admission, readiness: now };
}
