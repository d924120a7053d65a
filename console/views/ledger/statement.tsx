/** An account's statement: the signed change of each entry, and the balance after it. */
import { useState } from 'preact/hooks';
import {
  atOnce,
  mostEntries,
  type Statement,
  type StatementLine,
  totalOf,
  useStatement,
} from '../../api/use-statement.ts';
import { count, endOfDate, shareASecond, signed, startOfDate, tokens, words } from '../../format/format.ts';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Facts, Panel, Table } from '../../parts/layout.tsx';
import { Failure, Loading } from '../../parts/reading.tsx';
import { Badge, Did, ResourceLink, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';

const fields = [
  { name: 'since', label: 'From', type: 'date' },
  { name: 'until', label: 'To', type: 'date' },
] as const;

interface StatementProps {
  readonly did: string;
  readonly query: URLSearchParams;
}

export function StatementPanel({ did, query }: StatementProps) {
  const since = startOfDate(query.get('since') ?? '');
  const end = endOfDate(query.get('until') ?? '');
  const [pages, setPages] = useState(1);
  const most = since === undefined ? pages * atOnce : mostEntries;
  const { statement, problem, reload } = useStatement(did, {
    since,
    until: end === undefined ? undefined : end - 1,
    most,
  });
  return (
    <Panel
      title="Statement"
      aside={statement && <Export name={fileOf(did)} columns={columnsOf(did)} rows={statement.lines} />}
    >
      <div class="stack">
        <FilterForm
          label="Period"
          fields={fields}
          query={query}
          to={(period) => href('ledger', ['account', did], period)}
        />
        {problem && <Failure problem={problem} onRetry={reload} />}
        {statement ? (
          <Lines did={did} statement={statement} />
        ) : problem ? null : (
          <Loading what="Reading the entries" />
        )}
        {statement?.isCut && since === undefined && most < mostEntries && (
          <p class="buttons">
            <button type="button" onClick={() => setPages(pages + 1)}>
              Older entries
            </button>
          </p>
        )}
        {statement?.isCut && (since !== undefined || most >= mostEntries) && (
          <p class="warn">
            {`Only the newest ${count(mostEntries)} entries of this account are shown; the opening balance is the one before them.`}
          </p>
        )}
      </div>
    </Panel>
  );
}

const fileOf = (did: string): string => `statement-${did.slice(-8)}`;

const columns = ['#Entry', 'Time', 'Event', 'With', '#Available', '#Reserved', '#Escrowed', '#Change', '#Balance'];

function Lines({ did, statement: { lines, opening, closing } }: { did: string; statement: Statement }) {
  const exact = shareASecond(lines.map(({ entry }) => entry.time));
  return (
    <>
      <Facts
        facts={[
          ['Opening balance', tokens(totalOf(opening))],
          ['Change', signed(totalOf(closing) - totalOf(opening))],
          ['Closing balance', <strong key="closing">{tokens(totalOf(closing))}</strong>],
        ]}
      />
      {lines.length === 0 ? (
        <p class="faint">No entry moved Tokens of this account in the period.</p>
      ) : (
        <div class="statement-rows">
          <Table caption="Statement, newest first" columns={columns} exported={fileOf(did)}>
            {lines.map((line) => (
              <Row key={line.entry.seq} line={line} did={did} exact={exact} />
            ))}
          </Table>
        </div>
      )}
    </>
  );
}

const Change = ({ by, at }: { by: number; at: string }) => (
  <td class={`number at-${at} ${by === 0 ? 'faint' : ''}`}>{signed(by)}</td>
);

interface StatementRowProps {
  readonly line: StatementLine;
  readonly did: string;
  readonly exact: boolean;
}

function Row({ line: { entry, change, after }, did, exact }: StatementRowProps) {
  return (
    <tr>
      <td class="number at-entry">
        <a href={href('ledger', ['entry', String(entry.seq)])}>{count(entry.seq)}</a>
      </td>
      <td class="at-time">
        <Time at={entry.time} exact={exact} />
      </td>
      <td class="at-event">
        {isIncoming(entry, did) ? 'transfer received' : words(entry.event.type)}{' '}
        {entry.receipt?.status === 'pending' && <Badge tone="warn">pending</Badge>}
      </td>
      <td class="at-with">
        <Others entry={entry} did={did} />
      </td>
      <Change at="available" by={change.available} />
      <Change at="reserved" by={change.reserved} />
      <Change at="escrowed" by={change.escrowed} />
      <Change at="change" by={totalOf(change)} />
      <td class="number at-balance">{count(totalOf(after))}</td>
    </tr>
  );
}

type Entry = StatementLine['entry'];

const isIncoming = ({ event }: Entry, did: string): boolean => event.type === 'transfer.sent' && event.issuer !== did;

const shownOthers = 3;
const endNames = ['from', 'to', 'escrow'];

/** The other DIDs and the escrows in an entry's moves of this account. */
function othersOf(entry: Entry, did: string): readonly string[] {
  const own = entry.moves.filter((move) => Object.values(move).includes(did));
  const ends = own.flatMap((move) =>
    Object.entries(move).flatMap(([name, end]) =>
      endNames.includes(name) && typeof end === 'string' && end !== did ? [end] : [],
    ),
  );
  return [...new Set(ends)];
}

function Others({ entry, did }: { entry: Entry; did: string }) {
  const others = othersOf(entry, did);
  return (
    <ul class="parties">
      {others.slice(0, shownOthers).map((end) => (
        <li key={end}>
          {end.startsWith('did:') ? (
            <Did did={end} />
          ) : end.startsWith('0x') ? (
            <code>{end}</code>
          ) : (
            <ResourceLink kind="escrow" id={end} />
          )}
        </li>
      ))}
      {others.length > shownOthers && <li class="faint">{`and ${others.length - shownOthers} more`}</li>}
    </ul>
  );
}

const columnsOf = (did: string): readonly ExportColumn<StatementLine>[] => [
  { name: 'entry', of: ({ entry }) => entry.seq },
  { name: 'time', of: ({ entry }) => isoTime(entry.time) },
  { name: 'event', of: ({ entry }) => entry.event.type },
  { name: 'with', of: ({ entry }) => othersOf(entry, did).join('; ') },
  { name: 'available', of: ({ change }) => change.available },
  { name: 'reserved', of: ({ change }) => change.reserved },
  { name: 'escrowed', of: ({ change }) => change.escrowed },
  { name: 'change', of: ({ change }) => totalOf(change) },
  { name: 'balance', of: ({ after }) => totalOf(after) },
  { name: 'eventHash', of: ({ entry }) => entry.event.hash },
];
