/**
 * The numbers of the steps that took a transition. A click selects the next of these steps, and after the last one the first.
 */
import type { ChartLabel, ChartTransition } from '../../api/types.ts';
import type { ChartProgress } from './chart-progress.ts';
import { pressed } from './drawn-label.tsx';

interface BadgeProps {
  readonly at: ChartLabel;
  readonly isInside: boolean;
  readonly transition: ChartTransition;
  readonly way: ChartProgress;
  readonly onStep: ((step: number) => void) | undefined;
}

const height = 18;
const digit = 7.7;
const padding = 11;
/** Most characters that fit into a badge: on a line, and inside a state to the right of the action. */
const longest = { above: 5, beside: 4 } as const;

/** `3`, `3 4` or, of steps that follow one another, `3…9`; otherwise `×5`, the number of steps. */
function shown(steps: readonly number[], most: number): string {
  const [first = 0, last = 0] = [steps[0], steps.at(-1)];
  const isRow = last - first === steps.length - 1;
  const all = steps.length <= 2 ? steps.join(' ') : `${first}…${last}`;
  return (steps.length <= 2 || isRow) && all.length <= most ? all : `×${steps.length}`;
}

export function Badge({ at, isInside, transition, way, onStep }: BadgeProps) {
  const { id, event, from, to } = transition;
  const steps = way.steps.get(id) ?? [];
  if (steps.length === 0) return null;
  const text = shown(steps, isInside ? longest.beside : longest.above);
  const width = Math.max(height + 2, text.length * digit + padding);
  const middle = isInside ? at.badge.x - width / 2 : at.badge.x;
  const next = steps.find((step) => step > way.step) ?? steps[0] ?? 1;
  const isNow = steps.includes(way.step);
  const isAhead = steps.every((step) => step > way.step);
  const open = () => onStep?.(next);
  const spoken = text !== steps.join(' ') ? `${text}: ${steps.join(', ')}` : steps.join(', ');
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button element
    <g
      class={`numbers ${isNow ? 'now' : isAhead ? 'ahead' : ''}`}
      data-transition={id}
      role="button"
      tabindex={0}
      aria-label={`${event}, ${from ?? 'new'} to ${to}: step ${spoken}. Open step ${next}`}
      onClick={open}
      onKeyDown={(key) => pressed(key, open)}
    >
      <title>{`Step ${steps.join(', ')}`}</title>
      <rect
        class="moves"
        x={middle - width / 2}
        y={at.badge.y - height / 2}
        width={width}
        height={height}
        rx={height / 2}
      />
      <text x={middle} y={at.badge.y + 4.3}>
        {text}
      </text>
    </g>
  );
}
