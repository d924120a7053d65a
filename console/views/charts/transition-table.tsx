/** A definition as a table, for screen readers: every transition, and every guard with its code. */
import type { ChartTransition, MachineChart } from '../../api/types.ts';
import type { ExportColumn } from '../../parts/export.tsx';
import { Table } from '../../parts/layout.tsx';
import { Changes, Guards, Moves } from './transition.tsx';

const exported: readonly ExportColumn<ChartTransition>[] = [
  { name: 'event', of: ({ event }) => event },
  { name: 'from', of: ({ from }) => from },
  { name: 'to', of: ({ to }) => to },
  { name: 'roles', of: ({ roles }) => roles.join(', ') },
  { name: 'guards', of: ({ guards }) => guards.map(({ name, refusal }) => `${name} ${refusal}`).join(', ') },
  { name: 'effects', of: ({ effects }) => effects.join(', ') },
  { name: 'moves', of: ({ moves }) => moves.map(({ amount, from, to }) => `${amount}: ${from} → ${to}`).join('; ') },
  { name: 'changes', of: ({ changes }) => changes.map(({ member, to }) => `${member}: ${to}`).join('; ') },
];

export const TransitionTable = ({ chart }: { chart: MachineChart }) => (
  <Table
    caption={`Transitions of definition ${chart.version}`}
    columns={['Event', 'From', 'To', 'Roles', 'Guards and their errors', 'Effects', 'Moves', 'Changes']}
    exported={{ name: `transitions of ${chart.version}`, columns: exported, rows: chart.transitions }}
  >
    {chart.transitions.map(({ id, event, from, to, roles, guards, effects, moves, changes }) => (
      <tr key={id}>
        <th scope="row" class="mono">
          {event}
        </th>
        <td>{from === null ? <span class="faint">new</span> : <StateName name={from} />}</td>
        <td>
          <StateName name={to} />
        </td>
        <td>{roles.join(', ')}</td>
        <td>
          <Guards guards={guards} />
        </td>
        <td class="faint">{effects.join(', ')}</td>
        <td>
          <Moves moves={moves} />
        </td>
        <td>{from === null ? <span class="faint">all</span> : <Changes changes={changes} />}</td>
      </tr>
    ))}
  </Table>
);

/** A long name of a state breaks before its last part. */
const StateName = ({ name }: { name: string }) => {
  const at = Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1;
  return (
    <>
      {name.slice(0, at)}
      <wbr />
      {name.slice(at)}
    </>
  );
};
