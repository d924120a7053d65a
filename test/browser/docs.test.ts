/** The API page, `/docs`: Swagger UI over the node's OpenAPI document, under the node's Content-Security-Policy. */
import { expect } from 'chai';
import { closePair, openPair } from './support/pair.js';
import { inBrowser, inEachLook } from './support/stage.js';

/** Violations in Swagger UI's own markup: a link inside a button, a skipped heading level, a header outside of landmarks. */
const notOurs = ['nested-interactive', 'heading-order', 'region'];

inBrowser('the API page', { open: () => openPair(1), close: closePair }, (stage) => {
  const visit = (hash = '') => stage.page.goto(`${stage.scene.node.url}/docs${hash}`);
  const operations = () => stage.page.locator('.opblock-summary-path');
  const opened = () => stage.page.locator('.opblock.is-open');

  inEachLook(stage, 'lists the operations, in the colours that the browser asks for', async (look) => {
    await visit();
    await operations().first().waitFor();
    await stage.page.getByRole('heading', { name: /^svc-node/ }).waitFor();
    const back = await stage.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(back).to.equal(look === 'dark' ? 'rgb(28, 32, 34)' : 'rgba(0, 0, 0, 0)');
    await stage.window.shot(`docs-${look}`);
    expect(await stage.window.axe(notOurs)).to.deep.equal([]);
    await stage.window.expectFits();
    stage.window.expectQuiet();
  });

  it('finds operations by words of their path, name or summary, and names the one that is opened in the address', async () => {
    await visit();
    await operations().first().waitFor();
    const filter = stage.page.getByPlaceholder('Filter');
    const found = async (words: string, first: RegExp) => {
      await filter.fill(words);
      await operations().filter({ hasText: first }).first().waitFor();
      await expect(await operations().count(), words).to.equal(1);
    };
    await found('createEscrow', /escrows$/);
    await found('faucet post', /faucet/);
    await found('getNonce', /nonce/);
    await operations().filter({ hasText: 'nonce' }).click();
    await opened().waitFor();
    expect(new URL(stage.page.url()).hash).to.match(/^#\/\w+\/getNonce$/);
    stage.window.expectQuiet();
  });

  it('opens from its contents an operation far below, by the keyboard alone, and moves the focus to it', async () => {
    const { keyboard } = stage.page;
    await visit();
    await operations().first().waitFor();
    const focused = () => stage.page.evaluate(() => (document.activeElement as HTMLElement).innerText);
    const reach = async (text: string, atMost: number) => {
      for (let i = 0; i < atMost && (await focused()) !== text; i++) await keyboard.press('Tab');
      expect(await focused()).to.equal(text);
      await keyboard.press('Enter');
    };
    await stage.page.locator('#contents summary', { hasText: 'Webhooks' }).waitFor();
    await reach('Webhooks', 40);
    await reach('getWebhook', 10);
    await opened().waitFor();
    await stage.page.waitForFunction(() => document.activeElement?.closest('.opblock'));
    expect(await focused()).to.include('/api/v1/webhooks/');
    expect(new URL(stage.page.url()).hash).to.equal('#/Webhooks/getWebhook');
    stage.window.expectQuiet();
  });

  it('opens the operation that the address names, wherever it is on the page, and again when the address changes', async () => {
    const shown = async (path: string) => {
      await opened().filter({ hasText: path }).waitFor();
      // The operation must be in view: a reader does not find one that is drawn elsewhere on the page.
      await stage.page.waitForFunction(() => {
        const box = document.querySelector('.opblock.is-open')?.getBoundingClientRect();
        return box !== undefined && box.top < innerHeight && box.bottom > 0;
      });
    };
    await stage.page.goto('about:blank');
    await visit('#/Escrows/releaseEscrow');
    await shown('actions/release');
    await stage.page.evaluate(() => {
      location.hash = '#/Machines/getMachineHistory';
    });
    await shown('/history');
    stage.window.expectQuiet();
  });

  it('opens the operation that the address names, with its body, an example on the command line and its replies', async () => {
    await visit('#/Escrows/createEscrow');
    await opened().waitFor();
    const text = async () => (await opened().innerText()).replace(/\u200b/g, '');
    await opened().getByText('Responses', { exact: true }).waitFor();
    const { url } = stage.scene.node;
    expect(await text())
      .to.include(`curl -X POST '${url}/api/v1/escrows'`)
      .and.include("-H 'X-Api-Key: <key>'")
      .and.include(`new Client({ url: '${url}'`);
    for (const shown of ['"beneficiary"', 'autoFund', '201', 'handling=lenient'])
      expect(await text()).to.include(shown);
    await opened().getByRole('tab', { name: 'Schema' }).first().click();
    await opened().getByText('releaseRules').first().waitFor();
    expect(await stage.page.getByRole('button', { name: /Try it out|Execute|Authorize/ }).count()).to.equal(0);
    stage.window.expectQuiet();
  });
});
