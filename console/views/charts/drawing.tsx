/** The chart in the node's layout, with a resource's path on top: step numbers at transitions, colour for visited states. */
import { useRef, useState } from 'preact/hooks';
import type { MachineChart } from '../../api/types.ts';
import { ChartLegend } from './chart-legend.tsx';
import { type ChartProgress, noProgress } from './chart-progress.ts';
import { ChartTools } from './chart-tools.tsx';
import { DrawnChart } from './drawn-chart.tsx';
import { Transition } from './transition.tsx';
import { useRoom } from './use-room.ts';
import { useZoom } from './use-zoom.ts';

interface DrawingProps {
  readonly chart: MachineChart;
  readonly way?: ChartProgress;
  readonly onStep?: (step: number) => void;
  /** File name for downloads of the drawing. */
  readonly name?: string;
}

export function Drawing({ chart, way = noProgress, onStep, name = chart.kind }: DrawingProps) {
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const { layout, top } = useRoom(chart, place);
  const zoom = useZoom(layout, top, way.reached);
  const transition = chart.transitions.find(({ id }) => id === picked);
  const leave = () => setPicked(undefined);
  if (!layout) return null;
  return (
    <div class="chart">
      <div ref={place} class={`chart-place ${transition ? 'with-aside' : ''}`}>
        <section
          ref={zoom.box}
          class={`drawing ${zoom.isFitted ? '' : 'zoomed'}`}
          aria-label={`State chart: ${chart.title}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
          tabIndex={0}
          onKeyDown={(key) => (key.key === 'Escape' ? leave() : zoom.onKey(key))}
          onPointerDown={zoom.onGrab}
        >
          <DrawnChart
            svg={svg}
            chart={chart}
            layout={layout}
            scale={zoom.scale}
            way={way}
            picked={picked}
            onPick={(id) => setPicked(id === picked ? undefined : id)}
            onStep={onStep}
          />
        </section>
        {transition && <Transition of={transition} onLeave={leave} />}
      </div>
      <div class="chart-foot">
        <ChartLegend chart={chart} isWalked={way.step > 0} />
        <ChartTools zoom={zoom} svg={svg} name={name} />
      </div>
    </div>
  );
}
