/** The journal, newest first, each entry checked here. */
import { withQuery } from '../../api/read.ts';
import type { Entry, Replies } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { Verdict } from '../../parts/checks.tsx';
import { Find } from '../../parts/find.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Code, Did, Time } from '../../parts/text.tsx';
import type { Check } from '../../proof/check-entry.ts';
import { allHold, journalLink } from '../../proof/links.ts';
import { useChecked } from '../../proof/use-checked.ts';
import { href } from '../../shell/route.ts';

const limit = 25;
const head = '/api/v1/events?limit=1&after=9007199254740991';

/** `last` of the address is the number of the newest entry on the page; without it, the journal's newest. */
export function Journal({ query }: { query: URLSearchParams }) {
  const asked = Number(query.get('last')) || undefined;
  const newest = useRead<Replies['listEvents']>(head);
  const last = asked ?? newest.data?.head;
  return (
    <Panel title="Journal">
      <div class="stack">
        <Find
          label="Open an entry by its number, or by the hash of its event"
          placeholder="1234 or 64 hexadecimal digits"
          to={(text) => href('ledger', ['entry', text])}
        />
        <Shown reading={newest}>{(data) => <Page last={Math.min(last ?? 0, data.head)} head={data.head} />}</Shown>
      </div>
    </Panel>
  );
}

function Page({ last, head: end }: { last: number; head: number }) {
  // One more than is shown: the first that is shown has one before it, too.
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

/** @param from the first that is shown; one before it is there to be linked to */
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
    <Table caption="Entries" columns={['#Entry', 'Time', 'Event', 'Signer', '#Amount', 'Hash', 'Verified']}>
      {lines.map((line) => (
        <Row key={line.entry.seq} {...line} />
      ))}
    </Table>
  );
}

interface Line {
  readonly entry: Entry;
  readonly link: Check;
  /** Undefined while they are under way. */
  readonly checks: readonly Check[] | undefined;
}

function Row({ entry, link, checks }: Line) {
  const sound = checks && allHold([...checks, link]);
  const moved = entry.postings.reduce((sum, [, delta]) => sum + Math.max(0, delta), 0);
  return (
    <tr class={sound === false ? 'unsound' : undefined}>
      <td class="number">
        <a href={href('ledger', ['entry', String(entry.seq)])}>{count(entry.seq)}</a>
      </td>
      <td>
        <Time at={entry.time} />
      </td>
      <td class="mono">{entry.event.type}</td>
      <td>
        <Did did={entry.event.issuer} />
      </td>
      <td class="number">{moved === 0 ? '' : count(moved)}</td>
      <td>
        <Code text={entry.event.hash} what="hash of the event" />
      </td>
      <td>
        <Verdict holds={sound} what={`Entry ${entry.seq}`} />
      </td>
    </tr>
  );
}
