/** Other homes' listings and identities in the console. */
import { expect } from 'chai';
import { infoListing } from '../../src/machines/listing/info.js';
import { taskListing } from '../../src/machines/listing/task.js';
import { HandmadeCards } from '../node/support/handmade-cards.js';
import { publishes } from '../node/support/market.js';
import { TestNode } from '../node/support/node.js';
import { didOf, ben as seller } from '../world/people.js';
import { inBrowser } from './support/stage.js';

const north = didOf('north');
const short = north.slice(12, 20);

async function open(): Promise<{ readonly node: TestNode }> {
  const cards = new HandmadeCards();
  const node = await TestNode.start({ parts: { cards } });
  await publishes(await node.rich(10), { listingId: 'lst-same', title: 'Rain of this node' });
  cards.follow(north, node.world.now());
  const card = { seller, home: north, at: node.world.now() };
  await cards.listing(infoListing, { ...card, id: 'lst-same', body: { title: 'Rain of the north' } });
  await cards.listing(taskListing, { ...card, id: 'lst-task', body: { title: 'Measure rain' } });
  await cards.identity({ ...card, id: seller, displayName: 'Ben of the north' });
  return { node };
}

inBrowser('the console’s listings of other homes', { open, close: ({ node }) => node.discard() }, (stage) => {
  it('have their home in a list, and a page that says where to deal', async () => {
    await stage.window.visit('#/markets');
    const line = stage.page.locator('.listings li', { hasText: 'Rain of the north' });
    await line.getByText(`at home ${short}`).waitFor();
    expect(await stage.page.locator('.listings li', { hasText: 'Rain of this node' }).innerText()).not.to.include(
      'at home',
    );
    await line.getByRole('link', { name: 'Rain of the north' }).click();
    await stage.page.getByRole('heading', { name: 'Rain of the north' }).waitFor();
    const note = stage.page.getByRole('note');
    expect(await note.innerText())
      .to.include(north)
      .and.include('You can deal with it at that home only.');
    expect(await stage.page.getByRole('link', { name: 'lst-same' }).count(), 'its chart is not here').to.equal(0);
    await stage.window.visit('#/markets/tasks/lst-task');
    await stage.page.getByRole('heading', { name: 'Measure rain' }).waitFor();
    expect(await stage.page.getByRole('region', { name: 'Bids' }).count()).to.equal(0);
    stage.window.expectQuiet();
  });

  it('are found by id and name', async () => {
    await stage.window.visit('#/find?text=lst-same');
    const matches = stage.page.getByRole('region', { name: 'Matches' });
    await matches.getByText(`at home ${short}`).waitFor();
    await stage.window.visit(`#/identities/${encodeURIComponent(seller)}`);
    await stage.page.getByRole('heading', { name: 'Ben of the north' }).waitFor();
    expect(await stage.page.getByRole('note').innerText()).to.include(north);
    stage.window.expectQuiet();
  });
});
