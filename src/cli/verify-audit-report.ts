/** `svc-node verify-proof` for a signed audit report. */
import type { SignedAuditReport } from '../verify/audit-report.js';
import { count, timeText } from './output.js';
import { concludeCheck } from './verdict.js';

export async function verifyAuditReport(value: unknown, json: boolean): Promise<void> {
  const { violationOfReport } = await import('../verify/audit-report.js');
  const flaw = violationOfReport(value);
  const { node, network, status, startedAt, checked, total, journal } = value as SignedAuditReport;
  concludeCheck({
    what: 'report',
    ...{ json, flaw },
    members: { node, network, status, startedAt },
    facts: () => ({
      'audit by': `${node} on ${network}`,
      begun: timeText(startedAt),
      result: `${status}: ${count(checked)} of ${count(total)} entries`,
      head: journal?.head ?? 'not reached',
    }),
    ok: 'OK: the node has signed this report. To check the journal itself, run svc-node audit.',
  });
}
