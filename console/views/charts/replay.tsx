/** Step by step: a slider, its ends and neighbours, and playing it from where it stands. */
import { useEffect, useState } from 'preact/hooks';
import type { MachineStep } from '../../api/types.ts';

interface ReplayProps {
  readonly steps: readonly MachineStep[];
  readonly at: MachineStep;
  onStep(step: number): void;
}

const restMs = 1_000;

export const toldOf = ({ action, eventType, from, to }: MachineStep): string =>
  `${action ?? eventType}, ${from ?? 'new'} to ${to}`;

export function Replay({ steps, at, onStep }: ReplayProps) {
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
  const play = () => {
    if (!playing && isLast) onStep(1);
    setPlaying(!playing && total > 1);
  };
  return (
    <fieldset class="replay">
      <legend class="unseen">Replay</legend>
      <span class="buttons">
        <button type="button" onClick={() => to(at.step - 1)} disabled={at.step <= 1} aria-label="Previous step">
          ‹
        </button>
        <button type="button" onClick={play} disabled={total < 2}>
          {playing ? 'Pause' : 'Replay'}
        </button>
        <button type="button" onClick={() => to(at.step + 1)} disabled={isLast} aria-label="Next step">
          ›
        </button>
      </span>
      <input
        type="range"
        min={1}
        max={total}
        step={1}
        value={at.step}
        aria-label="Step"
        aria-valuetext={`Step ${at.step} of ${total}: ${toldOf(at)}`}
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
      <output class="number" aria-live="polite">
        step {at.step} of {total}
      </output>
    </fieldset>
  );
}
