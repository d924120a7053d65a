/** The law of one kind: its chart, the same as tables, and resources of it that changed lately. */
import { path } from '../../api/read.ts';
import type { Chart } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { Panel } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Code } from '../../parts/text.tsx';
import { Drawing } from './drawing.tsx';
import { LatelyChanged } from './lately-changed.tsx';
import { LawTable } from './law-table.tsx';

export function KindLaw({ kind }: { kind: string }) {
  const chart = useRead<Chart>(path`/api/v1/machines/${kind}`);
  return (
    <>
      <LatelyChanged kind={kind} />
      <Shown reading={chart}>
        {(law) => (
          <>
            <Panel title={law.title} aside={<Law chart={law} />}>
              {law.layout ? <Drawing chart={law} layout={law.layout} /> : <p class="faint">This law has no drawing.</p>}
            </Panel>
            <Panel title="The same as a table" aside={<Exports kind={kind} />}>
              <LawTable chart={law} />
            </Panel>
          </>
        )}
      </Shown>
    </>
  );
}

const Law = ({ chart }: { chart: Chart }) => (
  <span class="faint">
    law <Code text={chart.version} what="version of the law" head={14} tail={4} /> · revision {chart.revision}
  </span>
);

/** For other programs; links of this node. */
const Exports = ({ kind }: { kind: string }) => (
  <span class="exports">
    {(['xstate', 'mermaid', 'svg', 'csv', 'markdown'] as const).map((format) => (
      <a key={format} href={`/api/v1/machines/${encodeURIComponent(kind)}?format=${format}`}>
        {format}
      </a>
    ))}
  </span>
);
