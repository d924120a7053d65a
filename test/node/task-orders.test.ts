/**
 * What follows an accepted bid, over HTTP (docs/reference/markets.md#task-orders, docs/reference/markets.md#envelopes).
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect } from 'chai';
import { expectInvalid, expectProblem, expectSoon, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { jcs } from './support/independent.js';
import { invisible } from './support/invisible.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { accepts, bids, delivers, onOrder, publishesTask, readOrder, tasksPath } from './support/requester.js';

const dayMs = 86_400_000;

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
  const balances = async (): Promise<number[]> => {
    const { availableBalance, escrowed } = await ada.wallet();
    return [availableBalance, escrowed, (await ben.wallet()).balance];
  };

  /** Waits until the clock has changed the order. */
  async function changed(order: Body): Promise<Body> {
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      const now = await read(order);
      if (now.status !== order.status) return now;
    }
    return expect.fail('the clock did not come');
  }

  it('are read by id, and listed with the orders of every market', async () => {
    const order = await made();
    const { bid: _, nonce, eventHash, ...view } = order;
    expect(await read(order)).to.deep.equal(view);
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

  it('deliver: SUBMISSION_NOT_ALLOWED, INVALID_REQUEST, UNPROCESSABLE, ORDER_NOT_FOUND', async () => {
    const order = await made();
    for (const who of [ada, eve]) expectProblem(await onOrder(who, order, 'deliver', work), 'SUBMISSION_NOT_ALLOWED');
    expectProblem(await onOrder(ben, order, 'deliver', { deliverables: [] }), 'SUBMISSION_NOT_ALLOWED');
    expectInvalid(await onOrder(ben, order, 'deliver'), 'deliverables');
    const foreign = { envelope: { type: 'text', contentHash: 'ab'.repeat(32), producer: eve.did } };
    expectProblem(await onOrder(ben, order, 'deliver', { ...work, delivery: foreign }), 'UNPROCESSABLE');
    expectProblem(await onOrder(ben, { ...order, orderId: 'task-ord-none' }, 'deliver', work), 'ORDER_NOT_FOUND');
    expectProblem(await onOrder(ben, { ...order, taskId: 'lst-other' }, 'deliver', work), 'LISTING_NOT_FOUND');
    const stale = { ...work, resourcePrev: 'f'.repeat(64) };
    expectProblem(await onOrder(ben, order, 'deliver', stale), 'ORDER_INVALID_STATE');
    await delivers(ben, order);
    expectProblem(await onOrder(ben, order, 'deliver', work), 'SUBMISSION_NOT_ALLOWED');
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

  it('confirm: pays, counts, and gives both a reputation, in one event', async () => {
    const order = await made();
    expectProblem(await onOrder(ada, order, 'confirm', { approved: true }), 'ORDER_INVALID_STATE');
    const { submissionId } = await delivers(ben, order);
    expectProblem(await onOrder(ben, order, 'confirm', { approved: true }), 'FORBIDDEN');
    expectProblem(await onOrder(ada, order, 'confirm', { submissionId: 'sub-other' }), 'ORDER_INVALID_STATE');
    expectInvalid(await onOrder(ada, order, 'confirm', { approved: 'yes' }), 'approved');
    const confirmed = expectStatus(await onOrder(ada, order, 'confirm', { submissionId, approved: true }));
    expect(confirmed).to.include({ status: 'confirmed', confirmBy: null });
    expect(await balances()).to.deep.equal([960, 0, 40]);
    const { moves, versions } = expectStatus(await node().client.get(`/api/v1/events/${confirmed.eventHash}`));
    expect(moves).to.have.length(1);
    expect(versions.map(({ kind }: Body) => kind)).to.include.members(['task-order', 'escrow', 'reputation']);
    const { stats } = expectStatus(await node().client.get(`${tasksPath}/${order.taskId}`));
    expect(stats).to.include({ orders: 1, completedOrders: 1 });
    const { dimensions } = expectStatus(await node().client.get(`/api/v1/reputations/${ben.did}`));
    expect(dimensions.fulfillment.score).to.equal(1_000);
    expectStatus(await node().client.get(`/api/v1/reputations/${ada.did}`));
    expectProblem(await onOrder(ada, order, 'confirm', { approved: true }), 'ORDER_INVALID_STATE');
  });

  it('confirm with approved: false goes back to accepted, feedback kept; then all over again', async () => {
    const order = await made();
    const first = await delivers(ben, order);
    const judged = { submissionId: first.submissionId, approved: false, feedback: 'chapter two is missing' };
    const back = expectStatus(await onOrder(ada, order, 'confirm', judged));
    expect(back).to.include({ status: 'accepted', rejections: 1 });
    expect(back.submissions[0]).to.include({ status: 'rejected', feedback: 'chapter two is missing' });
    const { event } = expectStatus(await node().client.get(`/api/v1/events/${back.eventHash}`));
    expect(event.type).to.equal('task-order.rejected');
    expect(await balances()).to.deep.equal([960, 40, 0]);
    const taken = { ...work, submissionId: first.submissionId };
    expectProblem(await onOrder(ben, order, 'deliver', taken), 'CONFLICT');
    await delivers(ben, order, { submissionId: 'sub-second' });
    expectStatus(await onOrder(ada, order, 'reject', { feedback: 'still' }));
    await delivers(ben, order);
    expectStatus(await onOrder(ada, order, 'confirm'));
    expect(await balances()).to.deep.equal([960, 0, 40]);
    const states = (await read(order)).submissions.map(({ status }: Body) => status);
    expect(states).to.deep.equal(['rejected', 'rejected', 'approved']);
  });

  it('review: once each; the requester’s completes it and is the listing’s rating', async () => {
    const order = await made();
    await delivers(ben, order);
    expectProblem(await onOrder(ada, order, 'review', { rating: 5 }), 'ORDER_INVALID_STATE');
    expectStatus(await onOrder(ada, order, 'confirm', { approved: true }));
    expectProblem(await onOrder(eve, order, 'review', { rating: 5 }), 'FORBIDDEN');
    for (const rating of [0, 6, 2.5, '5', undefined])
      expectInvalid(await onOrder(ada, order, 'review', { rating }), 'rating');
    expect(expectStatus(await onOrder(ben, order, 'review', { rating: 3 }))).to.include({ status: 'confirmed' });
    const reviewed = expectStatus(await onOrder(ada, order, 'review', { rating: 4, comment: 'good' }));
    expect(reviewed.status).to.equal('reviewed');
    expect(reviewed.reviews[0]).to.include({ role: 'requester', rating: 4, comment: 'good' });
    for (const who of [ada, ben])
      expectProblem(await onOrder(who, order, 'review', { rating: 1 }), 'ORDER_INVALID_STATE');
    const { stats } = expectStatus(await node().client.get(`${tasksPath}/${order.taskId}`));
    expect(stats).to.include({ averageRating: 4, ratingCount: 1 });
    expect(expectStatus(await node().client.get(`/api/v1/reputations/${ben.did}/reviews`))).to.include({
      averageRating: 4,
    });
  });

  it('the clock cancels what is not delivered by the deadline, and pays back', async () => {
    const deadline = node().world.now() + 3 * dayMs;
    const order = await made({ timeline: { deadline } });
    expect(order).to.include({ deliverBy: deadline, dueAt: deadline });
    node().world.skip(3 * dayMs + 1_000);
    expect(await changed(order)).to.include({ status: 'cancelled' });
    await expectSoon(balances, [1_000, 0, 0]);
    expectProblem(await onOrder(ben, order, 'deliver', work), 'SUBMISSION_NOT_ALLOWED');
    expectProblem(await onOrder(ada, order, 'confirm'), 'ORDER_INVALID_STATE');
  });

  it('the clock confirms what was not judged for seven days, and pays', async () => {
    const order = await delivers(ben, await made());
    node().world.skip(7 * dayMs + 1_000);
    expect(await changed(order)).to.include({ status: 'confirmed' });
    await expectSoon(balances, [960, 0, 40]);
    expectStatus(await onOrder(ada, order, 'review', { rating: 2 }));
  });

  it('its escrow moves with it alone: ESCROW_RULE_NOT_MET to all callers', async () => {
    const { escrowId } = await made();
    for (const who of [ada, ben]) {
      expectProblem(await who.act({ escrowId }, 'release', { amount: 40 }), 'ESCROW_RULE_NOT_MET');
    }
  });
});

function base58(text: string): Buffer {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const hex = [...text].reduce((sum, digit) => sum * 58n + BigInt(alphabet.indexOf(digit)), 0n).toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}
