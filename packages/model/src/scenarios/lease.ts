/** Leases paid by use, metered by either side, and paid by time. */
import type { Attempt, Body, Known, Scenario, SetupRequest } from '../scenario.js';

const minuteMs = 60_000;

const published = (more: Body): readonly SetupRequest[] => [
  {
    by: 'lessor',
    kind: 'capability-listing',
    action: 'create',
    body: () => ({
      pricing: { usagePrice: { unit: 'call', pricePerUnit: 2 } },
      capability: {},
      quota: { maxCalls: 1 },
      access: {},
      ...more,
    }),
    keep: 'listingId',
  },
];

const invoke: readonly Attempt[] = [
  { name: 'one unit', body: () => ({ units: 1 }) },
  { name: 'the budget', body: () => ({ units: 5, success: false }) },
  { name: 'too many units', body: () => ({ units: 6 }) },
  { name: 'another cost', body: () => ({ cost: 1 }) },
];

const byUse = ({ now }: Known): Body => ({
  plan: { budget: 10, maxUnitsPerCall: 5, maxUnitsPerHour: 5, endsAt: now + 60 * minuteMs },
});

export const leaseScenario: Scenario = {
  cast: ['lessee', 'lessor'],
  payer: { name: 'lessee', tokens: 10 },
  laterMs: 61 * minuteMs,
  situation: ({ usage }) => ((usage as { calls: number }).calls > 0 ? 'called' : ''),
  settings: {
    'paid by use': { creator: 'lessee', before: published({}), create: byUse, attempts: { invoke } },
    'metered by the lessor': {
      creator: 'lessee',
      before: published({ meteredBy: 'lessor' }),
      create: byUse,
      attempts: { invoke },
    },
    'paid by time': {
      creator: 'lessee',
      before: published({ pricing: { subscriptionPrice: { period: 'hour', price: 3 } }, quota: {} }),
      create: () => ({ plan: { maxUnitsPerCall: 5 } }),
      attempts: { invoke },
    },
  },
};
