import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { EscrowStory } from '../../world/escrow-story.js';
import { ada } from '../../world/people.js';

describe('escrow: fund', () => {
  it('locks the reserved amount', async () => {
    const story = await EscrowStory.created();
    const { entry } = await story.accepts('ada', 'fund', { amount: 100 });
    expect(entry.core.event.type).to.equal('escrow.funded');
    story.is('funded', { funded: 100, released: 0, refunded: 0 });
    await story.has('ada', 900, 0, 100);
  });

  for (const who of ['ben', 'cyd', 'dan']) {
    it(`FORBIDDEN to ${who}, who is not the depositor`, async () => {
      const story = await EscrowStory.created();
      await story.refuses(who, 'fund', { amount: 100 }, 'FORBIDDEN');
    });
  }

  for (const amount of [99, 101, 1]) {
    it(`UNPROCESSABLE with ${amount} for an escrow of 100`, async () => {
      const story = await EscrowStory.created();
      await story.refuses('ada', 'fund', { amount }, 'UNPROCESSABLE');
    });
  }

  it('INVALID_REQUEST without resourcePrev, which is required', async () => {
    const story = await EscrowStory.created();
    await story.refuses('ada', 'fund', { amount: 100 }, 'INVALID_REQUEST', { resourcePrev: undefined });
  });

  it('CONFLICT with a resourcePrev that is not current', async () => {
    const story = await EscrowStory.created();
    await story.refuses('ada', 'fund', { amount: 100 }, 'CONFLICT', { resourcePrev: 'ab'.repeat(32) });
  });

  it('INVALID_REQUEST without an amount', async () => {
    const story = await EscrowStory.created();
    await story.refuses('ada', 'fund', {}, 'INVALID_REQUEST');
  });

  it('ESCROW_INVALID_STATE the second time', async () => {
    const story = await EscrowStory.funded();
    await story.refuses('ada', 'fund', { amount: 100 }, 'ESCROW_INVALID_STATE');
  });

  it('ESCROW_INVALID_STATE once its time has passed, before the clock’s own entry, too', async () => {
    const story = await EscrowStory.created({ expiresAt: Date.UTC(2026, 5, 16) });
    await story.bench.world.advance(dayMs);
    await story.refuses('ada', 'fund', { amount: 100 }, 'ESCROW_INVALID_STATE');
  });

  it('is possible up to the last millisecond', async () => {
    const story = await EscrowStory.created();
    await story.bench.world.advance(30 * dayMs - 1);
    await story.accepts('ada', 'fund', { amount: 100 });
  });

  it('TRANSFER_NOT_ALLOWED to a frozen account: what is reserved does not move, but back to its own', async () => {
    const story = await EscrowStory.created();
    await story.bench.operate('account', ada, 'freeze');
    await story.refuses('ada', 'fund', { amount: 100 }, 'TRANSFER_NOT_ALLOWED');
    await story.has('ada', 900, 100, 0);
    await story.accepts('ada', 'cancel', {});
    await story.has('ada', 1_000);
  });

  it('TRANSFER_NOT_ALLOWED where it lapses meanwhile: the clock gives the reservation back', async () => {
    const story = await EscrowStory.created();
    await story.bench.operate('account', ada, 'freeze');
    await story.bench.world.advance(31 * dayMs);
    await story.bench.operate('escrow', story.id, 'lapse');
    await story.has('ada', 1_000);
  });

  it('versions the account, so that a freeze at the same time is before it or after it', async () => {
    const story = await EscrowStory.created();
    const { entry } = await story.accepts('ada', 'fund', { amount: 100 });
    expect(entry.core.accounts).to.deep.equal([{ did: ada, version: 2 }]);
  });
  it('ESCROW_NOT_FOUND on an escrow that there is not', async () => {
    const story = await EscrowStory.open();
    const missing = { resourcePrev: 'ab'.repeat(32) };
    await story.refuses('ada', 'fund', { amount: 100 }, 'ESCROW_NOT_FOUND', missing);
  });

  it('refuses in the documented order: resourcePrev, party, state, guard', async () => {
    const story = await EscrowStory.funded();
    const stale = { resourcePrev: 'ab'.repeat(32) };
    await story.refuses('dan', 'fund', { amount: 1 }, 'CONFLICT', stale);
    await story.refuses('dan', 'fund', { amount: 1 }, 'FORBIDDEN');
    await story.refuses('ada', 'fund', { amount: 1 }, 'ESCROW_INVALID_STATE');
    const unfunded = await EscrowStory.created();
    await unfunded.refuses('ada', 'fund', { amount: 1 }, 'UNPROCESSABLE');
  });
});
