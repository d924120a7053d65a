/** What is permitted now, to whom, and why all else would be refused. */
import { path } from '../../api/read.ts';
import type { PermittedActions, Verdict } from '../../api/types.ts';
import { useReadOf } from '../../api/use-read.ts';
import { Panel, Table } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Badge, Time } from '../../parts/text.tsx';

/** Time alone permits and forbids, too. */
const everyMs = 15_000;

export function AvailableActions({ kind, id, version }: { kind: string; id: string; version: number }) {
  const reading = useReadOf<PermittedActions>(path`/api/v1/machines/${kind}/${id}/permitted`, version, everyMs);
  return (
    <Panel
      title="Available actions"
      aside={
        reading.data && (
          <span class="faint">
            in {reading.data.state}, at <Time at={reading.data.time} short />
          </span>
        )
      }
    >
      <Shown reading={reading}>{(data) => <Verdicts permitted={data} />}</Shown>
    </Panel>
  );
}

function Verdicts({ permitted }: { permitted: PermittedActions }) {
  const rows = permitted.actions.flatMap(({ action, summary, internal, roles }) =>
    roles.map((verdict) => ({ action, summary, internal, verdict })),
  );
  const sorted = [
    ...rows.filter(({ verdict }) => verdict.permitted),
    ...rows.filter(({ verdict }) => !verdict.permitted),
  ];
  return (
    <Table
      caption="Actions by role"
      columns={['Action', 'Role', 'Status', 'Reason, or errors that are still possible']}
    >
      {sorted.map(({ action, summary, verdict }) => (
        <tr key={`${action} ${verdict.role}`}>
          <th scope="row" title={summary}>
            {action}
          </th>
          <td>{verdict.role}</td>
          <td>{verdict.permitted ? <Badge tone="good">Available</Badge> : <Badge>Not available</Badge>}</td>
          <td>
            <Why verdict={verdict} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Why({ verdict }: { verdict: Verdict }) {
  const { permitted, open = [], code, reason } = verdict;
  if (permitted) {
    return open.length === 0 ? null : (
      <span class="faint">
        the input may meet <code>{open.join(', ')}</code>
      </span>
    );
  }
  return (
    <>
      {code && <code>{code}</code>} <span class="faint">{reason}</span>
    </>
  );
}
