/** Each type of release rule over HTTP (docs/reference/escrows.md#rules). */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { bareDid, OwnKey } from './support/independent.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const hour = 3_600_000;

describe('Release rules', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let cyd: Person;

  beforeEach(async () => {
    [ada, ben, cyd] = [await node().rich(100), await node().person(), await node().person()];
  });

  const create = (releaseRules: Body, more: Body = {}) =>
    ada.write('/api/v1/escrows', {
      ...{ beneficiary: ben.did, arbiter: cyd.did, amount: 10, autoFund: true },
      ...{ releaseRules, ...more },
    });
  const created = async (releaseRules: Body, more: Body = {}): Promise<Body> =>
    expectStatus(await create(releaseRules, more), 201);
  const release = (who: Person, escrow: Body, more: Body = {}) => who.act(escrow, 'release', { amount: 1, ...more });

  it('manual: depositor and arbiter by default, else whom `by` names', async () => {
    const plain = await created([{ type: 'manual' }]);
    expectStatus(await release(ada, plain));
    expectStatus(await release(cyd, plain));
    expectProblem(await release(ben, plain), 'FORBIDDEN');
    const eve = await node().person();
    const named = await created([{ type: 'manual', by: ['arbiter', bareDid(eve.did)] }]);
    expectStatus(await release(cyd, named));
    expectStatus(await release(eve, named));
    expectProblem(await release(ada, named), 'ESCROW_RULE_NOT_MET');
    expectProblem(await release(await node().person(), named), 'FORBIDDEN');
    expectInvalid(await create([{ type: 'manual', by: ['everybody'] }]), 'releaseRules.0.by');
  });

  it('time: no one before, the beneficiary by itself after', async () => {
    const after = node().world.now() + hour;
    const escrow = await created([{ type: 'time', after }], { expiresAt: after + hour });
    for (const who of [ada, ben, cyd]) expectProblem(await release(who, escrow), 'ESCROW_RULE_NOT_MET');
    node().world.skip(hour + 1);
    for (const who of [ben, ada, cyd]) expectStatus(await release(who, escrow));
    expectInvalid(await create([{ type: 'time' }]), 'releaseRules.0.after');
    const late = { expiresAt: node().world.now() + hour };
    expectInvalid(await create([{ type: 'time', after: late.expiresAt }], late), 'releaseRules.0.after');
  });

  it('hash: any permitted party brings the preimage', async () => {
    const preimage = Buffer.from('open sesame');
    const hash = createHash('sha256').update(preimage).digest('hex');
    const escrow = await created([{ type: 'hash', hash }]);
    const bad: Body[] = [
      undefined,
      {},
      { preimage: '00' },
      { preimage: 'open sesame' },
      { preimage: 7 },
      preimage.toString('hex'),
      { preimage: `${preimage.toString('hex')}0` },
      { preimage: [preimage.toString('hex')] },
    ];
    for (const evidence of bad) expectProblem(await release(ben, escrow, { evidence }), 'ESCROW_RULE_NOT_MET');
    expectProblem(await release(ada, escrow), 'ESCROW_RULE_NOT_MET');
    const evidence = { preimage: preimage.toString('hex').toUpperCase() };
    expectProblem(await release(await node().person(), escrow, { evidence }), 'FORBIDDEN');
    for (const who of [ben, ada]) expectStatus(await release(who, escrow, { evidence }));
    expectInvalid(await create([{ type: 'hash' }]), 'releaseRules.0.hash');
    expectInvalid(await create([{ type: 'hash', hash: 'abc' }]), 'releaseRules.0.hash');
    const long = Buffer.alloc(1025, 1);
    const tooLong = await created([{ type: 'hash', hash: createHash('sha256').update(long).digest('hex') }]);
    const answer = await release(ben, tooLong, { evidence: { preimage: long.toString('hex') } });
    expectProblem(answer, 'ESCROW_RULE_NOT_MET');
  });

  it('signature: so many of the signers, over this escrow, this moment and this amount', async () => {
    const [one, two, three] = [OwnKey.fresh(), OwnKey.fresh(), OwnKey.fresh()];
    const signers = [one.did, bareDid(two.did), three.did];
    const escrow = await created([{ type: 'signature', signers, threshold: 2 }]);
    let { resourcePrev } = escrow;
    const message = (amount = 1, prev = resourcePrev, home = node().did) =>
      `svc:escrow-release:v2:devnet:${home}:${escrow.escrowId}:${prev}:${amount}`;
    const signed = (key: OwnKey, text = message(), did = key.did) => ({
      did,
      signature: key.sign(text).toString('base64url'),
    });
    const attempt = (signatures: Body, more: Body = {}) =>
      release(ben, escrow, { evidence: { signatures }, resourcePrev, ...more });
    const good = () => [signed(one), signed(two)];
    const bad: [Body, Body][] = [
      [[signed(one)], {}],
      [[signed(one), signed(one)], {}],
      [[signed(two), signed(two, message(), bareDid(two.did))], {}],
      [[signed(one), signed(OwnKey.fresh())], {}],
      [[signed(one), signed(two, message(), three.did)], {}],
      [[signed(one), signed(two, message(2))], {}],
      [[signed(one), signed(two, message(1, resourcePrev, three.did))], {}],
      [[signed(one), signed(two, `svc:escrow-release:v1:devnet:${escrow.escrowId}:${resourcePrev}:1`)], {}],
      [good(), { amount: 2 }],
      [good(), { resourcePrev: undefined }],
      ['signed', {}],
      [undefined, {}],
    ];
    for (const [signatures, more] of bad) expectProblem(await attempt(signatures, more), 'ESCROW_RULE_NOT_MET');
    const done = expectStatus(await attempt(good()));
    // The same signatures again are refused, because they name an earlier state.
    expectProblem(await attempt(good()), 'CONFLICT');
    const old = good();
    resourcePrev = done.resourcePrev;
    expectProblem(await attempt(old), 'ESCROW_RULE_NOT_MET');
    expectStatus(await attempt([signed(three), signed(two, message(), bareDid(two.did))]));
    const twice = await create([{ type: 'signature', signers: [one.did, bareDid(one.did)] }]);
    expectInvalid(twice, 'releaseRules.0.signers');
    const tooMany = await create([{ type: 'signature', signers: [one.did], threshold: 2 }]);
    expectInvalid(tooMany, 'releaseRules.0.threshold');
    expectInvalid(await create([{ type: 'signature' }]), 'releaseRules.0.signers');
  });

  it('ruleId or rule picks one; without, any that is satisfied will do', async () => {
    const after = node().world.now() + hour;
    const escrow = await created([
      { id: 'later', type: 'time', after },
      { id: 'by-hand', type: 'manual' },
    ]);
    expect(escrow.releaseRule.id).to.equal('later');
    expectStatus(await release(ada, escrow));
    for (const pick of [{ ruleId: 'by-hand' }, { rule: 'by-hand' }, { rule: 'manual' }]) {
      expectStatus(await release(ada, escrow, pick));
    }
    for (const pick of [{ ruleId: 'later' }, { rule: 'time' }, { ruleId: 'none' }]) {
      expectProblem(await release(ada, escrow, pick), 'ESCROW_RULE_NOT_MET');
    }
    const same = [
      { id: 'a', type: 'manual' },
      { id: 'a', type: 'manual' },
    ];
    expectInvalid(await create(same), 'releaseRules.1.id');
  });

  it('any rule may ask for evidence or a reason', async () => {
    const escrow = await created([{ type: 'manual', requiresEvidence: true, requiresReason: true }]);
    const both = { evidence: { photo: 'sha256:…' }, reason: 'arrived' };
    for (const more of [{}, { reason: 'arrived' }, { evidence: both.evidence }, { ...both, reason: '  ' }]) {
      expectProblem(await release(ada, escrow, more), 'ESCROW_RULE_NOT_MET');
    }
    for (const evidence of [{}, [], null, '']) {
      expectProblem(await release(ada, escrow, { ...both, evidence }), 'ESCROW_RULE_NOT_MET');
    }
    expectStatus(await release(ada, escrow, both));
  });

  it('an unknown type is kept as it came and must be cited, by depositor or arbiter', async () => {
    const rule = { id: 'weather', type: 'oracle', station: { id: 7 }, after: 'rain', by: 'nobody', hash: 7 };
    const escrow = await created([rule]);
    expect(escrow.releaseRules).to.deep.equal([rule]);
    expectProblem(await release(ada, escrow), 'ESCROW_RULE_NOT_MET');
    expectProblem(await release(ben, escrow, { ruleId: 'weather' }), 'FORBIDDEN');
    expectStatus(await release(ada, escrow, { ruleId: 'weather' }));
    expectStatus(await release(cyd, escrow, { rule: 'oracle' }));
  });

  it('the types of workflows are not a caller’s to create', async () => {
    for (const type of ['order', 'milestone', 'lease']) {
      expectInvalid(await create([{ type }]), 'releaseRules.0.type');
      expectInvalid(await create([{ type: 'manual' }], { refundRules: [{ type }] }), 'refundRules.0.type');
    }
    expectInvalid(await create([{ type: 'manual' }], { purpose: { kind: 'order', id: 'x' } }), 'purpose');
  });
});
