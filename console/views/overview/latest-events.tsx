/** The newest entries of the journal, updated live. */
import { useRef } from 'preact/hooks';
import { useEntries } from '../../api/use-entries.ts';
import { entryColumns } from '../../parts/entry-columns.ts';
import { EntryRows } from '../../parts/entry-rows.tsx';
import { Export } from '../../parts/export.tsx';
import { Panel } from '../../parts/layout.tsx';
import { Live } from '../../parts/live.tsx';
import { Failure } from '../../parts/reading.tsx';

const shown = 20;

export function LatestEvents({ height }: { height: number | undefined }) {
  // The stream's start is fixed once: later entries arrive through it.
  const after = useRef<number | undefined>(undefined);
  after.current ??= height === undefined ? undefined : Math.max(0, height - shown);
  const { entries, standing, problem } = useEntries({ after: after.current, keep: shown });
  return (
    <Panel
      title="Latest events"
      aside={
        <span class="buttons">
          <Export name="latest entries" columns={entryColumns} rows={entries} />
          <Live standing={standing} />
        </span>
      }
    >
      {problem && <Failure problem={problem} />}
      <EntryRows
        caption="Entries, newest first"
        lines={entries.map((entry) => ({ entry }))}
        exported="latest entries"
        short
      />
    </Panel>
  );
}
