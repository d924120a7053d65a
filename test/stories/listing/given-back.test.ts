/** What a listing gets back from orders and leases that end (docs/reference/markets.md#listings). */
import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { accepted, Bench } from '../../world/bench.js';
import { LeaseStory } from '../../world/lease-story.js';
import { TaskStory, taskId } from '../../world/task-story.js';

const listingId = 'lst-1';

describe('units of a listing’s stock', () => {
  let bench: Bench;
  const asBen = async (action: string, input: JsonObject = {}) =>
    accepted(await bench.ask('ben', 'info-listing', listingId, action, input));
  const publish = (more: JsonObject) => asBen('create', { ...infoListing.create.example, ...more } as JsonObject);
  const buy = async (orderId: string, quantity: number) =>
    accepted(
      await bench.ask(
        'ada',
        'info-order',
        orderId,
        'create',
        { listingId, quantity, buyerPublicKeyHex: '11'.repeat(32) },
        { ids: { escrow: `esc-${orderId}` } },
      ),
    );
  const lapse = async (orderId: string) => accepted(await bench.operate('info-order', orderId, 'lapse'));
  const listing = () => {
    const { state, context } = bench.store.tables.snapshot('info-listing', listingId)!;
    return `${state}, ${context.stock} left`;
  };
  /** Both parties of a dispute ask for a refund. */
  const refunded = async (orderId: string) => {
    accepted(
      await bench.ask('ada', 'info-order', orderId, 'dispute', { reason: 'other' }, { ids: { dispute: 'dsp-1' } }),
    );
    for (const who of ['ada', 'ben']) {
      accepted(await bench.ask(who, 'info-order', orderId, 'resolve', { resolution: 'refund' }));
    }
  };
  const deliver = async (orderId: string) =>
    accepted(await bench.ask('ben', 'info-order', orderId, 'deliver', { deliveryData: { shelf: 4 } }));

  beforeEach(async () => {
    bench = await Bench.open({}, { ada: 1_000 });
  });
  afterEach(async () => {
    expect((await bench.audit()).flaw?.what).to.equal(undefined);
  });

  it('come back with the clock’s cancellation, in its entry, and the listing is active again', async () => {
    await publish({ stock: 5 });
    await buy('ord-1', 5);
    expect(listing()).to.equal('paused, 0 left');
    await bench.world.advance(7 * dayMs);
    const { entry } = await lapse('ord-1');
    expect(listing()).to.equal('active.open, 5 left');
    expect(entry.core.versions.map(({ kind }) => kind)).to.include.members(['info-order', 'escrow', 'info-listing']);
    await buy('ord-2', 5);
  });

  it('leave a listing paused that its owner paused', async () => {
    await publish({ stock: 5 });
    await buy('ord-1', 2);
    await asBen('pause');
    await bench.world.advance(7 * dayMs);
    await lapse('ord-1');
    expect(listing()).to.equal('paused, 5 left');
  });

  it('do not change a listing that was removed or has expired, nor one without a stock', async () => {
    await publish({ stock: 5 });
    await buy('ord-1', 2);
    await asBen('update', { stock: null });
    await buy('ord-2', 2);
    await bench.world.advance(7 * dayMs);
    await lapse('ord-1');
    expect(listing()).to.equal('active.open, null left');
    await asBen('update', { stock: 3 });
    await lapse('ord-2');
    expect(listing(), 'no more than was taken').to.equal('active.open, 3 left');
    await buy('ord-3', 1);
    await asBen('remove');
    await bench.world.advance(7 * dayMs);
    await lapse('ord-3');
    expect(listing()).to.equal('removed, 2 left');
  });

  it('come back when a dispute refunds what was not delivered', async () => {
    await publish({ stock: 2 });
    await buy('ord-1', 2);
    await refunded('ord-1');
    expect(listing()).to.equal('active.open, 2 left');
  });

  it('do not come back when a dispute refunds what was delivered', async () => {
    await publish({ stock: 2 });
    await buy('ord-1', 2);
    await deliver('ord-1');
    await refunded('ord-1');
    expect(listing()).to.equal('paused, 0 left');
  });

  it('never exceed the largest amount', async () => {
    await publish({ stock: 5 });
    await buy('ord-1', 5);
    await asBen('update', { stock: Number.MAX_SAFE_INTEGER });
    await bench.world.advance(7 * dayMs);
    await lapse('ord-1');
    expect(listing()).to.equal(`paused, ${Number.MAX_SAFE_INTEGER} left`);
  });
});

describe('the unit of a lease', () => {
  const listing = ({ bench, listingId: id }: LeaseStory) => {
    const { state, context } = bench.store.tables.snapshot('capability-listing', id)!;
    return `${state}, ${context.stock} left`;
  };

  for (const [end, act] of Object.entries<(story: LeaseStory) => Promise<unknown>>({
    termination: (story) => story.accepts('ada', 'terminate'),
    expiry: async (story) => {
      await story.bench.world.advance(31 * dayMs);
      await story.clockAccepts('expire');
    },
    exhaustion: async (story) => {
      await story.accepts('ada', 'invoke', { units: 10 });
      expect(listing(story), 'at the exhaustion').to.equal('active.open, 1 left');
      await story.accepts('ada', 'terminate');
    },
  })) {
    it(`is free again after its ${end}`, async () => {
      const story = await LeaseStory.leased({ budget: 100 }, { stock: 1 });
      expect(listing(story)).to.equal('paused, 0 left');
      await act(story);
      expect(listing(story)).to.equal('active.open, 1 left');
      await story.isSound();
    });
  }
});

describe('a task whose order is cancelled', () => {
  const task = (story: TaskStory) => {
    const { state, context } = story.snapshot('task-listing', taskId);
    return `${state} ${JSON.stringify((context.bidding as JsonObject).award)}`;
  };

  it('takes bids again, of all but the one whose order it was', async () => {
    const story = await TaskStory.published({ bidding: { maxBids: 3 } });
    for (const who of ['ben', 'cyd', 'dan'] as const) await story.bids(who);
    await story.takes('ben');
    await story.bench.world.advance(31 * dayMs);
    expect(await story.clock('cancel')).to.equal('accepted');
    expect(task(story)).to.equal('active.open null');
    await story.refuses('BID_NOT_ALLOWED', 'ben', 'bid', 'bid-2', 'create', { taskId, price: 1 });
    await story.accepts('cyd', 'bid', 'bid-again', 'create', { taskId, price: 1 });
    await story.accepts('ada', 'bid', 'bid-again', 'accept', {}, { ids: { order: 'task-ord-2', escrow: 'esc-2' } });
    await story.sound();
  });

  it('stays paused where it is paused, and removed where it is removed', async () => {
    for (const [action, ends] of [
      ['pause', 'paused null'],
      ['remove', 'removed {"bidId":"bid-ben","orderId":"task-ord-1"}'],
    ] as const) {
      const story = await TaskStory.accepted();
      await story.accepts('ada', 'task-listing', taskId, action, {});
      await story.bench.world.advance(31 * dayMs);
      expect(await story.clock('cancel')).to.equal('accepted');
      expect(task(story)).to.equal(ends);
    }
  });
});
