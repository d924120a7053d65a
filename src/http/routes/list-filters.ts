/** Sorts and ranges of the lists of resources (docs/reference/requests.md#lists). */
import { invalid, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { type ListRange, type ListRanges, type ListSort, listSorts, rangesOf } from '../../store/list-order.js';

const time = (says: string) => is.optional(is.described(is.time, says));
const tokens = (says: string) => is.optional(is.described(is.integer(0), says));

export const orderFields = {
  sort: is.optional(
    is.described(
      is.oneOf(...listSorts),
      'Default: newest. `updated`: last changed first. Equal elements are sorted by id, descending.',
    ),
  ),
  createdFrom: time('Only resources created at this time or later.'),
  createdTo: time('Only resources created at this time or earlier.'),
  updatedFrom: time('Only resources last changed at this time or later.'),
  updatedTo: time('Only resources last changed at this time or earlier.'),
  minAmount: tokens('The least amount in Tokens (`amount`, or else `price`). Resources without an amount are omitted.'),
  maxAmount: tokens('The largest amount in Tokens. Resources without an amount are omitted.'),
} as const;

export interface OrderQuery {
  readonly sort?: ListSort;
  readonly createdFrom?: number;
  readonly createdTo?: number;
  readonly updatedFrom?: number;
  readonly updatedTo?: number;
  readonly minAmount?: number;
  readonly maxAmount?: number;
}

export interface ListOrder {
  readonly sort?: ListSort;
  readonly ranges?: ListRanges;
}

/** INVALID_REQUEST for a range whose end is before its beginning. */
export function listOrderOf(query: OrderQuery): ListOrder | Refusal {
  const { sort, createdFrom, createdTo, updatedFrom, updatedTo, minAmount, maxAmount } = query;
  // A list up to an amount excludes resources without an amount.
  const least = minAmount ?? (maxAmount === undefined ? undefined : 0);
  const ranges = {
    createdAt: { from: createdFrom, to: createdTo },
    updatedAt: { from: updatedFrom, to: updatedTo },
    amount: { from: least, to: maxAmount },
  } satisfies ListRanges;
  if (isEmpty(ranges.createdAt)) return invalid('createdTo', 'is before createdFrom');
  if (isEmpty(ranges.updatedAt)) return invalid('updatedTo', 'is before updatedFrom');
  if (isEmpty(ranges.amount)) return invalid('maxAmount', 'is less than minAmount');
  return { ...(sort && { sort }), ...(rangesOf(ranges).length > 0 && { ranges }) };
}

const isEmpty = ({ from, to }: ListRange): boolean => from !== undefined && to !== undefined && to < from;
