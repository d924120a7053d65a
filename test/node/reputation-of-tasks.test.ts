/** The reputation records that real task orders make about their parties (docs/reference/reputation.md#records). */

import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { until } from '../support/until.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Reply } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const path = '/api/v1/markets/tasks';

describe('The reputation that task orders give', () => {
  const node = nodeForSuite();
  let requester: Person;
  let provider: Person;
  beforeEach(async () => {
    [requester, provider] = [await node().rich(), await node().person()];
  });

  const act = (who: Person, { taskId, orderId }: Body, action: string, body: Body = {}): Promise<Reply> =>
    who.write(`${path}/${taskId}/actions/${action}`, { orderId, ...body });
  async function accepted(): Promise<Body> {
    const timeline = { deadline: node().world.now() + 2 * dayMs };
    const task = { ...(taskListing.create.example as Body), timeline };
    const { listingId } = await requester.does(path, task);
    const { bidId } = expectStatus(await provider.write(`${path}/${listingId}/bids`, { price: 40 }), 201);
    const reply = await requester.write(`${path}/${listingId}/bids/${bidId}/actions/accept`);
    return { taskId: listingId, orderId: expectStatus(reply).orderId };
  }
  async function delivered(): Promise<Body> {
    const order = await accepted();
    expectStatus(await act(provider, order, 'deliver', { deliverables: [{ name: 'a.pdf' }] }));
    return order;
  }
  const read = async ({ orderId }: Body): Promise<Body> =>
    expectStatus(await node().client.get(`/api/v1/orders/${orderId}`));
  async function reputation({ did }: Person): Promise<Body> {
    const [stored, logged] = await Promise.all(
      ['store', 'log'].map((source) => node().client.get(`/api/v1/reputations/${did}?source=${source}`)),
    );
    expect(expectStatus(logged!)).to.deep.equal(expectStatus(stored!));
    return stored!.body;
  }

  it('is nothing of a rejection, and on approval what both have earned', async () => {
    const order = await delivered();
    expectStatus(await act(requester, order, 'confirm', { approved: false, feedback: 'Chapter two is missing.' }));
    expectProblem(await node().client.get(`/api/v1/reputations/${provider.did}`), 'REPUTATION_NOT_FOUND');
    expectStatus(await act(provider, order, 'deliver', { deliverables: [{ name: 'b.pdf' }] }));
    expectStatus(await act(requester, order, 'confirm', { approved: true }));
    expect(await reputation(provider)).to.deep.include({ score: 1000, totalTransactions: 1, successRate: 1 });
    expect((await reputation(provider)).dimensions).to.have.all.keys('transaction', 'fulfillment');
    expect((await reputation(requester)).dimensions).to.have.all.keys('transaction');
    expectStatus(await act(requester, order, 'review', { rating: 5, comment: 'clear' }));
    expectStatus(await act(provider, order, 'review', { rating: 3 }));
    expect(await reputation(provider)).to.include({ averageRating: 5 });
    expect(await reputation(requester)).to.include({ averageRating: 3 });
    const again = { target: provider.did, dimension: 'quality', score: 1, ref: order.orderId };
    expectProblem(await requester.write(`/api/v1/reputations/${provider.did}/reviews`, again), 'CONFLICT');
    const other = { ...again, dimension: 'behavior' };
    expectStatus(await requester.write(`/api/v1/reputations/${provider.did}/reviews`, other), 201);
  });

  it('is 500 for what was delivered after it was due', async () => {
    const order = await accepted();
    expectStatus(await act(provider, order, 'deliver', { deliverables: [{ name: 'a.pdf' }] }));
    node().world.skip(dayMs);
    expectStatus(await act(requester, order, 'confirm', { approved: false, feedback: 'no' }));
    node().world.skip(1.5 * dayMs);
    expectStatus(await act(provider, order, 'deliver', { deliverables: [{ name: 'b.pdf' }] }));
    expectStatus(await act(requester, order, 'confirm', { approved: true }));
    expect((await reputation(provider)).dimensions.fulfillment).to.include({ score: 500 });
  });

  it('is the same where the clock confirms, and nothing where it cancels', async () => {
    const [silent, forgotten] = [await delivered(), await accepted()];
    node().world.skip(8 * dayMs);
    const states = async () => [(await read(silent)).status, (await read(forgotten)).status].join();
    await until('the clock comes', states, { is: (seen) => seen === 'confirmed,cancelled' });
    expect(await reputation(provider)).to.deep.include({ score: 1000, totalTransactions: 1 });
    const about = { target: provider.did, dimension: 'quality', score: 1, ref: forgotten.orderId };
    expectProblem(await requester.write(`/api/v1/reputations/${provider.did}/reviews`, about), 'UNPROCESSABLE');
  });
});
