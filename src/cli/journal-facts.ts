import type { AuditReport } from '../verify/audit.js';
import { count } from './output.js';

type Fact = readonly [name: string, value: string];

/** What an audit has counted in a journal, as `audit`, `migrate` and `rebuild` print it. */
export const journalFacts = ({ entries, resources, accounts, supply, head }: AuditReport): readonly Fact[] => [
  ['entries', count(entries)],
  ['resources', count(resources)],
  ['accounts', count(accounts)],
  ['supply', `${count(supply)} Tokens`],
  ['head', head],
];
