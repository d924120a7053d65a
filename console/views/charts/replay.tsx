/** The steps of a resource over time: a track with a mark for each, and a button that plays them one by one. */
import { useEffect, useState } from 'preact/hooks';
import type { MachineStep } from '../../api/types.ts';
import type { StepMoney } from './story/money.ts';
import { Track } from './track.tsx';
import { useStepKeys } from './use-step-keys.ts';

interface ReplayProps {
  readonly steps: readonly MachineStep[];
  readonly at: MachineStep;
  readonly money: ReadonlyMap<number, StepMoney>;
  onStep(step: number): void;
}

const restMs = 1_000;

export function Replay({ steps, at, money, onStep }: ReplayProps) {
  const [playing, setPlaying] = useState(false);
  const total = steps.length;
  const isLast = at.step >= total;

  useEffect(() => {
    if (!playing) return;
    if (isLast) return setPlaying(false);
    const timer = setTimeout(() => onStep(at.step + 1), restMs);
    return () => clearTimeout(timer);
  }, [playing, at.step, isLast]);

  const to = (step: number) => {
    setPlaying(false);
    onStep(Math.min(Math.max(1, step), total));
  };
  useStepKeys((by) => to(at.step + by));
  const play = () => {
    if (!playing && isLast) onStep(1);
    setPlaying(!playing && total > 1);
  };
  return (
    <fieldset class="replay">
      <legend class="unseen">Replay</legend>
      <span class="buttons">
        <button
          type="button"
          onClick={() => to(at.step - 1)}
          disabled={at.step <= 1}
          aria-label="Previous step"
          title="Previous step (←)"
        >
          ‹
        </button>
        <button type="button" onClick={play} disabled={total < 2}>
          {playing ? 'Pause' : 'Replay'}
        </button>
        <button
          type="button"
          onClick={() => to(at.step + 1)}
          disabled={isLast}
          aria-label="Next step"
          title="Next step (→)"
        >
          ›
        </button>
      </span>
      <output class="number" aria-live="polite">
        step {at.step} of {total}
      </output>
      <Track steps={steps} at={at} money={money} onStep={to} />
    </fieldset>
  );
}
