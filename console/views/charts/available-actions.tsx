/** The actions that are available now, by role. Those not available are folded, each with its reason. */
import { path } from '../../api/read.ts';
import type { JsonObject, PermittedActions, Verdict } from '../../api/types.ts';
import { useReadOf } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { Export, type ExportColumn } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Time } from '../../parts/text.tsx';
import { TryActions } from '../../write/try-actions.tsx';

/** Polls, because actions also become available or unavailable with time alone. */
const everyMs = 15_000;

interface AvailableActionsProps {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly view: JsonObject | undefined;
}

export function AvailableActions({ kind, id, version, view }: AvailableActionsProps) {
  const reading = useReadOf<PermittedActions>(path`/api/v1/machines/${kind}/${id}/permitted`, version, everyMs);
  const takenAs = `actions of ${id}`;
  return (
    <>
      <Panel
        title="Available actions"
        aside={
          reading.data && (
            <span class="buttons">
              <span class="faint">
                in {reading.data.state}, at <Time at={reading.data.time} short />
              </span>
              <Export name={takenAs} columns={exported} rows={verdictsOf(reading.data.actions)} />
            </span>
          )
        }
      >
        <Shown reading={reading}>{(data) => <Verdicts permitted={data} takenAs={takenAs} />}</Shown>
      </Panel>
      {view && reading.data && <TryActions kind={kind} view={view} actions={reading.data.actions} />}
    </>
  );
}

type Action = PermittedActions['actions'][number];

interface VerdictRow {
  readonly action: string;
  readonly verdict: Verdict;
}

const verdictsOf = (actions: readonly Action[]): readonly VerdictRow[] =>
  actions.flatMap(({ action, roles }) => roles.map((verdict) => ({ action, verdict })));

const exported: readonly ExportColumn<VerdictRow>[] = [
  { name: 'action', of: ({ action }) => action },
  { name: 'role', of: ({ verdict }) => verdict.role },
  { name: 'available', of: ({ verdict }) => verdict.permitted },
  { name: 'code', of: ({ verdict }) => verdict.code ?? verdict.open?.join(' ') },
  { name: 'reason', of: ({ verdict }) => verdict.reason },
];

function Verdicts({ permitted: { actions }, takenAs }: { permitted: PermittedActions; takenAs: string }) {
  const available = actions.filter(({ roles }) =>
    roles.some(({ permitted, role }) => permitted && role !== 'workflow'),
  );
  const refused = byRole(actions);
  const total = refused.reduce((sum, [, rows]) => sum + rows.length, 0);
  return (
    <>
      {available.length === 0 ? (
        <p>No action is available now.</p>
      ) : (
        <div class="available">
          <Table
            caption="Actions that are available"
            columns={['Action', 'What it does', 'Who', 'Refusals that depend on the input']}
            exported={takenAs}
          >
            {available.map((each) => (
              <AvailableRow key={each.action} action={each} />
            ))}
          </Table>
        </div>
      )}
      {total > 0 && (
        <details class="refused">
          <summary>Not available: {count(total)}, by role</summary>
          <Table
            caption="Actions that are not available, by role"
            columns={['Role', 'Action', 'Reason']}
            exported={takenAs}
          >
            {refused.flatMap(([role, rows]) =>
              rows.map(({ action, verdict }, at) => (
                <tr key={`${role} ${action}`}>
                  <th scope="row">{at === 0 ? role : <span class="unseen">{role}</span>}</th>
                  <td>{action}</td>
                  <td>
                    {verdict.code && <code>{verdict.code}</code>} <span class="faint">{verdict.reason}</span>
                  </td>
                </tr>
              )),
            )}
          </Table>
        </details>
      )}
    </>
  );
}

function AvailableRow({ action: { action, summary, roles } }: { action: Action }) {
  const permitted = roles.filter((each) => each.permitted && each.role !== 'workflow');
  const open = [...new Set(permitted.flatMap((each) => each.open ?? []))];
  return (
    <tr>
      <th scope="row">{action}</th>
      <td>{summary}</td>
      <td>{permitted.map(({ role }) => role).join(', ')}</td>
      <td>{open.length === 0 ? <span class="faint">nothing</span> : <code>{open.join(', ')}</code>}</td>
    </tr>
  );
}

function byRole(actions: readonly Action[]): readonly (readonly [role: string, rows: readonly VerdictRow[]])[] {
  const found = new Map<string, VerdictRow[]>();
  for (const { action, roles } of actions) {
    for (const verdict of roles) {
      if (!verdict.permitted) found.set(verdict.role, [...(found.get(verdict.role) ?? []), { action, verdict }]);
    }
  }
  return [...found];
}
