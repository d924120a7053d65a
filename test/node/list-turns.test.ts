/** One caller's lists by status take turns when a single thread answers all lists (docs/decisions/0024). */
import { expect } from 'chai';
import sinon from 'sinon';
import { until } from '../support/until.js';
import { expectStatus } from './support/answers.js';
import { nodeForSuite } from './support/node.js';
import { onMongo } from './support/shared-store.js';

(onMongo ? () => {} : describe)('Lists by status', () => {
  const node = nodeForSuite();
  afterEach(() => sinon.restore());

  it('of one caller are looked for one after the other; those of others do not wait', async () => {
    const { client, store } = node();
    const other = await node().keyed({ scope: 'read' });
    const find = store.find.bind(store);
    const under: (() => void)[] = [];
    const begun = sinon.stub(store, 'find').callsFake(async (query) => {
      if (query.states?.includes('funded')) await new Promise<void>((end) => under.push(end));
      return find(query);
    });

    const lists = ['/api/v1/escrows?status=funded', '/api/v1/orders?status=paid', '/api/v1/escrows?status=created'];
    const [first, ...waiting] = lists.map((path) => client.get(path));
    await until('the first is looked for', async () => under.length === 1);
    expectStatus(await other.get('/api/v1/escrows?status=created'));
    expect(begun.callCount, 'of one caller only the first').to.equal(2);

    under[0]!();
    for (const reply of await Promise.all([first!, ...waiting])) expectStatus(reply);
    sinon.assert.callCount(begun, 4);
  });
});
