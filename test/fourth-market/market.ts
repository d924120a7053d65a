/** All parts of the market. `withAuctions` is the one line of the catalogue. */
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import type { AnyDefinition, Catalogue } from '../../src/machines/kernel/definition.js';
import type { Workflow } from '../../src/machines/kernel/resource.js';
import { auctionListing } from './listing.js';
import { lead, offer } from './offer.js';
import { sale } from './sale.js';
import { auctionWorkflows } from './workflows.js';

export const auctions = { kinds: [auctionListing, offer, lead, sale], workflows: auctionWorkflows };

/** A catalogue with the market, with another definition of offers or another workflow in place of the present one. */
export const auctionsWith = (
  offers: AnyDefinition = offer,
  workflows: { readonly [action: string]: Workflow } = {},
): Catalogue =>
  catalogueOf([...Object.values(everyKind.definitions), auctionListing, offers, lead, sale], {
    ...everyKind.workflows,
    ...auctionWorkflows,
    ...workflows,
  });

export const withAuctions = auctionsWith();
