/** Pages whose texts were erased: a listing, a contract, a transfer. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Client } from '../node/support/client.js';
import { publishes } from '../node/support/market.js';
import { TestNode } from '../node/support/node.js';
import { castOf, Deal } from '../stories/contract/stage.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';

/** @returns the number of texts */
async function eraseAll(admin: Client, of: string): Promise<number> {
  const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?${of}`));
  for (const { leaf } of leaves)
    expectStatus(
      await admin.post(`/api/v1/admin/leaves/${leaf}/actions/redact`, { reason: 'asked for by its author' }),
    );
  return leaves.length;
}

async function open() {
  const node = await TestNode.start();
  const ada = await node.rich(1_000);
  const listing = await publishes(ada);
  const kept = await publishes(ada, { title: 'Kept' });
  const transfer = await ada.pays(node.did, 3, { memo: 'for a secret of ada' });
  const deal = await Deal.active(node, await castOf(node));
  await deal.steps('one', 'submit');
  expectStatus(await deal.on('client', 'one', 'reject', { feedback: 'not yet' }));
  const admin = await node.keyed({ scope: 'admin' });
  const erased = {
    listing: await eraseAll(admin, `resource=info-listing/${listing.listingId}`),
    contract: await eraseAll(admin, `resource=contract/${deal.id}`),
    transfer: await eraseAll(admin, `event=${transfer.eventHash}`),
  };
  const { key } = await node.key({ did: deal.cast.client.did });
  return { node, listing, transfer, deal, key, erased, kept };
}

inBrowser('erased texts in the console', { open, close: ({ node }) => node.discard() }, (stage) => {
  const erased = (within: string) => stage.page.locator(within).getByText('erased', { exact: true });
  const entryOf = async (eventHash: string) => {
    const { seq } = expectStatus(await stage.scene.node.client.get(`/api/v1/events/${eventHash}`));
    return `#/ledger/entry/${seq}`;
  };
  const withKey = async () => {
    await stage.page.getByRole('button', { name: 'Enter a read key' }).click();
    await stage.page.getByLabel('API key').fill(stage.scene.key);
    await stage.page.getByRole('button', { name: 'Use this key' }).click();
  };
  const chart = () => `#/charts/contract/${stage.scene.deal.id}`;

  it('are there: each resource had some', () => {
    const { listing, contract, transfer } = stage.scene.erased;
    expect(transfer).to.equal(1);
    expect(Math.min(listing, contract)).to.be.above(1);
  });

  it('stand in the lists of listings, and on the page of one', async () => {
    await stage.window.visit('#/markets/info');
    await stage.page.locator('.listing-title').nth(1).waitFor();
    expect((await stage.page.locator('.listing-title').allInnerTexts()).sort()).to.deep.equal(['Kept', 'erased']);
    await stage.page.locator('.listing-title', { hasText: 'erased' }).click();
    await erased('.listing-head h2').waitFor();
    await erased('.listing-head p').waitFor();
    stage.window.expectQuiet();
  });

  it('stand in a contract, whose state and steps still verify', async () => {
    await stage.window.visit(chart());
    await withKey();
    const state = stage.page.getByRole('region', { name: 'Current state' });
    await state.locator('.check-list .good').waitFor();
    await state.getByText('All fields').click();
    await state.getByText('erased', { exact: true }).first().waitFor();
    await erased('.step-rows .reason').first().waitFor();
    expect(await stage.page.locator('main').innerText()).not.to.match(/\bnull\b/);
    stage.window.expectQuiet();
  });

  it('stand in an entry, next to what proves the others', async () => {
    await stage.window.visit(await entryOf(stage.scene.transfer.eventHash));
    await stage.page.getByText('All checks passed').waitFor();
    await stage.page.getByText('erased texts that cannot be compared: 1').waitFor();
    const [row] = await stage.page.locator('[aria-label="Texts that can be erased"] tbody tr').allInnerTexts();
    expect(row).to.match(/^\/memo\s.*\s21\s+erased$/s);
    await stage.window.visit(await entryOf(stage.scene.kept.eventHash));
    await stage.page.getByText('All checks passed').waitFor();
    const places = await stage.page
      .locator('[aria-label="Texts that can be erased"] tbody tr td:first-child')
      .allInnerTexts();
    expect(places).to.include('/title');
    await stage.window.visit('#/ledger/journal');
    await erased('.memo').waitFor();
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'are without violations, and fit', async (look) => {
    const { listing, transfer } = stage.scene;
    await stage.window.visit(`#/markets/info/${listing.listingId}`);
    await erased('.listing-head h2').waitFor();
    await expectGood(stage.window, `erased-listing-${look}`);
    await stage.window.visit(await entryOf(transfer.eventHash));
    await stage.page.getByText('All checks passed').waitFor();
    await expectGood(stage.window, `erased-transfer-${look}`);
    await stage.window.visit(chart());
    await withKey();
    await erased('.step-rows .reason').first().waitFor();
    await expectGood(stage.window, `erased-contract-${look}`);
  });
});
