/** Resources of a kind that the newest entries changed. */
import { withQuery } from '../../api/read.ts';
import type { Entry, NodeStatus } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { Panel } from '../../parts/layout.tsx';
import { ResourceLink, State, Time } from '../../parts/text.tsx';
import { useTones } from '../../parts/use-tones.ts';

const looked = 100;
const shown = 8;

export function RecentActivity({ kind }: { kind: string }) {
  const status = useRead<NodeStatus>('/api/v1/node');
  const height = status.data?.height;
  const url =
    height === undefined
      ? undefined
      : withQuery('/api/v1/events', { after: Math.max(0, height - looked), limit: looked });
  const page = useRead<{ readonly events: readonly Entry[] }>(url);
  const toneOf = useTones();
  const found = newestOf(page.data?.events ?? [], kind).slice(0, shown);
  if (found.length === 0) return null;
  return (
    <Panel title="Recent activity">
      <ul class="lately">
        {found.map(({ id, state, at }) => (
          <li key={id}>
            <ResourceLink kind={kind} id={id} />
            <span>
              <State path={state} tone={toneOf(kind, state)} />
            </span>
            <Time at={at} short />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface Changed {
  readonly id: string;
  readonly state: string;
  readonly at: number;
}

function newestOf(entries: readonly Entry[], kind: string): Changed[] {
  const found = new Map<string, Changed>();
  for (const { versions, time } of entries.toReversed()) {
    for (const { kind: of, id, path } of versions) {
      if (of === kind && !found.has(id)) found.set(id, { id, state: path.at(-1) ?? '', at: time });
    }
  }
  return [...found.values()];
}
