/** The checks of an audit in their order, in words. */
export const checks: readonly (readonly [check: string, title: string, says: string])[] = [
  ['chain', 'Chain', 'Each entry follows the previous one, without a gap.'],
  ['form', 'Form', 'Each entry can be read, and is in its canonical form.'],
  ['hash', 'Hashes', 'The hashes of entry, event and payload are correct.'],
  ['signature', 'Signatures', 'Each event is signed by the key inside its DID.'],
  ['sequence', 'Sequence', 'Nonces of signers and versions of resources have no gap; time does not go back.'],
  ['replay', 'Replay', 'Every step, run again, gives the result in the entry, and the postings sum to zero.'],
  ['index', 'Index', 'Every index entry leads to the entry that it names.'],
  ['head', 'End', 'The journal ends where the store says.'],
  ['projection', 'Projections', 'Resources, balances, deadlines and labels follow from the entries.'],
  ['receipts', 'Receipts', 'The receipts of the chain form a hash chain.'],
  ['sums', 'Sums', 'Balances and fees add up to the supply.'],
  [
    'settlement',
    'Chain comparison',
    'The chain has settled and anchored this journal, and the vault holds what it owes.',
  ],
];

export const titleOf = (check: string): string => checks.find(([name]) => name === check)?.[1] ?? check;
