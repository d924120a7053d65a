/** Requests, latency, entries and lag of the last 15 minutes as plots, which are read while they are open. */
import { useState } from 'preact/hooks';
import type { ActivityPoint } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count, millis } from '../../format/format.ts';
import { Plot } from '../../parts/plot.tsx';
import { Shown } from '../../parts/reading.tsx';

const everyMs = 5_000;

const rate = (value: number): string => `${value < 10 ? Number(value.toFixed(1)) : count(value)}/s`;

export function LastMinutes() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="panel" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Requests, latency, entries and lag of the last 15 minutes</summary>
      {isOpen && <Minutes />}
    </details>
  );
}

function Minutes() {
  const reading = useRead<{ readonly points: readonly ActivityPoint[] }>('/api/v1/node/activity', everyMs);
  return <Shown reading={reading}>{({ points }) => (points.length < 2 ? <Soon /> : <Plots points={points} />)}</Shown>;
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
