/** Pages of what the operator hides (docs/reference/moderation.md). */
import { expect } from 'chai';
import { moderationKind } from '../../src/machines/moderation/moderation.js';
import { expectStatus } from '../node/support/answers.js';
import { publishes } from '../node/support/market.js';
import { TestNode } from '../node/support/node.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';

async function open() {
  const node = await TestNode.start();
  const ada = await node.rich(1_000);
  const listing = await publishes(ada, { title: 'Stolen' });
  await publishes(ada, { title: 'Honest' });
  const path = `/api/v1/identities/${ada.did}`;
  const { docHash: prevDocHash } = expectStatus(await node.client.get(path));
  await ada.does(`${path}/actions/update`, { document: { displayName: 'The Bank' }, prevDocHash });
  for (const target of [listing.listingId, ada.did]) {
    const input = { reason: 'sells stolen data', operator: 'on call', owners: [ada.did] };
    expect(await node.operate(moderationKind, target, 'hide', input)).to.have.property('entry');
  }
  const { key } = await node.key({ did: ada.did });
  return { node, ada, listing, key };
}

const because = 'hidden by the operator: sells stolen data';

inBrowser('what the operator hides, in the console', { open, close: ({ node }) => node.discard() }, (stage) => {
  const saying = (text: string) => stage.page.locator('main').getByText(text).first().waitFor();
  const page = () => `#/markets/info/${stage.scene.listing.listingId}`;

  it('is in no list, and its page says why', async () => {
    await stage.window.visit('#/markets/info');
    await stage.page.locator('.listing-title').first().waitFor();
    expect(await stage.page.locator('.listing-title').allInnerTexts()).to.deep.equal(['Honest']);
    await stage.window.visit(page());
    await saying(because);
    await stage.window.visit(`#/identities/${stage.scene.ada.did}`);
    await saying(`Profile ${because}`);
    expect(await stage.page.locator('body').innerText()).not.to.include('The Bank');
  });

  it('the feed says in a sentence what was hidden, and why', async () => {
    await stage.window.visit('#/');
    await saying(`hid the listing ${stage.scene.listing.listingId}: sells stolen data`);
  });

  inEachLook(stage, 'its seller sees it, with the mark, without violations', async (look) => {
    await stage.window.visit(`#/identities/${stage.scene.ada.did}`);
    await stage.page.getByRole('button', { name: 'Enter a read key' }).click();
    await stage.page.getByLabel('API key').fill(stage.scene.key);
    await stage.page.getByRole('button', { name: 'Use this key' }).click();
    await stage.window.visit(page());
    await saying('Stolen');
    await saying(because);
    await expectGood(stage.window, `hidden-listing-${look}`);
  });
});
