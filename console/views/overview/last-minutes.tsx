/** The last 15 minutes as plots. */
import type { ActivityPoint } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count, millis } from '../../format/format.ts';
import { zone } from '../../format/zone.ts';
import { Panel } from '../../parts/layout.tsx';
import { Plot } from '../../parts/plot.tsx';
import { Shown } from '../../parts/reading.tsx';

const everyMs = 5_000;

const rate = (value: number): string => `${value < 10 ? Number(value.toFixed(1)) : count(value)}/s`;

export function LastMinutes() {
  const reading = useRead<{ readonly points: readonly ActivityPoint[] }>('/api/v1/node/activity', everyMs);
  return (
    <Panel title="Last 15 minutes" aside={<span class="faint">{zone.value === 'utc' ? 'UTC' : 'local time'}</span>}>
      <Shown reading={reading}>{({ points }) => (points.length < 2 ? <Soon /> : <Plots points={points} />)}</Shown>
    </Panel>
  );
}

const Soon = () => <p class="faint">The node has just started; the first plots appear in ten seconds.</p>;

function Plots({ points }: { points: readonly ActivityPoint[] }) {
  const times = points.map(({ measuredAt }) => measuredAt);
  const of = (pick: (point: ActivityPoint) => number | null) => points.map(pick);
  return (
    <div class="plots">
      <Plot
        title="Requests"
        times={times}
        format={rate}
        lines={[
          { name: 'all', values: of(({ requests }) => requests) },
          { name: 'failed', values: of(({ failures }) => failures) },
        ]}
      />
      <Plot
        title="Latency"
        times={times}
        format={millis}
        lines={[
          { name: 'median', values: of(({ p50Ms }) => p50Ms) },
          { name: '99 %', values: of(({ p99Ms }) => p99Ms) },
        ]}
      />
      <Plot
        title="Entries"
        times={times}
        format={rate}
        lines={[{ name: 'entries', values: of(({ entries }) => entries) }]}
      />
      <Plot
        title="Settlement lag"
        times={times}
        format={count}
        lines={[{ name: 'operations', values: of(({ lag }) => lag) }]}
      />
    </div>
  );
}
