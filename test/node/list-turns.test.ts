/** Lists by status of one caller take turns where one thread answers all lists (docs/decisions/0024-short-words.md). */
import { expect } from 'chai';
import { until } from '../chain/support/settled-node.js';
import { expectStatus } from './support/answers.js';
import { nodeForSuite } from './support/node.js';
import { onMongo } from './support/shared-store.js';

(onMongo ? () => {} : describe)('Lists by status', () => {
  const node = nodeForSuite();

  it('of one caller are looked for one after the other; its other lists, and those of others, do not wait', async () => {
    const { client, store } = node();
    const other = await node().keyed({ scope: 'read' });
    const find = store.find.bind(store);
    const under: (() => void)[] = [];
    let begun = 0;
    store.find = async (query) => {
      begun += 1;
      if (query.states?.includes('funded')) await new Promise<void>((end) => under.push(end));
      return find(query);
    };

    const lists = ['/api/v1/escrows?status=funded', '/api/v1/orders?status=paid', '/api/v1/escrows?status=created'];
    const [first, ...waiting] = lists.map((path) => client.get(path));
    await until('the first is looked for', async () => under.length === 1);
    expectStatus(await client.get('/api/v1/escrows'));
    expectStatus(await other.get('/api/v1/escrows?status=created'));
    expect(begun, 'of those by status only the first').to.equal(3);

    under[0]!();
    for (const reply of await Promise.all([first!, ...waiting])) expectStatus(reply);
    expect(begun).to.equal(5);
  });
});
