/** What the colours of a chart mean. Lists only the colours that this chart uses. */
import type { MachineChart } from '../../api/types.ts';

const tones = { good: 'good end', neutral: 'other end', trouble: 'needs attention' } as const;

export function ChartLegend({ chart, isWalked }: { chart: MachineChart; isWalked: boolean }) {
  const used = (Object.keys(tones) as (keyof typeof tones)[]).filter((tone) =>
    chart.states.some((state) => state.tone === tone),
  );
  return (
    <ul class="chart-legend" aria-label="Colours of the chart">
      {isWalked && (
        <li>
          <span class="swatch lit" /> current state
        </li>
      )}
      <li>
        <span class="swatch under-way" /> under way
      </li>
      {used.map((tone) => (
        <li key={tone}>
          <span class={`swatch ${tone}`} /> {tones[tone]}
        </li>
      ))}
      {isWalked && (
        <li>
          <span class="swatch ahead" /> not reached
        </li>
      )}
    </ul>
  );
}
