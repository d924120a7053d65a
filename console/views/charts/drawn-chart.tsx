/** The chart as SVG: states, lines, labels and, on top, step numbers. */
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { ChartTransition, MachineChart, MachineLayout } from '../../api/types.ts';
import { Badge } from './badge.tsx';
import type { ChartProgress } from './chart-progress.ts';
import { DrawnEdge } from './drawn-edge.tsx';
import { DrawnLabel } from './drawn-label.tsx';
import { DrawnNode } from './drawn-node.tsx';
import { type Lit, litBy, noneLit } from './lit.ts';

interface DrawnChartProps {
  readonly svg: RefObject<SVGSVGElement | null>;
  readonly chart: MachineChart;
  readonly layout: MachineLayout;
  readonly scale: number;
  readonly way: ChartProgress;
  /** Id of the selected transition. */
  readonly picked: string | undefined;
  readonly onPick: (transition: string) => void;
  readonly onStep: ((step: number) => void) | undefined;
}

export function DrawnChart({ svg, chart, layout, scale, way, picked, onPick, onStep }: DrawnChartProps) {
  const { width, height, nodes, edges } = layout;
  const [pointed, setPointed] = useState<Lit>(noneLit);
  const transitions = new Map(chart.transitions.map((each) => [each.id, each]));
  const states = new Map(chart.states.map((each) => [each.path, each]));
  const lit = pointed === noneLit ? litBy(chart, { transition: picked }) : pointed;
  const point = (event: Event) => setPointed(litBy(chart, namedBy(event.target)));
  const labels = [
    ...nodes.flatMap(({ inside }) => inside.map((at) => ({ at, isInside: true }))),
    ...edges.flatMap((edge) => edge.labels.map((at) => ({ at, isInside: false }))),
  ].flatMap(({ at, isInside }) => {
    const transition: ChartTransition | undefined = transitions.get(at.transition);
    return transition ? [{ at, isInside, transition }] : [];
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG with buttons inside, not a form
    <svg
      ref={svg}
      role="group"
      aria-label={`States and transitions of definition ${chart.version}. The tables below say the same.`}
      class={pointed === noneLit ? '' : 'pointed'}
      viewBox={`0 0 ${width} ${height}`}
      width={Math.ceil(width * scale)}
      height={Math.ceil(height * scale)}
      onPointerOver={point}
      onPointerLeave={() => setPointed(noneLit)}
      onFocusIn={point}
      onFocusOut={() => setPointed(noneLit)}
    >
      {nodes.map((node) => (
        <DrawnNode
          key={node.state}
          node={node}
          state={states.get(node.state)}
          way={way}
          isLit={lit.states.has(node.state)}
        />
      ))}
      {edges.map((edge) => (
        <DrawnEdge
          key={edge.transitions.join()}
          edge={edge}
          way={way}
          isLit={edge.transitions.some((id) => lit.transitions.has(id))}
        />
      ))}
      {labels.map(({ at, isInside, transition }) => (
        <DrawnLabel
          key={transition.id}
          at={at}
          isInside={isInside}
          transition={transition}
          isLit={lit.transitions.has(transition.id)}
          isPicked={picked === transition.id}
          onPick={onPick}
        />
      ))}
      {labels.map(({ at, isInside, transition }) => (
        <Badge key={transition.id} at={at} isInside={isInside} transition={transition} way={way} onStep={onStep} />
      ))}
    </svg>
  );
}

/** The transition or state under the pointer or the focus. */
function namedBy(target: EventTarget | null): { transition?: string | undefined; state?: string | undefined } {
  if (!(target instanceof Element)) return {};
  const { transition, state } = target.closest<SVGElement>('[data-transition], [data-state]')?.dataset ?? {};
  return { transition, state };
}
