/**
 * Entries that match a filter, newest first. Each is verified here, except its link to the previous entry, which is not read.
 */
import { type Query, withQuery } from '../../api/read.ts';
import type { Entry, Replies } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count, endOfDate, startOfDate } from '../../format/format.ts';
import { entryColumns } from '../../parts/entry-columns.ts';
import { EntryRows } from '../../parts/entry-rows.tsx';
import { Export } from '../../parts/export.tsx';
import type { FilterField } from '../../parts/filter-form.tsx';
import { Shown } from '../../parts/reading.tsx';
import { useChecked } from '../../proof/use-checked.ts';
import { href } from '../../shell/route.ts';

const limit = 25;

export const journalFields: readonly FilterField[] = [
  { name: 'type', label: 'Event', type: 'text', placeholder: 'escrow.released' },
  { name: 'issuer', label: 'Signer', type: 'party', placeholder: 'name, DID or svc1…' },
  { name: 'resource', label: 'Resource', type: 'text', placeholder: 'escrow/esc-…' },
  { name: 'since', label: 'From', type: 'date' },
  { name: 'until', label: 'To', type: 'date' },
  { name: 'min', label: 'Amount from', type: 'number' },
  { name: 'max', label: 'Amount to', type: 'number' },
];

export const isFiltered = (query: URLSearchParams): boolean => journalFields.some(({ name }) => query.get(name));

function apiQuery(query: URLSearchParams): Query {
  const given = (name: string) => query.get(name) || undefined;
  const until = endOfDate(given('until') ?? '');
  return {
    type: given('type'),
    issuer: given('issuer'),
    resource: given('resource'),
    since: startOfDate(given('since') ?? ''),
    until: until === undefined ? undefined : until - 1,
    minAmount: given('min'),
    maxAmount: given('max'),
    order: 'newest',
  };
}

const placed = ({ before: _, ...filters }: { readonly [name: string]: string }) => filters;

export function FilteredJournal({ query }: { query: URLSearchParams }) {
  const before = query.get('before') ?? undefined;
  const page = useRead<Replies['listEvents']>(withQuery('/api/v1/events', { ...apiQuery(query), before, limit }));
  const filters = placed(Object.fromEntries(query));
  return (
    <Shown reading={page}>
      {({ events, next }) => (
        <div>
          <Checked events={events} />
          <nav class="pager" aria-label="Pages of the journal">
            <p class="number faint" role="status">
              {events.length === 0
                ? next === null
                  ? 'No entries match'
                  : 'No match among the entries searched so far'
                : events.length === 1
                  ? '1 entry'
                  : `${count(events.length)} entries`}
            </p>
            <p class="buttons">
              {before !== undefined && <a href={href('ledger', ['journal'], filters)}>Newest</a>}
              {next !== null && (
                <a href={href('ledger', ['journal'], { ...filters, before: next })}>
                  {events.length < limit ? 'Search older entries' : 'Older'}
                </a>
              )}
            </p>
          </nav>
        </div>
      )}
    </Shown>
  );
}

function Checked({ events }: { events: readonly Entry[] }) {
  const checked = useChecked(events);
  if (events.length === 0) return null;
  return (
    <>
      <p class="export-line">
        <Export name="entries" columns={entryColumns} rows={events} />
      </p>
      <EntryRows
        caption="Entries"
        lines={events.map((entry, index) => ({ entry, checks: checked[index] }))}
        exported="entries"
        verified
      />
    </>
  );
}
