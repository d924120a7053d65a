/**
 * The periods that prices and quotas are told in. They have a fixed length: a calendar's months would make what a lease
 * costs depend on the day on which it starts.
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

/** Milliseconds of `day`, `days` or `daily`, in any case; undefined where it names no period. */
export function periodMsOf(text: string): number | undefined {
  const word = text.trim().toLowerCase();
  const name = otherwise[word] ?? word.replace(/s$/, '');
  return Object.hasOwn(lengths, name) ? lengths[name] : undefined;
}
