/** Activation, milestones, complete and terminate (docs/reference/contracts-and-disputes.md#milestones), over HTTP. */
import { expect } from 'chai';
import { flawOfWhole, wholeDigestOf } from '../../../src/machines/deliverable/envelope.js';
import { placeText } from '../../../src/machines/kernel/attest.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { nodeForSuite } from '../../node/support/node.js';
import { type Cast, castOf, Deal, wallets } from './stage.js';

const hourMs = 3_600_000;

describe('A contract is activated and carried out', () => {
  const node = nodeForSuite();
  let cast: Cast;
  before(async () => {
    cast = await castOf(node());
  });
  const draft = (more?: Body) => Deal.draft(node(), cast, more);
  const active = (more?: Body) => Deal.active(node(), cast, more);

  it('is not activated before both have signed, nor twice, nor by its provider', async () => {
    const deal = await draft();
    const activate = () => deal.ask('client', 'activate', { amount: 100 });
    expectProblem(await activate(), 'CONTRACT_NOT_SIGNED');
    await deal.does('client', 'sign');
    expectProblem(await activate(), 'CONTRACT_NOT_SIGNED');
    await deal.does('provider', 'sign');
    expectProblem(await deal.ask('provider', 'activate', { amount: 100 }), 'FORBIDDEN');
    expectStatus(await activate());
    expectProblem(await activate(), 'CONTRACT_INVALID_STATE');
  });

  it('takes the agreed amount, or without one at least the sum of its stages', async () => {
    for (const [payment, wrong, right] of [
      [{ totalAmount: 100 }, [99, 101], 100],
      [{}, [79], 80],
      [{}, [79], 95],
    ] as const) {
      const deal = await draft({ payment });
      await deal.does('client', 'sign');
      await deal.does('provider', 'sign');
      for (const amount of wrong) expectProblem(await deal.ask('client', 'activate', { amount }), 'UNPROCESSABLE');
      expect(await deal.does('client', 'activate', { amount: right })).to.include({ state: 'active', amount: right });
    }
  });

  it('stays signed where its client can not pay', async () => {
    const own = { ...cast, client: await node().rich(99) };
    const deal = await Deal.draft(node(), own);
    await deal.does('client', 'sign');
    await deal.does('provider', 'sign');
    const before = await node().state();
    expectProblem(await deal.ask('client', 'activate', { amount: 100 }), 'INSUFFICIENT_BALANCE');
    expect(await node().state()).to.deep.equal(before);
    expect(await deal.view()).to.include({ state: 'signed', escrowId: null });
    await node().fund(own.client, 1);
    expect(await deal.does('client', 'activate', { amount: 100 })).to.include({ state: 'active' });
  });

  it('locks the amount in an escrow that only the contract moves', async () => {
    const deal = await active();
    const { escrowId, resourcePrev } = await deal.view();
    const escrow = expectStatus(await node().client.get(`/api/v1/escrows/${escrowId}`));
    expect(escrow).to.deep.include({ status: 'funded', remaining: 100, purpose: { kind: 'contract', id: deal.id } });
    expect(escrow.resourcePrev, 'one entry').to.equal(resourcePrev);
    const release = { amount: 1, resourcePrev: escrow.resourcePrev };
    expectProblem(await cast.client.act(escrow, 'release', release), 'ESCROW_RULE_NOT_MET');
  });

  it('is handed in by its provider stage by stage, approved and paid by its client', async () => {
    const deal = await active();
    const [before] = await Promise.all([wallets(cast)]);
    expectProblem(await deal.on('client', 'one', 'submit'), 'FORBIDDEN');
    expectProblem(await deal.on('provider', 'none', 'submit'), 'CONTRACT_MILESTONE_INVALID');
    expectProblem(await deal.on('client', 'one', 'approve'), 'CONTRACT_INVALID_STATE');
    const handed = expectStatus(
      await deal.on('provider', 'one', 'submit', { notes: 'here', deliverables: [{ name: 'a' }, 'b'] }),
    );
    expect(handed).to.deep.include({
      ...{ id: 'one', status: 'submitted', notes: 'here', submissionCount: 1 },
      ...{ deliverables: [{ name: 'a' }, 'b'], contractId: deal.id },
    });
    expect(handed.contract).to.include({ state: 'active', resourcePrev: handed.eventHash });
    expectProblem(await deal.on('provider', 'one', 'approve'), 'FORBIDDEN');
    expectProblem(await deal.on('client', 'one', 'approve', { rating: 6 }), 'INVALID_REQUEST');
    const approved = expectStatus(await deal.on('client', 'one', 'approve', { rating: 5, feedback: 'good' }));
    expect(approved).to.include({ status: 'approved', rating: 5, feedback: 'good', resourcePrev: approved.eventHash });
    await deal.expectPaid(30, 0);
    expect(await wallets(cast)).to.deep.equal([before[0] - 30, before[1] + 30]);
    expectProblem(await deal.on('client', 'one', 'approve'), 'CONTRACT_INVALID_STATE');
    expectProblem(await deal.on('provider', 'one', 'submit'), 'CONTRACT_INVALID_STATE');
  });

  it('a stage that was sent back is handed in again', async () => {
    const deal = await active();
    await deal.steps('one', 'submit');
    expect(expectStatus(await deal.on('client', 'one', 'reject', { feedback: 'no' }))).to.include({
      status: 'rejected',
    });
    expectProblem(await deal.on('client', 'one', 'approve'), 'CONTRACT_INVALID_STATE');
    await deal.expectPaid(0, 0);
    const again = expectStatus(await deal.on('provider', 'one', 'submit'));
    expect(again).to.include({ status: 'submitted', submissionCount: 2, feedback: null });
  });

  it('says of each stage who may do what now', async () => {
    const deal = await active();
    await deal.steps('one', 'submit');
    const { milestones, permittedActions } = await deal.view();
    const [one, two] = milestones.map((each: Body) => each.permittedActions);
    expect(one).to.deep.equal({
      client: [
        { action: 'approve', open: [] },
        { action: 'reject', open: [] },
      ],
    });
    expect(two).to.deep.equal({ provider: [{ action: 'submit', open: [] }] });
    const actions = (role: string) => permittedActions[role].map(({ action }: Body) => action);
    expect(actions('client')).to.deep.equal(['approve', 'reject', 'dispute']);
    expect(actions('provider')).to.deep.equal(['submit', 'consent', 'terminate', 'dispute']);
    const [listed] = expectStatus(await node().client.get('/api/v1/contracts?limit=1')).contracts;
    expect(listed).not.to.have.property('permittedActions');
    expect(listed.milestones[0]).not.to.have.property('permittedActions');
  });

  it('says of a milestone that no action is available if the contract is not active, in lists too', async () => {
    const disputed = await active();
    await disputed.steps('one', 'submit');
    await disputed.does('client', 'dispute', { reason: 'other' });
    const ended = await active();
    await ended.does('client', 'terminate');
    const { contracts } = expectStatus(await node().client.get('/api/v1/contracts?include=permittedActions&limit=100'));
    for (const deal of [await draft(), disputed, ended]) {
      const listed = contracts.find(({ id }: Body) => id === deal.id) ?? { milestones: [] };
      for (const { permittedActions } of [...(await deal.view()).milestones, ...listed.milestones]) {
        expect(permittedActions).to.deep.equal({});
      }
      expectProblem(await deal.on('provider', 'two', 'submit'), 'CONTRACT_INVALID_STATE');
      expectProblem(await deal.on('client', 'one', 'approve'), 'CONTRACT_INVALID_STATE');
    }
  });

  it('takes an envelope with a stage, completed and signed by its provider', async () => {
    const deal = await active();
    const given = { type: 'text', format: 'text/plain', transport: { method: 'inline', data: 'done' } };
    const submit = (body: Body) => deal.on('provider', 'one', 'submit', body);
    const stray = { ...given, contextId: 'another' };
    expectProblem(await submit({ delivery: { envelope: stray } }), 'CONTRACT_MILESTONE_INVALID');
    const wrong = { delivery: { envelope: given }, envelopeDigest: 'f'.repeat(64) };
    expectProblem(await submit(wrong), 'CONTRACT_MILESTONE_INVALID');
    const { envelope, envelopeDigest } = expectStatus(await submit({ delivery: { envelope: given } }));
    expect(envelope).to.include({ producer: cast.provider.did, contextId: `${deal.id}/one`, size: 4 });
    expect(wholeDigestOf(envelope)).to.equal(envelopeDigest);
    const place = placeText('devnet', node().did);
    const by = { producer: cast.provider.did, contextId: `${deal.id}/one`, place };
    expect(flawOfWhole(envelope, by)).to.equal(undefined);
  });

  it('is completed by its client once all is approved; what is left goes to the provider', async () => {
    const deal = await active();
    expectProblem(await deal.ask('client', 'complete'), 'CONTRACT_INVALID_STATE');
    await deal.steps('one', 'submit', 'approve');
    await deal.steps('two', 'submit', 'approve');
    expectProblem(await deal.ask('provider', 'complete'), 'FORBIDDEN');
    expect(await deal.does('client', 'complete')).to.include({ state: 'completed', status: 'completed' });
    await deal.expectPaid(100, 0);
    for (const action of ['complete', 'terminate', 'sign']) {
      expectProblem(await deal.ask('client', action), 'CONTRACT_INVALID_STATE');
    }
    const { reviews } = expectStatus(await node().client.get(`/api/v1/reputations/${cast.provider.did}/reviews`));
    expect(reviews, 'records are no reviews').to.deep.equal([]);
    const reputation = expectStatus(await node().client.get(`/api/v1/reputations/${cast.provider.did}`));
    expect(reputation.dimensions.fulfillment).to.include({ score: 1000 });
    const review = { target: cast.provider.did, dimension: 'quality', score: 900, ref: deal.id };
    expectStatus(await cast.client.write(`/api/v1/reputations/${cast.provider.did}/reviews`, review), 201);
  });

  it('without stages is completed at once', async () => {
    const deal = await active({ milestones: [] });
    await deal.does('client', 'complete');
    await deal.expectPaid(100, 0);
  });

  it('is terminated by its provider at any time; what is left goes back', async () => {
    const deal = await active({ terms: { deadline: node().world.now() + hourMs } });
    await deal.steps('one', 'submit', 'approve');
    await deal.steps('two', 'submit');
    expectProblem(await deal.ask('stranger', 'terminate'), 'FORBIDDEN');
    expect(await deal.does('provider', 'terminate')).to.include({ state: 'terminated' });
    await deal.expectPaid(30, 70);
  });

  it('is terminated by its client where nothing is handed in and no deadline is set', async () => {
    const deal = await active();
    await deal.steps('one', 'submit');
    expectProblem(await deal.ask('client', 'terminate'), 'CONTRACT_INVALID_STATE');
    await deal.steps('one', 'reject');
    expectProblem(await deal.ask('client', 'terminate'), 'CONTRACT_INVALID_STATE');
    await deal.steps('one', 'submit', 'approve');
    await deal.does('client', 'terminate');
    await deal.expectPaid(30, 70);
  });

  it('is terminated by its client with the provider’s consent, which the next submission takes back', async () => {
    const deal = await active();
    await deal.steps('one', 'submit');
    expectProblem(await deal.ask('client', 'consent'), 'FORBIDDEN');
    await deal.does('provider', 'consent');
    expectProblem(await deal.ask('provider', 'consent'), 'CONTRACT_INVALID_STATE');
    await deal.steps('two', 'submit');
    expectProblem(await deal.ask('client', 'terminate'), 'CONTRACT_INVALID_STATE');
    await deal.does('provider', 'consent');
    await deal.does('client', 'terminate');
    await deal.expectPaid(0, 100);
  });

  it('a stale resourcePrev is refused: another party has moved it meanwhile', async () => {
    const deal = await active();
    const { resourcePrev } = await deal.view();
    await deal.steps('one', 'submit');
    expectProblem(await deal.ask('provider', 'terminate', { resourcePrev }), 'CONTRACT_INVALID_STATE');
  });
});

describe('Deadlines of a contract', () => {
  const node = nodeForSuite();
  const may = async (deal: Deal, role: string, action: string): Promise<boolean> =>
    ((await deal.view()).permittedActions[role] ?? []).some((each: Body) => each.action === action);

  for (const [name, more] of [
    ['its own', (at: number) => ({ terms: { deadline: at } })],
    [
      'a stage’s',
      (at: number) => ({ terms: { deadline: at + 100 * hourMs }, milestones: [{ amount: 9, deadline: at }] }),
    ],
  ] as const) {
    it(`${name} moves nothing, is recorded by the clock, and permits the client to terminate`, async () => {
      const cast = await castOf(node());
      const deal = await Deal.active(node(), cast, more(node().world.now() + hourMs));
      expect(await may(deal, 'client', 'terminate')).to.equal(false);
      expectProblem(await deal.ask('client', 'terminate'), 'CONTRACT_INVALID_STATE');
      const { resourcePrev } = await deal.view();
      node().world.skip(hourMs + 1_000);
      let view = await deal.view();
      expect(await may(deal, 'client', 'terminate'), 'without waiting for the clock').to.equal(true);
      for (let i = 0; i < 200 && view.resourcePrev === resourcePrev; i++) view = await deal.view();
      const { event } = expectStatus(await node().client.get(`/api/v1/events/${view.resourcePrev}`));
      expect(event.type).to.equal('contract.overdue');
      expect(view).to.include({ state: 'active', remaining: 100 });
      await deal.does('client', 'terminate');
      await deal.expectPaid(0, 100);
    });
  }
});
