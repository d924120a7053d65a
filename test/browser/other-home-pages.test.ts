/** Pages of what is at another home, and of its people: what they say, and their widths on a phone, a tablet and a desk. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { leases, publishes } from '../node/support/lessor.js';
import { accepts, bids, publishesTask } from '../node/support/requester.js';
import { acquaint, discard, Home } from '../peers/nodes/network.js';
import { Deal } from '../stories/contract/stage.js';
import { inBrowser } from './support/stage.js';

/** Two homes that follow each other; at `there` a trade of each kind, by people with long names. */
async function open() {
  const [here, there] = [await Home.start(), await Home.start()];
  await acquaint([here, there]);
  const { node } = there;
  const [ada, ben, cyd] = [await node.rich(10_000), await node.rich(10_000), await node.person()];
  for (const [person, displayName] of [
    [ada, 'Ada of the harbour office and its warehouses'],
    [ben, 'Ben'],
  ] as const) {
    const { docHash } = expectStatus(await node.client.get(`/api/v1/identities/${person.did}`));
    await person.does(`/api/v1/identities/${person.did}/actions/update`, {
      document: { displayName },
      prevDocHash: docHash,
    });
  }
  const deal = await Deal.disputed(node, { client: ada, provider: ben, arbiter: cyd, stranger: cyd });
  const { disputeId } = await deal.view();
  const task = await publishesTask(ada);
  const made = await bids(ben, task);
  const { orderId } = await accepts(ada, made);
  const { escrowId } = expectStatus(await node.client.get(`/api/v1/orders/${orderId}`));
  const capability = await publishes(ada);
  const { leaseId } = await leases(ben, capability, { budget: 100 });
  await here.sees(there);
  const resources = Object.entries({
    ...{
      contract: deal.id,
      dispute: disputeId,
      bid: made.bidId,
      'task-order': orderId,
      escrow: escrowId,
      lease: leaseId,
      'capability-listing': capability.listingId,
    },
  }).map(([kind, id]) => `#/charts/${kind}/${id}~${there.did}`);
  return {
    node: here.node,
    homes: [here, there],
    resources,
    listing: task.listingId,
    people: [ada.did, ben.did],
    there,
  };
}

inBrowser('the console’s pages of another home', { open, close: ({ homes }) => discard(homes) }, (stage) => {
  it('are not wider than their window, nor is a table in them: resources', async () => {
    for (const view of stage.scene.resources) {
      await stage.window.visit(view);
      await stage.page.locator('.step-rows tbody tr').first().waitFor();
      await stage.page.locator('details').evaluateAll((all) => {
        for (const each of all) each.setAttribute('open', '');
      });
      await stage.page.getByText('Checked in this browser: all checks passed').waitFor();
      await stage.page.locator('.story[aria-busy=false]').getByText('✓ proven here').waitFor();
      const [id = ''] = view.split('/').at(-1)!.split('~');
      expect(await stage.page.locator('h1').innerText(), view).to.include(`…${id.slice(-4)}`);
      expect(
        await stage.page.locator('.story').getByText('Home', { exact: true }).count(),
        'named by the note',
      ).to.equal(0);
      await stage.window.expectFitsAt(390, 768, 1_280);
    }
    stage.window.expectQuiet();
  });

  it('say what they would say at their home, and lead to what is there', async () => {
    const { resources, there } = stage.scene;
    const story = () => stage.page.locator('.story[aria-busy=false]');
    await stage.window.visit(resources.find((each) => each.includes('/contract/'))!);
    await story().getByText('in dispute').or(story().getByText('disputed')).first().waitFor();
    await stage.page.getByRole('note').getByText(there.did).waitFor();
    expect(await stage.page.locator('.live').count(), 'followed').to.equal(0);
    await story().locator('a[title^="dispute/"]').click();
    await stage.page.waitForURL((url) => url.hash.startsWith('#/charts/dispute/') && url.hash.includes('~'));
    await story().locator('a[title^="contract/"]').first().waitFor();
    await stage.page.locator('.step-rows .at-entry a').first().click();
    await stage.page.getByText('All checks passed').waitFor();
    await stage.page.getByRole('note').getByText(there.did).waitFor();
    stage.window.expectQuiet();
  });

  it('lead from a listing to its page in the market', async () => {
    await stage.window.visit(stage.scene.resources.find((each) => each.includes('/capability-listing/'))!);
    await stage.page.getByRole('link', { name: 'its page in the market' }).click();
    await stage.page.waitForURL((url) => url.hash.startsWith('#/markets/capabilities/lst-'));
    await stage.page.getByRole('heading', { level: 2, name: 'Speech to text' }).waitFor();
    stage.window.expectQuiet();
  });

  it('lead from an escrow to its order', async () => {
    await stage.window.visit(stage.scene.resources.find((each) => each.includes('/escrow/'))!);
    await stage.page.locator('.story[aria-busy=false] a[title^="order/"]').first().click();
    await stage.page.waitForURL((url) => url.hash.startsWith('#/charts/task-order/'));
    await stage.page.locator('.story[aria-busy=false] a[title^="escrow/"]').first().waitFor();
    stage.window.expectQuiet();
  });

  it('are not wider than their window, nor is a table in them: people, a listing, and lists', async () => {
    const { people, listing, there } = stage.scene;
    for (const view of [
      ...people.map((did) => `#/identities/${did}`),
      `#/markets/tasks/${listing}~${there.did}`,
      '#/markets',
      '#/peers',
      `#/find?text=Ada`,
    ]) {
      await stage.window.visit(view);
      const named = stage.page.locator('main').getByText(/Ada of the harbour office|Ben/);
      await named.or(stage.page.locator('main').getByText('Every entry that it has announced')).first().waitFor();
      await stage.window.expectFitsAt(390, 768, 1_280);
    }
    stage.window.expectQuiet();
  });
});
