import { createHash } from 'node:crypto';
import { dayMs } from '../../../src/core/bounds.js';
import { EscrowStory } from '../../world/escrow-story.js';
import { dan } from '../../world/people.js';

const sha256 = (hex: string): string => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
const secret = 'c0ffee';

describe('escrow: time rules', () => {
  const withTime = async () => {
    const story = await EscrowStory.open();
    const after = story.now + dayMs;
    await story.accepts('ada', 'create', { autoFund: true, releaseRules: [{ type: 'time', after }] });
    return story;
  };

  it('are not met before their time, for every signer', async () => {
    const story = await withTime();
    await story.bench.world.advance(dayMs - 1);
    for (const who of ['ada', 'ben', 'cyd']) {
      await story.refuses(who, 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
    }
  });

  it('are met from that millisecond on, by the beneficiary alone, too', async () => {
    const story = await withTime();
    await story.bench.world.advance(dayMs);
    await story.accepts('ben', 'release', { amount: 40 });
    await story.accepts('ada', 'release', { amount: 1 });
    await story.refuses('dan', 'release', { amount: 1 }, 'FORBIDDEN');
  });

  it('go by the entry’s time, not by what the signer states', async () => {
    const story = await withTime();
    await story.bench.world.advance(dayMs - 1);
    const ts = story.now + 60_000;
    await story.refuses('ben', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET', { ts });
    await story.bench.world.advance(1);
    await story.accepts('ben', 'release', { amount: 1 }, { ts: story.now - 60_000 });
  });
});

describe('escrow: hash rules', () => {
  const withHash = (more: object = {}) =>
    EscrowStory.funded({ releaseRules: [{ type: 'hash', hash: sha256(secret), ...more }] });
  const brought = (preimage: string) => ({ amount: 10, evidence: { preimage } });

  it('are met by the preimage from either party', async () => {
    const story = await withHash();
    for (const who of ['ben', 'ada', 'cyd']) await story.accepts(who, 'release', brought(secret));
  });

  it('take the preimage in either case', async () => {
    const story = await withHash();
    await story.accepts('ben', 'release', brought(secret.toUpperCase()));
  });

  for (const [what, evidence] of [
    ['no evidence', undefined],
    ['another preimage', { preimage: 'c0ffef' }],
    ['a preimage that is not hex', { preimage: 'coffee' }],
    ['half a byte', { preimage: 'c0ffe' }],
    ['the hash itself', { preimage: sha256(secret) }],
    ['the preimage under another name', { secret }],
    ['the preimage as text', secret],
    ['the preimage in a list', [{ preimage: secret }]],
    ['null', null],
    ['a number', 7],
  ] as const) {
    it(`are not met by ${what}`, async () => {
      const story = await withHash();
      await story.refuses('ben', 'release', { amount: 10, evidence }, 'ESCROW_RULE_NOT_MET');
    });
  }

  it('read a preimage of 1 KiB and not a byte more', async () => {
    const longest = '5a'.repeat(1024);
    const story = await EscrowStory.funded({ releaseRules: [{ type: 'hash', hash: sha256(longest) }] });
    await story.accepts('ben', 'release', brought(longest));
    const tooLong = `${longest}5a`;
    const other = await EscrowStory.funded({ releaseRules: [{ type: 'hash', hash: sha256(tooLong) }] });
    await other.refuses('ben', 'release', brought(tooLong), 'ESCROW_RULE_NOT_MET');
  });

  it('take the empty preimage, evidence given', async () => {
    const story = await EscrowStory.funded({ releaseRules: [{ type: 'hash', hash: sha256('') }] });
    await story.refuses('ben', 'release', { amount: 10 }, 'ESCROW_RULE_NOT_MET');
    await story.accepts('ben', 'release', brought(''));
  });
});

describe('escrow: rules of a type that the node does not know', () => {
  const withUnknown = (more: object = {}) =>
    EscrowStory.funded({ releaseRules: [{ id: 'scan', type: 'delivery-scan', carrier: 'DHL', ...more }] });

  it('must be cited, by id or by type, by depositor or arbiter', async () => {
    const story = await withUnknown();
    await story.refuses('ada', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
    await story.refuses('cyd', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
    await story.accepts('ada', 'release', { amount: 1, ruleId: 'scan' });
    await story.accepts('cyd', 'release', { amount: 1, rule: 'delivery-scan' });
  });

  it('never let the beneficiary or a stranger', async () => {
    const story = await withUnknown();
    await story.refuses('ben', 'release', { amount: 1, ruleId: 'scan' }, 'FORBIDDEN');
    await story.refuses('dan', 'release', { amount: 1, ruleId: 'scan' }, 'FORBIDDEN');
  });

  it('not even if another rule permits the beneficiary to claim, or names the stranger', async () => {
    const story = await EscrowStory.funded({
      releaseRules: [
        { id: 'scan', type: 'delivery-scan' },
        { type: 'hash', hash: sha256(secret) },
        { id: 'dan', type: 'manual', by: [dan], requiresReason: true },
      ],
    });
    await story.refuses('ben', 'release', { amount: 1, ruleId: 'scan' }, 'ESCROW_RULE_NOT_MET');
    await story.refuses('dan', 'release', { amount: 1, ruleId: 'scan' }, 'ESCROW_RULE_NOT_MET');
  });

  it('still hold to requiresEvidence', async () => {
    const story = await withUnknown({ requiresEvidence: true });
    await story.refuses('ada', 'release', { amount: 1, ruleId: 'scan' }, 'ESCROW_RULE_NOT_MET');
    await story.accepts('ada', 'release', { amount: 1, ruleId: 'scan', evidence: { photo: 'ipfs://x' } });
  });
});

describe('escrow: requiresEvidence and requiresReason', () => {
  for (const [what, evidence] of [
    ['none', undefined],
    ['null', null],
    ['an empty text', ''],
    ['an empty object', {}],
    ['an empty list', []],
  ] as const) {
    it(`requiresEvidence is not met by ${what}`, async () => {
      const story = await EscrowStory.funded({ releaseRules: [{ type: 'manual', requiresEvidence: true }] });
      await story.refuses('ada', 'release', { amount: 1, evidence }, 'ESCROW_RULE_NOT_MET');
    });
  }

  it('requiresEvidence is met by anything that says something', async () => {
    const story = await EscrowStory.funded({ releaseRules: [{ type: 'manual', requiresEvidence: true }] });
    for (const evidence of ['a photo', { photo: 1 }, ['a'], 0, false]) {
      await story.accepts('ada', 'release', { amount: 1, evidence });
    }
  });

  it('requiresReason is not met by none or by blanks, and is met by a word', async () => {
    const story = await EscrowStory.funded({ releaseRules: [{ type: 'manual', requiresReason: true }] });
    await story.refuses('ada', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
    await story.refuses('ada', 'release', { amount: 1, reason: '  \n' }, 'ESCROW_RULE_NOT_MET');
    await story.accepts('ada', 'release', { amount: 1, reason: 'delivered' });
  });

  it('add to a rule that would be met without them', async () => {
    const story = await EscrowStory.funded({
      releaseRules: [{ type: 'hash', hash: sha256(secret), requiresReason: true }],
    });
    const evidence = { preimage: secret };
    await story.refuses('ben', 'release', { amount: 1, evidence }, 'ESCROW_RULE_NOT_MET');
    await story.refuses('ben', 'release', { amount: 1, reason: 'because' }, 'ESCROW_RULE_NOT_MET');
    await story.accepts('ben', 'release', { amount: 1, evidence, reason: 'because' });
  });

  it('INVALID_REQUEST where the reason is longer than 1,000 characters', async () => {
    const story = await EscrowStory.funded();
    await story.refuses('ada', 'release', { amount: 1, reason: 'x'.repeat(1001) }, 'INVALID_REQUEST');
  });
});
