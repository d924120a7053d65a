/** Kinds that the walk leaves out: nothing of them can be asked for at another home, but what `asked` names; each with the reason. */
export const onlyAtHome: { readonly [kind: string]: string } = {
  account: 'a DID has one account at each home where it has Tokens, and its own home alone debits it for its transfers',
  identity: 'a home keeps the keys and documents of its residents only',
  reputation: 'records follow from the trades at a home, and from reviews of them',
  deposit: 'each home credits what its own vault has received',
  node: 'a home appoints its keys itself',
  'listing-stats': 'the orders of a listing lead to it; no request does',
  'remote-request': 'the node sends it in place of the action',
  'remote-answer': 'the home of the resource writes it',
  residence: 'a DID moves at the home that it leaves, or at the one to which it comes',
};

/** What is asked for without a machine: test/peers/trade has its tests. */
export const asked: readonly string[] = ['account.transfer', 'account.withdraw', 'reputation.review'];
