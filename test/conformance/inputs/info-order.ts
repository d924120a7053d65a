import { expectStatus } from '../../node/support/answers.js';
import type { Cast, KindInputs } from '../inputs.js';

const dayMs = 86_400_000;

/** A dataset that is offered to everybody. */
async function listing({ seller }: Cast): Promise<{ listingId: string }> {
  const published = await seller!.write('/api/v1/markets/info', {
    title: 'Rainfall',
    description: 'Hourly, of 40 stations.',
    category: 'weather',
    pricing: { price: 10 },
    infoType: 'dataset',
    content: { format: 'text/csv' },
    accessMethod: { type: 'download' },
    license: {},
  });
  const { listingId } = expectStatus(published, 201);
  return { listingId };
}

export const inputs: KindInputs = {
  cast: ['buyer', 'seller'],
  funds: 100_000,
  laterMs: 8 * dayMs,
  situation: ({ reviews }) => Object.keys(reviews as object).join(' '),
  // The clock's, and what the route's preparation sees to.
  elsewhere: [
    ...['bringsTheKey', 'envelopeHolds', 'pending', 'isHeard', 'cancelled'],
    // What both parties ask for, or the arbiter: the stories of disputes.
    ...['disputed resolve confirmed', 'disputed resolve cancelled'],
  ],
  settings: {
    bought: {
      creator: 'buyer',
      before: listing,
      create: () => ({}),
      attempts: {
        deliver: [
          { name: 'the key', body: () => ({}) },
          { name: 'for another key', body: () => ({ buyerPublicKeyHex: 'ab'.repeat(32) }) },
        ],
      },
    },
  },
};
