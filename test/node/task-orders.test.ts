/**
 * What follows an accepted bid, over HTTP (docs/reference/markets.md#task-orders, docs/reference/markets.md#envelopes).
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect } from 'chai';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { jcs } from './support/independent.js';
import { invisible } from './support/invisible.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { accepts, aTask, bids, delivers, onOrder, publishesTask, readOrder, tasksPath } from './support/requester.js';

describe('Task orders', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let eve: Person;

  beforeEach(async () => {
    [ada, ben, eve] = [await node().rich(1_000), await node().person(), await node().person()];
  });

  const made = async (more: Body = {}): Promise<Body> => accepts(ada, await bids(ben, await publishesTask(ada, more)));
  const read = (order: Body): Promise<Body> => readOrder(ada, order);
  const reader = ({ did }: Person): Promise<Client> => node().keyed({ scope: 'read', did });
  const work = { deliverables: [{ name: 'manual-en.pdf' }] };

  it('are read by id, and listed with the orders of every market', async () => {
    const order = await made();
    const { bid: _, nonce, eventHash, ...view } = order;
    expect(await read(order)).to.deep.equal({ ...view, title: aTask.title });
    for (const [who, role] of [
      [ada, 'requester'],
      [ada, 'buyer'],
      [ben, 'provider'],
      [ben, 'seller'],
    ] as const) {
      const { orders } = expectStatus(await node().client.get(`/api/v1/orders?did=${who.did}&role=${role}`));
      expect(orders.map(({ orderId }: Body) => orderId)).to.deep.equal([order.orderId]);
    }
    const { orders } = expectStatus(await node().client.get(`/api/v1/orders?did=${ada.did}&status=delivered`));
    expect(orders).to.deep.equal([]);
    expectProblem(await node().client.get('/api/v1/orders/task-ord-none'), 'ORDER_NOT_FOUND');
  });

  it('deliver: the content is for the two parties; all callers see that it was delivered', async () => {
    const order = await made();
    const delivered = await delivers(ben, order, { ...work, notes: 'all forty pages' });
    expect(delivered).to.include({ status: 'delivered', rejections: 0 });
    const [submission] = delivered.submissions;
    expect(submission).to.deep.include({ ...work, notes: 'all forty pages', status: 'submitted', feedback: null });
    expect(delivered.submissionId).to.equal(submission.submissionId).and.match(/^sub-/);
    const path = `/api/v1/orders/${order.orderId}`;
    for (const who of [ada, ben]) {
      expect(expectStatus(await (await reader(who)).get(path)).submissions).to.deep.equal(delivered.submissions);
    }
    const outer = ['submissionId', 'status', 'envelopeDigest', 'deliveredAt', 'decidedAt'];
    for (const client of [await reader(eve), node().client]) {
      expect(expectStatus(await client.get(path)).submissions[0]).to.have.all.keys(outer);
      const { payload } = expectStatus(await client.get(`/api/v1/events/${delivered.eventHash}`));
      expect(payload.input, 'nor does the journal show it').to.deep.equal({});
    }
  });

  it('deliver: an envelope is completed and signed, and anyone can check it offline', async () => {
    const order = await made();
    const data = 'the whole manual';
    const envelope = { type: 'document', format: 'text/plain', transport: { method: 'inline', data } };
    const { submissions, orderId } = await delivers(ben, order, { deliverables: [], delivery: { envelope } });
    const { envelope: signed, envelopeDigest } = submissions[0];
    expect(signed).to.deep.include({ ...envelope, producer: ben.did, contextId: orderId, size: data.length });
    expect(signed.contentHash).to.equal(createHash('sha256').update(data).digest('hex'));
    const { signature, digest, ...unsigned } = signed;
    expect(digest).to.equal(createHash('sha256').update(jcs(unsigned)).digest('hex'));
    expect(envelopeDigest).to.equal(createHash('sha256').update(jcs(signed)).digest('hex'));
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), base58(ben.did.slice(9)).subarray(2)]);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const text = Buffer.from(`svc:deliverable:v2:devnet:${node().did}:${digest}`);
    expect(verify(null, text, key, Buffer.from(signature, 'base64url'))).to.equal(true);
  });

  it('are found below their own task only, and refuse with the name of the field', async () => {
    const order = await made();
    expectInvalid(await onOrder(ben, order, 'deliver'), 'deliverables');
    expectProblem(await onOrder(ben, { ...order, orderId: 'task-ord-none' }, 'deliver', work), 'ORDER_NOT_FOUND');
    expectProblem(await onOrder(ben, { ...order, taskId: 'lst-other' }, 'deliver', work), 'LISTING_NOT_FOUND');
    await delivers(ben, order);
    expectInvalid(await onOrder(ada, order, 'confirm', { approved: 'yes' }), 'approved');
    expectStatus(await onOrder(ada, order, 'confirm'));
    for (const rating of [0, 6, 2.5, '5', undefined])
      expectInvalid(await onOrder(ada, order, 'review', { rating }), 'rating');
  });

  it('deliver: invisible text and envelopes of nothing are no delivery', async () => {
    const order = await made();
    for (const [, text] of invisible) {
      for (const deliverables of [[text], [{ name: text, parts: [text, ' ', null] }]]) {
        const tried = (who: Person) => onOrder(who, order, 'deliver', { deliverables });
        expectProblem(await tried(ben), 'SUBMISSION_NOT_ALLOWED');
        expectProblem(await tried(ada), 'SUBMISSION_NOT_ALLOWED');
      }
      const envelope = { type: 'text', transport: { method: 'inline', data: text } };
      const enveloped = { deliverables: [], delivery: { envelope } };
      expectProblem(await onOrder(ben, order, 'deliver', enveloped), 'UNPROCESSABLE');
    }
    const hashOnly = { type: 'text', contentHash: createHash('sha256').digest('hex') };
    const ofNothing = { ...work, delivery: { envelope: hashOnly } };
    expectProblem(await onOrder(ben, order, 'deliver', ofNothing), 'UNPROCESSABLE');
    expectStatus(await onOrder(ben, order, 'deliver', { deliverables: ['\u200bx'] }));
  });

  it('are the task’s only one where the body names none', async () => {
    const order = await made();
    const own = { taskId: order.taskId };
    const delivered = expectStatus(await onOrder(ben, own, 'deliver', work));
    const { payload } = expectStatus(await (await reader(ben)).get(`/api/v1/events/${delivered.eventHash}`));
    expect(payload, 'what is signed names it').to.deep.include({ kind: 'task-order', id: order.orderId });
    expect(expectStatus(await onOrder(ada, own, 'reject'))).to.include({ orderId: order.orderId });
    expectStatus(await onOrder(ben, own, 'deliver', work));
    expect(expectStatus(await onOrder(ada, own, 'confirm'))).to.include({ status: 'confirmed' });
    expect(expectStatus(await onOrder(ada, own, 'review', { rating: 5 }))).to.include({ status: 'reviewed' });
    const { listingId } = await publishesTask(ada);
    expectInvalid(await onOrder(ben, { taskId: listingId }, 'deliver', work), 'orderId');
    expectProblem(await onOrder(ben, { taskId: 'lst-none' }, 'deliver', work), 'LISTING_NOT_FOUND');
  });

  it('confirm with approved: false is a rejection; with true, the requester sees what it has paid', async () => {
    const order = await made();
    const first = await delivers(ben, order);
    const judged = { submissionId: first.submissionId, approved: false, feedback: 'chapter two is missing' };
    const back = expectStatus(await onOrder(ada, order, 'confirm', judged));
    expect(back).to.include({ status: 'accepted', rejections: 1 });
    expect(back.submissions[0]).to.include({ status: 'rejected', feedback: 'chapter two is missing' });
    const { event } = expectStatus(await node().client.get(`/api/v1/events/${back.eventHash}`));
    expect(event.type).to.equal('task-order.rejected');
    const { submissionId } = await delivers(ben, order);
    expectStatus(await onOrder(ada, order, 'confirm', { submissionId, approved: true }));
    const { availableBalance, escrowed } = await ada.wallet();
    expect([availableBalance, escrowed, (await ben.wallet()).balance]).to.deep.equal([960, 0, 40]);
    expectStatus(await onOrder(ada, order, 'review', { rating: 4, comment: 'good' }));
    const { stats } = expectStatus(await node().client.get(`${tasksPath}/${order.taskId}`));
    expect(stats).to.include({ orders: 1, completedOrders: 1, averageRating: 4, ratingCount: 1 });
    const reviews = expectStatus(await node().client.get(`/api/v1/reputations/${ben.did}/reviews`));
    expect(reviews).to.include({ averageRating: 4 });
  });
});

function base58(text: string): Buffer {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const hex = [...text].reduce((sum, digit) => sum * 58n + BigInt(alphabet.indexOf(digit)), 0n).toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}
