/** What stands beside a line: the action, who may, which guards; the numbers of the steps that went along it. */
import type { ChartEdge, ChartTransition } from '../../api/types.ts';
import type { Way } from './way.ts';

interface LabelProps {
  readonly edge: ChartEdge;
  readonly transitions: readonly ChartTransition[];
  readonly way: Way;
  readonly onStep: ((step: number) => void) | undefined;
}

/** As the node has left room for them. */
const leading = { action: 18, roles: 14, guard: 14 } as const;
const longestLine = 34;

interface Line {
  readonly text: string;
  readonly sort: keyof typeof leading;
  readonly transition: ChartTransition;
}

const linesOf = (transitions: readonly ChartTransition[]): Line[] =>
  transitions.flatMap((transition) => [
    { text: transition.event, sort: 'action' as const, transition },
    ...wrapped(transition.roles.join(', ')).map((text) => ({ text, sort: 'roles' as const, transition })),
    ...transition.guards.map(({ name }) => ({ text: `[${name}]`, sort: 'guard' as const, transition })),
  ]);

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > longestLine) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

export function Label({ edge: { labelAt, labelSize }, transitions, way, onStep }: LabelProps) {
  const left = labelAt.x - labelSize.width / 2 + 3;
  let baseline = labelAt.y - labelSize.height / 2 + 1;
  return (
    <>
      {linesOf(transitions).map(({ text, sort, transition }) => {
        baseline += leading[sort];
        const steps = sort === 'action' ? (way.steps.get(transition.id) ?? []) : [];
        return (
          <g key={`${transition.id} ${text}`}>
            <text class={`label-${sort}`} x={left} y={baseline - 4}>
              {text}
              <title>{toldOf(transition)}</title>
            </text>
            {steps.length > 0 && (
              <Numbers x={left} y={baseline - 8} steps={steps} transition={transition} way={way} onStep={onStep} />
            )}
          </g>
        );
      })}
    </>
  );
}

interface NumbersProps extends Pick<LabelProps, 'way' | 'onStep'> {
  readonly x: number;
  readonly y: number;
  readonly steps: readonly number[];
  readonly transition: ChartTransition;
}

/** Opens the next of its steps, from the first again behind the last. */
function Numbers({ x, y, steps, transition, way, onStep }: NumbersProps) {
  const shown = steps.length <= 3 ? steps.join(' ') : `${steps[0]} … ${steps.at(-1)}`;
  const width = shown.length * 6.6 + 11;
  const next = steps.find((step) => step > way.step) ?? steps[0] ?? 1;
  const isNow = steps.includes(way.step);
  const isAhead = steps.every((step) => step > way.step);
  const open = () => onStep?.(next);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing has no other button
    <g
      class={`numbers ${isNow ? 'now' : isAhead ? 'ahead' : ''}`}
      role="button"
      tabindex={0}
      aria-label={`${transition.event}, ${transition.from ?? 'new'} to ${transition.to}: step ${steps.join(', ')}. Open step ${next}`}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        open();
      }}
    >
      <rect class="moves" x={x - width - 5} y={y - 9} width={width} height={17} rx={8.5} />
      <text x={x - 5 - width / 2} y={y + 4}>
        {shown}
      </text>
    </g>
  );
}

/** As a person would say it, with the refusals. */
export const toldOf = ({ event, from, to, roles, guards, effects }: ChartTransition): string =>
  [
    `${event}: ${from ?? 'new'} → ${to} (${roles.join(', ')})`,
    ...guards.map(({ name, refusal, meaning }) => `unless ${name}: ${refusal}${meaning ? ` (${meaning})` : ''}`),
    ...(effects.length > 0 ? [`effects: ${effects.join(', ')}`] : []),
  ].join('\n');
