/** The newest entries of the journal, updated live. */
import { useRef } from 'preact/hooks';
import type { Entry } from '../../api/types.ts';
import { useEntries } from '../../api/use-entries.ts';
import { count, shareASecond, tokens } from '../../format/format.ts';
import { About } from '../../parts/about.tsx';
import { entryColumns, movedIn } from '../../parts/entry-columns.ts';
import { Export } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Live } from '../../parts/live.tsx';
import { Failure } from '../../parts/reading.tsx';
import { Code, Did, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';

const shown = 20;

export function LatestEvents({ height }: { height: number | undefined }) {
  // The stream's start is fixed once: later entries arrive through it.
  const after = useRef<number | undefined>(undefined);
  after.current ??= height === undefined ? undefined : Math.max(0, height - shown);
  const { entries, standing, problem } = useEntries({ after: after.current, keep: shown });
  const exact = shareASecond(entries.map(({ time }) => time));
  return (
    <Panel
      title="Latest events"
      aside={
        <span class="buttons">
          <Export name="latest entries" columns={entryColumns} rows={entries} />
          <Live standing={standing} />
        </span>
      }
    >
      {problem && <Failure problem={problem} />}
      <div class="entry-rows">
        <Table
          caption="Entries, newest first"
          columns={['#Entry', 'Time', 'Event', 'Signer', 'About', '#Amount', 'Hash']}
          exported="latest entries"
        >
          {entries.map((entry) => (
            <Row key={entry.seq} entry={entry} exact={exact} />
          ))}
        </Table>
      </div>
    </Panel>
  );
}

function Row({ entry, exact }: { entry: Entry; exact: boolean }) {
  const { event } = entry;
  const moved = movedIn(entry);
  return (
    <tr>
      <td class="number at-entry">
        <a href={href('ledger', ['entry', String(entry.seq)])}>{count(entry.seq)}</a>
      </td>
      <td class="at-time">
        <Time at={entry.time} short exact={exact} />
      </td>
      <td class="mono at-event">{event.type}</td>
      <td class="at-signer">
        <Did did={event.issuer} />
      </td>
      <td class="at-about">
        <About entry={entry} />
      </td>
      <td class="number at-amount">{moved === 0 ? '' : tokens(moved)}</td>
      <td class="at-hash">
        <Code text={event.hash} what="hash of the event" />
      </td>
    </tr>
  );
}
