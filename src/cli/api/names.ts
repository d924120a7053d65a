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
  getNode: 'status',
  getHome: 'node home',
  listPeers: 'peers list',
  getPeerEvidence: 'peers evidence',
  limitPeer: 'peers limit',
  mirrorPeer: 'peers mirror',
  getNodeConfig: 'node config',
  getNodeActivity: 'node activity',
  getStatistics: 'node statistics',
  startAudit: 'audit',
  getAudit: 'node audit',
  listAuditReports: 'audit-report list',
  getAuditReport: 'audit-report get',
  listDeliveries: 'webhook deliveries',
  redeliverEvent: 'webhook redeliver',
  rotateWebhookSecret: 'webhook rotate-secret',
  getMachineHistory: 'machine history',
  getPermittedActions: 'machine permitted',
  getMachineState: 'machine state',
  getResourceProof: 'machine proof',
  health: 'node health',
  readiness: 'node ready',
  metrics: 'node metrics',
  openApi: 'node openapi',
  listErrors: 'error list',
  explainError: 'error explain',
  lookUp: 'lookup',
  listNames: 'identity names',
  createIdentity: 'identity create',
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
  listHomeWallets: 'wallet homes',
  withdraw: 'wallet withdraw',
  getNonce: 'wallet nonce',
  getTransaction: 'wallet transaction',
  getSupply: 'wallet supply',
  searchMarkets: 'market search',
  createInfoOrder: 'info purchase',
  getInfoContent: 'info content',
  getInfoDelivery: 'info delivery',
  listTaskBids: 'bid list',
  listReviews: 'reputation reviews',
  createReview: 'reputation review',
  listContractDisputes: 'dispute list',
  submitContract: 'contract submit-milestone',
  approveContract: 'contract approve-milestone',
  rejectContract: 'contract reject-milestone',
  streamEvents: 'event stream',
  getEventProof: 'event proof',
  getSignedEvent: 'event signed',
  batch: 'event batch',
  redactLeaf: 'redact',
  listLeaves: 'leaf list',
  freezeAccount: 'admin freeze',
  unfreezeAccount: 'admin unfreeze',
  withdrawFees: 'admin withdraw-fees',
  unlockIdentity: 'identity unlock',
  lockIdentity: 'identity lock',
  listAdminLog: 'admin log',
  listRequests: 'admin requests',
  createApiKey: 'api-key create',
  listApiKeys: 'api-key list',
  getApiKey: 'api-key get',
  deleteApiKey: 'api-key delete',
  revokeApiKey: 'api-key revoke',
};

/** Lists that take the id of a resource as an optional argument, with the operation that lists what belongs to it. */
export const narrowings: { readonly [operationId: string]: string } = {
  listBids: 'listTaskBids',
  listDisputes: 'listContractDisputes',
};

/** Operations for which help names another command: `dispute resolve` and `reputation review`. Scripts may use them. */
const unlisted = new Set(['resolveOrder', 'resolveContract', 'reviewInfoOrder', 'reviewTaskOrder']);
export const isListed = ({ operationId }: { readonly operationId: string }): boolean => !unlisted.has(operationId);

/** Members that a command also takes as a word, by its operation: `lookup Ada`. */
export const asWord: { readonly [operationId: string]: string } = { lookUp: 'text', claimFaucet: 'did' };

/** The words of an operation's command: `group name` or one word; undefined for pages and scripts for browsers. */
export function commandWords({ operationId, path }: { readonly operationId: string; readonly path: string }) {
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
  escrow: { says: 'Hold Tokens between two parties until a rule releases them.', heading: money },
  market: { says: 'Search all markets at once.', heading: markets },
  info: { says: 'Sell and buy information: listings, encrypted content, orders.', heading: markets },
  task: { says: 'Post tasks, award them, deliver and accept work.', heading: markets },
  bid: { says: 'Bid on tasks.', heading: markets },
  capability: { says: 'List capabilities that others can lease.', heading: markets },
  lease: { says: 'Lease capabilities, and meter their use.', heading: markets },
  order: { says: 'Read orders of all markets, open deliveries, dispute.', heading: markets },
  contract: { says: 'Service contracts: terms, signatures, milestones.', heading: agreements },
  dispute: { says: 'Read and resolve disputes.', heading: agreements },
  reputation: { says: 'Scores and signed reviews.', heading: agreements },
  event: { says: 'Read the journal, follow it live, get proofs.', heading: operation },
  machine: { says: 'State machines, and the history of each resource.', heading: operation },
  lookup: { says: '', heading: operation },
  'audit-report': { says: 'Signed reports of audits.', heading: operation },
  webhook: { says: 'URLs to which the node posts events.', heading: operation },
  node: { says: 'Health, configuration and metrics of the node.', heading: operation },
  error: { says: 'Explanations of errors.', heading: operation },
  leaf: { says: 'Texts that can be erased; needs an admin key.', heading: operation },
  redact: { says: '', heading: operation },
  admin: { says: 'Freeze accounts, withdraw fees, see what operators did; needs an admin key.', heading: operation },
};

export const groupOf = (name: string): CommandGroup =>
  groups[name] ?? { says: `Operations of ${name}.`, heading: operation };
