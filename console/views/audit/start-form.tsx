/** Asks for an admin key, because an audit uses a processor for a while. The key stays in this page's memory. */

import { useRef, useState } from 'preact/hooks';
import { adminKey } from '../../api/admin-key.ts';
import { adminPost } from '../../api/admin-write.ts';
import type { Problem } from '../../api/problem.ts';
import { asProblem } from '../../api/read.ts';
import { Panel } from '../../parts/layout.tsx';
import { Failure } from '../../parts/reading.tsx';

export function Start({ onStarted }: { onStarted: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<Problem>();
  const [asking, setAsking] = useState(false);

  const start = async (event: SubmitEvent) => {
    event.preventDefault();
    const key = field.current?.value.trim() || adminKey.value;
    if (!key) return field.current?.focus();
    setAsking(true);
    try {
      await adminPost('/api/v1/audit', { key });
      adminKey.value = key;
      setProblem(undefined);
      onStarted();
    } catch (error) {
      const refused = asProblem(error);
      if (refused.status === 401 || refused.status === 403) adminKey.value = undefined;
      setProblem(refused);
    } finally {
      setAsking(false);
    }
  };

  return (
    <Panel title="Run an audit">
      <form class="start" onSubmit={start}>
        <p>
          The node checks its whole journal: it verifies every hash and signature, runs every step again, and compares
          balances and resources with the result. It keeps serving requests meanwhile.
        </p>
        <div class="find">
          <label>
            Admin key
            <input
              ref={field}
              type="password"
              autocomplete="off"
              spellcheck={false}
              placeholder={adminKey.value === undefined ? '' : 'the key that you entered before'}
              aria-describedby="admin-key-says"
            />
          </label>
          <button type="submit" class="main" disabled={asking}>
            Start the audit
          </button>
        </div>
        <p id="admin-key-says" class="faint">
          A key with scope <code>admin</code>: an audit keeps one processor busy for a while. The page keeps the key in
          memory only.
        </p>
        {problem && <Failure problem={problem} keyName="admin" />}
      </form>
    </Panel>
  );
}
