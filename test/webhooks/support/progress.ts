import type { DeliveryProgress } from '../../../src/projections/webhooks/webhook.js';

export const freshProgress = (generation: number, at: number): DeliveryProgress => ({
  ...{ generation, at, done: [], failed: [], failingSince: null, deliveredAt: null, token: 0 },
});
