/** The guide, `/guide`: its search, what it copies, and how it looks, in a browser. */
import { expect } from 'chai';
import { closePair, openPair } from './support/pair.js';
import { inBrowser, inEachLook } from './support/stage.js';

inBrowser('the guide in a browser', { open: () => openPair(1), close: closePair }, (stage) => {
  const visit = (page = '') => stage.page.goto(`${stage.scene.node.url}/guide${page}`);
  const field = () => stage.page.getByRole('searchbox', { name: 'Search guide and API' });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    for (const page of ['', '/escrows', '/tutorials.buyer', '/generated.machines.contract', '/benchmarks']) {
      await visit(page);
      await field().waitFor();
      expect(await stage.window.axe(), page).to.deep.equal([]);
      await stage.window.expectFitsAt(1_280, 768, 390, 320);
    }
    await stage.window.shot(`guide-${look}`);
    stage.window.expectQuiet();
  });

  it('leads by keyboard from a few words to the place that has them', async () => {
    await visit('/tutorials.buyer');
    await field().waitFor();
    await stage.page.keyboard.press('/');
    await stage.page.keyboard.type('idempotency ke');
    await stage.page.locator('.search a').first().waitFor();
    await stage.page.keyboard.press('ArrowDown');
    const named = await stage.page.locator('.search a').first().getAttribute('href');
    await stage.page.keyboard.press('Enter');
    await stage.page.waitForURL(named!);
    await field().fill('zzzyx');
    await stage.page.getByText('Nothing is called that.').waitFor();
    stage.window.expectQuiet();
  });

  it('copies a block, and leads from page to page', async () => {
    await stage.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit('/tutorials.integrator');
    const block = stage.page.locator('.block').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await stage.page.evaluate(() => navigator.clipboard.readText());
    expect(copied).to.equal(await block.locator('code').textContent());
    await stage.page.getByRole('link', { name: /^Next/ }).click();
    await stage.page.waitForURL(/\/guide\/tutorials\.api$/);
    await stage.page.getByRole('link', { name: /^Previous/ }).click();
    await stage.page.waitForURL(/\/guide\/tutorials\.integrator$/);
    stage.window.expectQuiet();
  });

  it('keeps to light or dark as it is chosen, in the console and the API page, too', async () => {
    const scheme = () => stage.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await visit();
    await stage.page.getByRole('button', { name: 'Light or dark: as the system' }).click();
    await stage.page.getByRole('button', { name: 'Always light' }).click();
    expect(await scheme()).to.equal('dark');
    await visit('/escrows');
    expect(await scheme()).to.equal('dark');
    await stage.window.visit('#/overview');
    expect(await scheme()).to.equal('dark');
    await stage.page.goto(`${stage.scene.node.url}/docs`);
    expect(await scheme()).to.equal('dark');
    await stage.window.visit('#/overview');
    await stage.page.getByRole('button', { name: 'Always dark' }).click();
    expect(await scheme()).to.equal('light dark');
    stage.window.expectQuiet();
  });

  it('begins with the text on a phone', async () => {
    await stage.page.setViewportSize({ width: 390, height: 844 });
    await visit('/escrows');
    const { y } = (await stage.page.getByRole('heading', { level: 1 }).boundingBox())!;
    expect(y).to.be.below(160);
    await stage.page.getByRole('link', { name: 'Contents' }).click();
    await stage.page.locator('#contents a[aria-current]').waitFor();
    stage.window.expectQuiet();
  });
});
