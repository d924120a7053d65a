/** What a resource holds now, and whether that is what the entry says that made it. */
import { path } from '../../api/read.ts';
import type { Entry, MachineState } from '../../api/types.ts';
import { useRead, useReadOf } from '../../api/use-read.ts';
import { Checks } from '../../parts/checks.tsx';
import { Panel } from '../../parts/layout.tsx';
import { Members } from '../../parts/members.tsx';
import { Loading, Shown } from '../../parts/reading.tsx';
import { checkState } from '../../proof/check-state.ts';

export function CurrentState({ kind, id, version }: { kind: string; id: string; version: number }) {
  const held = useReadOf<MachineState>(path`/api/v1/machines/${kind}/${id}/state`, version);
  const entry = useRead<Entry>(held.data && path`/api/v1/events/${held.data.eventHash}`);
  const { data, problem } = held;
  return (
    <Panel title="Current state" aside={data && <span class="faint">version {data.version}, now</span>}>
      {problem?.code === 'FORBIDDEN' ? (
        <p class="faint">{problem.detail}</p>
      ) : (
        <Shown reading={held}>
          {(now) => (
            <>
              {entry.data ? <Checks checks={[checkState(now, entry.data)]} /> : <Loading what="Checking" />}
              <Members of={now.context} label="Current state" />
            </>
          )}
        </Shown>
      )}
    </Panel>
  );
}
