/** The client's description of orders of information. */
import type { Kind, TypesOf } from '../kind.js';
import type { InfoOrder, InfoOrderDispute, Requests, WriteFields } from '../wire.js';

type DerivedInfoOrderTypes = TypesOf<'InfoOrder', InfoOrder, 'listOrders'>;

/** Lacks the dispute operations in its name, because all kinds of orders share them. */
export interface InfoOrderTypes extends DerivedInfoOrderTypes {
  readonly create: DerivedInfoOrderTypes['create'] & {
    /** Id of the listing. */
    readonly listingId: string;
  };
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

/** `create` buys. The target of an action must be the order's view, because its path contains the listing. */
export const infoOrderKind: Kind<InfoOrderTypes, typeof shape> = shape;
