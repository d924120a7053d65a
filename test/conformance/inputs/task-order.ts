import type { Body } from '../../node/support/client.js';
import type { KindInputs } from '../inputs.js';
import { acceptBid } from '../task.js';

const judgements = [
  {
    name: 'the newest',
    body: ({ taskId, submissionId }: Body) => ({ taskId, submissionId: submissionId ?? undefined, approved: true }),
  },
  { name: 'another submission', body: ({ taskId }: Body) => ({ taskId, submissionId: 'sub-other' }) },
];

export const inputs: KindInputs = {
  cast: ['requester', 'bidder'],
  funds: 100_000,
  laterMs: 60_000,
  situation: ({ rejections, reviews }) => `${rejections ? 'rejected ' : ''}${Object.keys(reviews as Body).sort()}`,
  elsewhere: [
    ...['open', 'hasTriesLeft', 'envelopeHolds', 'isHeard', 'cancelled'],
    // What both parties ask for, or the arbiter: the stories of disputes.
    ...['disputed resolve confirmed', 'disputed resolve cancelled'],
  ],
  settings: {
    'of a bid that was accepted': {
      creator: 'requester',
      create: () => ({}),
      make: acceptBid,
      attempts: {
        deliver: [
          { name: 'something', body: ({ taskId }) => ({ taskId, submissionId: 'sub-1' }) },
          { name: 'something else', body: ({ taskId }) => ({ taskId, submissionId: 'sub-2' }) },
          { name: 'nothing', body: ({ taskId }) => ({ taskId, deliverables: [] }) },
        ],
        confirm: judgements,
        reject: judgements,
        review: [{ name: '', body: ({ taskId }) => ({ taskId }) }],
      },
    },
  },
};
