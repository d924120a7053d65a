/** A button for one act of an operator. What cannot be undone is asked for a second time, in the same place. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';
import { asProblem } from '../api/read.ts';
import { Failure } from './reading.tsx';

interface ActButtonProps {
  /** Text of the button: a verb. */
  readonly says: string;
  /** What it acts on, for screen readers, which hear many buttons of one text. */
  readonly on: string;
  /** What follows, if it cannot be undone. */
  readonly warns?: string;
  readonly act: () => Promise<unknown>;
}

export function ActButton({ says, on, warns, act }: ActButtonProps) {
  const first = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  const [state, setState] = useState<'idle' | 'asked' | 'acting'>('idle');
  const [problem, setProblem] = useState<Problem>();
  useLayoutEffect(() => {
    if (state === 'asked') confirm.current?.focus();
    else if (wasAsked.current) first.current?.focus();
    wasAsked.current = state === 'asked';
  }, [state]);
  const run = async () => {
    setState('acting');
    setProblem(undefined);
    await act().catch((error: unknown) => setProblem(asProblem(error)));
    setState('idle');
  };
  return (
    <>
      {state === 'asked' ? (
        <span class="asked">
          <span>{warns}</span>{' '}
          <button ref={confirm} type="button" class="small" onClick={() => void run()}>
            {says} {on}
          </button>{' '}
          <button type="button" class="small" onClick={() => setState('idle')}>
            Cancel
          </button>
        </span>
      ) : (
        <button
          ref={first}
          type="button"
          class="small"
          aria-label={`${says} ${on}`}
          disabled={state === 'acting'}
          onClick={() => (warns === undefined ? void run() : setState('asked'))}
        >
          {says}
        </button>
      )}
      {problem && <Failure problem={problem} keyName="admin" />}
    </>
  );
}
