/** The pages of the API, `/docs`, in a browser: how they look, what the search finds, and their samples. */
import { expect } from 'chai';
import { closePair, openPair } from './support/pair.js';
import { inBrowser, inEachLook } from './support/stage.js';

inBrowser('the pages of the API', { open: () => openPair(1), close: closePair }, (stage) => {
  const visit = (page = '/docs') => stage.page.goto(`${stage.scene.node.url}${page}`);
  const field = () => stage.page.getByRole('searchbox', { name: 'Search guide and API' });

  inEachLook(stage, 'are without violations, and fit', async (look) => {
    for (const [page, name] of [
      ['/docs', 'docs'],
      ['/guide/api.createescrow', 'docs-operation'],
      ['/guide/api.searchmarkets', 'docs-query'],
    ] as const) {
      await visit(page);
      await field().waitFor();
      expect(await stage.window.axe(), page).to.deep.equal([]);
      await stage.window.expectFits();
      await stage.window.shot(`${name}-${look}`);
    }
    stage.window.expectQuiet();
  });

  it('fit a phone, also with every shape unfolded', async () => {
    await stage.page.setViewportSize({ width: 390, height: 844 });
    for (const page of ['/docs', '/guide/api.createescrow', '/guide/api.getresourceproof']) {
      await visit(page);
      await field().waitFor();
      await stage.page.evaluate(() => {
        for (const each of document.querySelectorAll('details')) each.open = true;
      });
      expect(await stage.page.evaluate(() => document.documentElement.scrollWidth), page).to.be.at.most(390);
    }
    await stage.window.shot('docs-phone');
    stage.window.expectQuiet();
  });

  it('are found by words of their name, path or summary, by keyboard alone', async () => {
    await visit();
    await field().waitFor();
    await stage.page.keyboard.press('/');
    await stage.page.keyboard.type('claimFaucet');
    await stage.page.locator('.search a', { hasText: 'claimFaucet' }).first().waitFor();
    await stage.page.keyboard.press('Enter');
    await stage.page.waitForURL(/\/guide\/api\.claimfaucet$/);
    await stage.page.getByRole('heading', { level: 1, name: 'claimFaucet' }).waitFor();
    stage.window.expectQuiet();
  });

  it('show one sample at a time, chosen by keyboard, for the address of this node', async () => {
    await visit('/guide/api.createescrow');
    await field().waitFor();
    const { url } = stage.scene.node;
    const shown = () => stage.page.locator('.sample code:visible').innerText();
    expect(await shown())
      .to.include(`curl -X POST '${url}/api/v1/escrows'`)
      .and.include('X-Api-Key: <key>');
    await stage.page.getByRole('radio', { name: 'curl' }).focus();
    await stage.page.keyboard.press('ArrowRight');
    await stage.page.locator('.sample code', { hasText: 'new Client' }).waitFor();
    expect(await shown()).to.include(`url: '${url}'`);
    await stage.page.keyboard.press('ArrowRight');
    await stage.page.locator('.sample code', { hasText: 'signer.write' }).waitFor();
    expect(await shown()).to.include(`Node("${url}")`);
    await stage.page.keyboard.press('ArrowRight');
    await stage.page.locator('.sample code', { hasText: 'svc-node escrow create' }).waitFor();
    stage.window.expectQuiet();
  });
});
