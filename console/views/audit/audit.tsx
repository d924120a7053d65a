/** The audit of the whole journal: start it, watch its progress, read its result. */
import './audit.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Replies } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { Shown } from '../../parts/reading.tsx';
import { Progress } from './progress.tsx';
import { Reports } from './reports.tsx';
import { Result } from './result.tsx';
import { Start } from './start-form.tsx';

const watchEveryMs = 500;
const lookEveryMs = 5_000;

export function Audit() {
  const [watching, setWatching] = useState(false);
  const audits = useRead<Replies['getAudit']>('/api/v1/audit', watching ? watchEveryMs : lookEveryMs);
  const reports = useRead<Replies['listAuditReports']>('/api/v1/audit/reports?limit=100');
  const running = audits.data?.running ?? null;
  const wasRunning = useRef(false);
  const result = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!audits.data) return;
    setWatching(running !== null);
    // Moves the focus to the result when a running audit ends, so that screen readers announce it.
    if (wasRunning.current && running === null) {
      result.current?.focus();
      reports.reload();
    }
    wasRunning.current = running !== null;
  }, [audits.data]);

  return (
    <Shown reading={audits}>
      {({ last }) => (
        <>
          {running ? <Progress run={running} /> : <Start onStarted={audits.reload} />}
          <div ref={result} tabIndex={-1} class="result">
            {last && <Result run={last} />}
          </div>
          <Reports reading={reports} />
        </>
      )}
    </Shown>
  );
}
