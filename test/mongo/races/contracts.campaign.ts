/**
 * The parties of a contract act at the same time, each at its own process: the results have one order, and nothing is half
 * done.
 */
import { expect } from 'chai';
import { expectStatus } from '../../node/support/answers.js';
import type { Body, Reply } from '../../node/support/client.js';
import type { Person } from '../../node/support/person.js';
import { outcomes, shuffled } from '../../races/support.js';
import { base, type Cast, Deal } from '../../stories/contract/stage.js';
import { isLong } from '../../support/long.js';
import { clusterForSuite, soon } from '../support/cluster.js';
import { describeMongo } from '../support/server.js';

const rounds = isLong ? 40 : 5;

describeMongo('parties of a contract at two processes', () => {
  const cluster = clusterForSuite(2);
  let cast: Cast;

  before(async () => {
    const funds = { client: 100_000, provider: 0, arbiter: 0, stranger: 0 };
    const made: { [name: string]: Person } = {};
    for (const [name, amount] of Object.entries(funds)) [made[name]] = (await cluster().person(amount)) as [Person];
    cast = made as unknown as Cast;
  });

  /** Sends the client's request to the first process and the other one to the second, once that one has the contract. */
  async function race(
    deal: Deal,
    client: readonly [path: string, body?: Body],
    other: readonly [who: 'provider' | 'arbiter', path: string, body?: Body],
  ): Promise<Reply[]> {
    const { resourcePrev } = await deal.view();
    const there = cluster().node(1).client;
    const read = async () => (await there.get(`${base}/${deal.id}`)).body.resourcePrev;
    await soon(read, (seen) => seen === resourcePrev);
    const [name, path, body] = other;
    const elsewhere = cast[name].through(there);
    const replies = await Promise.all(
      shuffled([
        () => cast.client.write(`${base}/${deal.id}/${client[0]}`, client[1]),
        () => elsewhere.write(`${base}/${deal.id}/${path}`, body),
      ]).map((ask) => ask()),
    );
    cast[name].nonce = elsewhere.nonce;
    return replies;
  }

  /** The second process's view, once it has the newest version. */
  async function view(deal: Deal): Promise<Body> {
    const { resourcePrev } = await deal.view();
    const read = async () => expectStatus(await cluster().node(1).client.get(`${base}/${deal.id}`));
    return soon(read, (seen) => seen.resourcePrev === resourcePrev);
  }

  for (let round = 1; round <= rounds; round++) {
    it(`both sign: both have signed (${round})`, async () => {
      const deal = await Deal.draft(cluster().node(0), cast);
      const replies = await race(deal, ['actions/sign'], ['provider', 'actions/sign']);
      expect(outcomes(replies)).to.deep.equal({ accepted: 2 });
      const { state, signatures } = await view(deal);
      expect([state, signatures.length]).to.deep.equal(['signed', 2]);
    });

    it(`approve against dispute: paid before it, or in question (${round})`, async () => {
      const deal = await Deal.active(cluster().node(0), cast);
      await deal.steps('one', 'submit');
      const dispute = ['provider', 'actions/dispute', { reason: 'other' }] as const;
      const replies = await race(deal, ['milestones/one/actions/approve'], dispute);
      const { state, released: paid } = await view(deal);
      expect(state).to.equal('disputed');
      expect(outcomes(replies)).to.deep.equal(
        paid === 30 ? { accepted: 2 } : { accepted: 1, CONTRACT_INVALID_STATE: 1 },
      );
      await deal.expectPaid(paid, 0);
    });

    it(`terminate against submit: the client gets out, or has work to look at (${round})`, async () => {
      const deal = await Deal.active(cluster().node(0), cast);
      const replies = await race(deal, ['actions/terminate'], ['provider', 'milestones/one/actions/submit']);
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, CONTRACT_INVALID_STATE: 1 });
      const { state } = await view(deal);
      await deal.expectPaid(0, state === 'terminated' ? 100 : 0);
    });

    it(`two rulings: one is given (${round})`, async () => {
      const deal = await Deal.disputed(cluster().node(0), cast);
      await deal.does('provider', 'resolve', { resolution: 'release' });
      const ruling = ['arbiter', 'actions/resolve', { resolution: 'refund' }] as const;
      const replies = await race(deal, ['actions/resolve', { resolution: 'release' }], ruling);
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, CONTRACT_INVALID_STATE: 1 });
      const { released: paid } = await view(deal);
      await deal.expectPaid(paid, 100 - paid);
    });
  }
});
