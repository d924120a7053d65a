/** The three states of a read: under way, failed, there. */
import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/problem.ts';
import type { Reading } from '../api/use-read.ts';
import { askForKey } from '../shell/key-dialog.tsx';

export function Failure({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>
        <code>{problem.code}</code> {problem.detail}
      </p>
      <p class="buttons">
        {problem.status === 401 && (
          <button type="button" onClick={() => askForKey()}>
            Enter a read key
          </button>
        )}
        {onRetry && problem.status !== 401 && (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <p class="loading" role="status">
    {what} …
  </p>
);

/** What was read, with a word above it where the newest read failed. */
export function Shown<T>({ reading, children }: { reading: Reading<T>; children: (data: T) => ComponentChildren }) {
  const { data, problem, loading, reload } = reading;
  return (
    <>
      {problem && <Failure problem={problem} onRetry={reload} />}
      {data !== undefined ? children(data) : loading ? <Loading /> : null}
    </>
  );
}
