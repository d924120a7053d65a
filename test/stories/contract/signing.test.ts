/** Drafts, terms and signatures (docs/reference/contracts-and-disputes.md#signing), over HTTP. */
import { expect } from 'chai';
import { hashOf } from '../../../src/core/canonical.js';
import { publicKeyOf } from '../../../src/core/codecs/did.js';
import { verify } from '../../../src/core/codecs/signature-check.js';
import { unrendered } from '../../../src/core/leaf.js';
import { expectInvalid, expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { nodeForSuite } from '../../node/support/node.js';
import { base, type Cast, castOf, Deal, stages } from './stage.js';

describe('A contract is drafted and signed', () => {
  const node = nodeForSuite();
  let cast: Cast;
  before(async () => {
    cast = await castOf(node());
  });
  const draft = (more?: Body) => Deal.draft(node(), cast, more);

  it('is a draft of its client for a provider, with both spellings of its state', async () => {
    const view = await (await draft()).view();
    expect(view).to.include({ state: 'draft', status: 'draft', client: cast.client.did, amount: 0, remaining: 0 });
    expect(view.parties).to.deep.equal([
      { did: cast.client.did, role: 'client' },
      { did: cast.provider.did, role: 'provider' },
    ]);
    expect(view.milestones.map(({ status }: Body) => status)).to.deep.equal(['pending', 'pending']);
    expect(view.arbiter).to.equal(cast.arbiter.did);
  });

  it('has one provider, who is not the client, and an arbiter who is neither', async () => {
    const { client, provider } = cast;
    const body = { provider: provider.did, terms: {} };
    expectProblem(await client.write(base, { ...body, provider: client.did }), 'FORBIDDEN');
    for (const arbiter of [client.did, provider.did]) {
      expectProblem(await client.write(base, { ...body, terms: { arbiter } }), 'UNPROCESSABLE');
    }
    expectInvalid(await client.write(base, { provider: provider.did }), 'terms');
    expectInvalid(await client.write(base, { ...body, provider: 'did:svc:zNobody' }), 'provider', 'DID_INVALID');
  });

  it('has milestones with their own ids, within its budget', async () => {
    const body = { provider: cast.provider.did, terms: {}, milestones: stages };
    const made = expectStatus(
      await cast.client.write(base, { ...body, milestones: [{ amount: 1 }, { amount: 2 }] }),
      201,
    );
    expect(made.milestones.map(({ id }: Body) => id)).to.deep.equal(['ms-1', 'ms-2']);
    for (const wrong of [{ payment: { totalAmount: 79 } }, { milestones: [stages[0], stages[0]] }]) {
      expectProblem(await cast.client.write(base, { ...body, ...wrong }), 'CONTRACT_MILESTONE_INVALID');
    }
    // Without payment.totalAmount, only the largest possible amount is a limit.
    const most = Number.MAX_SAFE_INTEGER;
    const two = (amount: number) => ({ ...body, milestones: [{ amount: most - 1 }, { amount }] });
    expectProblem(await cast.client.write(base, two(2)), 'CONTRACT_MILESTONE_INVALID');
    expectStatus(await cast.client.write(base, two(1)), 201);
    expectInvalid(
      await cast.client.write(base, { ...body, milestones: [{ id: 'x', amount: 0 }] }),
      'milestones.0.amount',
    );
  });

  it('keeps terms and payment as they came', async () => {
    const terms = { scope: { pages: 3, colours: ['red', null] }, fallback: 'refund' };
    const payment = { totalAmount: 100, schedule: 'by stages' };
    const view = await (await draft({ terms, payment })).view();
    expect(view.terms).to.deep.equal({ arbiter: cast.arbiter.did, ...terms });
    expect(view.payment).to.deep.equal(payment);
  });

  it('names the hash of what is signed, which anyone can compute from the view', async () => {
    const deal = await draft();
    const { parties, salt, termsHash } = await deal.view();
    const state = expectStatus(await (await deal.reader()).get(`/api/v1/machines/contract/${deal.id}/state`));
    const context = unrendered(state.context, state.leaves);
    if (typeof context === 'string') expect.fail(context);
    const { milestones, payment, terms } = context.value as Body;
    const agreed = milestones.map(({ id, title = '', description = '', amount, criteria = null, ...more }: Body) => ({
      ...{ id, title, description, amount, criteria },
      deadline: more.deadline ?? null,
    }));
    expect(hashOf({ milestones: agreed, parties, payment, salt, terms })).to.equal(termsHash);
  });

  it('changes with an update of its client until a party has signed, and so does the hash', async () => {
    const deal = await draft();
    const { termsHash } = await deal.view();
    expectProblem(await deal.ask('provider', 'update', { terms: {} }), 'FORBIDDEN');
    expectProblem(await deal.ask('client', 'update', { payment: { totalAmount: 10 } }), 'CONTRACT_MILESTONE_INVALID');
    const updated = await deal.does('client', 'update', { terms: { scope: 'other' }, milestones: [{ amount: 5 }] });
    expect(updated.termsHash).not.to.equal(termsHash);
    expect(updated).to.deep.include({ terms: { scope: 'other' }, arbiter: null, payment: { totalAmount: 100 } });
    expectProblem(await deal.ask('provider', 'sign', { termsHash }), 'CONFLICT');
    await deal.does('provider', 'sign', { termsHash: updated.termsHash });
    expectProblem(await deal.ask('client', 'update', { terms: {} }), 'CONTRACT_INVALID_STATE');
  });

  it('is signed by each party once, the last of which makes it signed; each signature verifies', async () => {
    const deal = await draft();
    expect((await deal.view()).permittedActions.provider.map(({ action }: Body) => action)).to.include('sign');
    expect(await deal.does('provider', 'sign')).to.include({ state: 'draft' });
    expect(await deal.view().then(({ permittedActions }) => permittedActions.provider)).to.deep.equal([
      { action: 'terminate', open: [] },
    ]);
    expectProblem(await deal.ask('provider', 'sign'), 'CONTRACT_INVALID_STATE');
    expectProblem(await deal.ask('stranger', 'sign'), 'FORBIDDEN');
    const signed = await deal.does('client', 'sign');
    expect(signed).to.include({ state: 'signed', status: 'draft' });
    expect(signed.signatures.map(({ role }: Body) => role)).to.deep.equal(['provider', 'client']);
    for (const { did, signature, termsHash } of signed.signatures) {
      expect(termsHash).to.equal(signed.termsHash);
      const text = `svc:contract:v2:devnet:${node().did}:${deal.id}:${termsHash}`;
      expect(verify(publicKeyOf(did), text, signature)).to.equal(true);
    }
    expectProblem(await deal.ask('client', 'sign'), 'CONTRACT_INVALID_STATE');
  });

  it('that is signed, and not activated, is ended by either party, and by no one else', async () => {
    for (const who of ['client', 'provider'] as const) {
      const deal = await draft();
      for (const party of ['client', 'provider'] as const) await deal.does(party, 'sign');
      expect((await deal.view()).permittedActions[who]).to.deep.include({ action: 'terminate', open: [] });
      expectProblem(await deal.ask('stranger', 'terminate'), 'FORBIDDEN');
      expect(await deal.does(who, 'terminate')).to.include({ state: 'terminated', status: 'cancelled' });
      expectProblem(await deal.ask('client', 'activate', { amount: 100 }), 'CONTRACT_INVALID_STATE');
    }
  });

  it('no one signs for another: not with another DID’s name, nor with a signature of one’s own in the body', async () => {
    const deal = await draft();
    const { did } = cast.provider;
    expectProblem(await deal.ask('stranger', 'sign', { did }), 'TRANSFER_NOT_ALLOWED');
    expectInvalid(await deal.ask('provider', 'sign', { signature: 'forged' }), 'signature');
  });

  it('is signed by the DID of a key, where the body names none', async () => {
    const deal = await draft();
    const admin = await node().keyed({ scope: 'admin' });
    const { did, passphrase } = cast.provider;
    expectStatus(await admin.post(`/api/v1/admin/identities/${did}/actions/unlock`, { passphrase }));
    const bound = await node().keyed({ scope: 'write', did });
    const path = `${base}/${deal.id}/actions/sign`;
    expectInvalid(await bound.post(path), 'Idempotency-Key');
    const signed = expectStatus(await bound.post(path, {}, { 'Idempotency-Key': 'sign' }));
    expect(signed.signatures[0].did).to.equal(did);
    cast.provider.nonce += 1;
    const again = await bound.post(path, {}, { 'Idempotency-Key': 'sign' });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.body.signatures).to.deep.equal(signed.signatures);
    expectProblem(await bound.post(path, { did: cast.client.did, nonce: 1 }), 'FORBIDDEN');
    expectStatus(await admin.post(`/api/v1/admin/identities/${did}/actions/lock`));
  });

  it('a draft is ended by either party, and by no one else', async () => {
    for (const who of ['client', 'provider'] as const) {
      const deal = await draft();
      expectProblem(await deal.ask('stranger', 'terminate'), 'FORBIDDEN');
      expect(await deal.does(who, 'terminate', { reason: 'never mind' })).to.include({
        state: 'terminated',
        status: 'cancelled',
      });
    }
  });

  it('is listed by role and by the words for its state', async () => {
    const [client, provider] = [await node().rich(500), await node().person()];
    const own = { ...cast, client, provider };
    const [kept, dropped] = [await Deal.draft(node(), own), await Deal.draft(node(), own)];
    await kept.does('client', 'sign');
    await kept.does('provider', 'sign');
    await dropped.does('client', 'terminate');
    const active = await Deal.active(node(), own);
    const list = async (query: string): Promise<string[]> =>
      expectStatus(await node().client.get(`${base}?did=${provider.did}&${query}`)).contracts.map(({ id }: Body) => id);
    expect(await list('status=draft')).to.deep.equal([kept.id]);
    expect(await list('status=signed')).to.deep.equal([kept.id]);
    expect(await list('status=terminated')).to.deep.equal([dropped.id]);
    expect(await list('status=cancelled&role=provider')).to.deep.equal([dropped.id]);
    expect(await list('status=active')).to.deep.equal([active.id]);
    expect(await list('role=client')).to.deep.equal([]);
    expect(await list('role=all&limit=2')).to.deep.equal([active.id, dropped.id]);
    expectInvalid(await node().client.get(`${base}?status=begun`), 'status');
    expectInvalid(await node().client.get(`${base}?role=client`), 'did');
  });
});
