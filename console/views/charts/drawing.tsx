/** The chart in the node's layout, with a resource's path on top: step numbers at transitions, colour for visited states. */
import { useRef, useState } from 'preact/hooks';
import type { MachineChart } from '../../api/types.ts';
import './outline.css';
import { ChartLegend } from './chart-legend.tsx';
import { ChartOutline } from './chart-outline.tsx';
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
  const [isDrawn, setDrawn] = useState(false);
  const { layout, fits, top } = useRoom(chart, place);
  const zoom = useZoom(layout, top, way.reached);
  const transition = chart.transitions.find(({ id }) => id === picked);
  const leave = () => setPicked(undefined);
  if (!layout) return null;
  const isOutline = !fits && !isDrawn;
  const onPick = (id: string) => setPicked(id === picked ? undefined : id);
  return (
    <div class="chart">
      {!fits && (
        <p class="outline-switch">
          <button type="button" class="quiet" onClick={() => setDrawn(!isDrawn)}>
            {isDrawn ? 'Show it as a list' : 'Show the drawing, which is wider than this page'}
          </button>
        </p>
      )}
      <div ref={place} class={`chart-place ${transition ? 'with-aside' : ''}`}>
        {isOutline && <ChartOutline chart={chart} way={way} picked={picked} onPick={onPick} onStep={onStep} />}
        <section
          ref={zoom.box}
          hidden={isOutline}
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
            onPick={onPick}
            onStep={onStep}
          />
        </section>
        {transition && <Transition of={transition} onLeave={leave} />}
      </div>
      <div class="chart-foot">
        <ChartLegend chart={chart} isWalked={way.step > 0} />
        {!isOutline && <ChartTools zoom={zoom} svg={svg} name={name} />}
      </div>
    </div>
  );
}
