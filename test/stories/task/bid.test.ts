import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { accepted } from '../../world/bench.js';
import { ada, ben } from '../../world/people.js';
import { type Bidder, TaskStory, taskId, wrote } from '../../world/task-story.js';

const again = (story: TaskStory, who: string, code: string) =>
  story.refuses(code, who, 'bid', `bid-${who}-again`, 'create', { taskId, price: 1 });

describe('task: bid', () => {
  it('is submitted, and noted at the listing, in one entry', async () => {
    const story = await TaskStory.published();
    const made = await story.bids('ben', { timeline: { days: 5 }, approach: 'twice' });
    expect(wrote(made)).to.have.members([`task-listing/${taskId} active.open`, 'bid/bid-ben submitted']);
    expect(made.entry.core.event.type).to.equal('bid.submitted');
    const { context } = story.snapshot('bid', 'bid-ben');
    expect(context).to.include({ bidder: ben, requester: ada, price: 40, approach: 'twice', orderId: null });
    expect(context.timeline).to.deep.equal({ days: 5 });
    await story.has('ben', 0);
    await story.sound();
  });

  it('INVALID_REQUEST without a price, or with none that is one', async () => {
    const story = await TaskStory.published();
    for (const price of [undefined, 0, -1, 1.5, '40', null]) {
      await story.refuses('INVALID_REQUEST', 'ben', 'bid', 'bid-1', 'create', { taskId, price } as never);
    }
  });

  it('LISTING_NOT_FOUND on a task that there is not', async () => {
    const story = await TaskStory.published();
    await story.refuses('LISTING_NOT_FOUND', 'ben', 'bid', 'bid-1', 'create', { taskId: 'lst-none', price: 1 });
  });

  it('LISTING_NOT_FOUND on a private task of another', async () => {
    const story = await TaskStory.published({ visibility: 'private' });
    await story.refuses('LISTING_NOT_FOUND', 'ben', 'bid', 'bid-1', 'create', { taskId, price: 1 });
  });

  it('BID_NOT_ALLOWED to the owner', async () => again(await TaskStory.published(), 'ada', 'BID_NOT_ALLOWED'));

  it('BID_NOT_ALLOWED a second time', async () => again(await TaskStory.withBids(), 'ben', 'BID_NOT_ALLOWED'));

  it('BID_NOT_ALLOWED a second time, also after the first was withdrawn or rejected', async () => {
    const story = await TaskStory.withBids();
    await story.accepts('ben', 'bid', 'bid-ben', 'withdraw', {});
    await story.accepts('ada', 'bid', 'bid-cyd', 'reject', { reason: 'too slow' });
    await again(story, 'ben', 'BID_NOT_ALLOWED');
    await again(story, 'cyd', 'BID_NOT_ALLOWED');
  });

  it('BID_NOT_ALLOWED where the task has its bids, withdrawn ones among them', async () => {
    const story = await TaskStory.withBids({ bidding: { maxBids: 3 } });
    await story.accepts('ben', 'bid', 'bid-ben', 'withdraw', {});
    await again(story, 'eve', 'BID_NOT_ALLOWED');
  });

  it('takes a hundred bids where the task does not say how many', async () => {
    const story = await TaskStory.published();
    for (let i = 1; i <= 100; i++) {
      accepted(await story.bench.ask(`bidder ${i}`, 'bid', `bid-${i}`, 'create', { taskId, price: i }));
    }
    await again(story, 'eve', 'BID_NOT_ALLOWED');
  });

  for (const [what, more] of [
    ['bidding.closesAt', (at: number) => ({ bidding: { closesAt: at }, timeline: { bidDeadline: at + 1 } })],
    ['timeline.bidDeadline', (at: number) => ({ timeline: { bidDeadline: at }, expiresAt: at + dayMs })],
  ] as const) {
    it(`BID_NOT_ALLOWED from ${what} on, and not before`, async () => {
      const story = await TaskStory.published(more(Date.UTC(2026, 0, 1) + 300 * dayMs));
      const closesAt = Date.UTC(2026, 0, 1) + 300 * dayMs;
      await story.bench.world.advance(closesAt - story.now - 1);
      await story.bids('ben');
      await story.bench.world.advance(1);
      await again(story, 'cyd', 'BID_NOT_ALLOWED');
    });
  }

  it('LISTING_NOT_ACTIVE once the listing’s time has passed, before the clock’s own entry, too', async () => {
    const expiresAt = Date.UTC(2026, 0, 1) + 300 * dayMs;
    const story = await TaskStory.published({ expiresAt });
    await story.bench.world.advance(expiresAt - story.now);
    await again(story, 'ben', 'LISTING_NOT_ACTIVE');
  });

  for (const action of ['pause', 'remove']) {
    it(`LISTING_NOT_ACTIVE after ${action}`, async () => {
      const story = await TaskStory.published();
      await story.accepts('ada', 'task-listing', taskId, action, {});
      await again(story, 'ben', 'LISTING_NOT_ACTIVE');
    });
  }

  it('BID_NOT_ALLOWED after a bid was accepted', async () => {
    const story = await TaskStory.accepted();
    await again(story, 'eve', 'BID_NOT_ALLOWED');
  });

  for (const [kind, more] of [
    ['info-listing', { infoType: 'dataset', content: { format: 'text/csv' }, accessMethod: {}, license: {} }],
    ['capability-listing', { capabilityType: 'x', capability: {}, quota: {}, access: {} }],
  ] as const) {
    it(`BID_NOT_ALLOWED on the id of an ${kind}`, async () => {
      const story = await TaskStory.published();
      const shared = { title: 'x', description: 'x', category: 'x', pricing: { price: 1 } };
      await story.accepts('ada', kind, 'lst-other', 'create', { ...shared, ...more });
      await story.refuses('BID_NOT_ALLOWED', 'ben', 'bid', 'bid-1', 'create', { taskId: 'lst-other', price: 1 });
    });
  }

  it('CONFLICT with an id that is taken', async () => {
    const story = await TaskStory.withBids();
    await story.refuses('CONFLICT', 'eve', 'bid', 'bid-ben', 'create', { taskId, price: 1 });
  });
});

describe('task: reject and withdraw a bid', () => {
  const ways = [
    ['reject', 'ada', ['ben', 'cyd', 'eve'], 'rejected'],
    ['withdraw', 'ben', ['ada', 'cyd', 'eve'], 'withdrawn'],
  ] as const;
  for (const [action, party, others, state] of ways) {
    it(`${action} is ${party === 'ada' ? 'the requester’s' : 'the bidder’s'}, FORBIDDEN to others`, async () => {
      const story = await TaskStory.withBids();
      for (const who of others) await story.refuses('FORBIDDEN', who, 'bid', 'bid-ben', action, {});
      await story.accepts(party, 'bid', 'bid-ben', action, { reason: 'other plans' });
      expect(story.stateOfBid('ben')).to.equal(state);
      expect(story.snapshot('bid', 'bid-ben').context.reason).to.equal('other plans');
    });

    it(`ORDER_INVALID_STATE to ${action} one that does not stand any more`, async () => {
      const story = await TaskStory.withBids();
      await story.accepts('ada', 'bid', 'bid-ben', 'reject', {});
      await story.refuses('ORDER_INVALID_STATE', party, 'bid', 'bid-ben', action, {});
    });

    it(`NOT_FOUND to ${action} one that there is not`, async () => {
      const story = await TaskStory.withBids();
      await story.refuses('NOT_FOUND', party, 'bid', 'bid-none', action, {});
    });
  }

  it('CONFLICT with a resourcePrev that went stale', async () => {
    const story = await TaskStory.withBids();
    const stated = { resourcePrev: 'ab'.repeat(32) };
    await story.refuses('CONFLICT', 'ada', 'bid', 'bid-ben', 'reject', {}, stated);
  });
});

describe('task: accept a bid', () => {
  it('is one entry over bid, listing, order, escrow and the other bids', async () => {
    const story = await TaskStory.withBids();
    const taken = await story.takes('cyd');
    expect(wrote(taken)).to.have.members([
      'bid/bid-cyd accepted',
      `task-listing/${taskId} active.awarded`,
      'task-order/task-ord-1 open>accepted',
      'escrow/esc-1 created.open>funded',
      'bid/bid-ben rejected',
      'bid/bid-dan rejected',
      `listing-stats/${taskId} current`,
    ]);
    expect(taken.entry.core.event.type).to.equal('bid.accepted');
    expect(story.snapshot('bid', 'bid-cyd').context).to.include({ orderId: 'task-ord-1', escrowId: 'esc-1' });
    expect(story.snapshot('escrow', 'esc-1').context.purpose).to.deep.equal({ kind: 'order', id: 'task-ord-1' });
    await story.has('ada', 970, 0, 30);
    await story.sound();
  });

  it('FORBIDDEN to anyone but the requester', async () => {
    const story = await TaskStory.withBids();
    for (const who of ['ben', 'cyd', 'eve']) await story.refuses('FORBIDDEN', who, 'bid', 'bid-ben', 'accept', {});
  });

  it('ORDER_INVALID_STATE of a second one, and of one that was withdrawn or rejected', async () => {
    const story = await TaskStory.withBids();
    await story.accepts('dan', 'bid', 'bid-dan', 'withdraw', {});
    await story.refuses('ORDER_INVALID_STATE', 'ada', 'bid', 'bid-dan', 'accept', {});
    await story.takes('ben');
    for (const who of ['ben', 'cyd'] as Bidder[]) {
      await story.refuses('ORDER_INVALID_STATE', 'ada', 'bid', `bid-${who}`, 'accept', {});
    }
  });

  it('leaves alone what was withdrawn, and names it among what it rests on', async () => {
    const story = await TaskStory.withBids();
    await story.accepts('dan', 'bid', 'bid-dan', 'withdraw', {});
    const { entry } = await story.takes('ben');
    expect(entry.core.reads).to.deep.equal([{ kind: 'bid', id: 'bid-dan', version: 2 }]);
    expect(story.stateOfBid('dan')).to.equal('withdrawn');
    await story.sound();
  });

  it('INSUFFICIENT_BALANCE where the price is more than the requester has', async () => {
    const story = await TaskStory.published();
    accepted(await story.bench.ask('ben', 'bid', 'bid-ben', 'create', { taskId, price: 1_001 }));
    await story.refuses('INSUFFICIENT_BALANCE', 'ada', 'bid', 'bid-ben', 'accept', {});
  });

  for (const action of ['pause', 'remove']) {
    it(`LISTING_NOT_ACTIVE after ${action}: only active listings come to orders`, async () => {
      const story = await TaskStory.withBids();
      await story.accepts('ada', 'task-listing', taskId, action, {});
      await story.refuses('LISTING_NOT_ACTIVE', 'ada', 'bid', 'bid-ben', 'accept', {});
    });
  }

  it('is possible once bidding has closed, while the listing lasts', async () => {
    const story = await TaskStory.withBids({ bidding: { closesAt: Date.UTC(2027, 0, 1) } });
    await story.bench.world.advance(400 * dayMs);
    await story.takes('ben');
    story.is('accepted');
  });

  it('with two hundred bids stays within one entry', async () => {
    const story = await TaskStory.published({ bidding: { maxBids: 200 } });
    for (let i = 1; i <= 200; i++) {
      accepted(await story.bench.ask(`bidder ${i}`, 'bid', `bid-${i}`, 'create', { taskId, price: i }));
    }
    const bench = await story.bench.restart();
    const ids = { ids: { order: 'task-ord-1', escrow: 'esc-1' } };
    const { entry } = accepted(await bench.ask('ada', 'bid', 'bid-7', 'accept', {}, ids));
    expect(entry.core.versions.length).to.be.within(203, 256);
    expect(bench.store.tables.snapshot('bid', 'bid-200')!.state).to.equal('rejected');
    expect((await bench.audit()).flaw?.what).to.equal(undefined);
  });
});
