/** A lot that goes to the highest offer when its time has come. */
import * as is from '../../src/core/schema/scalar.js';
import { listingOf } from '../../src/machines/listing/resource.js';

export const auctionListing = listingOf({
  type: 'auction',
  path: '/markets/auctions',
  tag: 'Market: auctions',
  title: 'AuctionListing',
  own: { lot: is.text(200, 1), closesAt: is.time },
  changeable: [],
  example: {
    pricing: { price: 5 },
    stock: 1,
    lot: 'A signed first edition',
    closesAt: '2100-01-01T00:00:00Z',
  },
});
