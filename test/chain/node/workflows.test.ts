/** Escrows that orders create settle like any other: ledger and vault stay equal. */
import { expect } from 'chai';
import { taskListing } from '../../../src/machines/task-order/listing.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { buys, onOrder, publishes } from '../../node/support/market.js';
import { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { expectNodeSettled } from '../support/settled-node.js';

describe('workflows, settled', () => {
  let node: TestNode;
  let client: Person;
  let provider: Person;

  before(async () => {
    node = await TestNode.start({ variables: { SVC_CHAIN: 'embedded' } });
    [client, provider] = [await node.rich(10_000), await node.rich(10_000)];
  });
  after(() => node?.discard());
  afterEach(async () => {
    await expectNodeSettled(node);
    const books = async () => expectStatus(await node.client.get('/api/v1/supply'));
    await until('ledger and vault agree', () => books(), { is: ({ balanced }) => balanced === true });
    expect(await books()).to.include({ supply: 20_000, escrowed: 0, reserved: 0 });
  });

  /** Tokens that the client has paid to the provider so far. */
  const paid = async (): Promise<number> => {
    const [{ balance: left }, { balance: earned }] = [await client.wallet(), await provider.wallet()];
    expect(left + earned).to.equal(20_000);
    return earned - 10_000;
  };

  it('an order of information, bought, delivered and confirmed', async () => {
    const before = await paid();
    const bought = await buys(client, await publishes(provider));
    expect(bought.txHash, 'of the transaction').to.match(/^0x/);
    expectStatus(await onOrder(provider, bought, 'deliver'));
    expectStatus(await onOrder(client, bought, 'confirm'));
    expect(await paid()).to.equal(before + bought.price);
  });

  it('a task, its bid accepted, its work rejected once and approved', async () => {
    const before = await paid();
    const { listingId: taskId } = await client.does('/api/v1/markets/tasks', taskListing.create.example as Body);
    const task = `/api/v1/markets/tasks/${taskId}`;
    const { bidId } = await provider.does(`${task}/bids`, { price: 40, approach: 'twice' });
    const { orderId } = expectStatus(await client.write(`${task}/bids/${bidId}/actions/accept`));
    for (const approved of [false, true]) {
      expectStatus(await provider.write(`${task}/actions/deliver`, { orderId, deliverables: ['a text'] }));
      expectStatus(await client.write(`${task}/actions/confirm`, { orderId, approved }));
    }
    expect(await paid()).to.equal(before + 40);
  });
});
