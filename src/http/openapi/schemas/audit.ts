import * as a from '../../../core/schema/shape.js';
import { auditChecks } from '../../../verify/audit.js';
import { pageSchema } from './replies.js';

const flawSchema = a.object({
  seq: a.described(a.count, 'Number of the invalid entry; 0 if the violation concerns no single entry.'),
  eventHash: a.nullable(a.hash, 'Hash of its event; null if no event can be read.'),
  check: a.described(
    a.oneOf(...auditChecks),
    'The check that failed. For an entry: its place in the chain, its form, a hash, the signature, its place among the events ' +
      'of its signer and resources, the replay of its step, or the index that leads to it. For the whole journal: its end, ' +
      'what the store derived from the entries, receipts, sums, or the settlement on chain.',
  ),
  what: a.described(a.text, 'What is wrong, in a sentence.'),
});

const chainSchema = a.object({
  chainId: a.described(a.count, 'Chain id (EIP-155).'),
  blockNumber: a.described(a.count, 'The block at which the chain was read.'),
  settled: a.described(a.count, 'Number of operations that the chain has settled.'),
  anchored: a.described(a.count, 'Number of entries that are anchored on the chain.'),
  anchors: a.described(a.count, 'Number of anchors of these entries.'),
  holdings: a.described(a.tokens, 'Tokens in the vault.'),
  owed: a.described(a.tokens, 'Of these, the Tokens of accounts, escrows and fees.'),
});

const journalSchema = a.object({
  resources: a.described(a.count, 'Number of resources that the checked entries created.'),
  accounts: a.described(a.count, 'Number of accounts that the checked entries changed.'),
  supply: a.described(a.tokens, 'Tokens that exist.'),
  head: a.described(a.hash, '`chainHash` of the last entry checked.'),
  erased: a.described(a.count, 'Erased texts, which cannot be compared with their hashes any more.'),
});

const runFields = {
  status: a.described(
    a.oneOf('running', 'sound', 'flawed', 'unfinished'),
    '`unfinished`: the audit did not reach a result; `note` says why.',
  ),
  startedAt: a.described(a.time, 'When it began; epoch milliseconds.'),
  finishedAt: a.nullable(a.time, 'When it ended; epoch milliseconds. Null while it runs.'),
  checked: a.described(a.count, 'Number of entries that were checked and found valid.'),
  known: a.described(
    a.count,
    'How many of them, from the first, an earlier audit of the node had verified: of these only the hashes were compared. 0 while it runs.',
  ),
  total: a.described(a.count, 'Number of entries in the journal.'),
  journal: a.nullable(journalSchema, 'Totals of the checked entries; null until it is finished.'),
  flaw: a.nullable(flawSchema, 'The first violation; null if there is none.'),
  note: a.nullable(a.text, 'What could not be checked, and why.'),
  chain: a.nullable(chainSchema, 'The chain that the journal was compared with; null if there is no chain.'),
};

export const auditRunSchema = a.named('AuditRun', a.object(runFields));

export const auditReportSchema = a.named(
  'AuditReport',
  a.object({
    v: a.described(a.constant(1), 'Version of the format.'),
    type: a.described(a.constant('audit-report'), 'Type of the document.'),
    id: a.described(a.text, 'Id of the audit.'),
    node: a.described(a.did, 'The node that audited; its key signs the report.'),
    network: a.described(a.text, 'Network of the node: devnet, testnet or mainnet.'),
    ...runFields,
    sig: a.described(
      a.text,
      'Ed25519, base64url, over `svc:audit:v1:` and the RFC 8785 form without `sig`, or its SHA-256 if longer than 1 KiB.',
    ),
  }),
);

export const auditReportsSchema = pageSchema('reports', auditReportSchema);

export const auditsSchema = a.object({
  running: a.nullable(auditRunSchema, 'The audit that this process is running.'),
  last: a.nullable(auditRunSchema, 'The newest finished audit; it survives restarts.'),
});
