/** How values are written, all over the console. */

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

/** Local time, `2026-01-31 09:05:07`. */
export function instant(epochMs: number): string {
  const at = new Date(epochMs);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(epochMs)}`;
}

export function clock(epochMs: number): string {
  const at = new Date(epochMs);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
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
