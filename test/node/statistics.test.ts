/** GET /api/v1/statistics and the metrics, on a node's own store. */
import { expect } from 'chai';
import { until } from '../support/until.js';
import { expectInvalid, expectStatus } from './support/answers.js';
import { buys, onOrder, publishes } from './support/market.js';
import { TestNode } from './support/node.js';

describe('Statistics', () => {
  let node: TestNode;
  before(async () => {
    node = await TestNode.start();
  });
  after(() => node.discard());

  const read = async (query = '') => expectStatus(await node.client.get(`/api/v1/statistics${query}`));

  it('count what was just committed, with prices by category, and go on after a restart', async () => {
    const [ada, ben] = [await node.person(), await node.person()];
    await node.fund(ada, 100);
    await node.fund(ben, 100);
    await ada.pays(ben.did, 7);
    await ada.does('/api/v1/escrows', {
      ...{ beneficiary: ben.did, amount: 20, autoFund: true },
      releaseRules: [{ type: 'manual' }],
    });
    const first = await read();
    expect(first).to.include({ period: 'day', everyMs: 3_600_000, transfers: 1, transferred: 7, escrowed: 20 });
    expect(first.points).to.have.length(24);
    expect(first.points.at(-1)).to.include({ transferred: 7, escrowed: 20, openDisputes: 0 });
    const listing = await publishes(ben);
    const bought = await buys(ada, listing);
    for (let others = 0; others < 2; others++) {
      expect((await read()).prices).to.deep.equal([]);
      const other = await node.person();
      await node.fund(other, 100);
      await buys(other, listing);
    }
    expectStatus(await onOrder(ben, bought, 'deliver'));
    expectStatus(await onOrder(ada, bought, 'confirm'));
    const second = await read('?period=week');
    expect(second.trades).to.equal(3);
    expect(second.released).to.equal(second.traded / 3);
    expect(second.points).to.have.length(28);
    expect(second.prices).to.have.length(1);
    expect(second.prices[0]).to.include({ market: 'info', trades: 3, average: second.traded / 3 });
    expect(second.prices[0]).not.to.include.any.keys('buyers', 'volume');
    const { text } = await node.client.get('/metrics');
    expect(text).to.include(`svc_escrowed_tokens ${second.escrowed}\n`);
    expect(text).to.match(/^svc_transferred_tokens_total 7$/m);
    await node.restart();
    const again = await until('the totals are known', async () => (await node.client.get('/metrics')).text, {
      is: (scraped) => /^svc_transferred_tokens_total/m.test(scraped),
    });
    expect(again).to.match(/^svc_transferred_tokens_total 7$/m);
    expect(again).to.include(`svc_escrowed_tokens ${second.escrowed}\n`);
    const month = await until('the journal is counted', () => read('?period=month'), {
      is: ({ upTo }) => upTo >= second.upTo,
    });
    expect(month).to.include({ transferred: 7, traded: second.traded, escrowed: second.escrowed });
    expect(month.prices).to.deep.equal(second.prices);
  });

  it('are of a day, a week or a month', async () => {
    expectInvalid(await node.client.get('/api/v1/statistics?period=year'), 'period');
  });
});
