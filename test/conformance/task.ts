/** A task of somebody's, and a bid of somebody else's on it: what bids and task orders are made of. */
import { taskListing } from '../../src/machines/listing/task.js';
import type { Body } from '../node/support/client.js';
import type { Cast } from './inputs.js';
import type { Stage } from './stage.js';

export async function publishTask({ requester }: Cast): Promise<Body> {
  const { listingId } = await requester!.does('/api/v1/markets/tasks', taskListing.create.example as Body);
  return { taskId: listingId };
}

export async function submitBid({ cast }: Stage): Promise<Body> {
  const { taskId } = await publishTask(cast);
  return cast.bidder!.does(`/api/v1/markets/tasks/${taskId}/bids`, { price: 40, approach: 'twice' });
}

export async function acceptBid(stage: Stage): Promise<Body> {
  const { taskId, bidId } = await submitBid(stage);
  return stage.cast
    .requester!.write(`/api/v1/markets/tasks/${taskId}/bids/${bidId}/actions/accept`)
    .then(({ body }) => body);
}
