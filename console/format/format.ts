/** How values are written, all over the console. */
import { zone } from './zone.ts';

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

export const count = (value: number): string => whole.format(value);

export const tokens = (value: number): string =>
  `${whole.format(value)}\u00a0${Math.abs(value) === 1 ? 'Token' : 'Tokens'}`;

/** With its sign: `+5`, `−5`. */
export const signed = (value: number): string =>
  value === 0 ? '0' : `${value > 0 ? '+' : '\u2212'}${whole.format(Math.abs(value))}`;

export function millis(value: number): string {
  if (value >= 1_000) return `${short.format(value / 1_000)}\u00a0s`;
  return `${short.format(value)}\u00a0ms`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Fields of an instant in the zone that is shown. */
function fieldsOf(epochMs: number) {
  const offset = offsetMinutes(epochMs);
  const at = new Date(epochMs + offset * 60_000);
  const date = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  return { at, date, suffix: zone.value === 'utc' ? 'UTC' : offsetText(offset) };
}

/** 0 in UTC; summer time depends on the instant. */
const offsetMinutes = (epochMs: number): number => (zone.value === 'utc' ? 0 : -new Date(epochMs).getTimezoneOffset());

const offsetText = (minutes: number): string =>
  `${minutes < 0 ? '\u2212' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;

/** How much of an instant is written. */
export interface InstantOptions {
  /** With milliseconds: where several steps share a second. */
  readonly exact?: boolean;
  /** Where the zone is said beside it. */
  readonly bare?: boolean;
}

/** `2026-01-31 09:05:07 UTC`, or with the offset of the browser's zone: `2026-01-31 10:05:07 +01:00`. */
export const instant = (epochMs: number, options: InstantOptions = {}): string =>
  `${fieldsOf(epochMs).date} ${clock(epochMs, options)}`;

/** `09:05:07 UTC`. */
export function clock(epochMs: number, { exact = false, bare = false }: InstantOptions = {}): string {
  const { at, suffix } = fieldsOf(epochMs);
  const fraction = exact ? `.${String(at.getUTCMilliseconds()).padStart(3, '0')}` : '';
  return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}${fraction}${bare ? '' : ` ${suffix}`}`;
}

/** `2026-01-31` in the zone that is shown: the value of a date field. */
export const dateOf = (epochMs: number): string => fieldsOf(epochMs).date;

/** The first millisecond of a date in the zone that is shown; undefined for any other text. */
export function startOfDate(date: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  const parts = [Number(year), Number(month) - 1, Number(day)] as const;
  const start = zone.value === 'utc' ? Date.UTC(...parts) : new Date(...parts).getTime();
  return Number.isNaN(start) || start < 0 ? undefined : start;
}

/** The first millisecond after a date. */
export function endOfDate(date: string): number | undefined {
  const start = startOfDate(date);
  // 36 hours later is within the next date, whether its night was an hour longer or shorter.
  return start === undefined ? undefined : startOfDate(dateOf(start + 36 * 3_600_000));
}

/** Whether two of these instants share a second, so that only milliseconds tell them apart. */
export function shareASecond(times: readonly number[]): boolean {
  return new Set(times.map((at) => Math.floor(at / 1_000))).size < new Set(times).size;
}

const parts: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** The two largest units: `3 d 4 h`. */
export function duration(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds));
  const said: string[] = [];
  for (const [size, unit] of parts) {
    if (left < size && !(unit === 's' && said.length === 0)) continue;
    said.push(`${Math.floor(left / size)}\u00a0${unit}`);
    left %= size;
    if (said.length === 2) break;
  }
  return said.join(' ');
}

/** A hash, DID or id, with its middle left out; its whole text belongs beside it, in a title or behind a link. */
export function abridged(text: string, head = 8, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}

const didPrefix = 'did:svc:';

/** A DID without what all DIDs begin with. */
export const abridgedDid = (did: string): string =>
  did.startsWith(didPrefix) ? abridged(did.slice(didPrefix.length), 8, 4) : abridged(did, 14, 6);

/** `taskOrder`, `task-order`, `pay_per_use` as words. */
export const words = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.]/g, ' ')
    .toLowerCase();

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** An address that may become a link: http and https only. */
export function safeUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}
