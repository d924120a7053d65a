/** The details in a contract's refusals, which say what a caller can do, over HTTP. */
import { expect } from 'chai';
import { expectProblem } from '../../node/support/answers.js';
import type { Body, Reply } from '../../node/support/client.js';
import { nodeForSuite } from '../../node/support/node.js';
import { base, type Cast, castOf, Deal } from './stage.js';

describe('The refusals of a contract name', () => {
  const node = nodeForSuite();
  let cast: Cast;
  before(async () => {
    cast = await castOf(node());
  });
  const says = (reply: Reply, code: Parameters<typeof expectProblem>[1], words: string) => {
    expectProblem(reply, code);
    expect(reply.body.detail).to.include(words);
  };
  const drafted = (milestones: Body[], more: Body = {}) =>
    cast.client.write(base, { provider: cast.provider.did, terms: {}, milestones, ...more });

  it('what is wrong with the milestones: an id that stands twice, or what they cost of how much', async () => {
    const same = await drafted([1, 2].map((amount) => ({ id: 'one', amount })));
    says(same, 'CONTRACT_MILESTONE_INVALID', 'two have the id one');
    const dear = await drafted([{ amount: 6 }, { amount: 5 }], { payment: { totalAmount: 10 } });
    says(dear, 'CONTRACT_MILESTONE_INVALID', 'they cost 11 of 10');
    const deal = await Deal.draft(node(), cast);
    const update = await deal.ask('client', 'update', { payment: { totalAmount: 79 } });
    says(update, 'CONTRACT_MILESTONE_INVALID', 'they cost 80 of 79');
  });

  it('who is still to sign', async () => {
    const deal = await Deal.draft(node(), cast);
    const activate = () => deal.ask('client', 'activate', { amount: 100 });
    says(await activate(), 'CONTRACT_NOT_SIGNED', 'the client and the provider must sign first');
    await deal.does('client', 'sign');
    says(await activate(), 'CONTRACT_NOT_SIGNED', '; the provider must sign first');
  });

  it('the amount that was agreed on', async () => {
    const deal = await Deal.draft(node(), cast);
    await deal.does('client', 'sign');
    await deal.does('provider', 'sign');
    says(await deal.ask('client', 'activate', { amount: 99 }), 'UNPROCESSABLE', 'the sum of the milestones: 100');
  });

  it('the milestone, its state, and how far the others are', async () => {
    const deal = await Deal.active(node(), cast);
    says(await deal.on('provider', 'three', 'submit'), 'CONTRACT_MILESTONE_INVALID', 'no such milestone: three');
    says(await deal.on('client', 'one', 'approve'), 'CONTRACT_INVALID_STATE', 'in a state for it: 2 pending');
    await deal.steps('one', 'submit');
    says(await deal.on('client', 'two', 'approve'), 'CONTRACT_INVALID_STATE', 'in a state for it: two is pending');
    says(
      await deal.ask('client', 'complete'),
      'CONTRACT_INVALID_STATE',
      'not all milestones are approved: 1 pending, 1 submitted',
    );
  });

  it('who may, as people say it', async () => {
    const deal = await Deal.active(node(), cast);
    const only = (who: string) => `only ${who} may do this`;
    says(await deal.ask('provider', 'complete'), 'FORBIDDEN', only('the client of the contract'));
    says(
      await deal.ask('stranger', 'dispute', { reason: 'other' }),
      'DISPUTE_NOT_ALLOWED',
      only('the client or the provider of the contract'),
    );
    await deal.does('client', 'dispute', { reason: 'other' });
    const resolve = await deal.ask('stranger', 'resolve', { resolution: 'release' });
    says(resolve, 'FORBIDDEN', only('the client, the provider, the arbiter, or the network arbiter of the dispute'));
  });
});
