/** The parties of a contract act at the same time: one of them is first, and nothing is half done. */
import { expect } from 'chai';
import type { Reply } from '../node/support/client.js';
import { type Cast, castOf, Deal } from '../stories/contract/stage.js';
import { outcomes, racingNode, shuffled } from './support.js';

describe('Parties of a contract race', () => {
  const node = racingNode();
  let cast: Cast;
  before(async () => {
    cast = await castOf(node());
  });

  const together = (...asked: (() => Promise<Reply>)[]): Promise<Reply[]> =>
    Promise.all(shuffled(asked).map((ask) => ask()));

  it('both sign at once: both have signed', async () => {
    for (let round = 0; round < 5; round++) {
      const deal = await Deal.draft(node(), cast);
      const replies = await together(
        () => deal.ask('client', 'sign'),
        () => deal.ask('provider', 'sign'),
      );
      expect(outcomes(replies)).to.deep.equal({ accepted: 2 });
      const { state, signatures } = await deal.view();
      expect([state, signatures.length]).to.deep.equal(['signed', 2]);
    }
  });

  it('an update against a signature: only existing terms are signed', async () => {
    for (let round = 0; round < 5; round++) {
      const deal = await Deal.draft(node(), cast);
      const { termsHash } = await deal.view();
      await together(
        () => deal.ask('client', 'update', { terms: { round } }),
        () => deal.ask('provider', 'sign', { termsHash }),
      );
      const view = await deal.view();
      for (const signature of view.signatures) expect(signature.termsHash).to.equal(view.termsHash);
      expect(view.signatures.length === 1).to.equal(view.termsHash === termsHash);
    }
  });

  it('approve against dispute: paid before it, or in question', async () => {
    for (let round = 0; round < 5; round++) {
      const deal = await Deal.active(node(), cast);
      await deal.steps('one', 'submit');
      const replies = await together(
        () => deal.on('client', 'one', 'approve'),
        () => deal.ask('provider', 'dispute', { reason: 'other' }),
      );
      const { state, released: paid } = await deal.view();
      expect(state).to.equal('disputed');
      expect(outcomes(replies)).to.deep.equal(
        paid === 30 ? { accepted: 2 } : { accepted: 1, CONTRACT_INVALID_STATE: 1 },
      );
      await deal.expectPaid(paid, 0);
    }
  });

  it('terminate against submit: the client gets out, or has work to look at', async () => {
    for (let round = 0; round < 5; round++) {
      const deal = await Deal.active(node(), cast);
      const replies = await together(
        () => deal.ask('client', 'terminate'),
        () => deal.on('provider', 'one', 'submit'),
      );
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, CONTRACT_INVALID_STATE: 1 });
      const { state } = await deal.view();
      await deal.expectPaid(0, state === 'terminated' ? 100 : 0);
    }
  });

  it('two rulings at once: one is given', async () => {
    const deal = await Deal.disputed(node(), cast);
    await deal.does('client', 'resolve', { resolution: 'release' });
    const replies = await together(
      () => deal.ask('arbiter', 'resolve', { resolution: 'refund' }),
      () => deal.ask('provider', 'resolve', { resolution: 'release' }),
    );
    expect(outcomes(replies)).to.deep.equal({ accepted: 1, CONTRACT_INVALID_STATE: 1 });
    const { released: paid } = await deal.view();
    await deal.expectPaid(paid, 100 - paid);
  });
});
