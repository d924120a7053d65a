import type { AuditFlaw, AuditReport } from './audit.js';

/** The report on a valid journal that contradicts the chain. */
export const contradicted = (report: AuditReport, found: Pick<AuditFlaw, 'seq' | 'what'>): AuditReport => ({
  ...report,
  ok: false,
  flaw: { eventHash: null, check: 'settlement', ...found },
});
