/** Shows an object of unknown structure: names with values, and lists of objects as tables. */
import type { ComponentChildren } from 'preact';
import type { JsonObject } from '../api/types.ts';
import { capital, count, safeUrl, shareASecond, words } from '../format/format.ts';
import { type Cell, isoTime } from '../format/table-text.ts';
import { href } from '../shell/route.ts';
import { Erased, erasedText, withErased } from './erased.tsx';
import { JsonText } from './json.tsx';
import { type Fact, Facts, Table } from './layout.tsx';
import { Code, Did, Elsewhere, Time } from './text.tsx';

/** Deeper members are shown as JSON, because tables nested three times are unreadable. */
const deepest = 3;
const longestList = 100;
const mostColumns = 12;
const firstColumns = ['id', 'title', 'state', 'status', 'amount'];

const isTime = (name: string, value: unknown): value is number =>
  /(At|[dD]eadline|By|From|[uU]ntil|^asOf|^after|^time|^ts|^at)$/.test(name) &&
  typeof value === 'number' &&
  value > 1e11;
const isDid = (text: string): boolean => /^did:svc:z[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(text);
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All times in a value, at any depth. */
const timesIn = (name: string, value: unknown): readonly number[] =>
  isTime(name, value)
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([member, each]) => timesIn(member, each))
      : [];

/** A simple value as a line of text; undefined for objects and lists. @param exact times with milliseconds */
export function shortly(name: string, value: unknown, exact = false): ComponentChildren {
  if (value === erasedText) return <Erased />;
  if (value === null || value === undefined) return <span class="faint">none</span>;
  if (isTime(name, value)) return <Time at={value} exact={exact} />;
  if (typeof value === 'number') return count(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') {
    if (isDid(value)) return <Did did={value} />;
    if (/^[0-9a-f]{64}$/.test(value)) return <code>{value}</code>;
    if (isId.test(value)) return <IdLink id={value} />;
    return safeUrl(value) ? <Elsewhere url={value} /> : <span class="plain-text">{value}</span>;
  }
  if (Object.keys(value).length === 0) return <span class="faint">none</span>;
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return undefined;
  return value.some((each) => !isDid(each)) ? value.join(', ') : <Dids of={value} />;
}

/** Ids that the node makes: a prefix and a ULID. */
const isId = /^[a-z]{2,5}(-[a-z]{2,5})?-[0-9A-HJKMNP-TV-Z]{26}$/;

/** Links to the search, which finds the page: the id of a listing does not contain its market. */
const IdLink = ({ id }: { id: string }) => (
  <a class="mono" href={href('find', [], { text: id })}>
    {id}
  </a>
);

const Dids = ({ of }: { of: readonly string[] }) => (
  <ul class="did-list">
    {of.map((did) => (
      <li key={did}>
        <Did did={did} />
      </li>
    ))}
  </ul>
);

/** Whether a text looks like a hash or signature: tables show it abridged, with a button that shows all of it. */
const isLongCode = (value: unknown): boolean => typeof value === 'string' && /^[\w-]{40,200}$/.test(value);

/** The class of a cell: a short text stays on one line, a longer one gets a wide column and wraps. */
const cellClass = (value: unknown): string | undefined =>
  typeof value !== 'string' || isDid(value) || isLongCode(value)
    ? undefined
    : value.length <= longestLine
      ? 'whole'
      : 'wrapped';
const longestLine = 24;

const titleOf = (name: string): string => (name === 'did' ? 'DID' : capital(words(name)));

interface PartsProps {
  readonly name: string;
  readonly value: unknown;
  readonly label: string;
  readonly depth: number;
  readonly exact: boolean;
}

/** An object or a list. */
function Parts({ name, value, label, depth, exact }: PartsProps) {
  if (depth > deepest) return <JsonText value={value} label={label} />;
  if (isObject(value)) return <Members of={value} label={label} depth={depth} exact={exact} />;
  if (Array.isArray(value) && value.every(isObject)) {
    return <ListTable rows={value} label={label} depth={depth} exact={exact} />;
  }
  if (Array.isArray(value)) {
    return (
      <ul>
        {value.slice(0, longestList).map((each, at) => (
          <li key={at}>
            {shortly(name, each, exact) ?? (
              <Parts name={name} value={each} label={label} depth={depth + 1} exact={exact} />
            )}
          </li>
        ))}
      </ul>
    );
  }
  return <JsonText value={value} label={label} />;
}

/** A value as a cell of a download. Objects and lists become JSON. */
function cellOf(name: string, value: unknown): Cell {
  if (isTime(name, value)) return isoTime(value);
  if (value === erasedText) return 'erased';
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

/** Objects as rows, with one column for each member that any of them has. */
function ListTable({
  rows: given,
  label,
  depth,
  exact,
}: Omit<PartsProps, 'name' | 'value'> & { rows: readonly JsonObject[] }) {
  const rows = given.map(withErased);
  const all = new Set(rows.flatMap((row) => Object.keys(row)));
  // A context has its members in alphabetical order.
  const names = [...new Set([...firstColumns.filter((name) => all.has(name)), ...all])].slice(0, mostColumns);
  const shown = rows.slice(0, longestList);
  return (
    <div class="member-rows">
      <Table
        caption={label}
        columns={names.map(titleOf)}
        exported={{
          name: label,
          columns: names.map((name) => ({ name, of: (row: JsonObject) => cellOf(name, row[name]) })),
          rows,
        }}
      >
        {shown.map((row, at) => (
          <tr key={at}>
            {names.map((name) => (
              <td key={name} class={cellClass(row[name])}>
                {isLongCode(row[name]) ? (
                  <Code text={String(row[name])} what={words(name)} />
                ) : (
                  (shortly(name, row[name], exact) ?? (
                    <Parts name={name} value={row[name]} label={`${label}: ${name}`} depth={depth + 1} exact={exact} />
                  ))
                )}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {rows.length > shown.length && <p class="faint">{count(rows.length - shown.length)} more are not shown.</p>}
    </div>
  );
}

export interface MembersProps {
  readonly of: JsonObject;
  readonly label: string;
  readonly depth?: number;
  /** Times with milliseconds; by default if two of them share a second. */
  readonly exact?: boolean;
}

export function Members({ of, label, depth = 0, exact = shareASecond(timesIn('', of)) }: MembersProps) {
  const entries = Object.entries(withErased(of)).map(
    ([name, value]) => [name, value, shortly(name, value, exact)] as const,
  );
  const short: Fact[] = entries.map(([name, , text]) => [capital(words(name)), text]);
  const long = entries.filter(([, , text]) => text === undefined);
  return (
    <>
      <Facts facts={short} />
      {long.map(([name, value]) => (
        <div key={name} class="member">
          <p class="member-name">{capital(words(name))}</p>
          <Parts name={name} value={value} label={`${label}: ${words(name)}`} depth={depth + 1} exact={exact} />
        </div>
      ))}
    </>
  );
}
