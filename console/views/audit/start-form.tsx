/** Asks for an admin key, because an audit uses a processor for a while. The key stays in this page's memory. */

import { useRef, useState } from 'preact/hooks';
import { adminKey } from '../../api/admin-key.ts';
import type { Problem } from '../../api/problem.ts';
import { asProblem } from '../../api/read.ts';
import { Panel } from '../../parts/layout.tsx';
import { Failure } from '../../parts/reading.tsx';
import { startAudit } from './start.ts';

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
      await startAudit(key);
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
          The node checks its whole journal: every hash and signature, every step run again, and that balances and
          resources follow from it. It keeps serving meanwhile.
        </p>
        <div class="find">
          <label>
            Admin key
            <input
              ref={field}
              type="password"
              autocomplete="off"
              spellcheck={false}
              placeholder={adminKey.value === undefined ? '' : 'the one given before'}
              aria-describedby="admin-key-says"
            />
          </label>
          <button type="submit" class="main" disabled={asking}>
            Start the audit
          </button>
        </div>
        <p id="admin-key-says" class="faint">
          A key with scope <code>admin</code>: an audit takes a processor for a while. It is kept in the memory of this
          page only.
        </p>
        {problem && <Failure problem={problem} keyName="admin" />}
      </form>
    </Panel>
  );
}
