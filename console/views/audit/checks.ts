/** The checks of an audit in their order, in words. */
export const checks: readonly (readonly [check: string, title: string, says: string])[] = [
  ['chain', 'Chain', 'Each entry follows the one before, without a gap.'],
  ['form', 'Form', 'Each entry can be read, and is in its canonical form.'],
  ['hash', 'Hashes', 'Entry, event and payload are what was hashed.'],
  ['signature', 'Signatures', 'Each event is signed by the key inside its DID.'],
  ['sequence', 'Sequence', 'Nonces of signers and versions of resources have no gap; time does not go back.'],
  ['replay', 'Replay', 'Every step, run again, gives what the entry says, and its postings sum to zero.'],
  ['index', 'Index', 'Every index entry leads to the entry that it names.'],
  ['head', 'End', 'The journal ends where the store says.'],
  ['projection', 'Projections', 'Resources, balances, deadlines and labels are what the entries give.'],
  ['receipts', 'Receipts', 'Receipts of the chain are chained themselves.'],
  ['sums', 'Sums', 'Balances and fees make the supply.'],
  ['settlement', 'Chain comparison', 'What is settled and anchored is this journal, and the vault holds what it owes.'],
];

export const titleOf = (check: string): string => checks.find(([name]) => name === check)?.[1] ?? check;
