/** A contract of two stages, with a deadline and an arbiter. */
import type { Attempt, Body, Scenario, View } from '../scenario.js';

const minuteMs = 60_000;

const milestones = [
  { id: 'sketch', title: 'Sketch', amount: 20 },
  { id: 'final', title: 'Final', amount: 40 },
];

const on = (milestoneId: string, more: Body = {}): Attempt => ({
  name: milestoneId,
  body: () => ({ milestoneId, ...more }),
});

const attempts = {
  update: [
    { name: 'other terms', body: () => ({ terms: { scope: 'more' } }) },
    { name: 'beyond its budget', body: () => ({ payment: { totalAmount: 59 } }) },
    { name: 'a party as arbiter', body: ({ provider }: View) => ({ terms: { arbiter: provider } }) },
  ],
  sign: [
    { name: '', body: () => ({}) },
    { name: 'other terms', body: () => ({ termsHash: 'f'.repeat(64) }) },
  ],
  activate: [
    { name: 'the amount', body: () => ({ amount: 60 }) },
    { name: 'another amount', body: () => ({ amount: 59 }) },
  ],
  submit: [on('sketch'), on('final'), on('none')],
  approve: [on('sketch', { rating: 4 }), on('final')],
  reject: [on('sketch', { feedback: 'not yet' })],
  resolve: [
    { name: 'release', body: () => ({ resolution: 'release' }) },
    { name: 'refund', body: () => ({ resolution: 'refund' }) },
    { name: 'resume', body: () => ({ resolution: 'resume' }) },
    // The dispute refuses it before its waiting time is over.
    { name: 'fallback', body: () => ({ resolution: 'fallback' }) },
  ],
};

/** The state of the second stage matters only once the first is approved. */
const stage = ([first, second]: readonly { readonly state: string }[]): string =>
  first!.state === 'approved' ? `approved, ${second!.state}` : first!.state;

export const contractScenario: Scenario = {
  cast: ['client', 'provider', 'arbiter'],
  payer: { name: 'client', tokens: 60 },
  laterMs: 61 * minuteMs,
  situation: ({ milestones: all, signatures, consented }) =>
    `${(signatures as unknown[]).length} ${consented ? 'consented' : stage(all as { state: string }[])}`,
  // The configuration names the network's arbiter; the clock's action has no route.
  elsewhere: [
    'disputed resolve active.consented',
    'networkArbiter',
    'isHeard',
    'deadlineHasPassed',
    'reviewIsOver',
    'envelopeHolds',
  ],
  added: { sign: { signature: 'a signature' } },
  settings: {
    'with a deadline and an arbiter': {
      creator: 'client',
      create: ({ dids, now }) => ({
        provider: dids.provider,
        terms: { arbiter: dids.arbiter, deadline: now + 60 * minuteMs },
        payment: { totalAmount: 60 },
        milestones,
      }),
      attempts,
    },
  },
};
