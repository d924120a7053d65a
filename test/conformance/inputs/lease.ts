import type { Body } from '../../node/support/client.js';
import type { Attempt, Cast, KindInputs } from '../inputs.js';

const minuteMs = 60_000;

const publish =
  (more: Body) =>
  async ({ lessor }: Cast): Promise<Body> => {
    const { listingId } = await lessor!.does('/api/v1/markets/capabilities', {
      title: 'Speech to text',
      description: 'Thirty languages.',
      category: 'speech',
      pricing: { usagePrice: { unit: 'call', pricePerUnit: 2 } },
      capabilityType: 'transcription',
      capability: {},
      quota: { maxCalls: 1 },
      access: {},
      ...more,
    });
    return { listingId };
  };

const invoke: readonly Attempt[] = [
  { name: 'one unit', body: () => ({ units: 1 }) },
  { name: 'the budget', body: () => ({ units: 5, success: false }) },
  { name: 'too many units', body: () => ({ units: 6 }) },
];

const byUse = (_: Cast, now: number): Body => ({
  plan: { budget: 10, maxUnitsPerCall: 5, endsAt: now + 60 * minuteMs },
});

export const inputs: KindInputs = {
  cast: ['lessee', 'lessor'],
  funds: 100_000,
  laterMs: 61 * minuteMs,
  situation: ({ usage }) => ((usage as { calls: number }).calls > 0 ? 'called' : ''),
  settings: {
    'paid by use': { creator: 'lessee', before: publish({}), create: byUse, attempts: { invoke } },
    'metered by the lessor': {
      creator: 'lessee',
      before: publish({ meteredBy: 'lessor' }),
      create: byUse,
      attempts: { invoke },
    },
    'paid by time': {
      creator: 'lessee',
      before: publish({ pricing: { subscriptionPrice: { period: 'hour', price: 3 } }, quota: {} }),
      create: () => ({ plan: { maxUnitsPerCall: 5 } }),
      attempts: { invoke },
    },
  },
};
