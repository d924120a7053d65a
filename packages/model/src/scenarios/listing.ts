/** The walk of a listing is the same in every market. */
import type { Scenario } from '../scenario.js';

const minuteMs = 60_000;

export const listingScenario: Scenario = {
  cast: ['seller', 'buyer'],
  laterMs: 61 * minuteMs,
  situation: ({ visibility }) => String(visibility),
  // A listing is awarded only by accepting a bid; the node states what an update makes public.
  elsewhere: ['hasStock', 'saysWhatItShows', 'active.awarded', 'paused resume active.awarded'],
  settings: {
    'with an end': {
      creator: 'seller',
      create: ({ now }) => ({ expiresAt: now + 60 * minuteMs, stock: 3 }),
      attempts: {
        update: [
          { name: 'its words', body: () => ({ title: 'Another title', tags: ['other'] }) },
          { name: 'to an end in the past', body: () => ({ expiresAt: 1_000_000_000_000 }) },
        ],
      },
    },
    'without an end': { creator: 'seller', attempts: {} },
  },
};
