/** A definition without its drawing, for screen readers: every guard with its code. */
import type { MachineChart } from '../../api/types.ts';
import { Table } from '../../parts/layout.tsx';
import { Changes, Guards, Moves } from './transition.tsx';

export const TransitionTable = ({ chart }: { chart: MachineChart }) => (
  <Table
    caption={`Transitions of definition ${chart.version}`}
    columns={['Event', 'From', 'To', 'Roles', 'Guards and their errors', 'Effects', 'Moves', 'Changes']}
  >
    {chart.transitions.map(({ id, event, from, to, roles, guards, effects, moves, changes }) => (
      <tr key={id}>
        <th scope="row" class="mono">
          {event}
        </th>
        <td>{from ?? <span class="faint">new</span>}</td>
        <td>{to}</td>
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
