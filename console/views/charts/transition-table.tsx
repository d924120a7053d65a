/** A law without its drawing: for screen readers, and for whoever wants every guard with its code. */
import type { MachineChart } from '../../api/types.ts';
import { Table } from '../../parts/layout.tsx';
import { Guards } from './transition.tsx';

export const TransitionTable = ({ chart }: { chart: MachineChart }) => (
  <Table
    caption={`Transitions of law ${chart.version}`}
    columns={['Event', 'From', 'To', 'Roles', 'Guards and their errors', 'Effects']}
  >
    {chart.transitions.map(({ id, event, from, to, roles, guards, effects }) => (
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
      </tr>
    ))}
  </Table>
);
