/** Resources with steps under several definition versions in the console: each step shows the version that decided it. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { machineLayouts } from '../../scripts/generate/machine-layouts.js';
import { layouts } from '../../src/http/charts/layouts.js';
import type { AnyDefinition } from '../../src/machines/kernel/definition.js';
import { allVersionsOf, definitionVersion } from '../../src/machines/kernel/versioning.js';
import { auctionsWith } from '../fourth-market/market.js';
import { offer } from '../fourth-market/offer.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { expectGood } from './support/browser.js';
import { inBrowser } from './support/stage.js';

const [third, second, first] = allVersionsOf(offer) as [AnyDefinition, AnyDefinition, AnyDefinition];
const versionOf = (definition: AnyDefinition) => definitionVersion(definition);

interface Scene {
  readonly node: TestNode;
  /** Offers that were made under the first and the second version, and accepted under the third. */
  readonly oldest: Body;
  readonly older: Body;
  /** Made under the first version, and not accepted. */
  readonly open: Body;
}

async function open(): Promise<Scene> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-test-definitions-'));
  const under = (definition: AnyDefinition) => TestNode.start({ dir, parts: { catalogue: auctionsWith(definition) } });
  // The program has drawings of the catalogue only; the first version stays without one.
  Object.assign(layouts, Object.fromEntries(await machineLayouts([second, third])));
  let node = await under(first);
  let [seller, buyer] = [await node.person(), await node.rich(100)];
  const offers = async (): Promise<Body> => {
    const { listingId } = await seller.does('/api/v1/markets/auctions', {
      ...{ title: 'A book', description: 'Signed.', category: 'books', pricing: { price: 5 }, stock: 1 },
      ...{ lot: 'A signed first edition', closesAt: node.world.now() + 3_600_000 },
    });
    return buyer.does(`/api/v1/markets/auctions/${listingId}/offers`, { amount: 10 });
  };
  const restart = async (definition: AnyDefinition) => {
    await node.stop();
    node = await under(definition);
    [seller, buyer] = [seller.through(node.client), buyer.through(node.client)];
  };
  const [oldest, left] = [await offers(), await offers()];
  await restart(second);
  const older = await offers();
  await restart(third);
  for (const { offerId } of [oldest, older])
    expectStatus(await seller.write(`/api/v1/markets/auctions/offers/${offerId}/actions/accept`));
  return { node, oldest, older, open: left };
}

async function close({ node }: Scene): Promise<void> {
  const report = await node.audit();
  await node.discard();
  expect(report.flaw?.what, 'the audit').to.equal(undefined);
}

inBrowser('the console’s charts of a resource with several definition versions', { open, close }, (stage) => {
  const visit = ({ offerId }: Body, step?: number) =>
    stage.window.visit(`#/charts/offer/${offerId}${step === undefined ? '' : `?step=${step}`}`);
  const chart = () => stage.page.getByRole('region', { name: 'Offer', exact: true });
  const drawn = (of: AnyDefinition) => chart().getByRole('group', { name: `of definition ${versionOf(of)}` });
  const goes = (to: 'Next' | 'Previous') => stage.page.getByRole('button', { name: `${to} step` }).click();

  it('draw each step under the version that decided it', async () => {
    await visit(stage.scene.older);
    await drawn(third).waitFor();
    expect(await chart().locator('.panel-head').innerText()).to.match(/by definition\s+offer-3-/);
    await goes('Previous');
    await drawn(second).waitFor();
    expect(await chart().locator('.panel-head').innerText()).to.match(/by the definition of that time,\s+offer-2-/);
    expect(await stage.page.locator('.drawing .state.lit').getAttribute('data-state')).to.equal('leading');
    await stage.page.getByText('Checked in this browser').waitFor();
    await expectGood(stage.window, 'charts-older-version-light');
  });

  it('show a version without a drawing as a table, and draw again when the slider leaves it', async () => {
    await visit(stage.scene.oldest, 1);
    await stage.page.getByText('This definition has no drawing').waitFor();
    expect(await chart().locator('.panel-head code').getAttribute('title')).to.equal(versionOf(first));
    await stage.page.getByText('The state machine as a table').click();
    await stage.page.getByRole('table', { name: `Transitions of definition ${versionOf(first)}` }).waitFor();
    await goes('Next');
    await drawn(third).waitFor();
    stage.window.expectQuiet();
  });

  it('offer the actions of the current version', async () => {
    await visit(stage.scene.open);
    const permitted = stage.page.getByRole('region', { name: 'Available actions' });
    await permitted.getByText('in leading').waitFor();
    await permitted.getByRole('rowheader', { name: 'accept' }).first().waitFor();
  });
});
