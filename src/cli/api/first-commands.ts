/** The first commands that a user needs from each group, which its help shows. */

type FirstCommand = readonly [line: string, meaning: string];

export const firstCommands: { readonly [group: string]: readonly FirstCommand[] } = {
  escrow: [
    ['escrow create --beneficiary ben --amount 25 --release manual --auto-fund', 'hold 25 Tokens for ben'],
    ['escrow release ESCROW-ID --amount 5', 'pay a part of it'],
    ['escrow list --did ada --watch', 'see what happens'],
  ],
  wallet: [
    ['wallet get', 'your balance'],
    ['wallet transactions --type received', 'what you were paid'],
  ],
  market: [['market search --keyword rain', 'what is for sale']],
  order: [
    ['order list --did ada --role buyer', 'what ada has bought'],
    ['order open ORDER-ID', 'read what was delivered'],
    ['order dispute ORDER-ID --reason quality', 'have an arbiter decide'],
  ],
  info: [
    ['info create --input listing.json', 'offer information'],
    ['info purchase LISTING-ID', 'buy it: the price goes into an escrow'],
    ['info confirm LISTING-ID', 'accept the delivery, which pays the seller'],
  ],
  task: [
    ['task create --input task.json', 'ask for bids on a task'],
    ['bid list TASK-ID', 'who wants to do it, and for how much'],
    ['task confirm TASK-ID', 'accept the work, which pays the provider'],
  ],
  bid: [
    ['bid create TASK-ID --price 30', 'offer to do a task for 30 Tokens'],
    ['bid list TASK-ID', 'all bids on a task'],
    ['bid accept TASK-ID BID-ID', 'award the task'],
  ],
  capability: [
    ['capability list', 'what you can lease'],
    ['capability create --input listing.json', 'offer a capability'],
  ],
  lease: [
    ['lease create LISTING-ID --input plan.json', 'lease a capability'],
    ['lease invoke LEASE-ID --units 1', 'record a call, which is charged'],
  ],
  contract: [
    ['contract create --input contract.json', 'draft a contract with a provider'],
    ['contract sign CONTRACT-ID', 'agree to its terms'],
    ['contract approve-milestone CONTRACT-ID MILESTONE-ID', 'accept a milestone, which pays it'],
  ],
  dispute: [
    ['dispute list --role arbiter --did cyd --status open', 'what cyd has to decide'],
    ['dispute resolve DISPUTE-ID --resolution release', 'decide that the provider is paid'],
  ],
  reputation: [
    ['reputation get ben', 'the scores of ben'],
    ['reputation reviews ben', 'who has said what about ben'],
  ],
  event: [
    ['event stream', 'follow the journal'],
    ['event list --resource escrow/ESCROW-ID', 'all events of one resource'],
    ['event list --order newest --since 2h', 'the last two hours, newest first'],
  ],
  leaf: [['leaf list --resource escrow/ESCROW-ID', 'the texts of an escrow that can be erased']],
  machine: [['machine history escrow ESCROW-ID', 'every step of an escrow, with its signer']],
  node: [
    ['node ready', 'whether the node is ready, and why not'],
    ['node config', 'its configuration, without secrets'],
  ],
  webhook: [
    ['webhook create --webhook-url https://example.org/hook --types escrow.released', 'be notified of releases'],
    ['webhook deliveries WEBHOOK-ID', 'which notifications arrived'],
  ],
  'audit-report': [['audit-report list', 'the newest audits']],
  error: [['error explain ESCROW_RULE_NOT_MET', 'what an error code means, and what to do']],
  admin: [
    ['admin log', 'what operators did'],
    ['admin freeze did:svc:z6Mk…', 'stop the debits of an account'],
  ],
};
