/** All parts of the market. `withAuctions` is the one line of the catalogue. */
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { auctionListing } from './listing.js';
import { lead, offer } from './offer.js';
import { sale } from './sale.js';
import { auctionWorkflows } from './workflows.js';

export const auctions = { kinds: [auctionListing, offer, lead, sale], workflows: auctionWorkflows };

export const withAuctions = catalogueOf([...Object.values(everyKind.definitions), ...auctions.kinds], {
  ...everyKind.workflows,
  ...auctions.workflows,
});
