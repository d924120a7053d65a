/** The overview says what waits for an act of somebody, and which deadlines have passed. */
import { expect } from 'chai';
import { dayMs, hourMs } from '../../src/core/bounds.js';
import { expectStatus } from '../node/support/answers.js';
import { buys, onOrder, publishes } from '../node/support/market.js';
import { TestNode } from '../node/support/node.js';
import { castOf, Deal } from '../stories/contract/stage.js';
import { until } from '../support/until.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';

async function open() {
  const node = await TestNode.start();
  const cast = await castOf(node);
  await Deal.disputed(node, cast);
  node.world.skip(8 * dayMs);
  const late = await Deal.active(node, cast, { terms: { deadline: node.world.now() + hourMs } });
  const ended = await Deal.active(node, cast, { terms: { deadline: node.world.now() + hourMs } });
  node.world.skip(hourMs + 1_000);
  await until('the clock has noted both', () => node.client.get('/api/v1/events?type=contract.overdue'), {
    is: ({ body }) => body.events.length === 2,
  });
  await ended.does('client', 'terminate');
  await Deal.disputed(node, cast);
  const signed = await Deal.draft(node, cast);
  await signed.does('client', 'sign');
  await signed.does('provider', 'sign');
  const order = await buys(cast.client, await publishes(cast.provider));
  expectStatus(await onOrder(cast.provider, order, 'deliver'));
  return { node, late, ended };
}

inBrowser('what waits, on the overview', { open, close: ({ node }) => node.discard() }, (stage) => {
  const health = () => stage.page.getByRole('region', { name: 'Health' });
  const visit = async () => {
    await stage.page.clock.setSystemTime(stage.scene.node.world.now());
    await stage.window.visit('#/');
    for (const text of ['2 disputes wait for a ruling', 'A delivery waits for its buyer'])
      await health().getByText(text).waitFor();
    await health().getByText('A signed contract waits for its client').waitFor();
    await health().getByText('has passed').waitFor();
  };

  it('are disputes, of which one is old, a delivery, a contract that was signed, and one that is late', async () => {
    await visit();
    await health().getByText(', 1 of them for more than a week').waitFor();
    const links = await health()
      .locator('li a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links.join()).to.include(stage.scene.late.id).and.not.to.include(stage.scene.ended.id);
    await health().getByText('A delivery waits for its buyer').click();
    await stage.page.getByRole('heading', { name: 'Orders' }).first().waitFor();
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'are without violations, and fit', async (look) => {
    await visit();
    await expectGood(stage.window, `waiting-${look}`);
  });
});
