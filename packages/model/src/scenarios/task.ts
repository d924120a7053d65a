/** Bids on a task, and the order that an accepted bid creates. */
import type { JsonObject } from '../../../../src/core/canonical.js';
import type { Scenario, SetupRequest, View } from '../scenario.js';

const published: SetupRequest = { by: 'requester', kind: 'task-listing', action: 'create', keep: 'taskId' };
const submitted: SetupRequest = {
  by: 'bidder',
  kind: 'bid',
  action: 'create',
  body: ({ ids }) => ({ taskId: ids.taskId, price: 40, approach: 'twice' }),
  keep: 'bidId',
};
const accepted: SetupRequest = { by: 'requester', kind: 'bid', action: 'accept', on: 'bidId', keep: 'orderId' };

const plain = [{ name: '', body: ({ taskId }: View) => ({ taskId }) }];

export const bidScenario: Scenario = {
  cast: ['requester', 'bidder'],
  payer: { name: 'requester', tokens: 40 },
  laterMs: 60_000,
  situation: () => '',
  settings: {
    'on a task of its own': {
      creator: 'bidder',
      before: [published],
      make: [published, submitted],
      attempts: { accept: plain, reject: plain, withdraw: plain },
    },
  },
};

const judgements = (said: JsonObject) => [
  {
    name: 'the newest',
    body: ({ taskId, submissionId }: View) => ({ taskId, submissionId: submissionId ?? undefined, ...said }),
  },
  { name: 'another submission', body: ({ taskId }: View) => ({ taskId, submissionId: 'sub-other' }) },
];

export const taskOrderScenario: Scenario = {
  cast: ['requester', 'bidder'],
  payer: { name: 'requester', tokens: 40 },
  laterMs: 60_000,
  // A third rejection permits a dispute; after the confirmation the number of rejections no longer matters.
  situation: ({ rejections, confirmedAt, reviews }) =>
    confirmedAt === null ? `rejected ${Math.min(Number(rejections), 3)}` : `${Object.keys(reviews as object).sort()}`,
  elsewhere: [
    ...['open', 'hasTriesLeft', 'envelopeHolds', 'isHeard', 'cancelled'],
    // Reached when both parties propose the same, or by the arbiter: see the tests of disputes in test/stories.
    ...['disputed resolve confirmed', 'disputed resolve cancelled', 'arbiter'],
  ],
  settings: {
    'of a bid that was accepted': {
      creator: 'requester',
      make: [published, submitted, accepted],
      attempts: {
        deliver: [
          {
            name: 'something',
            body: ({ taskId, submissions }) => ({ taskId, submissionId: `sub-${submissions.length + 1}` }),
          },
          { name: 'under the first one’s id', body: ({ taskId }) => ({ taskId, submissionId: 'sub-1' }) },
          { name: 'nothing', body: ({ taskId }) => ({ taskId, deliverables: [] }) },
        ],
        confirm: judgements({ approved: true }),
        reject: judgements({}),
        review: [{ name: '', body: ({ taskId }) => ({ taskId }) }],
      },
    },
  },
};
