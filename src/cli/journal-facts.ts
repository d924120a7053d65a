import type { AuditReport } from '../verify/audit.js';
import { count } from './output.js';

type Fact = readonly [name: string, value: string];

/** The totals of an audited journal, as `audit`, `migrate` and `rebuild` print them. */
export const journalFacts = ({
  entries,
  resources,
  accounts,
  supply,
  head,
  erased,
}: Omit<AuditReport, 'flaw'>): readonly Fact[] => [
  ['entries', count(entries)],
  ['resources', count(resources)],
  ['accounts', count(accounts)],
  ['supply', `${count(supply)} Tokens`],
  ['head', head],
  ...(erased > 0 ? [['erased', `${count(erased)} texts, which can't be compared`] as const] : []),
];
