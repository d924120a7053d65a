/** Other homes' listings and identities in the console. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { catalogue, searchedOf } from '../../src/machines/catalogue.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { HandmadeCards } from '../node/support/handmade-cards.js';
import { publishes } from '../node/support/market.js';
import { TestNode } from '../node/support/node.js';
import { didOf, ben as seller } from '../world/people.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';
import { hostile } from './support/town.js';

const north = didOf('north');
const short = north.slice(12, 20);
const [liar, trapper] = [didOf('liar'), didOf('trapper')];
const markets = searchedOf(catalogue);

async function open(): Promise<{ readonly node: TestNode }> {
  const cards = new HandmadeCards();
  const node = await TestNode.start({ parts: { cards } });
  await publishes(await node.rich(10), { listingId: 'lst-same', title: 'Rain of this node' });
  cards.follow(north, node.world.now());
  const card = { seller, home: north, at: node.world.now() };
  await cards.listing(infoListing, { ...card, id: 'lst-same', body: { title: 'Rain of the north' } });
  await cards.listing(taskListing, { ...card, id: 'lst-task', body: { title: 'Measure rain' } });
  await openHostile(cards, node.world.now());
  await cards.identity({ ...card, id: seller, document: { displayName: 'Ben of the north' } });
  await cards.identity({ ...card, id: north, document: { displayName: 'Northern Light' } });
  return { node };
}

/** A home all of whose texts are hostile. Links of a document and of a card are http(s) ones: its schema takes no others. */
async function openHostile(cards: HandmadeCards, at: number): Promise<void> {
  const { markup, link, long, backwards } = hostile;
  cards.follow(liar, at);
  const card = { seller: trapper, home: liar, at };
  for (const [index, definition] of markets.entries()) {
    const body = {
      ...{ title: `${markup} trap`, description: `${backwards}\n${link}\n${long}` },
      ...{ category: long.slice(0, 60), tags: [markup.slice(0, 40)], license: { type: backwards, url: link } },
    };
    await cards.listing(definition, { ...card, id: `lst-trap-${index}`, body });
  }
  const url = 'https://trap.example/"><script>globalThis.caught=1</script>';
  const document = {
    displayName: markup,
    bio: `${long} ${link}`,
    avatar: url,
    platformLinks: [{ platform: backwards, url }],
  };
  await cards.identity({ ...card, id: trapper, document });
}

inBrowser('the console’s listings of other homes', { open, close: ({ node }) => node.discard() }, (stage) => {
  it('have their home in a list, and a page that says where to deal', async () => {
    await stage.window.visit('#/markets');
    const line = stage.page.locator('.listings li', { hasText: 'Rain of the north' });
    await line.getByText(`at home Northern Light ${short}`).waitFor();
    expect(await stage.page.locator('.listings li', { hasText: 'Rain of this node' }).innerText()).not.to.include(
      'at home',
    );
    await line.getByRole('link', { name: 'Rain of the north' }).click();
    await stage.page.getByRole('heading', { level: 2, name: 'Rain of the north' }).waitFor();
    const note = stage.page.getByRole('note');
    expect(await note.innerText())
      .to.include(north)
      .and.include('You can deal with it at that home only.');
    expect(await stage.page.getByRole('link', { name: 'lst-same' }).count(), 'its chart is not here').to.equal(0);
    await stage.window.visit('#/markets/tasks/lst-task');
    await stage.page.getByRole('heading', { level: 2, name: 'Measure rain' }).waitFor();
    expect(await stage.page.getByRole('region', { name: 'Bids' }).count()).to.equal(0);
    stage.window.expectQuiet();
  });

  it('are found by id and name', async () => {
    await stage.window.visit('#/find?text=lst-same');
    const matches = stage.page.getByRole('region', { name: 'Matches' });
    await matches.getByText(`at home Northern Light ${short}`).waitFor();
    await stage.window.visit('#/markets');
    await stage.page
      .getByText(`Ben of the north …${seller.slice(-4)} ~Northern Light`)
      .first()
      .waitFor();
    await stage.window.visit(`#/identities/${encodeURIComponent(seller)}`);
    await stage.page.getByRole('heading', { name: 'Ben of the north' }).waitFor();
    expect(await stage.page.getByRole('note').innerText()).to.include(north);
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'are text, whatever they say', async (look) => {
    const { page } = stage;
    const line = page.locator('.listings li', { hasText: hostile.markup }).first();
    const heading = page.getByRole('heading', { name: hostile.markup }).first();
    const match = page
      .getByRole('region', { name: 'Matches' })
      .getByText(`at home ${liar.slice(12, 20)}`)
      .first();
    const views: [string, Locator][] = [
      ['#/markets', line],
      ['#/markets?keyword=trap', line],
      ['#/find?text=lst-trap', match],
      ...markets.map(({ route }, index): [string, Locator] => [
        `#${route.path.replace('/api/v1', '')}/lst-trap-${index}`,
        heading,
      ]),
      [`#/identities/${encodeURIComponent(trapper)}`, heading],
    ];
    for (const [view, shown] of views) {
      await stage.window.visit(view);
      await shown.waitFor();
      await expectGood(stage.window, `hostile-${view.replace(/\W+/g, '-')}-${look}`);
      expect(await stage.page.evaluate(() => (globalThis as { caught?: unknown }).caught), view).to.equal(undefined);
      const links = await stage.page
        .locator('a')
        .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).protocol));
      expect(['http:', 'https:'], view).to.include.members([...new Set(links)]);
    }
  });
});
