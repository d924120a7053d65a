import type { AuditFlaw, AuditReport } from '../actors/audit.js';

/** The report on a sound journal that the chain contradicts. */
export const contradicted = (report: AuditReport, found: Pick<AuditFlaw, 'seq' | 'what'>): AuditReport => ({
  ...report,
  ok: false,
  flaw: { eventHash: null, check: 'settlement', ...found },
});
