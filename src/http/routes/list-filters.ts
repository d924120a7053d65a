/** Parties, sorts and ranges of the lists of resources (docs/reference/requests.md#lists). */
import { invalid, isRefusal, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { type ListRanges, type ListSort, listSorts, rangesOf } from '../../store/list-order.js';

const time = (says: string) => is.optional(is.time, says);
const tokens = (says: string) => is.optional(is.integer(0), says);

/** The sort that each value of `sortBy` means, descending and ascending. Amounts ascend by default, times descend. */
const byName = {
  createdAt: { desc: 'newest', asc: 'oldest' },
  date: { desc: 'newest', asc: 'oldest' },
  updatedAt: { desc: 'updated', asc: undefined },
  amount: { desc: 'amount_desc', asc: 'amount_asc' },
  price: { desc: 'amount_desc', asc: 'amount_asc' },
} as const satisfies { readonly [name: string]: { readonly [order in 'asc' | 'desc']: ListSort | undefined } };
const sortNames = Object.keys(byName) as (keyof typeof byName)[];

export const orderFields = {
  sort: is.optional(
    is.oneOf(...listSorts),
    'Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending.',
  ),
  sortBy: is.optional(
    is.oneOf(...sortNames),
    'An alternative to `sort`, with `sortOrder`. `date` is `createdAt`, and `price` is `amount`. Default: createdAt.',
  ),
  sortOrder: is.optional(
    is.oneOf('asc', 'desc'),
    'The direction of `sortBy`. Default: `desc` for times, `asc` for amounts.',
  ),
  createdFrom: time('Only resources created at this time or later.'),
  createdTo: time('Only resources created at this time or earlier.'),
  updatedFrom: time('Only resources last changed at this time or later.'),
  updatedTo: time('Only resources last changed at this time or earlier.'),
  minAmount: tokens('The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted.'),
  maxAmount: tokens('The largest amount in Tokens. Resources without an amount are omitted.'),
} as const;

export type OrderQuery = is.ObjectOf<typeof orderFields>;

export interface ListOrder {
  readonly sort?: ListSort;
  readonly ranges?: ListRanges;
}

function sortOf({ sort, sortBy, sortOrder }: OrderQuery): ListSort | undefined | Refusal {
  if (sortBy === undefined && sortOrder === undefined) return sort;
  const orders = byName[sortBy ?? 'createdAt'];
  const meant = orders[sortOrder ?? (orders.desc === 'amount_desc' ? 'asc' : 'desc')];
  if (meant === undefined) return invalid('sortOrder', `${sortBy} is sorted with sortOrder desc only`);
  return sort === undefined || sort === meant ? meant : invalid('sortBy', 'is the same as sort, and must be equal');
}

export interface PartyQuery {
  readonly did?: string;
  readonly role?: string;
}

/** A parameter for each role: `buyer=<did>` is `did` with `role=buyer`. */
export const partyFields = (roles: readonly string[]): is.Fields =>
  Object.fromEntries(roles.map((role) => [role, is.optional(is.account, `\`did\`, in the role \`${role}\`.`)]));

/** The party that a list selects; INVALID_REQUEST if the query names two. */
export function partyIn(query: PartyQuery, roles: readonly string[]): PartyQuery | Refusal {
  const named = query as { readonly [role: string]: string | undefined };
  const [role, other] = roles.filter((each) => named[each] !== undefined);
  if (role === undefined) return query;
  if (other !== undefined) return invalid(other, `cannot be combined with ${role}`);
  const did = named[role]!;
  const { did: asked = did, role: inRole = 'all' } = query;
  if (asked !== did) return invalid(role, 'names another DID than did');
  return inRole === 'all' || inRole === role ? { did, role } : invalid(role, `contradicts role=${inRole}`);
}

export function listOrderOf(query: OrderQuery): ListOrder | Refusal {
  const sort = sortOf(query);
  if (isRefusal(sort)) return sort;
  const { createdFrom, createdTo, updatedFrom, updatedTo, minAmount, maxAmount } = query;
  // A list up to an amount excludes resources without an amount.
  const least = minAmount ?? (maxAmount === undefined ? undefined : 0);
  const ranges = {
    createdAt: { from: createdFrom, to: createdTo },
    updatedAt: { from: updatedFrom, to: updatedTo },
    amount: { from: least, to: maxAmount },
  } satisfies ListRanges;
  return { ...(sort && { sort }), ...(rangesOf(ranges).length > 0 && { ranges }) };
}
