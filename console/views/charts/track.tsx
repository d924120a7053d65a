/** The steps on a line by time: a slider, moved with the arrow keys or by clicking a mark. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MachineStep } from '../../api/types.ts';
import { instant } from '../../format/format.ts';
import { stepText, stepTitle } from './step-name.ts';
import type { StepMoney } from './story/money.ts';
import { leastTrack, nearest, spanOf, ticksOf } from './ticks.ts';

interface TrackProps {
  readonly steps: readonly MachineStep[];
  readonly at: MachineStep;
  readonly money: ReadonlyMap<number, StepMoney>;
  onStep(step: number): void;
}

/** Steps that PageUp and PageDown move. */
const page = 10;

function target(key: string, now: number, total: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return now - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return now + 1;
    case 'PageDown':
      return now - page;
    case 'PageUp':
      return now + page;
    case 'Home':
      return 1;
    case 'End':
      return total;
  }
  return undefined;
}

export function Track({ steps, at, money, onStep }: TrackProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const total = steps.length;
  const chosen = steps.findIndex(({ step }) => step === at.step);
  const ticks = ticksOf(
    steps.map((step) => step.recordedAt),
    width,
    chosen,
  );
  const here = ticks[chosen];
  useChosenInView(box, here?.at ?? 0);
  return (
    <div ref={box} class="track-box">
      <div
        class="track"
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={1}
        aria-valuemax={total}
        aria-valuenow={at.step}
        aria-valuetext={`Step ${at.step} of ${total}: ${stepText(at, money.get(at.step)?.after)}`}
        style={{ minWidth: `${leastTrack(total)}px` }}
        onClick={({ clientX, currentTarget }) => {
          const { left, width: whole } = currentTarget.getBoundingClientRect();
          const near = steps[nearest(ticks, (clientX - left) / whole)];
          if (near) onStep(near.step);
        }}
        onKeyDown={(key) => {
          const to = target(key.key, at.step, total);
          if (to === undefined) return;
          key.preventDefault();
          onStep(to);
        }}
      >
        <span class="track-line" />
        <span class="track-line gone" style={{ width: `${(here?.at ?? 0) * 100}%` }} />
        {steps.map((step, index) => (
          <Mark
            key={step.step}
            step={step}
            before={steps[index - 1]}
            place={ticks[index]?.at ?? 0}
            isNamed={ticks[index]?.isNamed ?? false}
            standing={step.step === at.step ? 'now' : step.step < at.step ? 'gone' : 'ahead'}
          />
        ))}
      </div>
    </div>
  );
}

interface MarkProps {
  readonly step: MachineStep;
  readonly before: MachineStep | undefined;
  readonly place: number;
  readonly isNamed: boolean;
  readonly standing: 'now' | 'gone' | 'ahead';
}

/** A mark's name is left out if it would overlap another one. */
function Mark({ step, before, place, isNamed, standing }: MarkProps) {
  const since = before && step.recordedAt > before.recordedAt ? `+${spanOf(step.recordedAt - before.recordedAt)}` : '';
  return (
    <span
      class={`step-mark ${standing}`}
      style={{ left: `${place * 100}%` }}
      title={`Step ${step.step}: ${stepTitle(step)}\n${instant(step.recordedAt, { exact: true })}`}
    >
      <span class="step-dot">{step.step}</span>
      {isNamed && (
        <>
          <span class="step-name">{stepTitle(step)}</span>
          <span class="step-since">{since}</span>
        </>
      )}
    </span>
  );
}

function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const watching = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    watching.observe(element);
    return () => watching.disconnect();
  }, [box]);
  return width;
}

function useChosenInView(box: { current: HTMLElement | null }, place: number): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element) element.scrollLeft = place * element.scrollWidth - element.clientWidth / 2;
  }, [box, place]);
}
