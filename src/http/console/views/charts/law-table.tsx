/** A law without its drawing: for screen readers, and for whoever wants every guard with its code. */
import type { Chart } from '../../api/types.ts';
import { Table } from '../../parts/layout.tsx';
import { Guards } from './transition.tsx';

export const LawTable = ({ chart }: { chart: Chart }) => (
  <Table
    caption={`Transitions of law ${chart.version}`}
    columns={['Event', 'From', 'To', 'Who', 'Guards and what they refuse with', 'Effects']}
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
