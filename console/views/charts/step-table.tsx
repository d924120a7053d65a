/** All steps as a table: what the chart shows with numbers and light. */
import type { MachineStep } from '../../api/types.ts';
import { Panel, Table } from '../../parts/layout.tsx';
import { Code, Did, Time } from '../../parts/text.tsx';

interface StepTableProps {
  readonly steps: readonly MachineStep[];
  readonly at: MachineStep;
  onStep(step: number): void;
}

export const StepTable = ({ steps, at, onStep }: StepTableProps) => (
  <Panel title="All steps">
    <Table
      caption="Steps, oldest first"
      columns={['#Step', 'Action', 'From', 'To', 'Role', 'Signer', 'Time', 'Event hash']}
    >
      {steps.map((step) => (
        <tr
          key={step.step}
          class={step.step === at.step ? 'chosen' : ''}
          aria-current={step.step === at.step ? 'step' : undefined}
        >
          <td class="number">
            <button type="button" class="quiet" onClick={() => onStep(step.step)} aria-label={`Open step ${step.step}`}>
              {step.step}
            </button>
          </td>
          <td>
            {step.action ?? <code>{step.eventType}</code>}
            {step.nested && <span class="faint"> {step.nested.id}</span>}
          </td>
          <td>{step.from ?? <span class="faint">new</span>}</td>
          <td>{step.to}</td>
          <td>{step.role}</td>
          <td>
            <Did did={step.signer} />
          </td>
          <td>
            <Time at={step.at} />
          </td>
          <td>
            <Code text={step.eventHash} what={`hash of step ${step.step}`} />
          </td>
        </tr>
      ))}
    </Table>
  </Panel>
);
