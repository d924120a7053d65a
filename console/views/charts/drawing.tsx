/** A law as the node has laid it out; a resource's way through it on top: numbers where it went, light where it is. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChartEdge, ChartNode, ChartState, MachineChart, MachineLayout } from '../../api/types.ts';
import { type ChartProgress, noProgress } from './chart-progress.ts';
import { Label } from './label.tsx';
import { pathOf } from './line.ts';
import { Transition } from './transition.tsx';

interface DrawingProps {
  readonly chart: MachineChart;
  readonly layout: MachineLayout;
  readonly way?: ChartProgress;
  readonly onStep?: (step: number) => void;
}

/** Smaller than this and the text would be too small: then it scrolls. */
const leastScale = 0.72;

export function Drawing({ chart, layout, way = noProgress, onStep }: DrawingProps) {
  const { width, height, nodes, edges } = layout;
  const states = new Map(chart.states.map((state) => [state.path, state]));
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const transition = chart.transitions.find(({ id }) => id === picked);
  const box = useInView(layout, way.reached);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={box} class="drawing" aria-label={`State chart: ${chart.title}`} tabIndex={0}>
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing with buttons inside, no form */}
        <svg
          role="group"
          aria-label={`States and transitions of definition ${chart.version}. The tables below say the same.`}
          viewBox={`0 0 ${width} ${height}`}
          style={{ minWidth: `${Math.round(width * leastScale)}px`, maxWidth: `${width}px` }}
        >
          {nodes.map((node) => (
            <Node key={node.state} node={node} state={states.get(node.state)} way={way} />
          ))}
          {edges.map((edge) => (
            <Edge
              key={`${edge.from} ${edge.to} ${edge.transitions.join()}`}
              edge={edge}
              chart={chart}
              way={way}
              picked={picked}
              onPick={(id) => setPicked(id === picked ? undefined : id)}
              onStep={onStep}
            />
          ))}
        </svg>
      </section>
      {transition && <Transition of={transition} onLeave={() => setPicked(undefined)} />}
    </>
  );
}

/** Labels stand to the left of their lines. */
const sightline = 0.7;

/** Where a drawing is wider than its place, the state that was reached, else where all begins, is what one sees of it. */
function useInView({ width, nodes, edges }: MachineLayout, state: string | undefined) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const { scrollWidth, clientWidth } = box.current;
    const node = nodes.find((each) => each.state === state);
    const x = node ? node.x + node.width / 2 : (edges.find(({ from }) => from === null)?.points[0]?.x ?? 0);
    box.current.scrollLeft = (x / width) * scrollWidth - clientWidth * sightline;
  }, [width, nodes, edges, state]);
  return box;
}

function Node({ node, state, way }: { node: ChartNode; state: ChartState | undefined; way: ChartProgress }) {
  const { x, y, width, height } = node;
  const name = state?.name ?? node.state;
  if (state?.type === 'machine') {
    return (
      <g class="frame">
        <rect x={x} y={y} width={width} height={height} rx={10} />
        <text x={x + 14} y={y + 20}>
          each {name}
        </text>
      </g>
    );
  }
  if (state?.type === 'compound') {
    const isHere = way.state?.startsWith(`${node.state}.`) ?? false;
    return (
      <g class={`frame compound moves ${isHere ? 'lit' : ''}`} data-state={node.state}>
        <rect x={x} y={y} width={width} height={height} rx={10} />
        <text x={x + 14} y={y + 20}>
          {name}
        </text>
      </g>
    );
  }
  const inside = way.inside.get(node.state) ?? [];
  const lit = way.state === node.state || inside.length > 0;
  const been = way.been.has(node.state);
  return (
    <g
      class={`state moves ${state?.type === 'final' ? 'final' : ''} ${lit ? 'lit' : been ? 'been' : ''}`}
      data-state={node.state}
    >
      <rect class="moves" x={x} y={y} width={width} height={height} rx={9} />
      {state?.type === 'final' && (
        <rect class="inner" x={x + 3.5} y={y + 3.5} width={width - 7} height={height - 7} rx={6} />
      )}
      <text x={x + width / 2} y={y + height / 2 + 5}>
        {name}
      </text>
      {lit && <title>{inside.length > 0 ? `Now: ${inside.join(', ')}` : 'The state now'}</title>}
    </g>
  );
}

interface EdgeProps {
  readonly edge: ChartEdge;
  readonly chart: MachineChart;
  readonly way: ChartProgress;
  /** Id of the transition that is looked at. */
  readonly picked: string | undefined;
  readonly onPick: (transition: string) => void;
  readonly onStep: ((step: number) => void) | undefined;
}

function Edge({ edge, chart, way, picked, onPick, onStep }: EdgeProps) {
  const transitions = edge.transitions.flatMap((id) => chart.transitions.find((each) => each.id === id) ?? []);
  const isNow = edge.transitions.some((id) => way.now.has(id));
  const isWalked = edge.transitions.some((id) => (way.steps.get(id) ?? []).some((step) => step <= way.step));
  const [first] = edge.points;
  return (
    <g class={`edge ${isNow ? 'now' : isWalked ? 'walked' : ''}`} data-transitions={edge.transitions.join(' ')}>
      {edge.from === null && first && <circle class="begin" cx={first.x} cy={first.y - 6} r={6} />}
      <path class="line moves" d={pathOf(edge.points)} />
      <Tip edge={edge} />
      <Label edge={edge} transitions={transitions} way={way} picked={picked} onPick={onPick} onStep={onStep} />
    </g>
  );
}

/** Drawn, not a marker: so it takes the colour of its line. */
function Tip({ edge: { points } }: { edge: ChartEdge }) {
  const [end, before] = [points.at(-1), points.at(-2)];
  if (!end || !before) return null;
  const turn = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  return (
    <path
      class="tip moves"
      d="M0 0L-8 -4L-8 4z"
      transform={`translate(${end.x} ${end.y}) rotate(${turn.toFixed(1)})`}
    />
  );
}
