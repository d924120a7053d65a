/** The markets in the console: searching, narrowing, a listing and who stands behind it. */
import { expect } from 'chai';
import { closeBrowser, expectGood, inBrowser, type Look, Window } from './support/browser.js';
import { hostile, openTown, type Town } from './support/town.js';

inBrowser('the console’s markets', () => {
  let town: Town;
  let window: Window;
  before(async () => {
    town = await openTown();
  });
  after(async () => {
    await closeBrowser();
    await town?.node.discard();
  });
  beforeEach(async () => {
    window = await Window.open(town.node.url);
  });
  afterEach(() => window.close());

  const titles = () => window.page.locator('.listing-title');
  const narrowedTo = async (...wanted: string[]) => {
    await window.page.locator('.pager', { hasText: `of ${wanted.length} listings` }).waitFor();
    expect((await titles().allInnerTexts()).sort()).to.deep.equal(wanted.sort());
  };

  it('are searched by words, in all of them and in each', async () => {
    await window.visit('#/markets');
    await titles().nth(4).waitFor();
    await window.page.getByLabel('Words').fill('manual');
    await window.page.getByRole('button', { name: 'Search' }).click();
    await narrowedTo('Translate a manual');
    await window.page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await window.page.locator('.subviews a[aria-current]', { hasText: 'Tasks' }).waitFor();
    await narrowedTo('Translate a manual');
    expect(window.page.url()).to.match(/#\/markets\/tasks\?keyword=manual$/);
    await window.page.getByRole('link', { name: 'Capabilities', exact: true }).click();
    await window.page.getByText('Nothing is listed that fits.').waitFor();
    window.expectQuiet();
  });

  it('are narrowed by facets and prices, and widened again', async () => {
    await window.visit('#/markets/info');
    await titles().nth(2).waitFor();
    const facets = window.page.getByRole('region', { name: 'In the result' });
    await facets.getByRole('link', { name: 'weather', exact: true }).click();
    await narrowedTo('Rain by the hour, 1998 to 2025', 'Wind roses');
    await facets.getByRole('link', { name: '100-999' }).click();
    await narrowedTo('Wind roses');
    await window.page.getByRole('link', { name: 'Clear' }).click();
    await titles().nth(2).waitFor();
    await window.page.getByLabel('Order').selectOption('Cheapest');
    await window.page.getByLabel('Price from').fill('26');
    await window.page.getByRole('button', { name: 'Search' }).click();
    await narrowedTo('Wind roses');
    window.expectQuiet();
  });

  it('show a listing, its price, its standing, and the reputation of its seller', async () => {
    await window.visit(`#/markets/info/${town.dataset.listingId}`);
    const offer = window.page.getByRole('region', { name: 'Offer' });
    await offer.getByText('25 Tokens').waitFor();
    await offer.getByText('2, of which 2 are completed').waitFor();
    await window.page.locator('.score .figure').waitFor();
    expect(Number(await window.page.locator('.score .figure').innerText())).to.be.above(900);
    await window.visit(`#/markets/tasks/${town.task.listingId}`);
    const bids = window.page.locator('[aria-label="Bids on the task"] tbody tr');
    await bids.first().waitFor();
    expect(await bids.first().innerText()).to.match(/320\s+accepted/);
    window.expectQuiet();
  });

  it('show what sellers write as text, and link to http and https alone', async () => {
    await window.visit(`#/markets/info/${town.trap.listingId}`);
    await window.page.getByRole('heading', { name: hostile.markup }).waitFor();
    await window.page.getByText(hostile.link).waitFor();
    expect(await window.page.locator('main a[href^="javascript"], main img, main script').count()).to.equal(0);
    await window.visit(`#/markets/capabilities/${town.capability.listingId}`);
    const link = window.page.getByRole('link', { name: 'https://speech.example/docs' });
    await link.waitFor();
    expect(await link.getAttribute('rel')).to.include('noopener');
    expect(await window.page.evaluate(() => (globalThis as { caught?: number }).caught)).to.equal(undefined);
    window.expectQuiet();
  });

  it('say which listing there is not', async () => {
    window.expected.add(404);
    await window.visit('#/markets/info/lst-none');
    await window.page.getByText('LISTING_NOT_FOUND').waitFor();
    window.expectQuiet();
  });

  for (const look of ['light', 'dark', 'narrow'] satisfies Look[]) {
    it(`are without violations, and fit: ${look}`, async () => {
      await window.close();
      window = await Window.open(town.node.url, look);
      await window.visit('#/markets');
      await titles().first().waitFor();
      await expectGood(window, `markets-${look}`);
      await window.visit(`#/markets/info/${town.trap.listingId}`);
      await window.page.getByText('No records yet').waitFor();
      await expectGood(window, `markets-listing-${look}`);
    });
  }
});
