/** Progress of the running audit. */

import type { AuditRun } from '../../api/types.ts';
import { count, duration } from '../../format/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { Time } from '../../parts/text.tsx';

/** Before a tenth is done, nothing is known. */
const leftText = (share: number, lastedMs: number): string =>
  share < 0.1 ? '' : `, about ${duration(Math.ceil((lastedMs * (1 / share - 1)) / 1_000))} left`;

export function Progress({ run: { checked, total, startedAt } }: { run: AuditRun }) {
  const share = total === 0 ? 1 : Math.min(1, checked / total);
  const percent = Math.floor(share * 100);
  return (
    <Panel
      title="An audit is running"
      aside={
        <span class="faint">
          since <Time at={startedAt} short />
        </span>
      }
    >
      <div class="progress">
        <progress max={total} value={checked} aria-label="Entries checked" />
        <p role="status">
          <span class="number">
            <strong>{count(checked)}</strong> of {count(total)} entries checked
          </span>{' '}
          <span class="faint">
            {checked < total
              ? `${percent} %${leftText(share, Date.now() - startedAt)}`
              : 'now checking what the store derived from them: resources, balances, receipts, sums'}
          </span>
        </p>
      </div>
    </Panel>
  );
}
