/** The three states of a read: loading, failed, done. */
import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/problem.ts';
import type { Reading } from '../api/use-read.ts';
import { askForKey } from '../shell/key-dialog.tsx';

interface FailureProps {
  readonly problem: Problem;
  readonly onRetry?: () => void;
  /** The key that the request was sent with. If there is one, the user can change it. */
  readonly keyName?: 'read' | 'admin';
}

/** A retry helps when the node was unreachable, busy or failed, and not when it refused the request. */
const isWorthRetrying = ({ status }: Problem): boolean => status === 0 || status === 429 || status >= 500;

export function Failure({ problem, onRetry, keyName = 'read' }: FailureProps) {
  return (
    <div class="failure" role="alert">
      <p>
        <code>{problem.code}</code> {problem.detail}
      </p>
      <p class="buttons">
        {problem.status === 401 && keyName === 'read' && (
          <button type="button" onClick={() => askForKey()}>
            Enter a read key
          </button>
        )}
        {onRetry && isWorthRetrying(problem) && (
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

/** Shows the data, with a warning above it if the newest read failed. */
export function Shown<T>({ reading, children }: { reading: Reading<T>; children: (data: T) => ComponentChildren }) {
  const { data, problem, loading, reload } = reading;
  return (
    <>
      {problem && <Failure problem={problem} onRetry={reload} />}
      {data !== undefined ? children(data) : loading ? <Loading /> : null}
    </>
  );
}
