/** The markets in the console: search, filters, a listing and its publisher. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { publishes } from '../node/support/market.js';
import { until } from '../support/until.js';
import { vectorsIn } from '../support/vectors.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';
import { hostile, sharedTown } from './support/town.js';

inBrowser('the console’s markets', { open: sharedTown }, (stage) => {
  const titles = () => stage.page.locator('.listing-title');
  const narrowedTo = async (...wanted: string[]) => {
    await stage.page
      .locator('.pager', { hasText: wanted.length === 1 ? '1 listing' : `of ${wanted.length} listings` })
      .waitFor();
    // The page of before may have said the same number.
    const shown = async () => (await titles().allInnerTexts()).sort();
    await until('the listings are shown', shown, { is: (seen) => isDeepStrictEqual(seen, wanted.sort()) });
  };

  it('are searched by words, in all of them and in each', async () => {
    await stage.window.visit('#/markets');
    await titles().nth(4).waitFor();
    await stage.page.getByLabel('Keyword').fill('manual');
    await stage.page.getByRole('button', { name: 'Search' }).click();
    await narrowedTo('Translate a manual');
    await stage.page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await stage.page.locator('.subviews a[aria-current]', { hasText: 'Tasks' }).waitFor();
    await narrowedTo('Translate a manual');
    expect(stage.page.url()).to.match(/#\/markets\/tasks\?keyword=manual$/);
    await stage.page.getByRole('link', { name: 'Capabilities', exact: true }).click();
    await stage.page.getByText('No listings match.').waitFor();
    stage.window.expectQuiet();
  });

  it('are narrowed by facets and prices, and widened again', async () => {
    await stage.window.visit('#/markets/info');
    await titles().nth(2).waitFor();
    const facets = stage.page.getByRole('region', { name: 'Filter results' });
    await facets.getByRole('link', { name: 'weather', exact: true }).click();
    await narrowedTo('Rain by the hour, 1998 to 2025', 'Wind roses');
    await facets.getByRole('link', { name: '100-999' }).click();
    await narrowedTo('Wind roses');
    await stage.page.getByRole('link', { name: 'Clear' }).click();
    await titles().nth(2).waitFor();
    await stage.page.getByLabel('Order').selectOption('Cheapest');
    await stage.page.getByLabel('Price from').fill('26');
    await stage.page.getByRole('button', { name: 'Search' }).click();
    await narrowedTo('Wind roses');
    stage.window.expectQuiet();
  });

  it('are narrowed to a category and a tag with commas, also by the next search', async () => {
    const labels = { category: 'Arts, Crafts', tags: ['a, b'] };
    const { listingId } = await publishes(stage.scene.ada, { title: 'Pots', ...labels });
    await stage.window.visit('#/markets');
    const facets = stage.page.getByRole('region', { name: 'Filter results' });
    await facets.getByRole('link', { name: labels.category, exact: true }).click();
    await narrowedTo('Pots');
    await stage.page.getByLabel('Keyword').fill('pots');
    await stage.page.getByRole('button', { name: 'Search' }).click();
    await facets.getByRole('link', { name: 'a, b', exact: true }).click();
    await narrowedTo('Pots');
    expect(stage.page.url()).to.include('category%5B%5D=Arts').and.include('tags%5B%5D=a').and.include('keyword=pots');
    for (const name of [labels.category, 'a, b']) {
      await facets.locator('a[aria-current="true"]', { hasText: name }).click();
      await facets.locator('a:not([aria-current])', { hasText: name }).waitFor();
    }
    expect(stage.page.url()).to.match(/#\/markets\?keyword=pots$/);
    await stage.scene.ada.does(`/api/v1/markets/info/${listingId}/actions/remove`, {});
    stage.window.expectQuiet();
  });

  it('show a listing, its price, its standing, and the reputation of its seller', async () => {
    await stage.window.visit(`#/markets/info/${stage.scene.dataset.listingId}`);
    const offer = stage.page.getByRole('region', { name: 'Offer' });
    await offer.getByText('25 Tokens').waitFor();
    await offer.getByText('2, 2 completed').waitFor();
    await stage.page.locator('.score .figure').waitFor();
    expect(Number(await stage.page.locator('.score .figure').innerText())).to.be.above(900);
    await stage.window.visit(`#/markets/tasks/${stage.scene.task.listingId}`);
    const bids = stage.page.locator('[aria-label="Bids on the task"] tbody tr');
    await bids.first().waitFor();
    expect(await bids.first().innerText()).to.match(/320\sTokens\s+accepted/);
    stage.window.expectQuiet();
  });

  it('show what sellers write as text, and link to http and https alone', async () => {
    await stage.window.visit(`#/markets/info/${stage.scene.trap.listingId}`);
    await stage.page.getByRole('heading', { level: 2, name: hostile.markup }).waitFor();
    await stage.page.getByText(hostile.link).waitFor();
    expect(await stage.page.locator('main a[href^="javascript"], main img, main script').count()).to.equal(0);
    await stage.window.visit(`#/markets/capabilities/${stage.scene.capability.listingId}`);
    const link = stage.page.getByRole('link', { name: 'https://speech.example/docs' });
    await link.waitFor();
    expect(await link.getAttribute('rel')).to.include('noopener');
    expect(await stage.page.evaluate(() => (globalThis as { caught?: number }).caught)).to.equal(undefined);
    stage.window.expectQuiet();
  });

  it('show the Big List of Naughty Strings as what it is', async () => {
    const texts = vectorsIn<string>('naughty-strings.json');
    await stage.page.route('**/api/v1/markets/search*', async (route) => {
      const found = await (await route.fetch()).json();
      const [listing] = found.listings;
      const listings = texts.map((text, index) => ({
        ...{ ...listing, listingId: `lst-${index}`, title: text, category: text, tags: [text] },
      }));
      await route.fulfill({ json: { ...found, listings } });
    });
    await stage.window.visit('#/markets');
    const shown = stage.page.locator('.listings .listing-title');
    await shown.nth(texts.length - 1).waitFor();
    expect(await shown.allTextContents()).to.deep.equal(texts);
    expect(await stage.page.locator('.listings .badge').allTextContents()).to.include.members(texts);
    expect(await stage.page.locator('.listings').locator('img, script, iframe, svg, form, input').count()).to.equal(0);
    expect(await stage.page.locator('.listings a:not([href^="#"])').count()).to.equal(0);
    stage.window.expectQuiet();
  });

  it('say which listing there is not', async () => {
    stage.window.expected.add(404);
    await stage.window.visit('#/markets/info/lst-none');
    await stage.page.getByText('LISTING_NOT_FOUND').waitFor();
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'are without violations, and fit', async (look) => {
    await stage.window.visit('#/markets');
    await titles().first().waitFor();
    await expectGood(stage.window, `markets-${look}`);
    await stage.window.visit(`#/markets/info/${stage.scene.trap.listingId}`);
    await stage.page.getByText('No records yet').waitFor();
    await expectGood(stage.window, `markets-listing-${look}`);
  });
});
