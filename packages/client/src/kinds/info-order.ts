/** Orders of information, as the client knows them. */
import type { Kind, TypesOf } from '../kind.js';
import type { InfoOrder, InfoOrderDispute, Requests, WriteFields } from '../wire.js';

type DerivedInfoOrderTypes = TypesOf<'InfoOrder', InfoOrder, 'listOrders'>;

/** Disputes are shared with the orders of other markets. */
export interface InfoOrderTypes extends DerivedInfoOrderTypes {
  readonly create: DerivedInfoOrderTypes['create'] & { readonly listingId: string };
  readonly inputs: DerivedInfoOrderTypes['inputs'] & {
    readonly dispute: Requests['disputeOrder'];
    readonly resolve: Requests['resolveOrder'];
  };
  readonly replies: DerivedInfoOrderTypes['replies'] & {
    readonly dispute: InfoOrderDispute;
    readonly resolve: InfoOrder & WriteFields;
  };
}

const below = <const A extends string>(action: A) => `/markets/info/:listingId/actions/${action}` as const;

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
    dispute: null,
    resolve: null,
  },
} as const;

/** `create` buys; the target of an action is the order's view, since its path names the listing. */
export const infoOrderKind: Kind<InfoOrderTypes, typeof shape> = shape;
