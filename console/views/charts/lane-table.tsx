/** A lane for each milestone: its title, its state after the selected step, and the steps that led there. */
import type { MachineChart } from '../../api/types.ts';
import { capital, count, tokens } from '../../format/format.ts';
import type { ExportColumn } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { State } from '../../parts/text.tsx';
import { type Lane, stateAfter } from './lanes.ts';

interface LaneTableProps {
  /** Of the resource. */
  readonly id: string;
  readonly lanes: readonly Lane[];
  /** The selected step. */
  readonly step: number;
  readonly chart: MachineChart | undefined;
  onStep(step: number): void;
}

const exportedAt = (step: number): readonly ExportColumn<Lane>[] => [
  { name: 'id', of: ({ id }) => id },
  { name: 'title', of: ({ title }) => title },
  { name: 'amount', of: ({ amount }) => amount },
  { name: 'state', of: (lane) => stateAfter(lane, step) },
  { name: 'steps', of: ({ moves }) => moves.map(({ step: at, to }) => `${at} ${to}`).join('; ') },
];

export function LaneTable({ id, lanes, step, chart, onStep }: LaneTableProps) {
  const [first] = lanes;
  if (!first) return null;
  const { machine } = first;
  const toneOf = (state: string) => chart?.states.find(({ path }) => path === `${machine}/${state}`)?.tone;
  return (
    <Panel title={`${capital(machine)}s after step ${count(step)}`}>
      <div class="lanes">
        <Table
          caption={`${capital(machine)}s`}
          columns={[capital(machine), '#Amount', 'State', 'Steps']}
          exported={{ name: `${machine}s of ${id}`, columns: exportedAt(step), rows: lanes }}
        >
          {lanes.map((lane) => (
            <tr key={lane.id}>
              <td>
                {lane.title === undefined ? null : <bdi>{lane.title} </bdi>}
                <span class="mono faint">{lane.id}</span>
              </td>
              <td class="number">{lane.amount === undefined ? '' : tokens(lane.amount)}</td>
              <td class="states">
                <State path={stateAfter(lane, step)} tone={toneOf(stateAfter(lane, step))} />
              </td>
              <td>
                <ol class="lane">
                  <li>{lane.first}</li>
                  {lane.moves.map((move) => (
                    <li key={move.step} class={move.step > step ? 'faint' : ''}>
                      <button
                        type="button"
                        class="quiet"
                        aria-current={move.step === step ? 'step' : undefined}
                        onClick={() => onStep(move.step)}
                      >
                        {move.to} <span class="number">{move.step}</span>
                      </button>
                    </li>
                  ))}
                </ol>
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </Panel>
  );
}
