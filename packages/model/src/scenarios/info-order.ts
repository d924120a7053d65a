/** An order of a dataset that anyone may buy. */
import { dayMs } from '../../../../src/core/bounds.js';
import type { Scenario } from '../scenario.js';

export const infoOrderScenario: Scenario = {
  cast: ['buyer', 'seller'],
  payer: { name: 'buyer', tokens: 10 },
  laterMs: 8 * dayMs,
  situation: ({ reviews }) => Object.keys(reviews as object).join(' '),
  // Guards that only the clock's action reaches, or that the request transformer rules out.
  elsewhere: [
    ...['bringsTheKey', 'envelopeHolds', 'pending', 'isHeard', 'cancelled'],
    // Reached when both parties propose the same, or by the arbiter: see the tests of disputes in test/stories.
    ...['disputed resolve confirmed', 'disputed resolve cancelled', 'arbiter'],
  ],
  added: { create: { buyerPublicKeyHex: 'cd'.repeat(32) } },
  settings: {
    bought: {
      creator: 'buyer',
      before: [
        {
          by: 'seller',
          kind: 'info-listing',
          action: 'create',
          body: () => ({ pricing: { price: 10 }, content: { format: 'text/csv' } }),
          keep: 'listingId',
        },
      ],
      attempts: {
        deliver: [
          { name: 'what was bought', body: () => ({ deliveryData: { note: 'a box' } }) },
          { name: 'nothing', body: () => ({}) },
          {
            name: 'for another key',
            body: () => ({ deliveryData: { note: 'a box' }, buyerPublicKeyHex: 'ab'.repeat(32) }),
          },
        ],
      },
    },
  },
};
