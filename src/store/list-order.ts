/** How lists of resources are sorted and filtered. All stores compute the same numbers from a snapshot. */
import type { JsonObject } from '../core/canonical.js';
import type { Snapshot } from './snapshot.js';

/** `updated`: last changed first. In every order, equal ones are sorted by id, descending. */
export const listSorts = ['newest', 'oldest', 'updated', 'amount_desc', 'amount_asc'] as const;
export type ListSort = (typeof listSorts)[number];

/** Both bounds are inclusive. */
export interface ListRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export type ListNumber = 'createdAt' | 'updatedAt' | 'amount';
export type ListRanges = { readonly [name in ListNumber]?: ListRange };

/** Stands for a missing amount; sorts before every amount. */
export const noAmount = -1;

/**
 * The amount of Tokens in a resource: the member `amount` of its context, else `price`. SQLite computes the same in an
 * index (schema.ts).
 */
export function amountOf({ amount, price }: JsonObject): number {
  const found = [amount, price].find(Number.isSafeInteger);
  return found === undefined ? noAmount : (found as number);
}

export const numberIn = ({ createdAt, updatedAt, context }: Snapshot, name: ListNumber): number =>
  name === 'createdAt' ? createdAt : name === 'updatedAt' ? updatedAt : amountOf(context);

export const sortedBy: { readonly [sort in ListSort]: { readonly by: ListNumber; readonly isUp: boolean } } = {
  newest: { by: 'createdAt', isUp: false },
  oldest: { by: 'createdAt', isUp: true },
  updated: { by: 'updatedAt', isUp: false },
  amount_desc: { by: 'amount', isUp: false },
  amount_asc: { by: 'amount', isUp: true },
};

/** A position in a list: all members sort descending, so a sort that goes up has its number negated. */
export function listPlace(snapshot: Snapshot, sort: ListSort = 'newest'): readonly [number, string] {
  const { by, isUp } = sortedBy[sort];
  return [rawOf(numberIn(snapshot, by), isUp), snapshot.id];
}

/**
 * Converts between a number and its sort position (negated if the sort ascends), in both directions. Never returns -0,
 * which JSON can't distinguish from 0.
 */
export const rawOf = (number: number, isUp: boolean): number => (isUp ? 0 - number : number);

export function isWithin(snapshot: Snapshot, ranges: ListRanges): boolean {
  return rangesOf(ranges).every(({ name, from, to }) => {
    const number = numberIn(snapshot, name);
    return number >= (from ?? number) && number <= (to ?? number);
  });
}

/** The ranges that exclude something, in a fixed order. */
export const rangesOf = (ranges: ListRanges): ({ readonly name: ListNumber } & ListRange)[] =>
  (['createdAt', 'updatedAt', 'amount'] as const).flatMap((name) => {
    const { from, to } = ranges[name] ?? {};
    return from === undefined && to === undefined ? [] : [{ name, from, to }];
  });
