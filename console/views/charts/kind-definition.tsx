/** The definition of a kind: its chart, the same as tables, and recent resources of it. */
import { path } from '../../api/read.ts';
import type { MachineChart } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { Panel } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Code } from '../../parts/text.tsx';
import { Drawing } from './drawing.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { hasResourceList, ResourceList } from './resource-list.tsx';
import { TransitionTable } from './transition-table.tsx';

export function KindDefinition({ kind, substate }: { kind: string; substate: string | null }) {
  const chart = useRead<MachineChart>(path`/api/v1/machines/${kind}`);
  return (
    <Shown reading={chart}>
      {(law) => (
        <>
          <Panel title={law.title} aside={<Law chart={law} />}>
            {law.layout ? <Drawing chart={law} /> : <p class="faint">This definition has no drawing.</p>}
          </Panel>
          {hasResourceList(kind) ? (
            <ResourceList kind={kind} states={law.states} substate={substate} />
          ) : (
            <RecentActivity kind={kind} />
          )}
          <Panel title="Transitions as a table" aside={<Exports kind={kind} />}>
            <TransitionTable chart={law} />
          </Panel>
        </>
      )}
    </Shown>
  );
}

const Law = ({ chart }: { chart: MachineChart }) => (
  <span class="faint">
    definition <Code text={chart.version} what="definition version" head={14} tail={4} /> · revision {chart.revision}
  </span>
);

/** Links to the definition in formats for other programs. */
const Exports = ({ kind }: { kind: string }) => (
  <span class="exports">
    {(['xstate', 'mermaid', 'svg', 'csv', 'markdown'] as const).map((format) => (
      <a key={format} href={`/api/v1/machines/${encodeURIComponent(kind)}?format=${format}`}>
        {format}
      </a>
    ))}
  </span>
);
