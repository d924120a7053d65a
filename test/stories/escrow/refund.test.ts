import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { EscrowStory, manual } from '../../world/escrow-story.js';
import { ada, ben, dan } from '../../world/people.js';

describe('escrow: refund', () => {
  it('pays the depositor back in full', async () => {
    const story = await EscrowStory.funded();
    const { entry } = await story.accepts('ben', 'refund', { amount: 100 });
    expect(entry.core.event.type).to.equal('escrow.refunded');
    story.is('refunded', { refunded: 100, released: 0 });
    await story.has('ada', 1_000);
    await story.has('ben', 0);
  });

  it('in part keeps it funded, and what empties it refunds it', async () => {
    const story = await EscrowStory.funded();
    await story.accepts('cyd', 'refund', { amount: 30 });
    story.is('funded', { refunded: 30 });
    await story.has('ada', 930, 0, 70);
    await story.accepts('ben', 'refund', { amount: 70 });
    story.is('refunded', { refunded: 100 });
    await story.has('ada', 1_000);
  });

  it('what empties it after a partial release refunds it', async () => {
    const story = await EscrowStory.funded();
    await story.accepts('ada', 'release', { amount: 40 });
    await story.accepts('ben', 'refund', { amount: 60 });
    story.is('refunded', { released: 40, refunded: 60 });
    await story.has('ada', 960);
    await story.has('ben', 40);
  });

  it('UNPROCESSABLE beyond what remains', async () => {
    const story = await EscrowStory.funded();
    await story.refuses('ben', 'refund', { amount: 101 }, 'UNPROCESSABLE');
    await story.accepts('ada', 'release', { amount: 30 });
    await story.refuses('ben', 'refund', { amount: 71 }, 'UNPROCESSABLE');
  });

  describe('input', () => {
    it('INVALID_REQUEST without resourcePrev, which is required', async () => {
      const story = await EscrowStory.funded();
      await story.refuses('ben', 'refund', { amount: 1 }, 'INVALID_REQUEST', { resourcePrev: undefined });
    });

    it('CONFLICT with one that is not current', async () => {
      const story = await EscrowStory.funded();
      const resourcePrev = story.prev;
      await story.accepts('ben', 'refund', { amount: 1 });
      await story.refuses('ben', 'refund', { amount: 1 }, 'CONFLICT', { resourcePrev });
    });

    it('INVALID_REQUEST without a reason', async () => {
      const story = await EscrowStory.funded();
      await story.refuses('ben', 'refund', { amount: 1, reason: undefined }, 'INVALID_REQUEST');
      await story.refuses('ben', 'refund', { amount: 1, reason: '' }, 'INVALID_REQUEST');
    });

    it('INVALID_REQUEST without an amount, or with 0', async () => {
      const story = await EscrowStory.funded();
      await story.refuses('ben', 'refund', {}, 'INVALID_REQUEST');
      await story.refuses('ben', 'refund', { amount: 0 }, 'INVALID_REQUEST');
    });
  });

  describe('who', () => {
    it('beneficiary and arbiter may, strangers may not', async () => {
      const story = await EscrowStory.funded({ refundRules: [{ type: 'manual', by: ['arbiter'] }] });
      await story.accepts('ben', 'refund', { amount: 1 });
      await story.accepts('cyd', 'refund', { amount: 1 });
      await story.refuses('dan', 'refund', { amount: 1 }, 'FORBIDDEN');
    });

    it('the depositor may where no refund rules were given: it is revocable', async () => {
      const story = await EscrowStory.funded();
      story.is('funded', { revocable: true });
      await story.accepts('ada', 'refund', { amount: 100 });
      await story.has('ada', 1_000);
    });

    it('the depositor may where a manual refund rule names it, by default or by role or by DID', async () => {
      for (const refundRules of [manual, [{ type: 'manual', by: ['depositor'] }], [{ type: 'manual', by: [ada] }]]) {
        const story = await EscrowStory.funded({ refundRules });
        story.is('funded', { revocable: false });
        await story.accepts('ada', 'refund', { amount: 100 });
      }
    });

    it('the depositor may not where the refund rules name others', async () => {
      for (const by of [['arbiter'], ['beneficiary'], [dan]]) {
        const story = await EscrowStory.funded({ refundRules: [{ type: 'manual', by }] });
        await story.refuses('ada', 'refund', { amount: 1 }, 'FORBIDDEN');
      }
    });

    it('a DID that only a refund rule names is still a stranger', async () => {
      const story = await EscrowStory.funded({ refundRules: [{ type: 'manual', by: [dan] }] });
      await story.refuses('dan', 'refund', { amount: 1 }, 'FORBIDDEN');
    });

    it('beneficiary and arbiter need no rule', async () => {
      const story = await EscrowStory.funded({ refundRules: [{ type: 'time', after: Date.UTC(2027, 0, 1) }] });
      await story.accepts('ben', 'refund', { amount: 1 });
      await story.accepts('cyd', 'refund', { amount: 1 });
    });
  });

  describe('refund rules for the depositor', () => {
    it('time: before it ESCROW_RULE_NOT_MET, from it on accepted', async () => {
      const story = await EscrowStory.open();
      const refundRules = [{ type: 'time', after: story.now + dayMs }];
      await story.accepts('ada', 'create', { autoFund: true, refundRules });
      await story.refuses('ada', 'refund', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
      await story.bench.world.advance(dayMs);
      await story.accepts('ada', 'refund', { amount: 1 });
    });

    it('evidence: it must be brought', async () => {
      const story = await EscrowStory.funded({ refundRules: [{ type: 'manual', requiresEvidence: true }] });
      await story.refuses('ada', 'refund', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
      await story.accepts('ada', 'refund', { amount: 1, evidence: 'tracking says lost' });
    });

    it('an unknown type must be cited', async () => {
      const story = await EscrowStory.funded({ refundRules: [{ id: 'claim', type: 'insurance' }] });
      await story.refuses('ada', 'refund', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
      await story.accepts('ada', 'refund', { amount: 1, ruleId: 'claim' });
    });

    it('ruleId picks one of several', async () => {
      const story = await EscrowStory.funded({
        refundRules: [
          { id: 'late', type: 'time', after: Date.UTC(2027, 0, 1) },
          { id: 'mine', type: 'manual' },
        ],
      });
      await story.refuses('ada', 'refund', { amount: 1, ruleId: 'late' }, 'ESCROW_RULE_NOT_MET');
      await story.accepts('ada', 'refund', { amount: 1, ruleId: 'mine' });
    });
  });

  it('stays possible after the expiry until its own entry', async () => {
    const story = await EscrowStory.open();
    await story.accepts('ada', 'create', { autoFund: true, expiresAt: story.now + dayMs });
    await story.bench.world.advance(2 * dayMs);
    await story.accepts('ben', 'refund', { amount: 100 });
    story.is('refunded');
  });

  it('is paid back although an account is frozen', async () => {
    const story = await EscrowStory.funded();
    await story.bench.operate('account', ada, 'freeze');
    await story.bench.operate('account', ben, 'freeze');
    await story.accepts('ben', 'refund', { amount: 100 });
    await story.has('ada', 1_000);
  });
});
