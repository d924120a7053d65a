/** A dispute about an active contract, opened by its client. */
import type { Errand, Scenario } from '../scenario.js';

const dayMs = 86_400_000;

const ofContract = (by: string, action: string, body: object = {}): Errand => ({
  by,
  kind: 'contract',
  action,
  on: 'contractId',
  body: () => ({ ...body }),
});

const disputed: readonly Errand[] = [
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
  // The clock settles those of orders only: the stories of disputed orders.
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
  },
};
