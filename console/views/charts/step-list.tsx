/** The steps as a list, for narrow screens, where it is above the chart. */
import type { JsonObject, MachineStep } from '../../api/types.ts';
import { shareASecond } from '../../format/format.ts';
import { stateText } from '../../format/states.ts';
import { Time } from '../../parts/text.tsx';
import { roleText, stepTitle } from './step-name.ts';

interface StepListProps {
  readonly steps: readonly MachineStep[];
  readonly at: MachineStep;
  readonly view: JsonObject | undefined;
  onStep(step: number): void;
}

/** Most steps shown, the newest. The table of all steps has the rest. */
const shown = 30;

export function StepList({ steps, at, view, onStep }: StepListProps) {
  const exact = shareASecond(steps.map((step) => step.recordedAt));
  return (
    <>
      <ol class="step-list" aria-label="Steps" start={Math.max(1, steps.length - shown + 1)}>
        {steps.slice(-shown).map((step) => (
          <li key={step.step} class={step.step === at.step ? 'now' : step.step < at.step ? 'gone' : 'ahead'}>
            <button
              type="button"
              class="quiet"
              aria-current={step.step === at.step ? 'step' : undefined}
              onClick={() => onStep(step.step)}
            >
              <span class="step-dot">{step.step}</span>
              <span>
                <strong>{stepTitle(step)}</strong> → {stateText(step.nested?.to ?? step.to)}
                <br />
                <span class="faint small">
                  <Time at={step.recordedAt} exact={exact} /> {step.role && `by ${roleText(step, view)}`}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      {steps.length > shown && <p class="step-list faint">Earlier ones are in the table of all steps.</p>}
    </>
  );
}
