/** The text of a value: in full for `--wide`, pipes and programs, shortened for tables on a terminal. */
import { isJsonObject } from '../../core/canonical.js';
import { tame, timeText } from '../output.js';
import { type DidNaming, isDid } from './did-names.js';

export interface ReportItem {
  readonly [name: string]: unknown;
}

/** A reply with 'erased' in place of erased texts, which it names in `erased` or has in `leaves` (core/leaf.ts). */
export function withErasedNamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withErasedNamed);
  const { erased, ...rest } = value as ReportItem;
  const shown = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, withErasedNamed(member)]));
  if (erased !== undefined && !Array.isArray(erased)) return { ...shown, erased };
  for (const path of erased ?? []) nameErased(shown, String(path).split('/'));
  const { leaves, payload } = shown;
  if (isJsonObject(leaves) && isJsonObject(payload)) {
    for (const [pointer, leaf] of Object.entries(leaves))
      if (isJsonObject(leaf) && leaf.erased === true)
        nameErased(payload.input, pointer.split('/').slice(1).map(unescaped));
  }
  return shown;
}

/** A part of a JSON pointer (RFC 6901). */
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

function nameErased(within: unknown, [name, ...rest]: readonly string[]): void {
  if (typeof within !== 'object' || within === null || name === undefined) return;
  const members = within as { [name: string]: unknown };
  if (rest.length > 0) nameErased(members[name], rest);
  else members[name] = 'erased';
}

const earliestMs = Date.UTC(2000);
const isTime = (name: string, value: unknown): value is number =>
  typeof value === 'number' &&
  value > earliestMs &&
  /(At|By|Time|Until|Since|^asOf|^at|^time|^ts|^timestamp|^created|^updated|^deadline)$/.test(name);

/** Formats a value. Texts from others must not contain control characters that the terminal would execute. */
export function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (name === 'permittedActions' && isJsonObject(value)) return actionsText(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return tame(value.join(', ')) || '–';
  if (isTime(name, value)) return timeText(value);
  if (typeof value === 'string') return tame(value);
  return tame(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** `depositor: release, refund; beneficiary: refund`. */
function actionsText(permitted: ReportItem): string {
  const roles = Object.entries(permitted).map(([role, actions]) => {
    const names = Array.isArray(actions) ? actions.map((each) => (isJsonObject(each) ? each.action : each)) : [];
    return `${role}: ${names.join(', ')}`;
  });
  return tame(roles.join('; ')) || '–';
}

/** Formats a value for programs that split lines at tabs: empty if there is none, times as ISO 8601. */
export function wholeText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isTime(name, value)) return new Date(value).toISOString();
  return value === '' ? '' : textOf(name, value);
}

const longestCell = 40;

/** For a cell of a table on a terminal. */
export function shortText(name: string, value: unknown, nameOf: DidNaming): string {
  const text = textOf(name, value);
  if (isDid(text)) return nameOf(text) ?? `${text.slice(8, 15)}…${text.slice(-4)}`;
  if (/^(0x)?[0-9a-f]{64}$/.test(text)) return `${text.slice(0, 12)}…`;
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text;
}
