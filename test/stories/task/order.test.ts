import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { dealRecordIdOf, reviewIdOf } from '../../../src/machines/reputation/record.js';
import { confirmWithinMs, redeliverWithinMs } from '../../../src/machines/task-order/machine.js';
import { delivered, envelopeOf } from '../../world/envelope.js';
import { ada, ben } from '../../world/people.js';
import { orderId, TaskStory, taskId, wrote } from '../../world/task-story.js';

const stale = { resourcePrev: 'ab'.repeat(32) };
const everybodyBut = (...names: string[]) => ['ada', 'ben', 'cyd', 'eve'].filter((name) => !names.includes(name));

describe('task order: what accepting made', () => {
  it('names its parties, its price, and thirty days to deliver', async () => {
    const story = await TaskStory.withBids();
    const at = story.now;
    await story.takes('ben');
    story.is('accepted', { taskId, bidId: 'bid-ben', requester: ada, provider: ben, price: 40, rejections: 0 });
    const { deliverBy, dueAt } = story.snapshot('task-order', orderId).context as { deliverBy: number; dueAt: number };
    expect(deliverBy).to.be.within(at + 30 * dayMs, story.now + 30 * dayMs);
    expect(dueAt).to.equal(deliverBy);
  });

  it('is due at the task’s deadline if that is in the future', async () => {
    const deadline = Date.UTC(2030, 0, 1);
    (await TaskStory.accepted({ timeline: { deadline } })).is('accepted', { deliverBy: deadline, dueAt: deadline });
  });

  it('FORBIDDEN to make directly, or to begin', async () => {
    const story = await TaskStory.accepted();
    const agreed = { taskId, bidId: 'bid-x', provider: ben, price: 1, escrowId: 'esc-x', deliverBy: story.now };
    await story.refuses('FORBIDDEN', 'ada', 'task-order', 'task-ord-2', 'create', agreed);
    await story.refusesOnOrder('FORBIDDEN', 'ada', 'begin');
  });

  it('keeps its escrow to itself: direct actions are ESCROW_RULE_NOT_MET', async () => {
    const story = await TaskStory.delivered();
    for (const who of ['ada', 'ben'])
      await story.refuses('ESCROW_RULE_NOT_MET', who, 'escrow', 'esc-1', 'release', { amount: 40 });
  });
});

describe('task order: deliver', () => {
  it('keeps what was delivered, and gives the requester seven days', async () => {
    const story = await TaskStory.accepted();
    const { entry } = await story.delivers('sub-1', { notes: 'all forty' });
    const [submission] = story.snapshot('task-order', orderId).context.submissions as unknown as object[];
    expect(submission).to.deep.include({ submissionId: 'sub-1', status: 'submitted', notes: 'all forty' });
    expect(submission).to.deep.include({ deliverables: [{ name: 'sub-1' }], deliveredAt: entry.core.time });
    story.is('delivered', { confirmBy: entry.core.time + confirmWithinMs });
  });

  it('gives the submission the id that was chosen for it where the provider chose none', async () => {
    const story = await TaskStory.accepted();
    await story.onOrder('ben', 'deliver', { deliverables: ['x'] }, { ids: { submission: 'sub-made' } });
    const [submission] = story.snapshot('task-order', orderId).context.submissions as unknown as object[];
    expect(submission).to.include({ submissionId: 'sub-made' });
  });

  it('SUBMISSION_NOT_ALLOWED to anyone but the accepted provider', async () => {
    const story = await TaskStory.accepted();
    for (const who of everybodyBut('ben')) {
      await story.refusesOnOrder('SUBMISSION_NOT_ALLOWED', who, 'deliver', { deliverables: ['x'] });
    }
  });

  it('SUBMISSION_NOT_ALLOWED where nothing is delivered; an envelope alone is something', async () => {
    const story = await TaskStory.accepted();
    await story.refusesOnOrder('SUBMISSION_NOT_ALLOWED', 'ben', 'deliver', { deliverables: [] });
    await story.refusesOnOrder('SUBMISSION_NOT_ALLOWED', 'ben', 'deliver', { deliverables: [], delivery: {} });
    await story.refusesOnOrder('SUBMISSION_NOT_ALLOWED', 'ben', 'deliver', { deliverables: [null, null] });
    await story.delivers('sub-1', { deliverables: [], delivery: delivered(envelopeOf('ben', orderId)) });
  });

  it('keeps the envelope with its digest; UNPROCESSABLE where another has signed it', async () => {
    const story = await TaskStory.accepted();
    const body = { deliverables: ['x'], delivery: delivered(envelopeOf('cyd', orderId)) };
    await story.refusesOnOrder('UNPROCESSABLE', 'ben', 'deliver', body);
    const delivery = delivered(envelopeOf('ben', orderId));
    await story.delivers('sub-1', { delivery });
    const [submission] = story.snapshot('task-order', orderId).context.submissions as unknown as object[];
    expect(submission).to.deep.include(delivery);
  });

  it('INVALID_REQUEST without deliverables', async () => {
    const story = await TaskStory.accepted();
    await story.refusesOnOrder('INVALID_REQUEST', 'ben', 'deliver', {});
    await story.refusesOnOrder('INVALID_REQUEST', 'ben', 'deliver', { deliverables: 'x' });
  });

  it('SUBMISSION_NOT_ALLOWED in every other stage', async () => {
    const story = await TaskStory.delivered();
    const tries = () => story.refusesOnOrder('SUBMISSION_NOT_ALLOWED', 'ben', 'deliver', { deliverables: ['x'] });
    await tries();
    await story.onOrder('ada', 'confirm');
    await tries();
    await story.onOrder('ada', 'review', { rating: 5 });
    await tries();
  });

  it('ORDER_INVALID_STATE with a resourcePrev that went stale', async () => {
    const story = await TaskStory.accepted();
    await story.refusesOnOrder('ORDER_INVALID_STATE', 'ben', 'deliver', { deliverables: ['x'] }, stale);
  });

  it('ORDER_NOT_FOUND on an order that there is not', async () => {
    const story = await TaskStory.accepted();
    const body = { deliverables: ['x'] };
    await story.refuses('ORDER_NOT_FOUND', 'ben', 'task-order', 'task-ord-none', 'deliver', body);
  });
});

describe('task order: confirm', () => {
  it('pays the provider, in one entry', async () => {
    const story = await TaskStory.delivered();
    const { entry } = await story.onOrder('ada', 'confirm', { approved: true, feedback: 'fine' });
    expect(entry.core.moves.map(({ op }) => op)).to.deep.equal(['release']);
    story.is('confirmed', { confirmBy: null, confirmedAt: entry.core.time });
    await story.has('ada', 960);
    await story.has('ben', 40);
    expect(story.snapshot('escrow', 'esc-1').state).to.equal('released');
    expect(story.snapshot('listing-stats', taskId).context).to.include({ orders: 1, completedOrders: 1 });
    const fulfilled = story.snapshot('reputation', dealRecordIdOf(orderId, 'fulfillment', ben)).context;
    expect(fulfilled).to.include({ issuer: ada, target: ben, score: 1000, source: 'deal' });
    for (const who of [ada, ben]) story.snapshot('reputation', dealRecordIdOf(orderId, 'transaction', who));
    await story.sound();
  });

  it('of what came late is fulfillment of 500', async () => {
    const story = await TaskStory.accepted();
    await story.bench.world.advance(31 * dayMs);
    await story.delivers('sub-1');
    await story.onOrder('ada', 'confirm');
    expect(story.snapshot('reputation', dealRecordIdOf(orderId, 'fulfillment', ben)).context).to.include({
      score: 500,
    });
  });

  for (const action of ['confirm', 'reject'] as const) {
    it(`${action}: FORBIDDEN to anyone but the requester`, async () => {
      const story = await TaskStory.delivered();
      for (const who of everybodyBut('ada')) await story.refusesOnOrder('FORBIDDEN', who, action);
    });

    it(`${action}: ORDER_INVALID_STATE before a delivery and after the end`, async () => {
      const story = await TaskStory.accepted();
      await story.refusesOnOrder('ORDER_INVALID_STATE', 'ada', action);
      await story.delivers('sub-1');
      await story.onOrder('ada', 'confirm');
      await story.refusesOnOrder('ORDER_INVALID_STATE', 'ada', action);
      await story.has('ben', 40);
    });

    it(`${action}: ORDER_INVALID_STATE of another submission than the newest`, async () => {
      const story = await TaskStory.delivered();
      await story.onOrder('ada', 'reject', { submissionId: 'sub-1' });
      await story.delivers('sub-2');
      await story.refusesOnOrder('ORDER_INVALID_STATE', 'ada', action, { submissionId: 'sub-1' });
      await story.onOrder('ada', action, { submissionId: 'sub-2' });
    });

    it(`${action}: ORDER_INVALID_STATE with a resourcePrev that went stale`, async () => {
      const story = await TaskStory.delivered();
      await story.refusesOnOrder('ORDER_INVALID_STATE', 'ada', action, {}, stale);
    });
  }
});

describe('task order: reject', () => {
  it('goes back to accepted; the submission is rejected, the feedback kept, the money stays', async () => {
    const story = await TaskStory.delivered();
    const { entry } = await story.onOrder('ada', 'reject', { feedback: 'chapter two is missing' });
    expect(entry.core.event.type).to.equal('task-order.rejected');
    expect(wrote({ entry } as never)).to.deep.equal([`task-order/${orderId} accepted`]);
    const [submission] = story.snapshot('task-order', orderId).context.submissions as unknown as object[];
    expect(submission).to.include({
      status: 'rejected',
      feedback: 'chapter two is missing',
      decidedAt: entry.core.time,
    });
    story.is('accepted', { rejections: 1, confirmBy: null });
    await story.has('ada', 960, 0, 40);
    await story.delivers('sub-2');
    await story.onOrder('ada', 'confirm');
    await story.has('ben', 40);
    await story.sound();
  });

  it('late in the order’s time leaves the provider seven days; what is due stays due', async () => {
    const story = await TaskStory.accepted();
    const { deliverBy } = story.snapshot('task-order', orderId).context as { deliverBy: number };
    await story.bench.world.advance(deliverBy - story.now - 1_000);
    await story.delivers('sub-1');
    const { entry } = await story.onOrder('ada', 'reject');
    story.is('accepted', { deliverBy: entry.core.time + redeliverWithinMs, dueAt: deliverBy });
  });

  it('CONFLICT to deliver again under the id of an earlier submission', async () => {
    const story = await TaskStory.delivered();
    await story.onOrder('ada', 'reject');
    await story.refusesOnOrder('CONFLICT', 'ben', 'deliver', { deliverables: ['x'], submissionId: 'sub-1' });
  });

  it('SUBMISSION_NOT_ALLOWED after ten of them; the clock gives the money back', async () => {
    const story = await TaskStory.accepted();
    for (let i = 1; i <= 10; i++) {
      await story.delivers(`sub-${i}`);
      await story.onOrder('ada', 'reject');
    }
    await story.refusesOnOrder('SUBMISSION_NOT_ALLOWED', 'ben', 'deliver', { deliverables: ['x'] });
    await story.bench.world.advance(31 * dayMs);
    expect(await story.clock('cancel')).to.equal('accepted');
    await story.has('ada', 1_000);
  });
});

describe('task order: the clock', () => {
  it('cancels what was not delivered, and pays back, from deliverBy on and not before', async () => {
    const story = await TaskStory.accepted();
    const { deliverBy } = story.snapshot('task-order', orderId).context as { deliverBy: number };
    await story.bench.world.advance(deliverBy - story.now - 1);
    expect(await story.clock('cancel')).to.equal('ORDER_INVALID_STATE');
    await story.bench.world.advance(1);
    expect(await story.clock('cancel')).to.equal('accepted');
    story.is('cancelled', { cancelledAt: story.now });
    await story.has('ada', 1_000);
    expect(story.snapshot('escrow', 'esc-1').state).to.equal('refunded');
    await story.refusesOnOrder('SUBMISSION_NOT_ALLOWED', 'ben', 'deliver', { deliverables: ['x'] });
    await story.refusesOnOrder('ORDER_INVALID_STATE', 'ada', 'review', { rating: 1 });
    await story.sound();
  });

  it('takes a delivery after its time as long as it has not cancelled', async () => {
    const story = await TaskStory.accepted();
    await story.bench.world.advance(31 * dayMs);
    await story.delivers('sub-1');
    expect(await story.clock('cancel')).to.equal('ORDER_INVALID_STATE');
  });

  it('confirms and pays what was not judged, from confirmBy on and not before', async () => {
    const story = await TaskStory.delivered();
    const { confirmBy } = story.snapshot('task-order', orderId).context as { confirmBy: number };
    await story.bench.world.advance(confirmBy - story.now - 1);
    expect(await story.clock('settle')).to.equal('ORDER_INVALID_STATE');
    await story.bench.world.advance(1);
    expect(await story.clock('settle')).to.equal('accepted');
    story.is('confirmed', { confirmedAt: story.now });
    await story.has('ben', 40);
    await story.onOrder('ada', 'review', { rating: 4 });
    await story.sound();
  });

  it('alone does so: FORBIDDEN to all others', async () => {
    const story = await TaskStory.delivered();
    for (const who of everybodyBut()) {
      await story.refusesOnOrder('FORBIDDEN', who, 'settle');
      await story.refusesOnOrder('FORBIDDEN', who, 'cancel');
    }
  });
});

describe('task order: review', () => {
  async function confirmed(): Promise<TaskStory> {
    const story = await TaskStory.delivered();
    await story.onOrder('ada', 'confirm');
    return story;
  }

  it('by the requester completes it, and is counted at the listing', async () => {
    const story = await confirmed();
    const { entry } = await story.onOrder('ada', 'review', { rating: 4, comment: 'well done' });
    const reviewId = reviewIdOf(ada, orderId, 'quality');
    story.is('reviewed', {
      reviews: { requester: { rating: 4, comment: 'well done', at: entry.core.time } },
    });
    expect(story.snapshot('listing-stats', taskId).context).to.include({ ratingSum: 4, ratingCount: 1 });
    const record = { issuer: ada, target: ben, dimension: 'quality', score: 800, source: 'review' };
    expect(story.snapshot('reputation', reviewId).context).to.include(record);
  });

  it('by the provider leaves it as it is, before the requester’s and after', async () => {
    const before = await confirmed();
    await before.onOrder('ben', 'review', { rating: 3 });
    before.is('confirmed');
    await before.onOrder('ada', 'review', { rating: 5 });
    before.is('reviewed');
    const after = await confirmed();
    await after.onOrder('ada', 'review', { rating: 5 });
    await after.onOrder('ben', 'review', { rating: 3 });
    after.is('reviewed');
    expect(after.snapshot('listing-stats', taskId).context).to.include({ ratingSum: 5, ratingCount: 1 });
    await after.sound();
  });

  it('ORDER_INVALID_STATE a second time', async () => {
    const story = await confirmed();
    for (const who of ['ben', 'ada']) {
      await story.onOrder(who, 'review', { rating: 5 });
      await story.refusesOnOrder('ORDER_INVALID_STATE', who, 'review', { rating: 1 });
    }
    await story.refusesOnOrder('ORDER_INVALID_STATE', 'ben', 'review', { rating: 1 });
  });

  it('ORDER_INVALID_STATE before it is confirmed, FORBIDDEN to strangers', async () => {
    const story = await TaskStory.delivered();
    for (const who of ['ada', 'ben']) await story.refusesOnOrder('ORDER_INVALID_STATE', who, 'review', { rating: 5 });
    await story.onOrder('ada', 'confirm');
    for (const who of ['cyd', 'eve']) await story.refusesOnOrder('FORBIDDEN', who, 'review', { rating: 5 });
  });

  for (const rating of [0, 6, 4.5, '5', undefined]) {
    it(`INVALID_REQUEST with rating ${rating}`, async () => {
      const story = await confirmed();
      await story.refusesOnOrder('INVALID_REQUEST', 'ada', 'review', { rating } as never);
    });
  }
});
