/** `svc-node verify-proof` for a signed audit report. */
import type { SignedAuditReport } from '../verify/audit-report.js';
import { CommandFailed } from './failure.js';
import { count, facts, print, printJson, timeText } from './output.js';

export async function verifyAuditReport(value: unknown, json: boolean): Promise<void> {
  const { violationOfReport } = await import('../verify/audit-report.js');
  const flaw = violationOfReport(value);
  const { node, network, status, startedAt, checked, total, journal } = value as SignedAuditReport;
  if (json) printJson({ ok: flaw === undefined, node, network, status, startedAt, ...(flaw ? { flaw } : {}) });
  if (flaw) throw new CommandFailed(`the report does not hold: ${flaw}`);
  if (json) return;
  print(
    facts(
      [
        ['audit by', `${node} on ${network}`],
        ['begun', timeText(startedAt)],
        ['result', `${status}: ${count(checked)} of ${count(total)} entries`],
        ['head', journal?.head ?? 'not reached'],
      ],
      '  ',
    ),
  );
  print('OK: the node has signed this report. To check the journal itself, run svc-node audit.');
}
