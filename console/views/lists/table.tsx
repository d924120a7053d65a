/** One page of a list: state, parties, amount, times. Each row links to its resource. */
import { count, tokens, words } from '../../format/format.ts';
import { outcomeText, whereText } from '../../format/outcome.ts';
import { nameOf } from '../../names/names.ts';
import { type ExportColumn, isoTime } from '../../parts/export.tsx';
import { type ColumnOrder, Table } from '../../parts/layout.tsx';
import { Did, ResourceLink, State, Time } from '../../parts/text.tsx';
import { useTones } from '../../parts/use-tones.ts';
import type { ListRow } from './kinds.ts';

/** @param roles each has a column for the DID, and one for its name */
export const exportedOf = (roles: readonly string[]): readonly ExportColumn<ListRow>[] => [
  { name: 'id', of: ({ id }) => id },
  { name: 'kind', of: ({ kind }) => kind },
  { name: 'state', of: ({ state }) => state },
  ...roles.flatMap((role) => {
    const didOf = ({ parties }: ListRow) => parties.find((each) => each.role === role)?.did;
    const name = (row: ListRow) => nameOf(didOf(row) ?? '')?.text;
    return [
      { name: role, of: didOf },
      { name: `${role}Name`, of: name },
    ];
  }),
  { name: 'subject', of: ({ subject }) => subject?.id },
  { name: 'subjectTitle', of: ({ subjectTitle }) => (subjectTitle === null ? 'erased' : subjectTitle) },
  { name: 'amount', of: ({ amount }) => amount },
  { name: 'released', of: ({ amounts }) => cellOf(amounts.released) },
  { name: 'refunded', of: ({ amounts }) => cellOf(amounts.refunded) },
  { name: 'remaining', of: ({ remaining }) => remaining },
  { name: 'createdAt', of: ({ createdAt }) => isoTime(createdAt) },
  { name: 'updatedAt', of: ({ updatedAt }) => isoTime(updatedAt) },
];

const cellOf = (amount: unknown) => (typeof amount === 'number' ? amount : undefined);

interface ListTableProps {
  readonly lines: readonly ListRow[];
  readonly caption: string;
  /** File name for a download of the whole list. */
  readonly takenAs: string;
  readonly orders: { readonly [column: string]: ColumnOrder };
}

export function ListTable({ lines, caption, takenAs, orders }: ListTableProps) {
  const toneOf = useTones();
  const holds = lines.some(({ remaining }) => remaining !== undefined);
  const columns = ['Id', 'State', 'Parties and subject', '#Amount', ...(holds ? ['#Remaining'] : []), 'Times'];
  return (
    <div class="list-cards">
      <Table caption={caption} columns={columns} orders={orders} exported={takenAs}>
        {lines.map((line) => (
          <tr key={line.id}>
            <td>
              <ResourceLink kind={line.kind} id={line.id} />
            </td>
            <td class="states">
              <State path={line.state} tone={toneOf(line.kind, line.state)} amounts={line.amounts} />
            </td>
            <td>
              <ul class="parties">
                {line.parties.map(({ role, did }) => (
                  <li key={role}>
                    <span class="faint">{words(role)}</span>{' '}
                    <span>
                      <Did did={did} />
                    </span>
                  </li>
                ))}
                {line.subject && (
                  <li>
                    <span class="faint">{line.subject.kind.replace(/^.*-/, '')}</span>{' '}
                    <span>
                      <ResourceLink {...line.subject} text={line.subjectTitle} />
                    </span>
                  </li>
                )}
                {!line.subject && line.subjectTitle && (
                  <li>
                    <span class="faint">title</span> <bdi class="plain-text">{line.subjectTitle}</bdi>
                  </li>
                )}
              </ul>
            </td>
            <td class="number" data-says="amount">
              {line.amount === undefined ? '' : tokens(line.amount)}
              {outcomeText(line.amounts) && <div class="faint small">{outcomeText(line.amounts)}</div>}
            </td>
            {holds && <Remaining {...line} />}
            <td>
              <ul class="parties">
                {line.createdAt !== undefined && (
                  <li>
                    <span class="faint">created</span> <Time at={line.createdAt} />
                  </li>
                )}
                {line.updatedAt !== undefined && line.updatedAt !== line.createdAt && (
                  <li>
                    <span class="faint">updated</span> <Time at={line.updatedAt} />
                  </li>
                )}
              </ul>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** Of an escrow that is not funded yet, what is reserved for it. */
const Remaining = ({ remaining, amounts }: ListRow) =>
  amounts.reserved ? (
    <td class="number">{whereText(amounts)}</td>
  ) : (
    <td class="number" data-says="remaining">
      {remaining === undefined ? '' : count(remaining)}
    </td>
  );
