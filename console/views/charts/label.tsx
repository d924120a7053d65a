/** What stands beside a line: the action, who may, which guards; the numbers of the steps that went along it. */
import type { ChartEdge, ChartTransition } from '../../api/types.ts';
import type { ChartProgress } from './chart-progress.ts';

interface LabelProps {
  readonly edge: ChartEdge;
  readonly transitions: readonly ChartTransition[];
  readonly way: ChartProgress;
  readonly picked: string | undefined;
  readonly onPick: (transition: string) => void;
  readonly onStep: ((step: number) => void) | undefined;
}

/** As the node has left room for them. */
const leading = { action: 18, roles: 14, guard: 14 } as const;
const longestLine = 34;
/** Between two transitions that share a line. */
const between = 5;

interface Line {
  readonly text: string;
  readonly sort: keyof typeof leading;
}

const linesOf = ({ event, roles, guards }: ChartTransition): Line[] => [
  { text: event, sort: 'action' },
  ...wrapped(roles.join(', ')).map((text) => ({ text, sort: 'roles' as const })),
  ...guards.map(({ name }) => ({ text: `[${name}]`, sort: 'guard' as const })),
];

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > longestLine) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

export function Label({ edge: { labelAt, labelSize }, transitions, ...more }: LabelProps) {
  const x = labelAt.x - labelSize.width / 2 + 3;
  let y = labelAt.y - labelSize.height / 2 + 1;
  return (
    <>
      {transitions.map((transition, index) => {
        const top = y + (index > 0 ? between : 0);
        y = linesOf(transition).reduce((sum, { sort }) => sum + leading[sort], top);
        return <Block key={transition.id} x={x} y={top} transition={transition} {...more} />;
      })}
    </>
  );
}

interface BlockProps extends Pick<LabelProps, 'way' | 'picked' | 'onPick' | 'onStep'> {
  readonly x: number;
  readonly y: number;
  readonly transition: ChartTransition;
}

/** One transition: a button that tells the rest of it. */
function Block({ x, y, transition, way, picked, onPick, onStep }: BlockProps) {
  const { id } = transition;
  const steps = way.steps.get(id) ?? [];
  let baseline = y;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing has no other button */}
      <g
        class="label"
        role="button"
        tabindex={0}
        aria-pressed={picked === id}
        onClick={() => onPick(id)}
        onKeyDown={(key) => pressed(key, () => onPick(id))}
      >
        <title>{toldOf(transition)}</title>
        {linesOf(transition).map(({ text, sort }) => {
          baseline += leading[sort];
          return (
            <text key={text} class={`label-${sort}`} x={x} y={baseline - 4}>
              {text}
            </text>
          );
        })}
      </g>
      {steps.length > 0 && (
        <Numbers x={x} y={y + leading.action - 8} steps={steps} transition={transition} way={way} onStep={onStep} />
      )}
    </>
  );
}

function pressed(key: KeyboardEvent, act: () => void): void {
  if (key.key !== 'Enter' && key.key !== ' ') return;
  key.preventDefault();
  act();
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
      onKeyDown={(key) => pressed(key, open)}
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
