import type { Progress } from '../../../src/webhooks/webhook.js';

export const freshProgress = (generation: number, at: number): Progress => ({
  ...{ generation, at, done: [], failed: [], failingSince: null, deliveredAt: null, token: 0 },
});
