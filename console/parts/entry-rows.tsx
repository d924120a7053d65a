/** Entries of the journal as rows: what each did, to which resource, and, in the journal, whether its checks passed. */
import type { Entry } from '../api/types.ts';
import { count, shareASecond, tokens } from '../format/format.ts';
import type { Check } from '../proof/check-entry.ts';
import { allHold } from '../proof/links.ts';
import { href } from '../shell/route.ts';
import { About } from './about.tsx';
import { Verdict } from './checks.tsx';
import { movedIn } from './entry-columns.ts';
import { Table } from './layout.tsx';
import { Code, Did, Time } from './text.tsx';

export interface EntryLine {
  readonly entry: Entry;
  /** Absent if the previous entry is not available. */
  readonly link?: Check | undefined;
  /** Undefined while the checks run. */
  readonly checks?: readonly Check[] | undefined;
}

interface EntryRowsProps {
  readonly caption: string;
  readonly lines: readonly EntryLine[];
  /** Name of the `Export` of these entries. */
  readonly exported: string;
  /** Times without the date: for entries of the last minutes. */
  readonly short?: boolean;
  /** Whether the checks are shown. */
  readonly verified?: boolean;
}

const columns = ['#Entry', 'Time', 'Event', 'Signer', 'About', '#Amount', 'Hash'];

export function EntryRows({ caption, lines, exported, short = false, verified = false }: EntryRowsProps) {
  const exact = shareASecond(lines.map(({ entry }) => entry.time));
  return (
    <div class="entry-rows">
      <Table caption={caption} columns={verified ? [...columns, 'Verified'] : columns} exported={exported}>
        {lines.map((line) => (
          <Row key={line.entry.seq} {...{ line, short, exact, verified }} />
        ))}
      </Table>
    </div>
  );
}

interface RowProps {
  readonly line: EntryLine;
  readonly short: boolean;
  readonly exact: boolean;
  readonly verified: boolean;
}

function Row({ line: { entry, link, checks }, short, exact, verified }: RowProps) {
  const { event } = entry;
  const sound = checks && allHold(link ? [...checks, link] : checks);
  const moved = movedIn(entry);
  return (
    <tr class={sound === false ? 'unsound' : undefined}>
      <td class="number at-entry">
        <a href={href('ledger', ['entry', String(entry.seq)])}>{count(entry.seq)}</a>
      </td>
      <td class="at-time">
        <Time at={entry.time} short={short} exact={exact} />
      </td>
      <td class="mono at-event">{event.type}</td>
      <td class="at-signer" data-says="by">
        <Did did={event.issuer} />
      </td>
      <td class="at-about">
        <About entry={entry} />
      </td>
      <td class="number at-amount">{moved === 0 ? '' : tokens(moved)}</td>
      <td class="at-hash">
        <Code text={event.hash} what="hash of the event" />
      </td>
      {verified && (
        <td class="at-verdict">
          <Verdict holds={sound} what={`Entry ${entry.seq}`} />
        </td>
      )}
    </tr>
  );
}
