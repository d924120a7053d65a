/** The console's frame and its overview: order of the content, live updates, key, keyboard, size of the files. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtConsole } from '../../src/http/routes/console-files.js';
import { moderationKind } from '../../src/machines/moderation/moderation.js';
import { expectStatus } from '../node/support/answers.js';
import { buys, onOrder, publishes } from '../node/support/market.js';
import { Deal } from '../stories/contract/stage.js';
import { until } from '../support/until.js';
import { expectGood } from './support/browser.js';
import { closePair, openPair, type Pair } from './support/pair.js';
import { inBrowser, inEachLook } from './support/stage.js';

describe('the console’s payload', () => {
  it('stays under 125 KB, compressed; the checker of proofs under 30', () => {
    const files = readdirSync(builtConsole, { recursive: true }) as string[];
    const gzipped = files.filter((file) => file.endsWith('.gz'));
    expect(gzipped).to.have.length(files.filter((file) => /\.(html|js|css|svg)$/.test(file)).length);
    const isChecker = (file: string) => /(^|\/)verify-proof-/.test(file);
    const bytesOf = (some: readonly string[]) =>
      some.reduce((sum, file) => sum + statSync(join(builtConsole, file)).size, 0);
    expect(bytesOf(gzipped.filter((file) => !isChecker(file)))).to.be.within(1_000, 125_000);
    expect(bytesOf(gzipped.filter(isChecker))).to.be.within(1_000, 30_000);
  });
});

async function open(): Promise<Pair> {
  const pair = await openPair(1_000);
  await pair.ada.pays(pair.ben.did, 5);
  return pair;
}

inBrowser('the console’s overview', { open, close: closePair }, (stage) => {
  const events = () => stage.page.getByRole('region', { name: 'Latest events' }).first();
  const rows = () => events().locator('li');

  it('says what the node is, how far it has come, and where it keeps it', async () => {
    await stage.window.visit();
    await rows().first().waitFor();
    const { network, height, peers, store } = expectStatus(await stage.scene.node.client.get('/api/v1/node'));
    const shown = async (name: string) =>
      (await stage.page.getByRole('region', { name, exact: true }).innerText()).replace(/\s+/g, ' ');
    expect(await shown('Node')).to.match(new RegExp(`Network ${network} Journal ${height} entries .*Peers ${peers}`));
    expect(await shown('Store')).to.include(`Kind ${store.kind} Durability ${store.durability}`);
    expect(await shown('Chain')).to.match(/Kind none Settlement off/);
    stage.window.expectQuiet();
  });

  it('shows each event as it happens, newest first', async () => {
    await stage.window.visit();
    await rows().first().waitFor();
    await events().getByText('live', { exact: true }).waitFor();
    const { seq } = (await stage.scene.node.client.get('/api/v1/events?limit=100')).body.events.at(-1);
    await stage.scene.ada.pays(stage.scene.ben.did, 7);
    await rows()
      .filter({ hasText: /sent 7\sTokens to/ })
      .first()
      .waitFor();
    expect(await rows().first().locator('a').first().innerText()).to.equal(String(seq + 1));
    stage.window.expectQuiet();
  });

  it('resumes after the last event when the stream was interrupted', async () => {
    await stage.window.visit();
    await events().getByText('live', { exact: true }).waitFor();
    await stage.page.context().setOffline(true);
    await stage.scene.ada.pays(stage.scene.ben.did, 11);
    await stage.page.context().setOffline(false);
    await rows()
      .filter({ hasText: /sent 11\sTokens to/ })
      .first()
      .waitFor();
    const numbers = await rows().locator('> a').allInnerTexts();
    expect(new Set(numbers).size, 'none twice').to.equal(numbers.length);
  });

  /** The activity of a node that has run for a while. */
  const activity = (count: number) =>
    stage.page.route('**/api/v1/node/activity', (route) => {
      const from = Date.now() - 5_000 * count;
      const points = Array.from({ length: count }, (_, i) => ({
        ...{ at: from + 5_000 * i, requests: 20 + i, failures: i % 7 === 3 ? 2 : 0, entries: 2 + (i % 5), height: 9 },
        ...{ p50Ms: 1.5 + Math.sin(i / 9), p99Ms: i === count - 1 ? null : 10 + (i % 11), lag: i % 4 },
      }));
      return route.fulfill({ json: { everyMs: 5_000, points } });
    });

  const openLastMinutes = () => stage.page.getByText('of the last 15 minutes').click();

  it('says in sentences what happened, with names, and how much of an escrow was paid', async () => {
    const { ada, ben } = stage.scene;
    const path = `/api/v1/identities/${ada.did}`;
    const { docHash } = expectStatus(await ada.client.get(path));
    await ada.does(`${path}/actions/update`, { document: { displayName: 'Ada' }, prevDocHash: docHash });
    const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }] };
    const escrow = await ada.does('/api/v1/escrows', { ...rules, amount: 11, autoFund: true });
    expectStatus(await ada.act(escrow, 'release', { amount: 5 }));
    await stage.window.visit();
    const said = async (text: RegExp) => {
      await rows().filter({ hasText: text }).first().waitFor();
    };
    await said(/Ada …\w{4} released 5 of 11\sTokens to .+, escrow esc-/);
    await said(/Ada …\w{4} created escrow esc-.+, 11\sTokens in escrow/);
    await said(/Ada …\w{4} updated their identity/);
    stage.window.expectQuiet();
  });

  it('names in its sentences the listings, contracts and milestones that the reader may see', async () => {
    const { ada, ben, node } = stage.scene;
    const title = 'Weather of Lyon\u202e, or of any other town between the sea and the mountains';
    const listing = await publishes(ben, { title, pricing: { fixedPrice: 3 } });
    const order = await buys(ada, listing);
    expectStatus(await onOrder(ben, order, 'deliver'));
    const cast = { client: ada, provider: ben, arbiter: ben, stranger: ben };
    const deal = await Deal.active(node, cast, { terms: { title: 'A bridge', arbiter: node.did } });
    await deal.steps('one', 'submit', 'approve');
    await stage.window.visit();
    const said = (text: RegExp) => rows().filter({ hasText: text }).first();
    const shown = '“Weather of Lyon, or of any other town between the sea and t…”';
    await said(new RegExp(`bought ${shown} of .+ for 3\\sTokens`)).waitFor();
    await said(new RegExp(`published info listing ${shown}`)).waitFor();
    await said(new RegExp(`delivered info order of ${shown}`)).waitFor();
    await said(/approved a milestone of contract ctr-.+, 30\sTokens paid to/).waitFor();
    expect(await events().innerText()).not.to.match(/A bridge|One/);
    // Hidden while the page is open, which asks again.
    stage.window.expected.add(404);
    const input = { reason: 'stolen', operator: 'on call' };
    await node.operate(moderationKind, listing.listingId, 'hide', { ...input, owners: [ben.did] });
    await said(new RegExp(`hid the listing ${listing.listingId}`)).waitFor();
    await said(/purchased info order ord-.+, 3\sTokens in escrow/).waitFor();
    const ofOrder = rows().filter({ hasText: /info order|bought/ });
    await until('no sentence about the order has its title', async () => (await ofOrder.allInnerTexts()).join(), {
      is: (text) => !text.includes('Weather'),
    });
    await stage.window.visit('#/peers');
    await stage.open();
    await stage.window.visit();
    await said(/purchased info order ord-/).waitFor();
    // The buyer still sees it.
    await stage.page.getByRole('button', { name: 'Enter a read key' }).click();
    await stage.page.getByLabel('API key').fill((await node.key({ did: ada.did })).key);
    await stage.page.getByRole('button', { name: 'Use this key' }).click();
    await said(/approved milestone “One” of contract “A bridge”, 30\sTokens paid to/).waitFor();
    await said(new RegExp(`bought ${shown} of .+ for 3\\sTokens`)).waitFor();
    await node.operate(moderationKind, listing.listingId, 'show', input);
    await said(new RegExp(`showed again the listing ${listing.listingId}`)).waitFor();
    stage.window.expectQuiet();
  });

  it('leaves a phone’s window to the page, and says there that the node does not answer', async () => {
    const { page } = stage;
    await page.setViewportSize({ width: 390, height: 844 });
    await stage.window.visit();
    const { y } = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
    expect(y).to.be.below(160);
    await page.route('**/api/v1/node', (route) => route.abort());
    await page.reload();
    const says = page.getByText('The node does not answer', { exact: true });
    await says.waitFor();
    const { y: top, height } = (await says.boundingBox())!;
    expect(top + height).to.be.at.most(844);
  });

  it('shows what is traded, in a day, a week or a month', async () => {
    await stage.window.visit();
    const traded = stage.page.getByRole('region', { name: 'What is traded' });
    await traded.getByText(/in \d+ transfers?/).waitFor();
    const sums = expectStatus(await stage.scene.node.client.get('/api/v1/statistics'));
    const { escrowed, released, traded: agreed, trades } = sums;
    expect((await traded.innerText()).replace(/\s+/g, ' '))
      .to.include(`${escrowed} Tokens in escrow, ${released} Tokens paid out`)
      .and.match(new RegExp(`${agreed} Tokens agreed in ${trades} trades?: orders, contracts, leases`));
    await traded.getByRole('button', { name: 'Last month' }).click();
    const colours = ['Last month', 'Last week'].map((name) =>
      traded.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).borderColor),
    );
    const [chosen, other] = await Promise.all(colours);
    expect(chosen, 'the period that is shown').not.to.equal(other);
    await traded.getByText(/up to/).first().waitFor();
    expect(await traded.locator('.plot').count()).to.equal(4);
    stage.window.expectQuiet();
  });

  it('says what is not well with names, in its place, on a phone too', async () => {
    const { ada } = stage.scene;
    const reasons = [
      `${ada.did} has signed two journals: the node no longer follows it`,
      `the mirror ${ada.did} does not take this journal: /ip4/127.0.0.1/tcp/44889/p2p/${'12D3KooW'.repeat(7)}`,
    ];
    await stage.page.route('**/readyz', (route) => route.fulfill({ json: { ready: true, degraded: true, reasons } }));
    await stage.window.visit();
    const health = stage.page.getByRole('region', { name: 'Health' });
    await health.getByText('Not all is well').waitFor();
    await health.locator(`a[title="${ada.did}"]`).nth(1).waitFor();
    const ends = () =>
      health.evaluate((panel) => {
        const range = document.createRange();
        range.selectNodeContents(panel.querySelector('ul')!);
        return [
          range.getBoundingClientRect().right,
          panel.querySelector('[role=status]')!.getBoundingClientRect().right,
        ];
      });
    for (const width of [1_280, 390]) {
      await stage.page.setViewportSize({ width, height: 900 });
      await stage.window.painted();
      const [text, column] = await ends();
      expect(text, `${width} px wide`).to.be.at.most(column! + 1);
      await stage.window.expectFits();
    }
    stage.window.expectQuiet();
  });

  it('draws the last minutes', async () => {
    await activity(3);
    await stage.window.visit();
    await openLastMinutes();
    const requests = stage.page.getByRole('figure', { name: /Requests/ });
    await requests.waitFor();
    expect(await stage.page.locator('details .plot').count()).to.equal(4);
    expect(await requests.innerText()).to.include('22/s');
    await requests.locator('svg').focus();
    await requests.locator('svg').press('ArrowLeft');
    expect(await requests.innerText()).to.include('21/s');
    stage.window.expectQuiet();
  });

  it('asks for a key where the node wants one, and forgets it with the page', async () => {
    const { key } = await stage.scene.node.key({ scope: 'read' });
    stage.window.expected.add(401);
    // Answers as for a remote reader, because loopback needs no key on devnet.
    await stage.page.route('**/api/v1/**', async (route) => {
      if (route.request().headers()['x-api-key'] === key) return route.continue();
      await route.fulfill({ status: 401, json: { code: 'UNAUTHORIZED', detail: 'an API key is needed' } });
    });
    await stage.window.visit();
    const dialog = stage.page.getByRole('dialog', { name: 'A read key' });
    await dialog.getByLabel('API key').fill(key);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await rows().first().waitFor();
    await stage.page.getByText('Read key in use').waitFor();
    const kept = await stage.page.evaluate(async () => [
      ...[...Object.keys(localStorage), ...Object.keys(sessionStorage), ...(await caches.keys())],
      ...(await indexedDB.databases()).map(({ name }) => name),
    ]);
    expect([...kept, ...(await stage.page.context().cookies())], 'what the browser keeps').to.deep.equal([]);
    expect(stage.page.url()).to.not.include(key);
    await stage.page.reload();
    await dialog.waitFor();
    stage.window.expectQuiet();
  });

  it('is used by keyboard alone: skip link, navigation, heading', async () => {
    await stage.window.visit();
    const { page } = stage.window;
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to the content' });
    expect(await skip.evaluate((each) => each === document.activeElement)).to.equal(true);
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { level: 1 });
    expect(await heading.evaluate((each) => each === document.activeElement)).to.equal(true);
    await page.getByRole('link', { name: 'Resources', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Resources' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await page.title()).to.equal('Resources – svc-node');
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    await activity(120);
    await stage.window.visit();
    await rows().first().waitFor();
    await openLastMinutes();
    await stage.page.locator('details .plot').nth(3).waitFor();
    await expectGood(stage.window, `overview-${look}`);
  });
});
