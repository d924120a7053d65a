/** The journal, newest first, each entry verified here. */
import { withQuery } from '../../api/read.ts';
import type { Entry, Replies } from '../../api/types.ts';
import { listEveryMs, useRead } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { withDid } from '../../names/find-did.ts';
import { entryColumns } from '../../parts/entry-columns.ts';
import { EntryRows } from '../../parts/entry-rows.tsx';
import { Export } from '../../parts/export.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Find } from '../../parts/find.tsx';
import { Panel } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { journalLink } from '../../proof/links.ts';
import { useChecked } from '../../proof/use-checked.ts';
import { href } from '../../shell/route.ts';
import { FilteredJournal, isFiltered, journalFields } from './filtered-journal.tsx';

const limit = 25;
const head = '/api/v1/events?limit=1&order=newest';

/**
 * `last` in the address is the number of the newest entry on the page; without it, the page begins with the journal's newest.
 */
export function Journal({ query }: { query: URLSearchParams }) {
  const asked = Number(query.get('last')) || undefined;
  const newest = useRead<Replies['listEvents']>(head, listEveryMs);
  const last = asked ?? newest.data?.head;
  return (
    <Panel title="Journal">
      <div class="stack">
        <Find
          label="Open an entry by its number, or by the hash of its event"
          placeholder="1234 or 64 hexadecimal digits"
          to={(text) => href('ledger', ['entry', text])}
        />
        <FilterForm
          label="Filter the journal"
          fields={journalFields}
          query={query}
          to={(filters) => href('ledger', ['journal'], filters)}
          resolve={withDid('issuer')}
        />
        {isFiltered(query) ? (
          <FilteredJournal query={query} />
        ) : (
          <Shown reading={newest}>{(data) => <Page last={Math.min(last ?? 0, data.head)} head={data.head} />}</Shown>
        )}
      </div>
    </Panel>
  );
}

function Page({ last, head: end }: { last: number; head: number }) {
  // Reads one entry more than it shows, so that the oldest one's link can be checked.
  const before = Math.max(0, last - limit - 1);
  const page = useRead<Replies['listEvents']>(
    last === 0 ? undefined : withQuery('/api/v1/events', { after: before, limit: last - before }),
  );
  const from = Math.max(1, last - limit + 1);
  const at = (number: number) => href('ledger', ['journal'], { last: number });
  return (
    <div>
      <Shown reading={page}>{({ events }) => <Entries events={events} from={from} />}</Shown>
      <nav class="pager" aria-label="Pages of the journal">
        <p class="number faint" role="status">
          {last === 0 ? 'No entries yet' : `${count(from)} to ${count(last)} of ${count(end)} entries`}
        </p>
        <p class="buttons">
          {last < end && <a href={at(Math.min(end, last + limit))}>Newer</a>}
          {from > 1 && <a href={at(from - 1)}>Older</a>}
        </p>
      </nav>
    </div>
  );
}

/** @param from number of the oldest entry shown; the one before it is read for the link */
function Entries({ events, from }: { events: readonly Entry[]; from: number }) {
  const checked = useChecked(events);
  const lines = events
    .map((entry, index) => ({
      entry,
      link: journalLink(entry, entry.seq === 1 ? null : events[index - 1]),
      checks: checked[index],
    }))
    .filter(({ entry }) => entry.seq >= from)
    .reverse();
  return (
    <>
      <p class="export-line">
        <Export name="entries" columns={entryColumns} rows={lines.map(({ entry }) => entry)} />
      </p>
      <EntryRows caption="Entries" lines={lines} exported="entries" verified />
    </>
  );
}
