/** Simultaneous requests on one task: where only one can win exactly one does, and the price is paid once or refunded. */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import type { Person } from '../node/support/person.js';
import { accepts, bids, delivers, publishesTask, readOrder, tasksPath } from '../node/support/requester.js';
import { until } from '../support/until.js';
import { outcomes, racingNode, shuffled } from './support.js';

const rounds = 10;

describe('Races over one task', () => {
  const node = racingNode();
  let ada: Person;
  let ben: Person;
  let cyd: Person;

  beforeEach(async () => {
    [ada, ben, cyd] = [await node().rich(10_000), await node().person(), await node().person()];
  });

  /** Reads everyone's nonce again, because a refused request used none. */
  const counted = async (...people: readonly Person[]) => {
    for (const who of people) who.nonce = (await who.wallet()).nextNonce;
  };
  const onBid = (who: Person, { taskId, bidId }: Body, action: string, body: Body = {}): Promise<Reply> =>
    who.client.post(`${tasksPath}/${taskId}/bids/${bidId}/actions/${action}`, { ...who.signed, ...body });
  const onOrder = (who: Person, { taskId, orderId }: Body, action: string, body: Body = {}): Promise<Reply> =>
    who.client.post(`${tasksPath}/${taskId}/actions/${action}`, { ...who.signed, orderId, ...body });
  const race = (...acts: (() => Promise<Reply>)[]): Promise<Reply[]> => Promise.all(shuffled(acts).map((act) => act()));
  const statusOf = async ({ bidId }: Body): Promise<string> =>
    expectStatus(await node().client.get(`${tasksPath}/bids/${bidId}`)).status;

  const ends = (order: Body, among: readonly string[]): Promise<Body> =>
    until('the clock comes', () => readOrder(ada, order), { is: ({ status }) => among.includes(status), everyMs: 1 });

  it('two accepts, with nonces in a row: one order, one escrow; the other is ORDER_INVALID_STATE', async () => {
    for (let round = 0; round < rounds; round++) {
      const task = await publishesTask(ada);
      const [one, other] = [await bids(ben, task, { price: 40 }), await bids(cyd, task, { price: 30 })];
      const { escrowed } = await ada.wallet();
      const nonce = ada.nonce;
      // The first to arrive uses the nonce; the second waits, and then finds the bid rejected.
      const replies = await race(
        () => onBid(ada, one, 'accept', { nonce }),
        () => onBid(ada, other, 'accept', { nonce: nonce + 1 }),
      );
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, ORDER_INVALID_STATE: 1 });
      expect((await ada.wallet()).escrowed).to.equal(escrowed + 40);
      expect([await statusOf(one), await statusOf(other)]).to.deep.equal(['accepted', 'rejected']);
      await counted(ada);
    }
  });

  it('two accepts of the same nonce: one of them', async () => {
    for (let round = 0; round < rounds; round++) {
      const task = await publishesTask(ada);
      const made = [await bids(ben, task), await bids(cyd, task)];
      const { escrowed } = await ada.wallet();
      const replies = await race(...made.map((each) => () => onBid(ada, each, 'accept')));
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, CONFLICT: 1 });
      expect((await ada.wallet()).escrowed).to.equal(escrowed + 40);
      expect((await Promise.all(made.map(statusOf))).sort()).to.deep.equal(['accepted', 'rejected']);
      await counted(ada);
    }
  });

  it('accept against withdraw: an order, or none', async () => {
    for (let round = 0; round < rounds; round++) {
      const bid = await bids(ben, await publishesTask(ada));
      const { escrowed } = await ada.wallet();
      const replies = await race(
        () => onBid(ada, bid, 'accept'),
        () => onBid(ben, bid, 'withdraw'),
      );
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, ORDER_INVALID_STATE: 1 });
      const status = await statusOf(bid);
      expect(status).to.be.oneOf(['accepted', 'withdrawn']);
      expect((await ada.wallet()).escrowed).to.equal(escrowed + (status === 'accepted' ? 40 : 0));
      await counted(ada, ben);
    }
  });

  it('the last bid that a task takes, by five at once: one of them', async () => {
    for (let round = 0; round < 3; round++) {
      const task = await publishesTask(ada, { bidding: { maxBids: 1 } });
      const many = await Promise.all(Array.from({ length: 5 }, () => node().person()));
      const replies = await race(
        ...many.map((who) => () => who.write(`${tasksPath}/${task.listingId}/bids`, { price: 1 })),
      );
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, BID_NOT_ALLOWED: 4 });
    }
  });

  it('confirm against reject: paid, or back to work', async () => {
    for (let round = 0; round < rounds; round++) {
      const order = await delivers(ben, await accepts(ada, await bids(ben, await publishesTask(ada))));
      const { nonce } = ada;
      const replies = await race(
        () => onOrder(ada, order, 'confirm', { approved: true, nonce }),
        () => onOrder(ada, order, 'confirm', { approved: false, nonce }),
      );
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, CONFLICT: 1 });
      const { status } = await readOrder(ada, order);
      const escrow = expectStatus(await node().client.get(`/api/v1/escrows/${order.escrowId}`));
      expect(escrow.released).to.equal(status === 'confirmed' ? 40 : 0);
      await counted(ada);
    }
  });

  it('confirm against the clock’s confirmBy: paid once', async () => {
    for (let round = 0; round < rounds; round++) {
      const order = await delivers(ben, await accepts(ada, await bids(ben, await publishesTask(ada))));
      const { balance } = await ben.wallet();
      node().world.skip(7 * dayMs - 3 + (round % 6));
      const replies = [await onOrder(ada, order, round % 2 ? 'confirm' : 'reject')];
      const [outcome] = Object.keys(outcomes(replies));
      expect(outcome).to.be.oneOf(['accepted', 'ORDER_INVALID_STATE']);
      const wasRejected = outcome === 'accepted' && round % 2 === 0;
      await ends(order, wasRejected ? ['accepted'] : ['confirmed']);
      expect((await ben.wallet()).balance).to.equal(balance + (wasRejected ? 0 : 40));
      await counted(ada);
    }
  });

  it('deliver against the clock’s deliverBy: delivered, or cancelled and given back', async () => {
    for (let round = 0; round < rounds; round++) {
      const order = await accepts(ada, await bids(ben, await publishesTask(ada)));
      node().world.skip(30 * dayMs - 3 + (round % 6));
      const replies = [await onOrder(ben, order, 'deliver', { deliverables: ['x'] })];
      const [outcome] = Object.keys(outcomes(replies));
      expect(outcome).to.be.oneOf(['accepted', 'SUBMISSION_NOT_ALLOWED']);
      await ends(order, [outcome === 'accepted' ? 'delivered' : 'cancelled']);
      const escrow = expectStatus(await node().client.get(`/api/v1/escrows/${order.escrowId}`));
      expect(escrow).to.include({ released: 0, refunded: outcome === 'accepted' ? 0 : 40 });
      await counted(ben);
    }
  });
});
