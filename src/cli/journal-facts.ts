import type { AuditReport } from '../verify/audit.js';
import { count, type Facts } from './output.js';

/** The totals of an audited journal, as `audit`, `migrate` and `rebuild` print them. */
export const journalFacts = ({
  entries,
  resources,
  accounts,
  supply,
  head,
  erased,
}: Omit<AuditReport, 'flaw'>): Facts => ({
  entries: count(entries),
  resources: count(resources),
  accounts: count(accounts),
  supply: `${count(supply)} Tokens`,
  head,
  erased: erased > 0 ? `${count(erased)} texts, which can't be compared` : undefined,
});
