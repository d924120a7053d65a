/** A state, or the frame around the nested states of one or around an inner machine. */
import type { ChartNode, ChartState } from '../../api/types.ts';
import type { ChartProgress } from './chart-progress.ts';

interface DrawnNodeProps {
  readonly node: ChartNode;
  readonly state: ChartState | undefined;
  readonly way: ChartProgress;
  readonly isLit: boolean;
}

export function DrawnNode({ node, state, way, isLit }: DrawnNodeProps) {
  const { x, y, width, height, title } = node;
  const type = state?.type ?? 'atomic';
  const name = state?.name ?? node.state;
  const inside = way.inside.get(node.state) ?? [];
  const isNow = way.state === node.state || inside.length > 0;
  const classes = [
    ...classesOf(type, state?.tone),
    node.inside.length > 0 ? 'left' : '',
    progressOf(node.state, type, way, isNow),
    isLit ? 'joined' : '',
  ];
  return (
    <g class={classes.filter((each) => each !== '').join(' ')} data-state={node.state}>
      <rect class="moves" x={x} y={y} width={width} height={height} rx={9} />
      {type === 'final' && <rect class="inner" x={x + 3.5} y={y + 3.5} width={width - 7} height={height - 7} rx={6} />}
      <text class="title" x={title.x} y={title.y}>
        {type === 'machine' ? `each ${name}` : inside.length > 0 ? `${inside.length} ${name}` : name}
      </text>
      {isNow && <title>{inside.length > 0 ? `Now: ${inside.join(', ')}` : 'The state now'}</title>}
    </g>
  );
}

function classesOf(type: ChartState['type'], tone: ChartState['tone']): string[] {
  if (type === 'machine' || type === 'compound') return ['frame', type];
  return ['state', tone ?? 'under-way', ...(type === 'final' ? ['final'] : [])];
}

/** A state is marked as not reached only if the chart shows a resource. */
function progressOf(path: string, type: ChartState['type'], way: ChartProgress, isNow: boolean): string {
  if (way.step === 0 || type === 'machine') return '';
  if (type === 'compound') return [...way.been].some((each) => each.startsWith(`${path}.`)) ? 'been' : 'ahead';
  if (isNow) return 'lit';
  return way.been.has(path) ? 'been' : 'ahead';
}
