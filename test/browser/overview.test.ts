/** The console's shell and its overview: what comes first, what comes live, the key, the keyboard, the weight. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtConsole } from '../../src/http/console-files.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { closeBrowser, expectGood, inBrowser, type Look, Window } from './support/browser.js';

describe('the console’s payload', () => {
  it('stays under 400 KB, compressed', () => {
    const files = readdirSync(builtConsole, { recursive: true }) as string[];
    const gzipped = files.filter((file) => file.endsWith('.gz'));
    const bytes = gzipped.reduce((sum, file) => sum + statSync(join(builtConsole, file)).size, 0);
    expect(gzipped).to.have.length(files.filter((file) => /\.(html|js|css|svg)$/.test(file)).length);
    expect(bytes).to.be.within(1_000, 400_000);
  });
});

inBrowser('the console’s overview', function () {
  this.timeout(40_000);
  let node: TestNode;
  let ada: Person;
  let ben: Person;
  let window: Window;

  before(async () => {
    node = await TestNode.start();
    [ada, ben] = [await node.rich(1_000), await node.person()];
    await ada.pays(ben.did, 5);
  });
  after(async () => {
    await closeBrowser();
    await node.discard();
  });
  beforeEach(async () => {
    window = await Window.open(node.url);
  });
  afterEach(() => window.close());

  const events = () => window.page.getByRole('region', { name: 'Latest events' }).first();
  const rows = () => events().locator('tbody tr');

  it('shows each event as it happens, newest first', async () => {
    await window.visit();
    await rows().first().waitFor();
    await events().getByText('live', { exact: true }).waitFor();
    const { seq } = (await node.client.get('/api/v1/events?limit=100')).body.events.at(-1);
    await ada.pays(ben.did, 7);
    await rows()
      .filter({ hasText: /(?<!\d)7\sTokens/ })
      .first()
      .waitFor();
    expect(await rows().first().locator('td').first().innerText()).to.equal(String(seq + 1));
    window.expectQuiet();
  });

  it('goes on behind the last event when the stream was cut', async () => {
    await window.visit();
    await events().getByText('live', { exact: true }).waitFor();
    await window.page.context().setOffline(true);
    await ada.pays(ben.did, 11);
    await window.page.context().setOffline(false);
    await rows()
      .filter({ hasText: /(?<!\d)11\sTokens/ })
      .first()
      .waitFor();
    const numbers = await rows().locator('td:first-child').allInnerTexts();
    expect(new Set(numbers).size, 'none twice').to.equal(numbers.length);
  });

  it('draws the last minutes', async () => {
    await window.page.route('**/api/v1/node/activity', (route) => {
      const point = { failures: 0, entries: 2, p50Ms: 1.5, height: 9, lag: 3 };
      const at = Date.now();
      const points = [10, 40, null].map((p99Ms, i) => ({ ...point, at: at + 5_000 * i, requests: 20 + i, p99Ms }));
      return route.fulfill({ json: { everyMs: 5_000, points } });
    });
    await window.visit();
    const requests = window.page.getByRole('figure', { name: /Requests/ });
    await requests.waitFor();
    expect(await window.page.locator('.plot').count()).to.equal(4);
    expect(await requests.innerText()).to.include('22/s');
    await requests.locator('svg').focus();
    await requests.locator('svg').press('ArrowLeft');
    expect(await requests.innerText()).to.include('21/s');
    window.expectQuiet();
  });

  it('asks for a key where the node wants one, and forgets it with the page', async () => {
    const { key } = await node.key({ scope: 'read' });
    window.expected.add(401);
    // As a reader elsewhere is answered: this machine needs no key on a devnet.
    await window.page.route('**/api/v1/**', async (route) => {
      if (route.request().headers()['x-api-key'] === key) return route.continue();
      await route.fulfill({ status: 401, json: { code: 'UNAUTHORIZED', detail: 'an API key is needed' } });
    });
    await window.visit();
    const dialog = window.page.getByRole('dialog', { name: 'A read key' });
    await dialog.getByLabel('API key').fill(key);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await rows().first().waitFor();
    await window.page.getByText('Read key in use').waitFor();
    await window.page.reload();
    await dialog.waitFor();
    expect(await window.page.evaluate(() => localStorage.length + sessionStorage.length)).to.equal(0);
    window.expectQuiet();
  });

  it('is used by keyboard alone: skip link, navigation, heading', async () => {
    await window.visit();
    const { page } = window;
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to the content' });
    expect(await skip.evaluate((each) => each === document.activeElement)).to.equal(true);
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { level: 1 });
    expect(await heading.evaluate((each) => each === document.activeElement)).to.equal(true);
    await page.getByRole('link', { name: 'Charts', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Charts' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await page.title()).to.equal('Charts – svc-node');
    window.expectQuiet();
  });

  for (const look of ['light', 'dark', 'narrow'] satisfies Look[]) {
    it(`is without violations, and fits: ${look}`, async () => {
      await window.close();
      window = await Window.open(node.url, look);
      await window.visit();
      await rows().first().waitFor();
      await expectGood(window, `overview-${look}`);
    });
  }
});
