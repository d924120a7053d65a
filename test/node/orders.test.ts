/** Orders of several markets as one list (docs/reference/markets.md#orders, docs/reference/requests.md#pagination). */
import { expect } from 'chai';
import sinon from 'sinon';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { expectInvalid, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { buys, publishes } from './support/market.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

describe('orders of several markets', () => {
  let node: TestNode;
  let ada: Person;
  let ben: Person;
  /** Ids, newest first. */
  const made: string[] = [];

  async function given(): Promise<string> {
    const { listingId } = expectStatus(
      await ada.write('/api/v1/markets/tasks', taskListing.create.example as Body),
      201,
    );
    const bids = `/api/v1/markets/tasks/${listingId}/bids`;
    const { bidId } = expectStatus(await ben.write(bids, { price: 1, approach: 'by hand' }), 201);
    return expectStatus(await ada.write(`${bids}/${bidId}/actions/accept`)).orderId;
  }

  before(async () => {
    node = await TestNode.start();
    [ada, ben] = [await node.rich(), await node.rich()];
    const listing = await publishes(ada, { pricing: { price: 1 } });
    for (const kind of ['info', 'task', 'task', 'info', 'info', 'task', 'info']) {
      made.unshift(kind === 'task' ? await given() : (await buys(ben, listing)).orderId);
    }
  });
  after(() => node?.stop());
  afterEach(() => sinon.restore());

  const page = async (query: string) => expectStatus(await node.client.get(`/api/v1/orders?${query}`));
  const ids = ({ orders }: Body) => orders.map(({ orderId }: Body) => orderId);

  it('are one list, newest first, whatever their market', async () => {
    const all = await page('limit=100');
    expect(ids(all)).to.deep.equal(made);
    expect(all.total).to.equal(7);
    expect(all.pagination).to.include({ total: 7, hasMore: false, after: null });
  });

  it('come in pages that repeat and skip nothing, by offset', async () => {
    const seen: string[] = [];
    for (let offset = 0; offset < 8; offset += 3) {
      const body = await page(`limit=3&offset=${offset}`);
      expect(body.pagination).to.include({ total: 7, offset, hasMore: offset < 6 });
      seen.push(...ids(body));
    }
    expect(seen).to.deep.equal(made);
    expect(ids(await page('page=2&pageSize=3'))).to.deep.equal(made.slice(3, 6));
    expect(ids(await page('limit=3&offset=7'))).to.deep.equal([]);
  });

  it('read what stands on the page and nothing before it, in one question to the store', async () => {
    const find = sinon.spy(node.store, 'find');
    expect(ids(await page('limit=1&offset=5'))).to.deep.equal(made.slice(5, 6));
    const found = await Promise.all(find.returnValues);
    expect(found.map(({ items }) => items.length)).to.deep.equal([1]);
  });

  it('and by cursor', async () => {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const body = await page(`limit=2${after}`);
      seen.push(...ids(body));
      if (body.pagination.after === null) break;
      after = `&after=${encodeURIComponent(body.pagination.after)}`;
    }
    expect(seen).to.deep.equal(made);
    expectInvalid(await node.client.get('/api/v1/orders?after=nonsense'), 'after');
  });

  it('are each found under their own id, and by the roles of their market', async () => {
    for (const id of made) expect(expectStatus(await node.client.get(`/api/v1/orders/${id}`)).orderId).to.equal(id);
    const [info, task] = [/^ord-/, /^task-ord-/].map((prefix) => made.filter((id) => prefix.test(id)));
    expect(ids(await page(`did=${ben.did}&role=buyer`))).to.deep.equal(info);
    expect(ids(await page(`did=${ben.did}&role=provider`))).to.deep.equal(task);
    expect(ids(await page(`did=${ada.did}&role=requester`))).to.deep.equal(task);
    expect(ids(await page(`did=${ada.did}`))).to.deep.equal(made);
    expect(ids(await page('status=paid'))).to.deep.equal(info);
    expect(ids(await page('status=accepted'))).to.deep.equal(task);
    expect(ids(await page('status=reviewed'))).to.deep.equal([]);
    expect(ids(await page(`did=${ben.did}&role=buyer&status=accepted`))).to.deep.equal([]);
  });
});
