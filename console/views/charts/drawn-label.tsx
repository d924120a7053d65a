/**
 * A transition's label, on its line or inside its state: action, roles, number of guards. A click shows the whole transition.
 */
import type { ChartLabel, ChartTransition } from '../../api/types.ts';

interface DrawnLabelProps {
  readonly at: ChartLabel;
  readonly isInside: boolean;
  readonly transition: ChartTransition;
  readonly isLit: boolean;
  readonly isPicked: boolean;
  readonly onPick: (transition: string) => void;
}

export function DrawnLabel({ at, isInside, transition, isLit, isPicked, onPick }: DrawnLabelProps) {
  const { action, roles, chip, ...box } = at;
  const { id } = transition;
  const pick = () => onPick(id);
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button element
    <g
      class={`label ${isInside ? 'inside' : ''} ${isLit ? 'joined' : ''}`}
      data-transition={id}
      role="button"
      tabindex={0}
      aria-pressed={isPicked}
      onClick={pick}
      onKeyDown={(key) => pressed(key, pick)}
    >
      <title>{transitionText(transition)}</title>
      <rect class="label-back" x={box.x} y={box.y} width={box.width} height={box.height} rx={6} />
      <text class="label-action" x={action.x} y={action.y}>
        {action.text}
      </text>
      {chip && (
        <g class="chip">
          <rect x={chip.x} y={chip.y} width={chip.width} height={chip.height} rx={chip.height / 2} />
          <text x={chip.x + chip.width / 2} y={chip.y + 12.5}>
            {chip.text}
          </text>
        </g>
      )}
      {roles.map((line) => (
        <text key={line.text} class="label-roles" x={line.x} y={line.y}>
          {line.text}
        </text>
      ))}
    </g>
  );
}

export function pressed(key: KeyboardEvent, act: () => void): void {
  if (key.key !== 'Enter' && key.key !== ' ') return;
  key.preventDefault();
  act();
}

/** A transition as a sentence for screen readers, with its refusals. */
const transitionText = ({ event, from, to, roles, guards, effects }: ChartTransition): string =>
  [
    `${event}: ${from ?? 'new'} → ${to} (${roles.join(', ')})`,
    ...guards.map(({ refusal, meaning }) => `refused: ${meaning} (${refusal})`),
    ...(effects.length > 0 ? [`effects: ${effects.join(', ')}`] : []),
  ].join('\n');
