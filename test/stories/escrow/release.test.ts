import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { EscrowStory, manual } from '../../world/escrow-story.js';
import { ada, ben, dan } from '../../world/people.js';

describe('escrow: release', () => {
  it('pays the beneficiary in full', async () => {
    const story = await EscrowStory.funded();
    const { entry } = await story.accepts('ada', 'release', { amount: 100 });
    expect(entry.core.event.type).to.equal('escrow.released');
    expect(entry.core.versions[0]).to.deep.include({ version: 2, path: ['released'] });
    story.is('released', { released: 100, refunded: 0 });
    await story.has('ada', 900);
    await story.has('ben', 100);
  });

  it('in part keeps it funded, and what empties it releases it', async () => {
    const story = await EscrowStory.funded();
    await story.accepts('ada', 'release', { amount: 30 });
    story.is('funded', { released: 30 });
    await story.has('ada', 900, 0, 70);
    await story.has('ben', 30);
    await story.accepts('cyd', 'release', { amount: 69 });
    story.is('funded', { released: 99 });
    await story.accepts('ada', 'release', { amount: 1 });
    story.is('released', { released: 100 });
    await story.has('ada', 900);
    await story.has('ben', 100);
  });

  it('what empties it after a partial refund releases it', async () => {
    const story = await EscrowStory.funded();
    await story.accepts('ben', 'refund', { amount: 40 });
    await story.accepts('ada', 'release', { amount: 60 });
    story.is('released', { released: 60, refunded: 40 });
    await story.has('ada', 940);
    await story.has('ben', 60);
  });

  it('UNPROCESSABLE beyond what remains', async () => {
    const story = await EscrowStory.funded();
    await story.refuses('ada', 'release', { amount: 101 }, 'UNPROCESSABLE');
    await story.accepts('ada', 'release', { amount: 30 });
    await story.refuses('ada', 'release', { amount: 71 }, 'UNPROCESSABLE');
    await story.refuses('cyd', 'release', { amount: 2 ** 53 - 1 }, 'UNPROCESSABLE');
  });

  for (const [what, amount] of [
    ['0', 0],
    ['a negative amount', -5],
    ['a fraction', 0.5],
    ['no amount', undefined],
    ['text', '100'],
  ] as const) {
    it(`INVALID_REQUEST with ${what}`, async () => {
      const story = await EscrowStory.funded();
      await story.refuses('ada', 'release', { amount }, 'INVALID_REQUEST');
    });
  }

  describe('who', () => {
    it('depositor and arbiter may, the beneficiary and strangers may not', async () => {
      const story = await EscrowStory.funded();
      await story.refuses('ben', 'release', { amount: 1 }, 'FORBIDDEN');
      await story.refuses('dan', 'release', { amount: 1 }, 'FORBIDDEN');
      await story.accepts('ada', 'release', { amount: 1 });
      await story.accepts('cyd', 'release', { amount: 1 });
    });

    for (const [type, rule] of [
      ['time', { type: 'time', after: Date.UTC(2026, 6, 1) }],
      ['hash', { type: 'hash', hash: 'ab'.repeat(32) }],
      ['signature', { type: 'signature', signers: [dan] }],
    ] as const) {
      it(`with a ${type} rule the beneficiary may ask: not FORBIDDEN, but a rule that is not met`, async () => {
        const story = await EscrowStory.funded({ releaseRules: [rule] });
        await story.refuses('ben', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
        await story.refuses('dan', 'release', { amount: 1 }, 'FORBIDDEN');
      });
    }

    it('no frozen account keeps escrowed Tokens from following their rules', async () => {
      const story = await EscrowStory.funded();
      await story.bench.operate('account', ada, 'freeze');
      await story.bench.operate('account', ben, 'freeze');
      await story.accepts('ada', 'release', { amount: 100 });
      await story.has('ben', 100);
    });
  });

  describe('manual rules', () => {
    it('by default depositor and arbiter', async () => {
      const story = await EscrowStory.funded({
        releaseRules: [{ type: 'manual' }, { type: 'hash', hash: 'ab'.repeat(32) }],
      });
      await story.refuses('ben', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
      await story.accepts('cyd', 'release', { amount: 1 });
    });

    it('by the arbiter alone keeps the depositor out', async () => {
      const story = await EscrowStory.funded({ releaseRules: [{ type: 'manual', by: ['arbiter'] }] });
      await story.refuses('ada', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
      await story.refuses('ben', 'release', { amount: 1 }, 'FORBIDDEN');
      await story.accepts('cyd', 'release', { amount: 1 });
    });

    it('by the depositor alone keeps the arbiter out', async () => {
      const story = await EscrowStory.funded({ releaseRules: [{ type: 'manual', by: ['depositor'] }] });
      await story.refuses('cyd', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
      await story.accepts('ada', 'release', { amount: 1 });
    });

    it('by the arbiter is met by no one if there is none', async () => {
      const rules = { releaseRules: [{ type: 'manual', by: ['arbiter'] }], arbiter: undefined };
      const story = await EscrowStory.funded(rules);
      await story.refuses('ada', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
      await story.refuses('cyd', 'release', { amount: 1 }, 'FORBIDDEN');
    });

    it('by a DID is met by that DID, and not by a stranger', async () => {
      const story = await EscrowStory.funded({ releaseRules: [{ type: 'manual', by: [dan] }] });
      await story.refuses('ada', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
      await story.accepts('dan', 'release', { amount: 1 });
      await story.has('ben', 1);
    });

    it('by the beneficiary: the depositor said so', async () => {
      const story = await EscrowStory.funded({ releaseRules: [{ type: 'manual', by: ['beneficiary'] }] });
      await story.accepts('ben', 'release', { amount: 100 });
      story.is('released');
    });
  });

  describe('citing a rule', () => {
    const rules = {
      releaseRules: [
        { id: 'deposit', type: 'manual', by: ['depositor'] },
        { id: 'judge', type: 'manual', by: ['arbiter'] },
      ],
    };

    it('without ruleId any rule that is satisfied will do', async () => {
      const story = await EscrowStory.funded(rules);
      await story.accepts('ada', 'release', { amount: 1 });
      await story.accepts('cyd', 'release', { amount: 1 });
    });

    it('with ruleId only that one counts', async () => {
      const story = await EscrowStory.funded(rules);
      await story.refuses('ada', 'release', { amount: 1, ruleId: 'judge' }, 'ESCROW_RULE_NOT_MET');
      await story.accepts('ada', 'release', { amount: 1, ruleId: 'deposit' });
    });

    it('rule is the same as ruleId, and ruleId wins', async () => {
      const story = await EscrowStory.funded(rules);
      await story.refuses('ada', 'release', { amount: 1, rule: 'judge' }, 'ESCROW_RULE_NOT_MET');
      await story.accepts('ada', 'release', { amount: 1, rule: 'deposit' });
      await story.refuses('ada', 'release', { amount: 1, rule: 'deposit', ruleId: 'judge' }, 'ESCROW_RULE_NOT_MET');
    });

    it('a type that the node knows may be cited, too', async () => {
      const story = await EscrowStory.funded(rules);
      await story.accepts('cyd', 'release', { amount: 1, rule: 'manual' });
    });

    it('one that there is not is not met', async () => {
      const story = await EscrowStory.funded(rules);
      await story.refuses('ada', 'release', { amount: 1, ruleId: 'other' }, 'ESCROW_RULE_NOT_MET');
    });
  });

  describe('resourcePrev', () => {
    it('may be left out, and must be current where it is given', async () => {
      const story = await EscrowStory.funded();
      const first = story.prev;
      await story.accepts('ada', 'release', { amount: 1 }, { resourcePrev: first });
      await story.refuses('ada', 'release', { amount: 1 }, 'CONFLICT', { resourcePrev: first });
      await story.refuses('ada', 'release', { amount: 1 }, 'CONFLICT', { resourcePrev: null });
      await story.accepts('ada', 'release', { amount: 1 });
    });
  });

  it('stays possible after the expiry until its own entry', async () => {
    const story = await EscrowStory.open();
    await story.accepts('ada', 'create', { releaseRules: manual, autoFund: true, expiresAt: story.now + dayMs });
    await story.bench.world.advance(2 * dayMs);
    await story.accepts('ada', 'release', { amount: 60 });
    await story.clockAccepts('expire');
    await story.refuses('ada', 'release', { amount: 40 }, 'ESCROW_INVALID_STATE');
    await story.has('ben', 60);
    await story.has('ada', 940);
  });

  it('refuses in the documented order: party, state, rule, amount', async () => {
    const story = await EscrowStory.funded({ releaseRules: [{ type: 'manual', by: ['arbiter'] }] });
    await story.refuses('dan', 'release', { amount: 500 }, 'FORBIDDEN');
    await story.refuses('ada', 'release', { amount: 500 }, 'ESCROW_RULE_NOT_MET');
    await story.refuses('cyd', 'release', { amount: 500 }, 'UNPROCESSABLE');
    await story.accepts('cyd', 'release', { amount: 100 });
    await story.refuses('dan', 'release', { amount: 500 }, 'FORBIDDEN');
    await story.refuses('ada', 'release', { amount: 500 }, 'ESCROW_INVALID_STATE');
  });
});
