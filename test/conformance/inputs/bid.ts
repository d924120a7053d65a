import type { Body } from '../../node/support/client.js';
import type { KindInputs } from '../inputs.js';
import { publishTask, submitBid } from '../task.js';

const place = ({ taskId }: Body): Body => ({ taskId });
const plain = [{ name: '', body: place }];

export const inputs: KindInputs = {
  cast: ['requester', 'bidder'],
  funds: 100_000,
  laterMs: 60_000,
  situation: () => '',
  settings: {
    'on a task of its own': {
      creator: 'bidder',
      before: publishTask,
      create: () => ({}),
      make: submitBid,
      attempts: {
        accept: plain,
        reject: plain,
        withdraw: plain,
      },
    },
  },
};
