import { dayMs } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { EscrowStory, manual } from '../../world/escrow-story.js';
import { ada, ben, cyd, dan } from '../../world/people.js';

const hash = 'ab'.repeat(32);
const refused = (rule: JsonObject, field: 'releaseRules' | 'refundRules', code: string) => async () => {
  const story = await EscrowStory.open();
  await story.refuses('ada', 'create', { [field]: [rule] }, code);
};

describe('escrow: the rules of a create', () => {
  for (const field of ['releaseRules', 'refundRules'] as const) {
    describe(field, () => {
      for (const [what, rule] of [
        ['no type', {}],
        ['an empty type', { type: '' }],
        ['a time rule without its time', { type: 'time' }],
        ['a hash rule without its hash', { type: 'hash' }],
        ['a hash that is no SHA-256', { type: 'hash', hash: 'abc' }],
        ['a signature rule without signers', { type: 'signature' }],
        ['a signature rule with no signer', { type: 'signature', signers: [] }],
        ['one signer twice', { type: 'signature', signers: [ben, ben] }],
        ['a threshold beyond the signers', { type: 'signature', signers: [ben, dan], threshold: 3 }],
        ['a threshold of 0', { type: 'signature', signers: [ben, dan], threshold: 0 }],
        ['a manual rule by a role that there is not', { type: 'manual', by: ['seller'] }],
        ['a manual rule with an empty list of signers', { type: 'manual', by: [] }],
        ['type order, which belongs to a workflow', { type: 'order' }],
        ['type milestone, which belongs to a workflow', { type: 'milestone' }],
        ['type lease, which belongs to a workflow', { type: 'lease' }],
        ['type contract, which belongs to a workflow', { type: 'contract' }],
        ['requiresReason that is no boolean', { type: 'manual', requiresReason: 'yes' }],
      ] as const) {
        it(`INVALID_REQUEST on ${what}`, refused(rule, field, 'INVALID_REQUEST'));
      }
    });
  }

  it('INVALID_REQUEST where two rules have one id', async () => {
    const story = await EscrowStory.open();
    const twins = [
      { id: 'a', type: 'manual' },
      { id: 'a', type: 'hash', hash },
    ];
    await story.refuses('ada', 'create', { releaseRules: twins }, 'INVALID_REQUEST');
  });

  it('INVALID_REQUEST where a given id is one that the node numbers with', async () => {
    const story = await EscrowStory.open();
    const clash = [{ type: 'manual' }, { id: 'rule-1', type: 'hash', hash }];
    await story.refuses('ada', 'create', { releaseRules: clash }, 'INVALID_REQUEST');
  });

  it('INVALID_REQUEST where a time rule comes due at or after the expiry', async () => {
    const story = await EscrowStory.open();
    const expiresAt = story.now + dayMs;
    for (const after of [expiresAt, expiresAt + 1]) {
      const releaseRules = [{ type: 'time', after }];
      await story.refuses('ada', 'create', { expiresAt, releaseRules }, 'INVALID_REQUEST');
    }
    await story.accepts('ada', 'create', { expiresAt, releaseRules: [{ type: 'time', after: expiresAt - 1 }] });
  });

  it('a time rule needs no expiry', async () => {
    const story = await EscrowStory.open();
    await story.accepts('ada', 'create', { releaseRules: [{ type: 'time', after: story.now + dayMs }] });
  });

  it('rules without an id are numbered', async () => {
    const story = await EscrowStory.created({ releaseRules: [{ type: 'manual' }, { type: 'hash', hash }] });
    story.is('created.open', {
      releaseRules: [
        { id: 'rule-1', type: 'manual' },
        { id: 'rule-2', type: 'hash', hash },
      ],
    });
  });

  it('a type that the node does not know is kept with all its members', async () => {
    const rule = { id: 'parcel', type: 'delivery-scan', carrier: 'DHL', parcel: { number: 'X1' } };
    const story = await EscrowStory.created({ releaseRules: [rule] });
    story.is('created.open', { releaseRules: [rule] });
  });

  it('whatever a rule of such a type says under names that other types know is kept as it came', async () => {
    const rule = {
      id: 'odd',
      type: 'delivery-scan',
      by: 'DHL',
      after: '2026-02-30',
      hash: { algorithm: 'blake3', value: 'AB' },
      signers: [ben, 7],
      threshold: -1,
    };
    const story = await EscrowStory.open();
    await story.accepts('ada', 'create', { releaseRules: [rule], refundRules: [rule], autoFund: true });
    story.is('funded', { releaseRules: [rule], refundRules: [rule] });
    await story.refuses('ada', 'release', { amount: 1 }, 'ESCROW_RULE_NOT_MET');
    await story.refuses('ben', 'release', { amount: 1, ruleId: 'odd' }, 'FORBIDDEN');
    await story.accepts('ada', 'release', { amount: 1, ruleId: 'odd' });
  });

  it('what every rule may demand is demanded of such a type, too', async () => {
    const story = await EscrowStory.open();
    const rule = { type: 'delivery-scan', requiresReason: true };
    for (const wrong of [{ ...rule, requiresReason: 'yes' }, { ...rule, id: '-' }, { type: 'x'.repeat(65) }]) {
      await story.refuses('ada', 'create', { releaseRules: [wrong] }, 'INVALID_REQUEST');
    }
    await story.accepts('ada', 'create', { releaseRules: [rule], autoFund: true });
    const cited = { amount: 1, ruleId: 'rule-1' };
    await story.refuses('ada', 'release', cited, 'ESCROW_RULE_NOT_MET');
    await story.accepts('ada', 'release', { ...cited, reason: 'scanned' });
  });

  it('by takes roles and DIDs', async () => {
    const rule = { id: 'r', type: 'manual', by: ['arbiter', dan] };
    const story = await EscrowStory.created({ releaseRules: [rule] });
    story.is('created.open', { releaseRules: [rule] });
  });

  it('with refund rules given it is not revocable, with none or an empty list it is', async () => {
    (await EscrowStory.created({ refundRules: manual })).is('created.open', { revocable: false });
    (await EscrowStory.created({ refundRules: [] })).is('created.open', { revocable: true });
    (await EscrowStory.created()).is('created.open', { revocable: true });
  });

  it('signers may be parties and strangers', async () => {
    const story = await EscrowStory.created({
      releaseRules: [{ type: 'signature', signers: [ada, ben, cyd, dan], threshold: 2 }],
    });
    story.is('created.open');
  });

  it('INVALID_REQUEST where one rule is longer than 8 KiB, or evidence than 64 KiB', async () => {
    const story = await EscrowStory.open();
    const rule = (length: number) => ({ releaseRules: [{ type: 'parcel-scan', note: 'x'.repeat(length) }] });
    await story.refuses('ada', 'create', rule(8_192), 'INVALID_REQUEST');
    await story.accepts('ada', 'create', { ...rule(8_000), autoFund: true });
    const release = (length: number) => ({ amount: 1, ruleId: 'rule-1', evidence: 'x'.repeat(length) });
    await story.refuses('ada', 'release', release(65_536), 'INVALID_REQUEST');
    await story.accepts('ada', 'release', release(65_000));
  });
});
