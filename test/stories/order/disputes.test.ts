/**
 * Disputes of orders, of information and of tasks, over HTTP (docs/reference/contracts-and-disputes.md#resolution,
 * docs/reference/markets.md#orders).
 */
import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { buys, onOrder as onInfoOrder, publishes } from '../../node/support/market.js';
import { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import {
  accepts,
  bids,
  delivers,
  onOrder as onTaskOrder,
  publishesTask,
  rejectedThrice,
} from '../../node/support/requester.js';
import { until } from '../../support/until.js';

const price = 11;

interface Cast {
  /** The buyer or requester, who paid. */
  readonly client: Person;
  /** The seller or provider. */
  readonly provider: Person;
}

interface Market {
  readonly type: string;
  /** The order's state when it can first be disputed. */
  readonly begun: string;
  /** Names of client and provider in the order's view. */
  readonly roles: readonly [client: string, provider: string];
  open(cast: Cast): Promise<Body>;
  deliver(cast: Cast, order: Body): Promise<unknown>;
  confirm(cast: Cast, order: Body): Promise<unknown>;
  listing(order: Body): string;
}

const markets: { readonly [name: string]: Market } = {
  information: {
    type: 'order',
    begun: 'paid',
    roles: ['buyer', 'seller'],
    open: async ({ client, provider }) => buys(client, await publishes(provider, { pricing: { price } })),
    deliver: async ({ provider }, order) => expectStatus(await onInfoOrder(provider, order, 'deliver')),
    confirm: async ({ client }, order) => expectStatus(await onInfoOrder(client, order, 'confirm')),
    listing: ({ listingId }) => `/api/v1/markets/info/${listingId}`,
  },
  tasks: {
    type: 'task-order',
    begun: 'accepted',
    roles: ['requester', 'provider'],
    open: async ({ client, provider }) => {
      const order = await accepts(
        client,
        await bids(provider, await publishesTask(client), { price, approach: 'by hand' }),
      );
      return rejectedThrice(client, provider, order);
    },
    deliver: ({ provider }, order) => delivers(provider, order),
    confirm: async ({ client }, order) => expectStatus(await onTaskOrder(client, order, 'confirm')),
    listing: ({ taskId }) => `/api/v1/markets/tasks/${taskId}`,
  },
};

describe('An order is disputed', () => {
  let node: TestNode;
  let arbiter: Person;

  before(async () => {
    // The arbiter's DID must be known before the node starts, so its key comes from an earlier run on the same directory.
    const first = await TestNode.start();
    const known = await first.person();
    await first.stop();
    node = await TestNode.start({ dir: first.dir, variables: { SVC_ARBITER_DID: known.did } });
    arbiter = known.through(node.client);
  });
  after(async () => {
    const report = await node?.audit();
    await node?.discard();
    expect(report?.flaw?.what).to.equal(undefined);
  });

  const cast = async (): Promise<Cast> => ({ client: await node.rich(100), provider: await node.rich(100) });
  const read = async ({ orderId }: Body): Promise<Body> =>
    expectStatus(await node.client.get(`/api/v1/orders/${orderId}`));
  const ask = (who: Person, { orderId }: Body, action: string, body: Body) =>
    who.write(`/api/v1/orders/${orderId}/actions/${action}`, body);
  const disputes = async (who: Person, order: Body): Promise<Body> =>
    expectStatus(await ask(who, order, 'dispute', { reason: 'quality' }));
  const eventOf = async ({ resourcePrev }: Body): Promise<string> =>
    expectStatus(await node.client.get(`/api/v1/events/${resourcePrev}`)).event.type;
  const fulfillment = async ({ did }: Person): Promise<number | undefined> => {
    const { body } = await node.client.get(`/api/v1/reputations/${did}`);
    return body.dimensions?.fulfillment?.score;
  };

  /** The price is in these two wallets, and no Tokens are locked. */
  async function expectPaid({ client, provider }: Cast, paid: number): Promise<void> {
    const held = async (who: Person) => {
      const { balance, escrowed } = await who.wallet();
      return [balance, escrowed];
    };
    expect(await held(client), 'the client').to.deep.equal([100 - paid, 0]);
    expect(await held(provider), 'the provider').to.deep.equal([100 + paid, 0]);
  }

  it('of a task not before its third delivery was rejected; then also with a fourth one delivered', async () => {
    const people = await cast();
    const { client, provider } = people;
    const order = await accepts(client, await bids(provider, await publishesTask(client), { price }));
    const refused = async () => {
      for (const who of [client, provider]) {
        expectProblem(await ask(who, order, 'dispute', { reason: 'quality' }), 'DISPUTE_NOT_ALLOWED');
        const { permittedActions } = await read(order);
        expect(JSON.stringify(permittedActions)).not.to.contain('dispute');
      }
    };
    for (let times = 0; times < 3; times++) {
      await refused();
      await delivers(provider, order);
      await refused();
      expectStatus(await onTaskOrder(client, order, 'confirm', { approved: false }));
    }
    const { permittedActions } = await read(order);
    for (const role of ['requester', 'provider']) {
      expect(permittedActions[role].map(({ action }: Body) => action)).to.include('dispute');
    }
    await delivers(provider, order);
    await disputes(provider, order);
    expect((await read(order)).status).to.equal('disputed');
  });

  for (const [name, market] of Object.entries(markets)) {
    describe(`of the market of ${name}`, () => {
      const open = async (): Promise<readonly [Cast, Body]> => {
        const people = await cast();
        return [people, await market.open(people)];
      };

      for (const [ruling, status, paid, loses] of [
        [{ resolution: 'release' }, 'confirmed', price, 'client'],
        [{ resolution: 'refund' }, 'cancelled', 0, 'provider'],
        [{ resolution: 'split', providerPayment: 4, clientRefund: price - 4 }, 'confirmed', 4, undefined],
        [{ resolution: 'split', providerPayment: 0, clientRefund: price }, 'confirmed', 0, undefined],
      ] as const) {
        it(`and decided by the network’s arbiter: ${JSON.stringify(ruling)}`, async () => {
          const [people, order] = await open();
          await market.deliver(people, order);
          const { disputeId, ...opened } = await disputes(people.client, order);
          expect(opened).to.include({ status: 'open', orderId: order.orderId, arbiter: arbiter.did, amount: price });
          const mine = `/api/v1/disputes?status=open&role=arbiter&did=${arbiter.did}`;
          expect(expectStatus(await node.client.get(mine)).disputes.map(({ id }: Body) => id)).to.include(disputeId);
          expectProblem(await ask(await node.person(), order, 'resolve', ruling), 'FORBIDDEN');
          const decided = expectStatus(await ask(arbiter, order, 'resolve', ruling));
          expect(decided).to.include({ orderId: order.orderId, status });
          expect(await eventOf(decided)).to.equal(`${market.type}.resolved`);
          await expectPaid(people, paid);
          const dispute = expectStatus(await node.client.get(`/api/v1/disputes/${disputeId}`));
          expect(dispute).to.include({ status: 'resolved', resolvedBy: arbiter.did, providerPayment: paid });
          const { stats } = expectStatus(await node.client.get(market.listing(order)));
          expect(stats.completedOrders).to.equal(status === 'confirmed' ? 1 : 0);
          expect(await fulfillment(people.client), 'the client').to.equal(loses === 'client' ? 200 : undefined);
          expect(await fulfillment(people.provider), 'the provider').to.equal(loses === 'provider' ? 200 : 1000);
          expectProblem(await ask(people.client, order, 'resolve', ruling), 'ORDER_INVALID_STATE');
          expectProblem(await ask(arbiter, order, 'resolve', ruling), 'ORDER_INVALID_STATE');
          expectProblem(await ask(people.client, order, 'dispute', { reason: 'other' }), 'DISPUTE_NOT_ALLOWED');
        });
      }

      it('and not by the network’s arbiter alone where it is a party; what both give up is no record', async () => {
        await node.fund(arbiter, 100);
        const people = { client: arbiter, provider: await node.rich(100) };
        const order = await market.open(people);
        expect(await disputes(arbiter, order)).to.include({ arbiter: null });
        const refund = { resolution: 'refund' };
        expect(expectStatus(await ask(arbiter, order, 'resolve', refund)).status).to.equal('disputed');
        expect(expectStatus(await ask(people.provider, order, 'resolve', refund)).status).to.equal('cancelled');
        expect((await people.provider.wallet()).balance).to.equal(100);
        expect(await fulfillment(people.provider)).to.equal(undefined);
      });

      it('and says to the arbiter as well as to its parties that they may resolve it, as long as it is open', async () => {
        const [people, order] = await open();
        const roles = async () => {
          const permitted = Object.entries<Body[]>((await read(order)).permittedActions);
          return permitted
            .flatMap(([role, all]) => (all.some(({ action }) => action === 'resolve') ? [role] : []))
            .sort();
        };
        expect(await roles()).to.deep.equal([]);
        // Without a dispute the network's arbiter has no role in the order.
        expectProblem(await ask(arbiter, order, 'resolve', { resolution: 'release' }), 'FORBIDDEN');
        await disputes(people.client, order);
        expect(await roles()).to.deep.equal(['arbiter', ...market.roles].sort());
        const [listed] = expectStatus(
          await node.client.get(`/api/v1/orders?did=${people.client.did}&include=permittedActions`),
        ).orders;
        expect(listed.permittedActions).to.deep.equal((await read(order)).permittedActions);
        expectStatus(await ask(arbiter, order, 'resolve', { resolution: 'release' }));
        expect(await roles()).to.deep.equal([]);
      });

      it('by either party, before and after delivery, once, and not after its end', async () => {
        const [people, order] = await open();
        expect((await read(order)).status).to.equal(market.begun);
        expectProblem(await ask(arbiter, order, 'dispute', { reason: 'other' }), 'DISPUTE_NOT_ALLOWED');
        await disputes(people.provider, order);
        expect((await read(order)).status).to.equal('disputed');
        expectProblem(await ask(people.client, order, 'dispute', { reason: 'other' }), 'DISPUTE_NOT_ALLOWED');
        const [others, finished] = await open();
        await market.deliver(others, finished);
        await market.confirm(others, finished);
        expectProblem(await ask(others.client, finished, 'dispute', { reason: 'other' }), 'DISPUTE_NOT_ALLOWED');
      });

      it('and ended by its parties, once they ask for the same; a proposal moves no Token', async () => {
        const [people, order] = await open();
        await disputes(people.client, order);
        const before = await node.store.totals();
        const split = (providerPayment: number) => ({
          resolution: 'split',
          ...{ providerPayment, clientRefund: price - providerPayment },
        });
        expectProblem(await ask(people.client, order, 'resolve', { resolution: 'resume' }), 'UNPROCESSABLE');
        const short = { resolution: 'split', providerPayment: 1, clientRefund: 1 };
        expectProblem(await ask(people.client, order, 'resolve', short), 'UNPROCESSABLE');
        const proposed = expectStatus(await ask(people.client, order, 'resolve', split(3)));
        expect(proposed.status).to.equal('disputed');
        expect(await eventOf(proposed)).to.equal(`${market.type}.resolution-proposed`);
        expectStatus(await ask(people.provider, order, 'resolve', split(7)));
        expect(await node.store.totals()).to.deep.equal(before);
        const agreed = expectStatus(await ask(people.client, order, 'resolve', split(7)));
        expect(agreed.status).to.equal('confirmed');
        await expectPaid(people, 7);
        expect(await fulfillment(people.provider), 'no party has lost').not.to.equal(200);
      });

      it('and without any request, its own deadlines do nothing, and after 60 days the clock halves the price', async () => {
        const [people, order] = await open();
        const { disputeId } = await disputes(people.client, order);
        const dispute = async () => expectStatus(await node.client.get(`/api/v1/disputes/${disputeId}`));
        expectProblem(await ask(people.client, order, 'resolve', { resolution: 'fallback' }), 'CONFLICT');
        node.world.skip(59 * dayMs);
        expect(await read(order)).to.include({ status: 'disputed' });
        expect(await dispute()).to.include({ status: 'open' });
        node.world.skip(dayMs);
        const now = await until('the clock comes', dispute, { is: ({ status }) => status !== 'open', everyMs: 1 });
        expect(now).to.include({ status: 'resolved', resolution: 'split', resolvedBy: null, providerPayment: 5 });
        expect(await eventOf(now)).to.equal('dispute.settled');
        const ended = await read(order);
        expect([ended.status, ended.resourcePrev]).to.deep.equal(['confirmed', now.resourcePrev]);
        await expectPaid(people, 5);
        expect(expectStatus(await node.client.get(market.listing(order))).stats.completedOrders).to.equal(1);
        expect(await fulfillment(people.provider), 'no party has lost').to.be.oneOf([500, 1000]);
      });
    });
  }
});
