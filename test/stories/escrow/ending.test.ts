import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { EscrowStory } from '../../world/escrow-story.js';

/** Given a funded escrow that expires in a day. */
async function expiring(more = {}): Promise<EscrowStory> {
  const story = await EscrowStory.open();
  await story.accepts('ada', 'create', { autoFund: true, expiresAt: story.now + dayMs, ...more });
  return story;
}

describe('escrow: expire', () => {
  it('gives the rest back to the depositor', async () => {
    const story = await expiring();
    await story.accepts('ada', 'release', { amount: 30 });
    await story.accepts('ben', 'refund', { amount: 20 });
    await story.bench.world.advance(dayMs);
    const { entry } = await story.accepts('dan', 'expire');
    expect(entry.core.event.type).to.equal('escrow.expired');
    story.is('expired', { released: 30, refunded: 70, funded: 100 });
    await story.has('ada', 970);
    await story.has('ben', 30);
  });

  for (const who of ['ada', 'ben', 'cyd', 'dan']) {
    it(`may be asked by ${who}: by anyone`, async () => {
      const story = await expiring();
      await story.bench.world.advance(dayMs);
      await story.accepts(who, 'expire');
      await story.has('ada', 1_000);
    });
  }

  it('by the clock', async () => {
    const story = await expiring();
    await story.bench.world.advance(dayMs);
    await story.clockAccepts('expire');
    story.is('expired');
    await story.has('ada', 1_000);
  });

  it('before the time ESCROW_INVALID_STATE, for every signer', async () => {
    const story = await expiring();
    await story.bench.world.advance(dayMs - 1);
    for (const who of ['ada', 'dan']) await story.refuses(who, 'expire', {}, 'ESCROW_INVALID_STATE');
    await story.clockRefuses('expire', 'ESCROW_INVALID_STATE');
  });

  it('without an expiry never', async () => {
    const story = await EscrowStory.funded();
    await story.bench.world.advance(1_000 * dayMs);
    await story.refuses('dan', 'expire', {}, 'ESCROW_INVALID_STATE');
  });

  it('of an unfunded escrow is not possible: that one lapses', async () => {
    const story = await expiring({ autoFund: false });
    await story.bench.world.advance(dayMs);
    await story.refuses('ada', 'expire', {}, 'ESCROW_INVALID_STATE');
  });
});

describe('escrow: lapse', () => {
  it('after 30 days gives the reservation back, and stays created', async () => {
    const story = await EscrowStory.created();
    await story.bench.world.advance(30 * dayMs);
    const { entry } = await story.clockAccepts('lapse');
    expect(entry.core.event.type).to.equal('escrow.lapsed');
    story.is('created.lapsed', { funded: 0 });
    await story.has('ada', 1_000);
  });

  it('at expiresAt where there is one', async () => {
    const story = await expiring({ autoFund: false });
    await story.bench.world.advance(dayMs - 1);
    await story.clockRefuses('lapse', 'ESCROW_INVALID_STATE');
    await story.bench.world.advance(1);
    await story.clockAccepts('lapse');
    await story.has('ada', 1_000);
  });

  it('afterwards nothing is possible any more', async () => {
    const story = await EscrowStory.created();
    await story.bench.world.advance(30 * dayMs);
    await story.clockAccepts('lapse');
    await story.refuses('ada', 'fund', { amount: 100 }, 'ESCROW_INVALID_STATE');
    await story.refuses('ada', 'cancel', {}, 'ESCROW_INVALID_STATE');
    await story.clockRefuses('lapse', 'ESCROW_INVALID_STATE');
  });

  it('is the clock’s alone', async () => {
    const story = await EscrowStory.created();
    await story.bench.world.advance(30 * dayMs);
    for (const who of ['ada', 'ben', 'cyd', 'dan']) await story.refuses(who, 'lapse', {}, 'FORBIDDEN');
  });

  it('does not happen to a funded escrow', async () => {
    const story = await EscrowStory.funded();
    await story.bench.world.advance(30 * dayMs);
    await story.clockRefuses('lapse', 'ESCROW_INVALID_STATE');
  });
});

describe('escrow: cancel', () => {
  it('does at once what lapsing does', async () => {
    const story = await EscrowStory.created();
    const { entry } = await story.accepts('ada', 'cancel');
    expect(entry.core.event.type).to.equal('escrow.cancelled');
    story.is('created.cancelled', { funded: 0 });
    await story.has('ada', 1_000);
    await story.refuses('ada', 'fund', { amount: 100 }, 'ESCROW_INVALID_STATE');
  });

  for (const who of ['ben', 'cyd', 'dan']) {
    it(`FORBIDDEN to ${who}`, async () => {
      const story = await EscrowStory.created();
      await story.refuses(who, 'cancel', {}, 'FORBIDDEN');
    });
  }

  it('is not possible once funded', async () => {
    const story = await EscrowStory.funded();
    await story.refuses('ada', 'cancel', {}, 'ESCROW_INVALID_STATE');
  });

  it('the freed Tokens can be used again', async () => {
    const story = await EscrowStory.created({ amount: 1_000 });
    await story.accepts('ada', 'cancel');
    expect(await story.bench.transfer('ada', 'ben', 1_000)).to.have.property('entry');
  });
});
