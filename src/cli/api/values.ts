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
  /(At|By|From|Time|Until|Since|^asOf|^after|^at|^time|^ts|^timestamp|^created|^updated|^deadline)$/.test(name);

/** Formats a value; members of nested ones as `type manual, by depositor`. Texts from others must not contain control characters that the terminal would execute. */
export function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (name === 'permittedActions' && isJsonObject(value)) return actionsText(value);
  if (isListOfTexts(value)) return tame(value.join(', ')) || '–';
  if (isTime(name, value)) return timeText(value);
  if (typeof value !== 'object') return tame(String(value));
  const members = Object.entries(value).filter(([, each]) => each !== null);
  const texts = members.map(([each, member]) =>
    Array.isArray(value) ? textOf(name, member) : `${each} ${textOf(each, member)}`,
  );
  return texts.join(Array.isArray(value) ? '; ' : ', ') || '–';
}

const isListOfTexts = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object');

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
  if (typeof value === 'object' && !isListOfTexts(value) && name !== 'permittedActions')
    return tame(JSON.stringify(value));
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
