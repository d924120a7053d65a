/** Entries of the journal as rows: what each did, to which resource, and whether its checks passed. */
import type { Entry } from '../../api/types.ts';
import { count, shareASecond } from '../../format/format.ts';
import { About } from '../../parts/about.tsx';
import { Verdict } from '../../parts/checks.tsx';
import { movedIn } from '../../parts/entry-columns.ts';
import { Table } from '../../parts/layout.tsx';
import { Code, Did, Time } from '../../parts/text.tsx';
import type { Check } from '../../proof/check-entry.ts';
import { allHold } from '../../proof/links.ts';
import { href } from '../../shell/route.ts';

export interface JournalLine {
  readonly entry: Entry;
  /** Undefined if the previous entry is not available. */
  readonly link: Check | undefined;
  /** Undefined while the checks run. */
  readonly checks: readonly Check[] | undefined;
}

const columns = ['#Entry', 'Time', 'Event', 'Signer', 'About', '#Amount', 'Hash', 'Verified'];

export function EntryTable({ lines }: { lines: readonly JournalLine[] }) {
  const exact = shareASecond(lines.map(({ entry }) => entry.time));
  return (
    <div class="entry-rows">
      <Table caption="Entries" columns={columns} exported="entries">
        {lines.map((line) => (
          <Row key={line.entry.seq} {...line} exact={exact} />
        ))}
      </Table>
    </div>
  );
}

function Row({ entry, link, checks, exact }: JournalLine & { readonly exact: boolean }) {
  const sound = checks && allHold(link ? [...checks, link] : checks);
  const moved = movedIn(entry);
  return (
    <tr class={sound === false ? 'unsound' : undefined}>
      <td class="number at-entry">
        <a href={href('ledger', ['entry', String(entry.seq)])}>{count(entry.seq)}</a>
      </td>
      <td class="at-time">
        <Time at={entry.time} exact={exact} />
      </td>
      <td class="mono at-event">{entry.event.type}</td>
      <td class="at-signer">
        <Did did={entry.event.issuer} />
      </td>
      <td class="at-about">
        <About entry={entry} />
      </td>
      <td class="number at-amount">{moved === 0 ? '' : count(moved)}</td>
      <td class="at-hash">
        <Code text={entry.event.hash} what="hash of the event" />
      </td>
      <td class="at-verdict">
        <Verdict holds={sound} what={`Entry ${entry.seq}`} />
      </td>
    </tr>
  );
}
