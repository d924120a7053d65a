/** Orders of information, as the client knows them (interface, Markets: information). */
import type { Review } from '../../machines/info-order/machine.js';
import type { infoOrder, PurchaseInput } from '../../machines/info-order/resource.js';
import type { Kind, TypesOf } from '../kind.js';
import type { Permitted } from '../views.js';
import type { Dispute, Resolving } from './contract.js';

export type InfoOrderStatus = 'pending' | 'paid' | 'delivered' | 'confirmed' | 'reviewed' | 'cancelled' | 'disputed';

export interface InfoOrder extends Permitted {
  readonly orderId: string;
  readonly id: string;
  readonly marketType: 'info';
  readonly status: InfoOrderStatus;
  readonly listingId: string;
  readonly buyer: string;
  readonly seller: string;
  readonly quantity: number;
  readonly unitPrice: number;
  /** Tokens, of all units. */
  readonly price: number;
  readonly currency: 'TOKEN';
  readonly escrowId: string | null;
  /** X25519 key that a delivery is wrapped for. */
  readonly buyerPublicKeyHex: string;
  readonly deliverBy: number;
  readonly deliveredAt: number | null;
  readonly confirmBy: number | null;
  readonly confirmedAt: number | null;
  readonly envelopeDigest: string | null;
  readonly disputeId: string | null;
  readonly reviews: { readonly buyer?: Review; readonly seller?: Review };
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resourcePrev: string;
  readonly txHash: string;
}

type Derived = TypesOf<typeof infoOrder, InfoOrder, 'buyer' | 'seller'>;

/** What a seller hands over beside what the definition keeps of it. */
interface Secrets {
  readonly contentKeyHex?: string;
  readonly accessToken?: string;
  readonly accessUrl?: string;
}

export interface InfoOrderTypes extends Derived {
  readonly parts: { readonly dispute: Dispute };
  readonly create: Omit<PurchaseInput, 'seller' | 'pricing' | 'hasPackage' | 'escrowId'>;
  readonly inputs: Omit<Derived['inputs'], 'deliver' | 'resolve'> & {
    readonly resolve: Resolving;
    readonly deliver: Omit<Derived['inputs']['deliver'], 'sealed'> & Secrets;
  };
}

const below = (action: string) => ({ path: `/markets/info/:listingId/actions/${action}`, answers: 'view' }) as const;

const shape = {
  kind: 'info-order',
  path: '/orders',
  createPath: '/markets/info/:listingId/actions/purchase',
  idField: 'orderId',
  list: 'orders',
  actions: {
    deliver: below('deliver'),
    confirm: below('confirm'),
    review: below('review'),
    dispute: 'part',
    resolve: 'view',
  },
} as const;

/** `create` buys; the target of an action is the order's view, since its path names the listing. */
export const infoOrderKind: Kind<InfoOrderTypes, typeof shape> = shape;
