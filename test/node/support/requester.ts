/** Tasks, bids on them and their orders, over HTTP. */
import { expectStatus } from './answers.js';
import type { Body, Reply } from './client.js';
import type { Person } from './person.js';

export const tasksPath = '/api/v1/markets/tasks';

export const aTask: Body = {
  title: 'Translate a manual',
  description: 'Forty pages, from Japanese.',
  category: 'translation',
  pricing: { budget: 400 },
  taskType: 'translation',
  task: { pages: 40 },
  timeline: {},
};

export const publishesTask = (requester: Person, more: Body = {}): Promise<Body> =>
  requester.does(tasksPath, { ...aTask, ...more });

export const bid = (bidder: Person, { listingId }: Body, body: Body = { price: 40 }): Promise<Reply> =>
  bidder.write(`${tasksPath}/${listingId}/bids`, body);

export const bids = async (...asked: Parameters<typeof bid>): Promise<Body> => expectStatus(await bid(...asked), 201);

export const onBid = (who: Person, { taskId, bidId }: Body, action: string, body: Body = {}): Promise<Reply> =>
  who.write(`${tasksPath}/${taskId}/bids/${bidId}/actions/${action}`, body);

export const accepts = async (requester: Person, made: Body): Promise<Body> =>
  expectStatus(await onBid(requester, made, 'accept'));

export const onOrder = (who: Person, { taskId, orderId }: Body, action: string, body: Body = {}): Promise<Reply> =>
  who.write(`${tasksPath}/${taskId}/actions/${action}`, { orderId, ...body });

export const delivers = async (provider: Person, order: Body, more: Body = {}): Promise<Body> =>
  expectStatus(await onOrder(provider, order, 'deliver', { deliverables: [{ name: 'manual-en.pdf' }], ...more }));

export const readOrder = async ({ client }: Person, { orderId }: Body): Promise<Body> =>
  expectStatus(await client.get(`/api/v1/orders/${orderId}`));

/** Rejects the delivery as often as a dispute requires. */
export async function rejectedThrice(requester: Person, provider: Person, order: Body): Promise<Body> {
  for (let times = 0; times < 3; times++) {
    await delivers(provider, order);
    expectStatus(await onOrder(requester, order, 'reject', { feedback: 'not what was asked for' }));
  }
  return order;
}
