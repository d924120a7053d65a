/** How the console writes values. */
import { zone } from './zone.ts';

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

export const count = (value: number): string => whole.format(value);

export const tokens = (value: number): string =>
  `${whole.format(value)}\u00a0${Math.abs(value) === 1 ? 'Token' : 'Tokens'}`;

/** A number with its sign: `+5`, `−5`. */
export const signed = (value: number): string =>
  value === 0 ? '0' : `${value > 0 ? '+' : '\u2212'}${whole.format(Math.abs(value))}`;

export function millis(value: number): string {
  if (value >= 1_000) return `${short.format(value / 1_000)}\u00a0s`;
  return `${short.format(value)}\u00a0ms`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Date and time of an instant in the chosen time zone. */
function fieldsOf(epochMs: number) {
  const offset = offsetMinutes(epochMs);
  const at = new Date(epochMs + offset * 60_000);
  const date = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  return { at, date, suffix: zone.value === 'utc' ? 'UTC' : offsetText(offset) };
}

/** Offset of the chosen zone in minutes: 0 for UTC. Daylight saving depends on the instant. */
const offsetMinutes = (epochMs: number): number => (zone.value === 'utc' ? 0 : -new Date(epochMs).getTimezoneOffset());

const offsetText = (minutes: number): string =>
  `${minutes < 0 ? '\u2212' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;

/** How much of an instant is written. */
export interface InstantOptions {
  /** With milliseconds, for lists in which several times share a second. */
  readonly exact?: boolean;
  /** Without the zone, where it is written nearby. */
  readonly bare?: boolean;
}

/** `2026-01-31 09:05:07 UTC`, or with the offset of the browser's zone: `2026-01-31 10:05:07 +01:00`. */
export const instant = (epochMs: number, options: InstantOptions = {}): string =>
  `${fieldsOf(epochMs).date} ${clock(epochMs, options)}`;

/** `09:05:07 UTC`. */
export function clock(epochMs: number, { exact = false, bare = false }: InstantOptions = {}): string {
  const { at, suffix } = fieldsOf(epochMs);
  const fraction = exact ? `.${String(at.getUTCMilliseconds()).padStart(3, '0')}` : '';
  return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}${fraction}${bare ? '' : `\u00a0${suffix}`}`;
}

/** `2026-01-31`, in the chosen time zone: the value of a date field. */
export const dateOf = (epochMs: number): string => fieldsOf(epochMs).date;

/** The first millisecond of a date in the chosen time zone; undefined if the text is not a date. */
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
  // The start plus 36 hours lies within the next date, also when daylight saving makes the day an hour longer or shorter.
  return start === undefined ? undefined : startOfDate(dateOf(start + 36 * 3_600_000));
}

/** Whether two of these times share a second, so that the milliseconds have to be shown. */
export function shareASecond(times: readonly number[]): boolean {
  return new Set(times.map((at) => Math.floor(at / 1_000))).size < new Set(times).size;
}

const parts: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** A duration in its two largest units: `3 d 4 h`. */
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

/** A hash, DID or id without its middle. The page offers the whole text as well: in a title or through a link. */
export function abridged(text: string, head = 8, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}

const didPrefix = 'did:svc:';

/** A DID without the prefix that all DIDs share. */
export const abridgedDid = (did: string): string =>
  did.startsWith(didPrefix) ? abridged(did.slice(didPrefix.length), 8, 4) : abridged(did, 14, 6);

/** Most characters of a name that a line shows. */
const longestName = 28;

/** Control and direction characters would change the text around a name. */
const turning = /[\p{Cc}\p{Cf}]/gu;

const cut = (written: string, longest: number): string => {
  const text = written.replace(turning, '').trim();
  return [...text].length > longest ? `${[...text].slice(0, longest - 1).join('')}…` : text;
};

export const shortName = (name: string): string => cut(name, longestName);

/** A title in a sentence or a heading; undefined if there is none. */
export const shortTitle = (title: unknown): string | undefined =>
  (typeof title === 'string' && cut(title, 60)) || undefined;

/** The id, or the hash of an event, by which a path names what is at a home. @param home DID; undefined: this node’s own */
export const spelledId = (id: string, { home }: { readonly home?: string | undefined }): string =>
  home === undefined ? id : `${id}~${home}`;

/** The id alone, without the home that a path names. */
export const bareId = (spelled: string): string => spelled.split('~', 1)[0]!;

/** An identifier as words: `taskOrder`, `task-order`, `pay_per_use`. */
export const words = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.]/g, ' ')
    .toLowerCase();

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The URL if it may become a link: http and https only. */
export function safeUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}
