/** What the console shows of kinds that no file of it names: all of it follows from their definitions. */
import { expect } from 'chai';
import { expectGood } from '../browser/support/browser.js';
import { inBrowser } from '../browser/support/stage.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { withAuctions } from './market.js';

async function openAuction() {
  const node = await TestNode.start({ parts: { catalogue: withAuctions } });
  const [seller, low, high] = [await node.person(), await node.rich(100), await node.rich(100)];
  const publishes = (title: string): Promise<Body> =>
    seller.does('/api/v1/markets/auctions', {
      ...{ title, description: 'Signed.', category: 'books', pricing: { price: 5 }, stock: 1 },
      ...{ lot: 'A signed first edition', closesAt: node.world.now() + 3_600_000 },
    });
  const lot = await publishes('A book');
  const offers = (who: typeof low, amount: number): Promise<Body> =>
    who.does(`/api/v1/markets/auctions/${lot.listingId}/offers`, { amount });
  const outbid = await offers(low, 10);
  const won = await offers(high, 11);
  const path = `/api/v1/markets/auctions/offers/${won.offerId}/actions/accept`;
  const order = expectStatus(await seller.write(path, {}));
  return { node, lot, outbid, won, order, open: await publishes('Another book') };
}

inBrowser('the console with a fourth market', { open: openAuction, close: ({ node }) => node.discard() }, (stage) => {
  const text = async (selector: string): Promise<string> =>
    (await stage.page.locator(selector).first().innerText()).replace(/\s+/g, ' ');

  it('lists its offers with their parties, amounts and states, and filters them', async () => {
    const { outbid, won } = stage.scene;
    await stage.window.visit('#/lists/offer');
    const rows = stage.page.locator('[aria-label="List of offers"] tbody tr');
    await rows.nth(1).waitFor();
    const line = rows.filter({ has: stage.page.locator(`a[title="offer/${outbid.offerId}"]`) });
    expect((await line.innerText()).replace(/\s+/g, ' ')).to.match(/outbid bidder .* seller .* 10 Tokens/);
    await stage.page.locator('[name=status]').selectOption('won');
    await stage.page.getByRole('button', { name: 'Apply' }).click();
    await stage.page.getByText('1 offer', { exact: true }).waitFor();
    expect(await rows.locator('td:first-child a').getAttribute('title')).to.equal(`offer/${won.offerId}`);
    await expectGood(stage.window, 'auction-offers');
    stage.window.expectQuiet();
  });

  it('leads from the markets to a listing, which shows its own members', async () => {
    await stage.window.visit('#/markets');
    await stage.page.getByRole('link', { name: 'Auctions' }).click();
    await stage.page.getByRole('link', { name: 'Another book' }).click();
    const own = stage.page.getByRole('region', { name: 'Auction', exact: true });
    await own.getByText('A signed first edition').waitFor();
    expect((await own.innerText()).replace(/\s+/g, ' ')).to.match(
      /^Auction Lot A signed .* Closes at \d{4}-\S+ \S+ UTC$/,
    );
    expect(await text('main')).to.include('Market Auction ');
    await expectGood(stage.window, 'auction-listing');
    stage.window.expectQuiet();
  });

  it('shows an order with its story, chart, steps and state, and leads to its listing', async () => {
    const { lot, order } = stage.scene;
    await stage.window.visit('#/lists/orders');
    await stage.page.locator(`a[title="auction-order/${order.orderId}"]`).click();
    await stage.page.locator('.story .proven').waitFor();
    expect(await text('.story')).to.match(/paid now 11 Tokens from the buyer .* to the seller .*Auction listing/);
    // The offer has filled the escrow, and not one of the order's own entries.
    expect(await text('.story')).not.to.include('not locked');
    const listing = stage.page.locator(`.story a[title="auction-listing/${lot.listingId}"]`);
    expect(await listing.count()).to.equal(1);
    await stage.page.getByText('This definition has no drawing').waitFor();
    await stage.page.getByText('Say that it came.').waitFor();
    await expectGood(stage.window, 'auction-order');
    stage.window.expectQuiet();
  });

  it('shows an offer with its amount and parties', async () => {
    await stage.window.visit(`#/charts/offer/${stage.scene.won.offerId}`);
    await stage.page.locator('.story .proven').waitFor();
    await stage.page.locator('.story').getByText('11 Tokens').first().waitFor();
    expect(await text('.story')).to.match(/won final: it can no longer change 11 Tokens .*Bidder .*Seller/);
    await expectGood(stage.window, 'auction-offer');
    stage.window.expectQuiet();
  });

  it('has forms for its actions', async () => {
    const { node, open } = stage.scene;
    const form = (name: string) => stage.page.getByRole('form', { name, exact: true });
    await stage.window.visit('#/try');
    await stage.page.getByLabel('Name', { exact: true }).fill('Zoe');
    // The node signs: what a browser's key signs of this market, the client does not know.
    await stage.page.getByLabel('Passphrase').fill('a good long passphrase');
    await stage.page.getByRole('button', { name: 'Add person' }).click();
    await stage.page.getByRole('button', { name: 'Get Tokens for Zoe' }).click();
    await stage.page.getByText('100\u00a0Tokens').waitFor();
    await stage.page.locator('.kind-field select').selectOption('offer');
    await form('Create').getByLabel('Listing id').fill(open.listingId);
    await form('Create').getByLabel('Amount').fill('7');
    await form('Create').getByRole('button', { name: 'Create' }).click();
    await stage.page.locator('.story').getByText('7\u00a0Tokens').first().waitFor();
    const [offer] = expectStatus(await node.client.get('/api/v1/markets/auctions/offers?status=leading')).offers;
    expect(offer).to.include({ amount: 7, listingId: open.listingId });
    stage.window.expectQuiet();
  });
});
