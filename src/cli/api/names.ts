/**
 * The words of a command, derived from the operation's name: `fundEscrow` becomes `escrow fund`. Exceptions are listed
 * here.
 */

/** Kinds whose commands form one group. */
const nouns: { readonly [noun: string]: string } = {
  InfoListing: 'info',
  InfoOrder: 'info',
  TaskListing: 'task',
  TaskOrder: 'task',
  CapabilityListing: 'capability',
};

const given: { readonly [operationId: string]: string } = {
  getNode: 'node status',
  listPeers: 'node peers',
  getNodeConfig: 'node config',
  getNodeActivity: 'node activity',
  startAudit: 'admin start-audit',
  getAudit: 'admin audit',
  listDeliveries: 'webhook deliveries',
  redeliverEvent: 'webhook redeliver',
  rotateWebhookSecret: 'webhook rotate-secret',
  getMachineHistory: 'machine history',
  getPermittedActions: 'machine permitted',
  getMachineState: 'machine state',
  health: 'node health',
  readiness: 'node ready',
  metrics: 'node metrics',
  openApi: 'node openapi',
  listErrors: 'error list',
  explainError: 'error explain',
  createIdentity: 'identity new',
  getSelf: 'identity self',
  listCapabilities: 'identity capabilities',
  registerCapability: 'identity register-capability',
  registerController: 'identity register-controller',
  createOwnApiKey: 'identity create-key',
  listOwnApiKeys: 'identity keys',
  getOwnApiKey: 'identity key',
  revokeOwnApiKey: 'identity revoke-key',
  transfer: 'transfer',
  claimFaucet: 'faucet',
  listTransactions: 'wallet transactions',
  withdraw: 'wallet withdraw',
  getNonce: 'wallet nonce',
  getTransaction: 'wallet transaction',
  getSupply: 'wallet supply',
  searchMarkets: 'market search',
  createInfoOrder: 'info purchase',
  getInfoContent: 'info content',
  getInfoDelivery: 'info delivery',
  listTaskBids: 'task bids',
  listReviews: 'reputation reviews',
  createReview: 'reputation review',
  listContractDisputes: 'contract disputes',
  submitContract: 'contract submit-milestone',
  approveContract: 'contract approve-milestone',
  rejectContract: 'contract reject-milestone',
  streamEvents: 'event stream',
  getEventProof: 'event proof',
  freezeAccount: 'admin freeze',
  unfreezeAccount: 'admin unfreeze',
  withdrawFees: 'admin withdraw-fees',
  unlockIdentity: 'admin unlock',
  lockIdentity: 'admin lock',
  listAdminLog: 'admin log',
  createApiKey: 'admin create-key',
  listApiKeys: 'admin keys',
  getApiKey: 'admin key',
  deleteApiKey: 'admin delete-key',
  revokeApiKey: 'admin revoke-key',
};

/** `group name` or one word; undefined for pages and scripts of browsers. */
export function wordsOf({ operationId, path }: { readonly operationId: string; readonly path: string }) {
  const named = given[operationId];
  if (named !== undefined || !path.startsWith('/api/v1/')) return named;
  const [, verb = operationId, noun = ''] = /^([a-z0-9]+)([A-Z]\w*)$/.exec(operationId) ?? [];
  const one = noun.replace(/ies$/, 'y').replace(/s$/, '');
  return `${nouns[one] ?? (kebab(one) || 'node')} ${kebab(verb)}`;
}

export const kebab = (name: string): string =>
  name
    .replace(/_/g, '-')
    .replace(/(?<=[a-z0-9])([A-Z])/g, '-$1')
    .toLowerCase();

interface CommandGroup {
  readonly says: string;
  readonly heading: string;
}

const money = 'Tokens:';
const markets = 'Markets:';
const agreements = 'Contracts and reputation:';
const operation = 'The node over HTTP:';

const groups: { readonly [name: string]: CommandGroup } = {
  transfer: { says: '', heading: money },
  faucet: { says: '', heading: money },
  wallet: { says: 'Balances, transactions, withdrawals and the supply.', heading: money },
  escrow: { says: 'Tokens held between two parties until a rule lets them go.', heading: money },
  market: { says: 'Search all markets at once.', heading: markets },
  info: { says: 'Information: listings, their encrypted content, and buying it.', heading: markets },
  task: { says: 'Tasks: listings, their bids, and the work that was accepted.', heading: markets },
  bid: { says: 'Bids on tasks.', heading: markets },
  capability: { says: 'Capabilities: listings of what can be leased.', heading: markets },
  lease: { says: 'Leases of capabilities, and their metered use.', heading: markets },
  order: { says: 'Orders of every market: reading, disputes, opening a delivery.', heading: markets },
  contract: { says: 'Service contracts, their signatures and milestones.', heading: agreements },
  dispute: { says: 'Disputes, and their resolution.', heading: agreements },
  reputation: { says: 'Scores and signed reviews.', heading: agreements },
  event: { says: 'The journal: its events, their proofs, and what comes live.', heading: operation },
  machine: { says: 'The state machines behind every kind of resource.', heading: operation },
  webhook: { says: 'Addresses that are told what happens.', heading: operation },
  node: { says: 'What the node says about itself.', heading: operation },
  error: { says: 'The classes of errors, explained.', heading: operation },
  admin: { says: 'With an admin key: accounts, fees, API keys, the log of operators.', heading: operation },
};

export const groupOf = (name: string): CommandGroup =>
  groups[name] ?? { says: `Everything about ${name}.`, heading: operation };
