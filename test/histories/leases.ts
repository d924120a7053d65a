/** Leases of every plan, through their states. */
import type { JsonObject } from '../../src/core/canonical.js';
import { accepted, type Bench } from '../world/bench.js';
import { listing } from '../world/lease-story.js';
import { dayMs } from '../../src/core/bounds.js';


export async function leases(bench: Bench): Promise<void> {
  const ask = async (who: string, kind: string, id: string, action: string, body: JsonObject = {}) => {
    await bench.world.advance(1_000);
    accepted(await bench.ask(who, kind, id, action, body, { ids: { escrow: `esc-${id}` } }));
  };
  const lease = (who: string, id: string, action: string, body: JsonObject = {}) =>
    ask(who, 'lease', `lease-${id}`, action, body);
  const quota = { maxCalls: 3, period: 'hour' };
  await ask('ben', 'capability-listing', 'lst-used', 'create', { ...listing, quota, stock: 9 });
  const pricing = { subscriptionPrice: { period: 'day', price: 20 } };
  await ask('ben', 'capability-listing', 'lst-timed', 'create', { ...listing, pricing, meteredBy: 'lessor' });
  await lease('ada', '1', 'create', { listingId: 'lst-used', plan: { budget: 50 } });
  await lease('ada', '1', 'invoke', { resource: '/v1/x', latency: 12.5, units: 2 });
  await lease('ben', '1', 'pause', { reason: 'maintenance' });
  await lease('ada', '1', 'resume');
  await lease('ada', '1', 'invoke', { latency: 700, success: false, units: 9 });
  await lease('ada', '1', 'terminate');
  await lease('ada', '2', 'create', { listingId: 'lst-used', plan: { type: 'credits', budget: 50 }, expectedPrice: 10 });
  await lease('ada', '2', 'invoke');
  await lease('ada', '2', 'terminate', { reason: 'enough' });
  await lease('ada', '3', 'create', { listingId: 'lst-timed', plan: { periods: 2 } });
  await lease('ben', '3', 'invoke', { units: 4 });
  await lease('ada', '4', 'create', { listingId: 'lst-timed', plan: { type: 'time_based', periods: 3 } });
  await bench.world.advance(dayMs);
  await lease('ben', '4', 'terminate');
  await bench.world.advance(dayMs);
  accepted(await bench.operate('lease', 'lease-3', 'expire'));
}
