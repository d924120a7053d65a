/** Derived routes of kinds that workflows create, and of kinds that only some may read. */
import { expect } from 'chai';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { TestNode } from './support/node.js';
import { withOwnBids } from './support/own-bids.js';
import type { Person } from './support/person.js';

describe('kinds with workflows', () => {
  let node: TestNode;
  let owner: Person;
  let bidder: Person;
  let rival: Person;
  let bids: Body[];

  before(async () => {
    node = await TestNode.start({ parts: { catalogue: withOwnBids } });
    [owner, bidder, rival] = [await node.rich(100), await node.person(), await node.person()];
    await owner.does('/api/v1/tasks', { listingId: 'lst-1', closesAt: node.world.now() + 60_000 });
    bids = [];
    for (const who of [bidder, rival]) bids.push(await who.does('/api/v1/bids', { taskId: 'lst-1', price: 40 }));
  });
  after(() => node.stop());

  const reader = (person: Person): Promise<Client> => node.keyed({ scope: 'read', did: person.did });

  it('that only a workflow makes have no route of creation', async () => {
    expectProblem(await owner.write('/api/v1/taskOrders', { taskId: 'lst-1' }), 'METHOD_NOT_ALLOWED');
  });

  it('are shown to those whom they are for, as if they were not there for others', async () => {
    const path = `/api/v1/bids/${bids[0]!.bidId}`;
    for (const person of [bidder, owner]) expectStatus(await (await reader(person)).get(path));
    expectProblem(await (await reader(rival)).get(path), 'NOT_FOUND');
    expectProblem(await node.client.get(path), 'NOT_FOUND');
  });

  it('are listed for their reader only, whose pages are full and whose count reveals no others', async () => {
    const ids = async (person: Person, query = '') => {
      const { bids, total, pagination } = expectStatus(await (await reader(person)).get(`/api/v1/bids${query}`));
      expect(total).to.equal(bids.length);
      expect(pagination.total).to.equal(total);
      return bids.map(({ bidId }: Body) => bidId);
    };
    const [first, second] = bids.map(({ bidId }) => bidId);
    expect(await ids(bidder)).to.deep.equal([first]);
    expect(await ids(rival, `?did=${rival.did}&role=bidder`)).to.deep.equal([second]);
    expect(await ids(owner)).to.deep.equal([second, first]);
    expect(await ids(owner, '?role=bidder')).to.deep.equal([]);
    expectProblem(await (await reader(rival)).get(`/api/v1/bids?did=${bidder.did}`), 'FORBIDDEN');
    expectProblem(await node.client.get('/api/v1/bids'), 'FORBIDDEN');
  });

  it('get the ids of all that a request makes from the node', async () => {
    const path = `/api/v1/bids/${bids[0]!.bidId}/actions/accept`;
    const accepted = expectStatus(await owner.write(path, {}, { 'Idempotency-Key': 'accept' }));
    expect(accepted.status).to.equal('accepted');
    const { orders } = expectStatus(await node.client.get(`/api/v1/taskOrders?did=${owner.did}`));
    expect(orders).to.have.length(1);
    expect(orders[0].orderId).to.match(/^task-ord-[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(orders[0].escrowId).to.match(/^esc-[0-9A-HJKMNP-TV-Z]{26}$/);
    const again = await owner.write(path, { nonce: owner.nonce - 1 }, { 'Idempotency-Key': 'accept' });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(expectStatus(again)).to.deep.equal(accepted);
    const audited = await node.audit();
    expect(audited.flaw?.what).to.equal(undefined);
  });
});
