import type { AuditFlaw, AuditReport } from './audit.js';

/** Turns the report on a valid journal into one that says that it contradicts the chain. */
export const contradicted = (report: AuditReport, found: Pick<AuditFlaw, 'seq' | 'what'>): AuditReport => ({
  ...report,
  ok: false,
  flaw: { eventHash: null, check: 'settlement', ...found },
});
