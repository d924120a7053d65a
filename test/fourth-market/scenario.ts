/** The scenarios of the market's kinds: who takes part, and which requests come first. */
import type { Scenario, SetupRequest } from '../../packages/model/src/scenario.js';
import { listingScenario } from '../../packages/model/src/scenarios/listing.js';
import type { WalkedKinds } from '../../packages/model/src/scenarios.js';
import { withAuctions } from './market.js';

const minuteMs = 60_000;
const laterMs = 61 * minuteMs;

const published: SetupRequest = {
  by: 'seller',
  kind: 'auction-listing',
  action: 'create',
  body: ({ now }) => ({ closesAt: now + 60 * minuteMs }),
  keep: 'listingId',
};
const offered: SetupRequest = {
  by: 'buyer',
  kind: 'offer',
  action: 'create',
  body: ({ ids }) => ({ listingId: ids.listingId }),
  keep: 'offerId',
};
const accepted: SetupRequest = { by: 'seller', kind: 'offer', action: 'accept', on: 'offerId', keep: 'orderId' };

const shared = {
  cast: ['seller', 'buyer'],
  payer: { name: 'buyer', tokens: 6 },
  laterMs,
  situation: () => '',
} as const;

const offerScenario: Scenario = {
  ...shared,
  settings: { 'on a lot of its own': { creator: 'buyer', make: [published, offered], attempts: {} } },
};

const orderScenario: Scenario = {
  ...shared,
  // Its dispute decides: test/stories covers the rulings.
  elsewhere: ['isHeard', 'cancelled', 'disputed resolve confirmed', 'disputed resolve cancelled'],
  settings: {
    'of an offer that was accepted': { creator: 'buyer', make: [published, offered, accepted], attempts: {} },
  },
};

export const auctionKinds: WalkedKinds = {
  catalogue: withAuctions,
  scenarios: {
    'auction-listing': listingScenario,
    offer: offerScenario,
    'auction-order': orderScenario,
  },
};
