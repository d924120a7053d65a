/** The line of a transition. Its arrowhead is a path and not an SVG marker, so that it has the line's colour. */
import type { ChartEdge } from '../../api/types.ts';
import type { ChartProgress } from './chart-progress.ts';
import { pathOf, tipAt } from './line.ts';

interface DrawnEdgeProps {
  readonly edge: ChartEdge;
  readonly way: ChartProgress;
  readonly isLit: boolean;
}

export function DrawnEdge({ edge: { transitions, from, points }, way, isLit }: DrawnEdgeProps) {
  const isNow = transitions.some((id) => way.now.has(id));
  const isWalked = transitions.some((id) => (way.steps.get(id) ?? []).some((step) => step <= way.step));
  const [first] = points;
  const d = pathOf(points);
  return (
    <g
      class={`edge ${isNow ? 'now' : isWalked ? 'walked' : ''} ${isLit ? 'joined' : ''}`}
      data-transitions={transitions.join(' ')}
      data-transition={transitions[0]}
    >
      <path class="reach" d={d} />
      {from === null && first && <circle class="begin" cx={first.x} cy={first.y} r={6} />}
      <path class="line" d={d} />
      <path class="tip" d="M0 0L-9 -4.5L-9 4.5z" transform={tipAt(points)} />
    </g>
  );
}
