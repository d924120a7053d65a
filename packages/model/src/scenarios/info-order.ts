/** An order of a dataset that is offered to everybody. */
import type { Scenario } from '../scenario.js';

const dayMs = 86_400_000;

export const infoOrderScenario: Scenario = {
  cast: ['buyer', 'seller'],
  payer: { name: 'buyer', tokens: 10 },
  laterMs: 8 * dayMs,
  situation: ({ reviews }) => Object.keys(reviews as object).join(' '),
  // The clock's, and what the route's preparation sees to.
  elsewhere: [
    ...['bringsTheKey', 'envelopeHolds', 'pending', 'isHeard', 'cancelled'],
    // What both parties ask for, or the arbiter: the stories of disputes.
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
