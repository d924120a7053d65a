/**
 * The periods of prices and quotas. They have fixed lengths: with calendar months, the cost of a lease would depend on
 * its first day.
 */
import { periodsMs } from '../listing/pricing.js';

const lengths: { readonly [name: string]: number } = {
  ...periodsMs,
  minute: periodsMs.hour / 60,
  quarter: 3 * periodsMs.month,
};

const otherwise: { readonly [word: string]: string } = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
};

/** Milliseconds of `day`, `days` or `daily`, in any case; undefined for other words. */
export function periodMsOf(text: string): number | undefined {
  const word = text.trim().toLowerCase();
  const name = otherwise[word] ?? word.replace(/s$/, '');
  return Object.hasOwn(lengths, name) ? lengths[name] : undefined;
}
