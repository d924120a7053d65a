/** The client's description of the market's kinds, written with the package's exports alone. */
import type { Kind, KindTypes, Pagination, WriteFields } from '../../packages/client/src/index.js';

interface Lot {
  readonly id: string;
  readonly listingId: string;
  readonly status: 'active' | 'paused' | 'expired' | 'removed';
  readonly resourcePrev: string;
  readonly lot: string;
  readonly closesAt: number;
}

interface NewLot {
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly pricing: { readonly price: number };
  readonly stock: number;
  readonly lot: string;
  readonly closesAt: number;
}

interface Offer {
  readonly id: string;
  readonly offerId: string;
  readonly listingId: string;
  readonly status: 'leading' | 'outbid' | 'won' | 'returned';
  readonly resourcePrev: string;
  readonly amount: number;
}

interface AuctionOrder {
  readonly id: string;
  readonly orderId: string;
  readonly status: 'paid' | 'disputed' | 'confirmed' | 'reviewed' | 'cancelled';
  readonly resourcePrev: string;
  readonly price: number;
}

type Nothing = Record<never, never>;
interface Listed {
  readonly did?: string;
  readonly limit?: number;
}

interface LotTypes extends KindTypes {
  readonly view: Lot;
  readonly create: NewLot;
  readonly created: Lot & WriteFields;
  readonly inputs: {
    readonly pause: Nothing;
    readonly resume: Nothing;
    readonly update: Partial<NewLot>;
    readonly remove: Nothing;
  };
  readonly replies: {
    readonly pause: Lot & WriteFields;
    readonly resume: Lot & WriteFields;
    readonly update: Lot & WriteFields;
    readonly remove: Lot & WriteFields;
  };
  readonly query: { readonly keyword?: string };
  readonly page: { readonly listings: readonly Lot[]; readonly pagination: Pagination };
}

interface OfferTypes extends KindTypes {
  readonly view: Offer;
  readonly create: { readonly listingId: string; readonly amount: number; readonly note?: string };
  readonly created: Offer & WriteFields & { readonly receiptId: string | null };
  readonly inputs: { readonly accept: Nothing };
  readonly replies: { readonly accept: AuctionOrder & WriteFields };
  readonly query: Listed & { readonly role?: 'bidder' | 'seller'; readonly status?: Offer['status'] };
  readonly page: { readonly offers: readonly Offer[]; readonly pagination: Pagination };
}

interface OrderTypes extends KindTypes {
  readonly view: AuctionOrder;
  readonly create: Nothing;
  readonly created: Nothing;
  readonly inputs: {
    readonly confirm: Nothing;
    readonly review: { readonly rating: number };
    readonly dispute: { readonly reason: string };
    readonly resolve: { readonly resolution: string };
  };
  readonly replies: {
    readonly confirm: AuctionOrder & WriteFields;
    readonly review: AuctionOrder & WriteFields;
    readonly dispute: object;
    readonly resolve: AuctionOrder & WriteFields;
  };
  readonly query: Listed & { readonly role?: 'buyer' | 'seller'; readonly status?: AuctionOrder['status'] };
  readonly page: { readonly orders: readonly AuctionOrder[]; readonly pagination: Pagination };
}

const lotShape = {
  kind: 'auction-listing',
  path: '/markets/auctions',
  idField: 'listingId',
  list: 'listings',
  actions: { pause: null, resume: null, update: null, remove: null },
} as const;

const offerShape = {
  kind: 'offer',
  path: '/markets/auctions/offers',
  createPath: '/markets/auctions/:listingId/offers',
  idField: 'offerId',
  list: 'offers',
  actions: { accept: null },
} as const;

const orderShape = {
  kind: 'auction-order',
  path: '/orders',
  madeElsewhere: true,
  idField: 'orderId',
  list: 'orders',
  actions: {
    confirm: '/markets/auctions/sales/:orderId/actions/confirm',
    review: '/markets/auctions/sales/:orderId/actions/review',
    dispute: null,
    resolve: null,
  },
} as const;

export const lotKind: Kind<LotTypes, typeof lotShape> = lotShape;
export const offerKind: Kind<OfferTypes, typeof offerShape> = offerShape;
export const auctionOrderKind: Kind<OrderTypes, typeof orderShape> = orderShape;
