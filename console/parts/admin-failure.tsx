/** Shows why a read with the admin key failed, and lets the user change a wrong key. */
import { adminKey } from '../api/admin-key.ts';
import type { Problem } from '../api/problem.ts';
import { Failure } from './reading.tsx';

export function AdminFailure({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const isKey = problem.status === 401 || problem.status === 403;
  return (
    <>
      <Failure problem={problem} keyName="admin" {...(!isKey && { onRetry })} />
      {isKey && (
        <p class="buttons">
          <button type="button" onClick={() => (adminKey.value = undefined)}>
            Enter another admin key
          </button>
        </p>
      )}
    </>
  );
}
