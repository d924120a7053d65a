/** A dispute about an active contract, an order of information, or a task that was sent back three times. */
import { dayMs } from '../../../../src/core/bounds.js';
import type { Known, Scenario, SetupRequest } from '../scenario.js';

const ofContract = (by: string, action: string, body: object = {}): SetupRequest => ({
  by,
  kind: 'contract',
  action,
  on: 'contractId',
  body: () => ({ ...body }),
});

const disputed: readonly SetupRequest[] = [
  {
    by: 'client',
    kind: 'contract',
    action: 'create',
    body: ({ dids }) => ({
      provider: dids.provider,
      terms: { arbiter: dids.arbiter, fallback: 'refund' },
      payment: { totalAmount: 61 },
      milestones: [],
    }),
    keep: 'contractId',
  },
  ofContract('client', 'sign'),
  ofContract('provider', 'sign'),
  ofContract('client', 'activate', { amount: 61 }),
  { ...ofContract('client', 'dispute', { reason: 'quality' }), keep: 'disputeId' },
];

/** The client buys from the provider. */
const ordered: readonly SetupRequest[] = [
  {
    by: 'provider',
    kind: 'info-listing',
    action: 'create',
    body: () => ({ pricing: { price: 10 }, content: { format: 'text/csv' } }),
    keep: 'listingId',
  },
  {
    by: 'client',
    kind: 'info-order',
    action: 'create',
    body: ({ ids }) => ({ listingId: ids.listingId }),
    keep: 'orderId',
  },
  { by: 'client', kind: 'info-order', action: 'dispute', on: 'orderId', keep: 'disputeId' },
];

/** The provider delivers. */
const delivered: readonly SetupRequest[] = [
  ...ordered.slice(0, 2),
  { by: 'provider', kind: 'info-order', action: 'deliver', on: 'orderId' },
  ...ordered.slice(2),
];

const sentBack = (submissionId: string): readonly SetupRequest[] => {
  const about = { kind: 'task-order', on: 'orderId', body: ({ ids }: Known) => ({ taskId: ids.taskId, submissionId }) };
  return [
    { by: 'provider', action: 'deliver', ...about },
    { by: 'client', action: 'reject', ...about },
  ];
};

/** The client orders a task and rejects its delivery three times. */
const rejected: readonly SetupRequest[] = [
  { by: 'client', kind: 'task-listing', action: 'create', keep: 'taskId' },
  {
    ...{ by: 'provider', kind: 'bid', action: 'create', keep: 'bidId' },
    body: ({ ids }) => ({ taskId: ids.taskId, price: 10, approach: 'by hand' }),
  },
  {
    ...{ by: 'client', kind: 'bid', action: 'accept', on: 'bidId', keep: 'orderId' },
    body: ({ ids }) => ({ taskId: ids.taskId }),
  },
  ...['sub-1', 'sub-2', 'sub-3'].flatMap(sentBack),
  { by: 'provider', kind: 'task-order', action: 'dispute', on: 'orderId', keep: 'disputeId' },
];

export const disputeScenario: Scenario = {
  cast: ['client', 'provider', 'arbiter'],
  payer: { name: 'client', tokens: 61 },
  laterMs: 61 * dayMs,
  situation: ({ proposals, ruling }) =>
    ruling
      ? ''
      : JSON.stringify(
          Object.values(proposals as object).map((each) => (each as { outcome: string } | null)?.outcome ?? ''),
        ),
  // The clock settles only the disputes of orders: tests in test/stories cover them.
  elsewhere: ['networkArbiter', 'mayRuleNow', 'settle'],
  settings: {
    'about a contract': {
      creator: 'client',
      make: disputed,
      attempts: {
        resolve: [
          { name: 'release', body: () => ({ resolution: 'release' }) },
          { name: 'refund', body: () => ({ resolution: 'refund' }) },
          { name: 'split', body: () => ({ resolution: 'split', clientRefund: 21, providerPayment: 40 }) },
          {
            name: 'a split of too little',
            body: () => ({ resolution: 'split', clientRefund: 20, providerPayment: 40 }),
          },
          { name: 'the fallback', body: () => ({ resolution: 'fallback' }) },
        ],
      },
    },
    // An order has no arbiter but the network's, which the configuration names, and no state after the dispute.
    'about an order that was paid for': {
      creator: 'client',
      make: ordered,
      attempts: {
        resolve: [
          { name: 'refund', body: () => ({ resolution: 'refund' }) },
          { name: 'the fallback', body: () => ({ resolution: 'fallback' }) },
          { name: 'to go on', body: () => ({ resolution: 'resume' }) },
        ],
      },
    },
    'about an order that was delivered': {
      creator: 'client',
      make: delivered,
      attempts: {
        resolve: [
          { name: 'release', body: () => ({ resolution: 'release' }) },
          { name: 'split', body: () => ({ resolution: 'split', clientRefund: 4, providerPayment: 6 }) },
          {
            name: 'a split of too much',
            body: () => ({ resolution: 'split', clientRefund: 5, providerPayment: 6 }),
          },
        ],
      },
    },
    // Tries one ruling only, because each situation takes a dozen requests: tests in test/stories try all rulings.
    'about a task order that was sent back three times': {
      creator: 'provider',
      make: rejected,
      attempts: { resolve: [{ name: 'release', body: () => ({ resolution: 'release' }) }] },
    },
  },
};
