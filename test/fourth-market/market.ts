/** Everything that a market brings; `withAuctions` is the one line of the catalogue. */
import { publishing } from '../../src/actors/workflows/publish.js';
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { auctionListing } from './listing.js';
import { lead, offer } from './offer.js';
import { auctionWorkflows } from './workflows.js';

const listingKinds = Object.keys(everyKind.definitions).filter((kind) => kind.endsWith('-listing'));

export const auctions = {
  kinds: [auctionListing, offer, lead],
  workflows: { ...publishing([...listingKinds, auctionListing.kind]), ...auctionWorkflows },
};

export const withAuctions = catalogueOf([...Object.values(everyKind.definitions), ...auctions.kinds], {
  ...everyKind.workflows,
  ...auctions.workflows,
});
