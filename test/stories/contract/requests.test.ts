/**
 * What callers may state about contracts and disputes, and how they find them
 * (docs/reference/contracts-and-disputes.md), over HTTP.
 */
import { expect } from 'chai';
import { expectInvalid, expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { nodeForSuite, TestNode } from '../../node/support/node.js';
import { base, type Cast, castOf, Deal } from './stage.js';

describe('Requests about contracts', () => {
  const node = nodeForSuite();
  let cast: Cast;
  before(async () => {
    cast = await castOf(node());
  });

  it('on one that is not there are CONTRACT_NOT_FOUND, whatever is asked', async () => {
    expectProblem(await node().client.get(`${base}/ctr-none`), 'CONTRACT_NOT_FOUND');
    const bodies = { activate: { amount: 1 }, dispute: { reason: 'other' }, resolve: { resolution: 'release' } };
    const actions = { sign: {}, complete: {}, consent: {}, terminate: {}, update: {}, ...bodies };
    for (const [action, body] of Object.entries(actions)) {
      expectProblem(await cast.client.write(`${base}/ctr-none/actions/${action}`, body), 'CONTRACT_NOT_FOUND');
    }
    for (const action of ['submit', 'approve', 'reject']) {
      const path = `${base}/ctr-none/milestones/one/actions/${action}`;
      expectProblem(await cast.client.write(path), 'CONTRACT_NOT_FOUND');
    }
    expectProblem(await node().client.get('/api/v1/disputes/dsp-none'), 'NOT_FOUND');
  });

  it('name the field that is missing, of the wrong type or out of bounds', async () => {
    const body = { provider: cast.provider.did, terms: {} };
    const draft = (more: Body) => cast.client.write(base, { ...body, ...more });
    expectInvalid(await cast.client.write(base, { terms: {} }), 'provider');
    expectInvalid(await draft({ terms: 'a text' }), 'terms');
    expectInvalid(await draft({ terms: { scope: 'x'.repeat(65_536) } }), 'terms');
    expectInvalid(await draft({ terms: { fallback: 'coin' } }), 'terms.fallback');
    expectInvalid(await draft({ terms: { arbiter: 'did:svc:zNobody' } }), 'terms.arbiter', 'DID_INVALID');
    expectInvalid(await draft({ terms: { arbiter: 7 } }), 'terms.arbiter');
    expectInvalid(await draft({ payment: { totalAmount: 0 } }), 'payment.totalAmount');
    expectInvalid(await draft({ milestones: Array.from({ length: 51 }, () => ({ amount: 1 })) }), 'milestones');
    const deal = await Deal.draft(node(), cast);
    await deal.does('client', 'sign');
    await deal.does('provider', 'sign');
    expectInvalid(await deal.ask('client', 'activate'), 'amount');
    for (const amount of [0, 1.5, '100']) expectInvalid(await deal.ask('client', 'activate', { amount }), 'amount');
    await deal.does('client', 'activate', { amount: 100 });
    await deal.steps('one', 'submit');
    for (const rating of [0, 6, 2.5]) expectInvalid(await deal.on('client', 'one', 'approve', { rating }), 'rating');
    expectStatus(await deal.on('client', 'one', 'approve', { rating: 1 }));
    expectInvalid(await deal.ask('client', 'dispute'), 'reason');
    expectInvalid(await deal.ask('client', 'resolve', { resolution: 'coin' }), 'resolution');
  });

  it('give each of the four reasons of a dispute', async () => {
    for (const reason of ['non_delivery', 'quality', 'deadline', 'other']) {
      const deal = await Deal.active(node(), cast);
      expect(await deal.does('provider', 'dispute', { reason })).to.include({ reason, status: 'open' });
    }
  });

  it('find them by each word for their state, page by page, with what is permitted only where it is asked for', async () => {
    const own = { ...cast, client: await node().rich(1_000), provider: await node().person() };
    const completed = await Deal.active(node(), own, { milestones: [] });
    await completed.does('client', 'complete');
    const disputed = await Deal.disputed(node(), own);
    const active = await Deal.active(node(), own);
    const list = async (query: string): Promise<Body> =>
      expectStatus(await node().client.get(`${base}?did=${own.client.did}&${query}`));
    const ids = async (query: string) => (await list(query)).contracts.map(({ id }: Body) => id);
    expect(await ids('status=completed')).to.deep.equal([completed.id]);
    expect(await ids('status=disputed')).to.deep.equal([disputed.id]);
    expect(await ids('status=active&role=client')).to.deep.equal([active.id]);
    const first = await list('limit=2');
    expect(first).to.include({ total: 3 });
    expect(first.pagination).to.include({ total: 3, limit: 2, offset: 0, hasMore: true });
    expect(await ids('limit=2&offset=2')).to.deep.equal([completed.id]);
    expect(await ids(`limit=2&after=${encodeURIComponent(first.pagination.after)}`)).to.deep.equal([completed.id]);
    expectInvalid(await node().client.get(`${base}?limit=101`), 'limit');
    const [shown] = (await list('include=permittedActions&limit=1')).contracts;
    expect(shown.permittedActions).to.deep.equal((await active.view()).permittedActions);
    expect(first.contracts[0]).not.to.have.property('permittedActions');
  });

  it('sign as the node itself, where a caller on this machine names no signer', async () => {
    const body = { provider: cast.provider.did, terms: {} };
    const made = expectStatus(await node().client.post(base, body, { 'Idempotency-Key': 'own-draft' }), 201);
    expect(made.client).to.equal(node().did);
    const path = `${base}/${made.contractId}/actions/sign`;
    const signed = expectStatus(await node().client.post(path, {}, { 'Idempotency-Key': 'own-sign' }));
    expect(signed.signatures[0]).to.include({ did: node().did, role: 'client' });
  });

  it('never decide a dispute as the node itself, unless the caller shows its passphrase or a key', async () => {
    const own = { 'Idempotency-Key': 'own-decision' };
    const deal = await Deal.disputed(node(), cast, { terms: { arbiter: node().did } });
    const { disputeId } = await deal.view();
    const asked = { resolution: 'refund' };
    const before = await node().state();
    for (const path of [`${base}/${deal.id}/actions/resolve`, `/api/v1/disputes/${disputeId}/actions/resolve`]) {
      expectProblem(await node().client.post(path, asked, own), 'FORBIDDEN');
      expectProblem(await node().client.post(path, { ...asked, did: node().did }, own), 'FORBIDDEN');
    }
    expect(await node().state()).to.deep.equal(before);
    const keyed = await node().keyed({ scope: 'write', did: node().did });
    const path = `${base}/${deal.id}/actions/resolve`;
    expect(expectStatus(await keyed.post(path, asked, own))).to.include({ state: 'terminated' });
  });

  it('answer a milestone, or a dispute, with the contract inside, once more for the same key', async () => {
    const deal = await Deal.active(node(), cast);
    const key = { 'Idempotency-Key': `submit-${deal.id}` };
    const { nonce } = cast.provider;
    const path = `${base}/${deal.id}/milestones/one/actions/submit`;
    const first = expectStatus(await cast.provider.write(path, { nonce }, key));
    const second = await cast.provider.write(path, { nonce }, key);
    expect(second.headers['idempotent-replayed']).to.equal('true');
    expect(second.body).to.deep.equal(first);
    expect(first).to.include({ milestoneId: 'one', contractId: deal.id, resourcePrev: first.eventHash });
  });
});

describe('The network’s arbiter as a party', () => {
  let node: TestNode;
  after(() => node?.discard());

  it('decides nothing itself', async () => {
    const first = await TestNode.start();
    const known = await first.person();
    await first.fund(known, 1_000);
    await first.stop();
    node = await TestNode.start({ dir: first.dir, variables: { SVC_ARBITER_DID: known.did } });
    const client = known.through(node.client);
    const provider = await node.person();
    const { arbiter, contractId } = await client.does(base, { provider: provider.did, terms: {} });
    expect(arbiter).to.equal(null);
    for (const party of [client, provider]) await party.does(`${base}/${contractId}/actions/sign`);
    await client.does(`${base}/${contractId}/actions/activate`, { amount: 10 });
    await client.does(`${base}/${contractId}/actions/dispute`, { reason: 'other' });
    const asked = { resolution: 'refund' };
    expect(await client.does(`${base}/${contractId}/actions/resolve`, asked)).to.include({ state: 'disputed' });
    expect(await provider.does(`${base}/${contractId}/actions/resolve`, asked)).to.include({ state: 'terminated' });
  });
});
