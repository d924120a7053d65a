/** Audits of the running node, and their findings. */

import * as a from '../../../core/schema/shape.js';
import { auditChecks } from '../../../verify/audit.js';

const flawSchema = a.object({
  seq: a.described(a.count, 'Number of the invalid entry; 0 if the violation concerns no single entry.'),
  eventHash: a.described(a.nullable(a.hash), 'Hash of its event; null if there is none that can be read.'),
  check: a.described(
    a.oneOf(...auditChecks),
    'What failed. Of an entry: its place in the chain, its form, a hash, the signature, its place among the events of ' +
      'its signer and resources, the replay of its step, the index that leads to it. Of all: where the journal ends, ' +
      'what the store made of the entries, receipts, sums, and what is settled on chain.',
  ),
  what: a.described(a.text, 'What is wrong, in a sentence.'),
});

const chainSchema = a.object({
  chainId: a.described(a.count, 'Chain id (EIP-155).'),
  blockNumber: a.described(a.count, 'The block at which the chain was read.'),
  settled: a.described(a.count, 'Operations that the chain has settled.'),
  anchored: a.described(a.count, 'Entries that are anchored on it.'),
  anchors: a.described(a.count, 'How many anchors those are.'),
  holdings: a.described(a.tokens, 'Tokens that the vault has.'),
  owed: a.described(a.tokens, 'Of these: what the accounts have, escrows and fees included.'),
});

const journalSchema = a.object({
  resources: a.described(a.count, 'Resources that the entries checked have made.'),
  accounts: a.described(a.count, 'Accounts that they have touched.'),
  supply: a.described(a.tokens, 'Tokens that exist.'),
  head: a.described(a.hash, '`chainHash` of the last entry checked.'),
});

const runFields = {
  status: a.described(
    a.oneOf('running', 'sound', 'flawed', 'unfinished'),
    '`unfinished`: there was no verdict; `note` says why.',
  ),
  startedAt: a.described(a.time, 'When it began; epoch milliseconds.'),
  finishedAt: a.described(a.nullable(a.time), 'When it ended; epoch milliseconds. Null while it runs.'),
  checked: a.described(a.count, 'Entries checked and sound.'),
  total: a.described(a.count, 'Entries that there are.'),
  journal: a.described(a.nullable(journalSchema), 'Totals of the checked entries; null until it is finished.'),
  flaw: a.described(a.nullable(flawSchema), 'The first violation; null if there is none.'),
  note: a.described(a.nullable(a.text), 'What could not be checked, and why.'),
  chain: a.described(a.nullable(chainSchema), 'What the journal was held against; null: no chain.'),
};

export const auditRunSchema = a.named('AuditRun', a.object(runFields));

export const auditReportSchema = a.named(
  'AuditReport',
  a.object({
    v: a.described(a.constant(1), 'Version of the format.'),
    type: a.described(a.constant('audit-report'), 'Says what the document is.'),
    id: a.described(a.text, 'Id of the audit.'),
    node: a.described(a.did, 'The node that audited, whose key signs.'),
    network: a.described(a.text, 'Network of the node: devnet, testnet or mainnet.'),
    ...runFields,
    sig: a.described(a.text, 'Ed25519, base58btc, over `svc:audit:v1:` and the RFC 8785 form without `sig`.'),
  }),
);

export const auditReportsSchema = a.object({
  reports: a.described(a.list(auditReportSchema), 'Newest first; the newest 100 are kept.'),
  total: a.described(a.count, 'Reports that are kept.'),
});

export const auditsSchema = a.object({
  running: a.described(a.nullable(auditRunSchema), 'The audit that this process is at.'),
  last: a.described(a.nullable(auditRunSchema), 'The newest that is finished; kept over restarts.'),
});
