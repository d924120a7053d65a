/** Kinds of which nothing can be asked for at another home, each with the reason. */
export const onlyAtHome: { readonly [kind: string]: string } = {
  account: 'a DID has one account at each home where it has Tokens, and its own home alone debits it for its transfers',
  identity: 'a home keeps the keys and documents of its residents only',
  reputation: 'a review is part of the action that reviews an order, at the home of the order',
  deposit: 'each home credits what its own vault has received',
  node: 'a home appoints its keys itself',
  'listing-stats': 'the orders of a listing lead to it; no request does',
  'remote-request': 'the node sends it in place of the action',
  'remote-answer': 'the home of the resource writes it',
};
