/** How the graph tools walk each kind: its initial context, and every event. */

import { dayMs } from '../../src/core/bounds.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { noon } from '../world/fake-world.js';
import { ada, ben, cyd, dan } from '../world/people.js';

export interface WalkStep {
  readonly action: string;
  readonly who: string;
  /** Roles of the sender in addition to `anyone`. */
  readonly roles?: readonly string[];
  /** Inputs in addition to the action's example. */
  readonly inputs?: readonly JsonObject[];
  /** Inputs as a workflow passes them, instead of the example. */
  readonly given?: readonly JsonObject[];
  /** Days after the creation. */
  readonly day?: number;
}

export interface Walk {
  /** Id of the resource, if the kind determines it. */
  readonly id?: string;
  /** Members to change in the example of create. */
  readonly create?: JsonObject;
  /** The initial context, if a workflow creates the resource. */
  readonly context?: JsonObject;
  readonly steps: readonly WalkStep[];
  /** Events of the machine that this kind never accepts. */
  readonly never?: readonly string[];
  /** States that this kind never reaches. */
  readonly unreached?: readonly string[];
  /** The part of the context that distinguishes situations; all of it, unless that gives too many. */
  readonly situation?: (context: JsonObject) => unknown;
}

/** An update of every member of a listing. */
const changesOfAll: JsonObject = {
  title: 'all new',
  description: 'all new',
  category: 'all-new',
  tags: ['new'],
  pricing: { model: 'fixed', price: 3 },
  stock: 1,
  visibility: 'private',
  expiresAt: noon + 9 * dayMs,
  detail: 'new',
};

const listing: Walk = {
  create: { stock: 2, expiresAt: noon + 10 * dayMs },
  steps: [
    { action: 'update', who: 'ada', given: [{ title: 'another' }, changesOfAll] },
    { action: 'pause', who: 'ada' },
    { action: 'resume', who: 'ada' },
    { action: 'remove', who: 'ada' },
    { action: 'order', who: 'ben' },
    { action: 'bid', who: 'ben' },
    { action: 'award', who: 'ada' },
    { action: 'restore', who: 'clock' },
    { action: 'expire', who: 'clock', day: 10 },
  ],
  // More in stock than that makes no difference.
  situation: (context) => ({ ...context, stock: Math.min(Number(context.stock), 3) }),
};

const withoutBids = { never: ['bid', 'award'], unreached: ['active.awarded'] };

// More than the sum of the milestones: completing pays the rest.
const terms = { terms: { deadline: noon + 20 * dayMs, arbiter: cyd }, provider: ben, payment: { totalAmount: 70 } };
const everyTerm = {
  terms: { deadline: noon + 20 * dayMs, arbiter: dan },
  payment: { totalAmount: 70, schedule: 'on approval' },
  milestones: [
    { id: 'sketch', title: 'Another sketch', amount: 20 },
    { id: 'final', title: 'Final', amount: 40 },
  ],
};
const disputeParties = { client: ada, provider: ben, arbiter: cyd, networkArbiter: null };

/** What a dispute's workflow sends to the disputed order. */
const disputed: readonly WalkStep[] = [
  { action: 'dispute', who: 'ada', given: [{ reason: 'quality', disputeId: 'dsp-1' }] },
  {
    action: 'resolve',
    who: 'cyd',
    roles: ['workflow'],
    given: [{}, { outcome: 'release', providerPayment: 10 }, { outcome: 'refund', clientRefund: 10 }],
  },
];

/** A kind that is not listed is walked with its examples only. */
export const walks: { readonly [kind: string]: Walk } = {
  escrow: {
    create: { beneficiary: ben, expiresAt: noon + 10 * dayMs },
    steps: [
      { action: 'fund', who: 'ada' },
      { action: 'release', who: 'ada', inputs: [{ amount: 10 }, { amount: 15 }] },
      {
        action: 'refund',
        who: 'ben',
        inputs: [
          { amount: 10, reason: 'x' },
          { amount: 15, reason: 'x' },
        ],
      },
      { action: 'expire', who: 'dan', day: 10 },
      { action: 'cancel', who: 'ada' },
      { action: 'lapse', who: 'clock', day: 10 },
    ],
  },
  'info-listing': { ...listing, ...withoutBids },
  'task-listing': listing,
  'capability-listing': { ...listing, ...withoutBids },
  lease: {
    context: {
      listingId: 'lst-1',
      lessee: ada,
      lessor: ben,
      meteredBy: 'lessee',
      limits: [],
      escrowId: 'esc-1',
      type: 'pay_per_use',
      price: 5,
      unit: 'call',
      amount: 10,
      maxUnitsPerCall: 10,
      periodMs: null,
      periods: null,
      startedAt: noon,
      endsAt: noon + 10 * dayMs,
      usage: { calls: 0, succeeded: 0, units: 0, charged: 0, last: null, latencies: [], spent: [] },
      settled: null,
    },
    steps: [
      { action: 'invoke', who: 'ada', given: [{}] },
      { action: 'pause', who: 'ada' },
      { action: 'resume', who: 'ada' },
      { action: 'terminate', who: 'ada' },
      { action: 'expire', who: 'clock', day: 10 },
    ],
  },
  'info-order': {
    context: {
      listingId: 'lst-1',
      buyer: ada,
      seller: ben,
      quantity: 1,
      unitPrice: 10,
      price: 10,
      escrowId: 'esc-1',
      buyerPublicKeyHex: 'ab'.repeat(32),
      hasPackage: false,
      deliverBy: noon + 7 * dayMs,
      deliveredAt: null,
      confirmBy: null,
      confirmedAt: null,
      delivery: null,
      disputeId: null,
      reviews: {},
    },
    steps: [
      { action: 'pay', who: 'ada' },
      { action: 'deliver', who: 'ben', given: [{ deliveryData: { box: 4 } }] },
      { action: 'confirm', who: 'ada' },
      { action: 'settle', who: 'clock', day: 8 },
      { action: 'review', who: 'ada', roles: ['buyer'] },
      { action: 'review', who: 'ben', roles: ['seller'] },
      { action: 'lapse', who: 'clock', day: 7 },
      ...disputed,
    ],
  },
  'task-order': {
    context: {
      taskId: 'lst-1',
      bidId: 'bid-1',
      requester: ada,
      provider: ben,
      price: 10,
      escrowId: 'esc-1',
      dueAt: noon + 7 * dayMs,
      deliverBy: noon + 7 * dayMs,
      confirmBy: null,
      submissions: [],
      rejections: 0,
      confirmedAt: null,
      cancelledAt: null,
      disputeId: null,
      reviews: {},
    },
    // From the third rejection on the order can be disputed; the content of the submissions makes no difference.
    situation: ({ rejections, confirmBy, reviews }) => [
      Math.min(Number(rejections), 3),
      confirmBy === null,
      reviews as JsonObject,
    ],
    steps: [
      { action: 'begin', who: 'ada' },
      {
        action: 'deliver',
        who: 'ben',
        given: [1, 2, 3, 4].map((i) => ({ deliverables: ['x'], submissionId: `sub-${i}` })),
      },
      { action: 'confirm', who: 'ada', given: [{}] },
      { action: 'reject', who: 'ada', given: [{}] },
      { action: 'settle', who: 'clock', day: 8 },
      { action: 'review', who: 'ada', roles: ['requester'] },
      { action: 'review', who: 'ben', roles: ['provider'] },
      { action: 'cancel', who: 'clock', day: 8 },
      ...disputed,
    ],
  },
  contract: {
    create: terms,
    situation: ({ milestones, signatures, consented, notedUntil }) => [
      (milestones as { state: string }[]).map(({ state }) => state),
      (signatures as { role: string }[]).map(({ role }) => role),
      consented,
      notedUntil,
    ],
    steps: [
      {
        action: 'update',
        who: 'ada',
        given: [{ salt: 'ab'.repeat(16), terms: { scope: 'another', ...terms.terms } }, everyTerm],
      },
      { action: 'sign', who: 'ada', roles: ['client'] },
      { action: 'sign', who: 'ben', roles: ['provider'] },
      { action: 'activate', who: 'ada', given: [{ amount: 70, escrowId: 'esc-1' }] },
      { action: 'submit', who: 'ben', given: [{ milestoneId: 'sketch' }, { milestoneId: 'final' }] },
      { action: 'approve', who: 'ada', given: [{ milestoneId: 'sketch' }, { milestoneId: 'final' }] },
      { action: 'reject', who: 'ada', given: [{ milestoneId: 'sketch' }] },
      { action: 'complete', who: 'ada' },
      { action: 'consent', who: 'ben' },
      { action: 'terminate', who: 'ben', roles: ['provider'] },
      { action: 'dispute', who: 'ada', given: [{ reason: 'other', disputeId: 'dsp-1' }] },
      {
        action: 'resolve',
        who: 'cyd',
        roles: ['workflow'],
        // A day after the submissions, so that their time for review is another one.
        day: 2,
        given: [
          {},
          { outcome: 'release', providerPayment: 10 },
          { outcome: 'split', providerPayment: 5, clientRefund: 5 },
          { outcome: 'refund', clientRefund: 10 },
          { outcome: 'resume' },
        ],
      },
      { action: 'settle', who: 'clock', day: 10 },
      { action: 'overdue', who: 'clock', day: 20 },
    ],
  },
  bid: {
    steps: [
      { action: 'accept', who: 'ada', given: [{ orderId: 'task-ord-1', escrowId: 'esc-1' }] },
      { action: 'reject', who: 'ada', given: [{ reason: 'too late' }] },
      { action: 'withdraw', who: 'ben', given: [{ reason: 'too much' }] },
    ],
  },
  dispute: {
    context: {
      ...disputeParties,
      fallback: 'split',
      rest: 60,
      resumable: false,
      openedAt: noon,
      proposals: { client: null, provider: null },
      subject: { kind: 'task-order', id: 'task-ord-1' },
      escrowId: 'esc-1',
      openedBy: ada,
      reason: 'quality',
      description: '',
      evidence: [],
      ruling: null,
      ruledBy: null,
      ruledAt: null,
      note: null,
    },
    steps: [
      { action: 'resolve', who: 'ada', roles: ['client'] },
      { action: 'resolve', who: 'ben', roles: ['provider'] },
      { action: 'resolve', who: 'cyd', roles: ['arbiter'], given: [{ resolution: 'refund', note: 'as agreed' }] },
      { action: 'settle', who: 'clock', day: 60 },
    ],
  },
};
