/**
 * Release rules over HTTP: what a caller writes and signs, and which field a refusal names. What each rule asks for is in
 * test/stories/escrow (docs/reference/escrows.md#rules).
 */
import { expect } from 'chai';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { bareDid, OwnKey } from './support/independent.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('Release rules', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;

  beforeEach(async () => {
    [ada, ben] = [await node().rich(100), await node().person()];
  });

  const create = (releaseRules: Body, more: Body = {}) =>
    ada.write('/api/v1/escrows', { beneficiary: ben.did, amount: 10, autoFund: true, releaseRules, ...more });
  const release = (who: Person, escrow: Body, more: Body = {}) => who.act(escrow, 'release', { amount: 1, ...more });

  it('take DIDs in either spelling', async () => {
    const eve = await node().person();
    const escrow = expectStatus(await create([{ type: 'manual', by: [bareDid(eve.did)] }]), 201);
    expectStatus(await release(eve, escrow));
    expectProblem(await release(ada, escrow), 'ESCROW_RULE_NOT_MET');
  });

  it('take signatures over the documented text', async () => {
    const [one, two] = [OwnKey.fresh(), OwnKey.fresh()];
    const signers = [one.did, bareDid(two.did)];
    const escrow = expectStatus(await create([{ type: 'signature', signers }]), 201);
    const { escrowId, resourcePrev } = escrow;
    const text = `svc:escrow-release:v2:devnet:${node().did}:${escrowId}:${resourcePrev}:1`;
    const signed = (key: OwnKey, did = key.did) => ({ did, signature: key.sign(text).toString('base64url') });
    const evidence = { signatures: [signed(one), signed(two, bareDid(two.did))] };
    expectProblem(await release(ben, escrow, { evidence }), 'ESCROW_RULE_NOT_MET');
    expectStatus(await release(ben, escrow, { evidence, resourcePrev }));
    const twice = await create([{ type: 'signature', signers: [one.did, bareDid(one.did)] }]);
    expectInvalid(twice, 'releaseRules.0.signers');
  });

  it('are refused with the name of the field', async () => {
    const { did } = OwnKey.fresh();
    const expiresAt = node().world.now() + 3_600_000;
    const rules: readonly [Body, string][] = [
      [{ type: 'manual', by: ['seller'] }, 'by'],
      [{ type: 'time' }, 'after'],
      [{ type: 'time', after: expiresAt }, 'after'],
      [{ type: 'hash' }, 'hash'],
      [{ type: 'hash', hash: 'abc' }, 'hash'],
      [{ type: 'signature' }, 'signers'],
      [{ type: 'signature', signers: [did], threshold: 2 }, 'threshold'],
      [{ type: 'order' }, 'type'],
    ];
    for (const [rule, field] of rules) expectInvalid(await create([rule], { expiresAt }), `releaseRules.0.${field}`);
    const manual = { id: 'a', type: 'manual' };
    expectInvalid(await create([manual, manual]), 'releaseRules.1.id');
    expectInvalid(await create([manual], { refundRules: [{ type: 'lease' }] }), 'refundRules.0.type');
    expectInvalid(await create([manual], { purpose: { kind: 'order', id: 'x' } }), 'purpose');
  });

  it('of an unknown type are kept as they came', async () => {
    const rule = { id: 'weather', type: 'oracle', station: { id: 7 }, after: 'rain', by: 'them', hash: 7 };
    const { releaseRules } = expectStatus(await create([rule]), 201);
    expect(releaseRules).to.deep.equal([rule]);
  });
});
